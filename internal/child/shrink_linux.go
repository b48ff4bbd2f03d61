//go:build !portable

package child

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// memory is a starter's memory. A trial's peak cannot be seen below the starter's own, so
// that is kept small: a small Go benchmark has 4 to 5 MB.
type memory struct {
	// droppable is read from the file again when it is needed.
	droppable []span
	// statm is /proc/self/statm, -1 if there is none.
	statm int
	// most is the maximum in use since the last shrink, and base what the first job after
	// it needed; in bytes, 0 for none.
	most, base uint64
}

// A span is a range of addresses.
type span struct{ from, to uintptr }

// Shrinking takes a millisecond. A starter shrinks when its memory has grown by
// smallGrowth and no job comes for quietTime, or when it has grown by largeGrowth.
const (
	smallGrowth = 128 << 10
	largeGrowth = 512 << 10
	quietTime   = 2 * time.Millisecond
)

// countError is the maximum error of the kernel's quick count of memory, in bytes.
const countError = 128 << 10

// smallMemory prepares a process to be a starter.
func smallMemory() *memory {
	// No collection while a trial runs: shrink does it.
	debug.SetGCPercent(-1)
	m := &memory{droppable: findDroppable()}
	var err error
	if m.statm, err = unix.Open("/proc/self/statm", unix.O_RDONLY|unix.O_CLOEXEC, 0); err != nil {
		m.statm = -1
	}
	return m
}

// findDroppable returns all code, and the constants of programs that run at the low
// addresses of their link; others may have been relocated.
func findDroppable() (all []span) {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(maps)) {
		var from, to uint64
		var mode string
		_, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &mode)
		if err == nil && strings.Contains(line, "/") && (mode == "r-xp" || mode == "r--p" && to < 1<<32) {
			all = append(all, span{uintptr(from), uintptr(to)})
		}
	}
	return all
}

// floor returns the peak memory of this process since the last shrink, in bytes; m may be
// nil. The memory in use only grows between shrinks, so asking once per job is enough.
func (m *memory) floor() uint64 {
	if m == nil || m.most == 0 || m.statm == -1 {
		return ownPeak()
	}
	var b [64]byte
	n, err := unix.Pread(m.statm, b[:], 0)
	if err != nil {
		return ownPeak()
	}
	_, rest, _ := strings.Cut(string(b[:n]), " ")
	word, _, _ := strings.Cut(rest, " ")
	pages, _ := strconv.ParseUint(word, 10, 64)
	m.most = max(m.most, pages*uint64(os.Getpagesize())+countError)
	if m.base == 0 {
		m.base = m.most
	}
	return m.most
}

// beforeJob is called before each job, which comes from sock; m may be nil.
func (m *memory) beforeJob(sock int) {
	if m == nil || m.most > 0 && m.most-m.base < smallGrowth {
		return
	}
	if m.most == 0 || m.most-m.base >= largeGrowth || !readable(sock, quietTime) {
		m.shrink()
	}
}

// forceShrink forces a shrink before the next job.
func (m *memory) forceShrink() { m.most = 0 }

// readable reports whether there is something to read within a time.
func readable(sock int, within time.Duration) bool {
	fds := []unix.PollFd{{Fd: int32(sock), Events: unix.POLLIN}}
	n, _ := unix.Poll(fds, int(within.Milliseconds()))
	return n > 0
}

// shrink makes the memory and its peak as small as possible. If the system does not allow
// it, nothing happens.
func (m *memory) shrink() {
	debug.FreeOSMemory()
	for _, s := range m.droppable {
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, s.from, s.to-s.from, syscall.MADV_DONTNEED)
	}
	// "5" resets the peak to the memory in use (proc_pid_clear_refs(5)).
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
	m.most, m.base = ownPeak(), 0
}

// ownPeak returns the peak memory of this process in bytes, 0 if unknown. When exec
// replaces a process, Linux counts the memory it had before; after a fork that is its
// parent's (setmax_mm_hiwater_rss in exec_mmap, fs/exec.c). For the same reason getrusage
// does not work here: it includes the memory of the process that started this one.
func ownPeak() uint64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "\nVmHWM:")
	kib, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, _ := strconv.ParseUint(kib, 10, 64)
	return n << 10
}
