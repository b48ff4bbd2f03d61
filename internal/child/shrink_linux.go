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

// memory is a starter's memory. A trial's peak is known only above what its starter has
// used until the trial began, so that is kept small. In bytes, 0 for none.
type memory struct {
	// droppable is read from the file again when it is needed.
	droppable []span
	// statm is /proc/self/statm, -1 if there is none.
	statm int
	// base is the use when the first child after a shrink began, last when the last one did.
	base, last use
	// high is the highest use since the peak was reset: under pressure the kernel takes
	// pages away, and the peak stays.
	high uint64
	// peak is that of the last child.
	peak uint64
}

// A use is the memory that a process uses: all of it, and what is not mapped from a file.
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
// that is needed: with a page of the program the kernel maps its neighbours, which are
// megabytes when the file lies in large pieces in its cache. If the system does not allow
// it, nothing happens. m may be nil.
func (m *memory) beforeStart() {
	if m == nil {
		return
	}
	m.look()
	if m.base.all > 0 && (m.high < m.base.all+programGrowth || m.high+programGrowth < m.peak) {
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
	m.high = 0
}

// afterStart returns the peak memory of this process when the child began, in bytes, at
// which its own begins. m may be nil.
func (m *memory) afterStart() uint64 {
	if m == nil {
		return ownPeak()
	}
	m.last = m.look()
	m.base = cmp.Or(m.base, m.last)
	return m.high
}

// known returns the peak of the child that was started last, 0 if it is unknown: not
// above floor. m may be nil.
func (m *memory) known(peak, floor uint64) uint64 {
	if peak <= floor {
		peak = 0
	}
	if m != nil {
		m.peak = peak
		m.look()
	}
	return peak
}

// look returns the use of this process, of which it keeps the highest.
func (m *memory) look() use {
	u := m.inUse()
	m.high = max(m.high, u.all)
	return u
}

// inUse returns the use of this process, all of it as high as the kernel's count allows.
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
