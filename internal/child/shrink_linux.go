//go:build !portable

package child

import (
	"cmp"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// memory is a starter's memory. A trial's peak cannot be seen below what its starter had
// at its start, so that is kept small. Bytes, 0 for none.
type memory struct {
	// droppable is read from the file again when it is needed.
	droppable []span
	// statm is /proc/self/statm, -1 if there is none.
	statm int
	// base is what the first child after a shrink found, last what the last one did.
	base, last use
	// peak is that of the last child.
	peak uint64
}

// A use is the memory in use by a process: all, and its own, which no file has.
type use struct{ all, own uint64 }

// A span is a range of addresses.
type span struct{ from, to uintptr }

// Shrinking takes a millisecond. A starter shrinks when its own memory has grown by
// smallGrowth and no job comes for quietTime, or when it has grown by largeGrowth. The
// pages of the program itself are given up just before a start, when they are more than
// programGrowth and the last child's peak was not well above them.
const (
	smallGrowth   = 128 << 10
	largeGrowth   = 512 << 10
	programGrowth = 1 << 20
	quietTime     = 2 * time.Millisecond
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

// beforeJob is called before each job, which comes from sock; m may be nil.
func (m *memory) beforeJob(sock int) {
	if m == nil {
		return
	}
	grown := m.last.own - min(m.base.own, m.last.own)
	if m.base.all == 0 || grown >= largeGrowth || grown >= smallGrowth && !readable(sock, quietTime) {
		debug.FreeOSMemory()
		m.base = use{}
	}
}

// forceShrink forces a shrink before the next job.
func (m *memory) forceShrink() { m.base = use{} }

// readable reports whether there is something to read within a time.
func readable(sock int, within time.Duration) bool {
	fds := []unix.PollFd{{Fd: int32(sock), Events: unix.POLLIN}}
	n, _ := unix.Poll(fds, int(within.Milliseconds()))
	return n > 0
}

// beforeStart makes the memory and its peak small, just before a child is started, if
// that is needed: how much of the program the kernel maps when a page of it is needed
// depends on how the file lies in its cache, and can be megabytes. If the system does not
// allow it, nothing happens. m may be nil.
func (m *memory) beforeStart() {
	if m == nil {
		return
	}
	now := m.inUse().all
	if m.base.all > 0 && (now < m.base.all+programGrowth || now+programGrowth < m.peak) {
		return
	}
	for _, s := range m.droppable {
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, s.from, s.to-s.from, syscall.MADV_DONTNEED)
	}
	// "5" resets the peak to the memory in use (proc_pid_clear_refs(5)).
	if os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) != nil {
		_ = unix.Close(m.statm)
		m.statm = -1
	}
}

// afterStart returns the peak memory of this process when the child began, in bytes, at
// which its own begins. Between shrinks it only grows. m may be nil.
func (m *memory) afterStart() uint64 {
	if m == nil {
		return ownPeak()
	}
	m.last = m.inUse()
	m.base = cmp.Or(m.base, m.last)
	return m.last.all
}

// known returns the peak of the child that was started last, 0 if it is unknown: not
// above floor. m may be nil.
func (m *memory) known(peak, floor uint64) uint64 {
	if peak <= floor {
		peak = 0
	}
	if m != nil {
		m.peak = peak
	}
	return peak
}

// inUse returns the most that this process can have in use.
func (m *memory) inUse() use {
	var b [64]byte
	n, err := unix.Pread(m.statm, b[:], 0)
	if err != nil {
		peak := ownPeak()
		return use{peak, peak}
	}
	_, rest, _ := strings.Cut(string(b[:n]), " ")
	all, rest, _ := strings.Cut(rest, " ")
	shared, _, _ := strings.Cut(rest, " ")
	size := uint64(os.Getpagesize())
	pages, _ := strconv.ParseUint(all, 10, 64)
	files, _ := strconv.ParseUint(shared, 10, 64)
	return use{pages*size + countError, (pages - min(files, pages)) * size}
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
