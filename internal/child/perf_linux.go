//go:build !portable

package child

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	assay "github.com/seed-1318a441/assay"
)

// An event is something that the kernel can count.
type event struct {
	metric string
	kind   uint32
	config uint64
	// refused avoids retrying an event that the system lacks.
	refused atomic.Bool
}

// events are those of Exit.Counters.
var events = []*event{
	{metric: assay.MetricInstructions, kind: unix.PERF_TYPE_HARDWARE, config: unix.PERF_COUNT_HW_INSTRUCTIONS},
	{metric: assay.MetricCycles, kind: unix.PERF_TYPE_HARDWARE, config: unix.PERF_COUNT_HW_CPU_CYCLES},
	{metric: assay.MetricBranchMisses, kind: unix.PERF_TYPE_HARDWARE, config: unix.PERF_COUNT_HW_BRANCH_MISSES},
	{metric: assay.MetricCacheMisses, kind: unix.PERF_TYPE_HARDWARE, config: unix.PERF_COUNT_HW_CACHE_MISSES},
}

// open makes a counter of what this thread's children do in user mode from their exec on;
// kernel.perf_event_paranoid=2 lets everybody count that. This thread itself is never
// counted: only an exec enables the counter.
func (e *event) open() (file int, ok bool) {
	if e.refused.Load() {
		return -1, false
	}
	attr := unix.PerfEventAttr{
		Type: e.kind, Config: e.config, Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
		Bits: unix.PerfBitDisabled | unix.PerfBitInherit | unix.PerfBitEnableOnExec |
			unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
		Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
	}
	file, err := unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	switch err {
	case nil:
		return file, true
	case unix.EINTR, unix.EMFILE, unix.ENFILE, unix.ENOMEM, unix.EBUSY:
	default:
		e.refused.Store(true)
	}
	return -1, false
}

// perfCounters are open counters.
type perfCounters []perfCounter

type perfCounter struct {
	metric string
	file   int
}

// openCounters opens the available counters of the calling thread, which must be the one
// that starts the job. It returns nil unless wanted.
func openCounters(wanted bool) (all perfCounters) {
	if !wanted {
		return nil
	}
	for _, e := range events {
		if file, ok := e.open(); ok {
			all = append(all, perfCounter{e.metric, file})
		}
	}
	return all
}

// read returns the counts by metric, nil if there are none. If there were more events
// than the processor has counters, a count covers a part of the time and is scaled up
// (perf_event_open(2), PERF_FORMAT_TOTAL_TIME_RUNNING).
func (c perfCounters) read() map[string]float64 {
	var counts map[string]float64
	for _, one := range c {
		var b [24]byte // value, time enabled, time running
		n, err := unix.Read(one.file, b[:])
		running := binary.NativeEndian.Uint64(b[16:])
		if err != nil || n != len(b) || running == 0 {
			continue
		}
		if counts == nil {
			counts = map[string]float64{}
		}
		enabled := binary.NativeEndian.Uint64(b[8:])
		counts[one.metric] = float64(binary.NativeEndian.Uint64(b[:])) * float64(enabled) / float64(running)
	}
	return counts
}

func (c perfCounters) close() {
	for _, one := range c {
		_ = unix.Close(one.file)
	}
}
