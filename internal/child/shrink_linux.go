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

// memory is that of a starter. Its peak is the floor under which a trial's
// cannot be seen, so it is kept small: a small Go benchmark has 4 to 5 MB.
type memory struct {
	// droppable comes back from the file when it is needed.
	droppable []span
	// statm is /proc/self/statm, -1 where there is none.
	statm int
	// most is the most that was in use since the last shrink, and base what the
	// first job after it needed; in bytes, 0 where there was none.
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

// countError is how wrong the kernel's quick count of memory may be, in bytes.
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

// findDroppable returns all code, and the constants of programs that run at the
// low addresses that they were linked to; others may have been relocated.
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

// floor is the peak memory of this process since the last shrink, in bytes; m
// may be nil. What is in use only grows from one shrink to the next, so that
// asking once a job is enough.
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

// rest is called before each job, which comes from sock; m may be nil.
func (m *memory) rest(sock int) {
	if m == nil || m.most > 0 && m.most-m.base < smallGrowth {
		return
	}
	if m.most == 0 || m.most-m.base >= largeGrowth || !readable(sock, quietTime) {
		m.shrink()
	}
}

// soil has the memory shrunk before the next job, whatever it is.
func (m *memory) soil() { m.most = 0 }

// readable reports whether there is something to read within a time.
func readable(sock int, within time.Duration) bool {
	fds := []unix.PollFd{{Fd: int32(sock), Events: unix.POLLIN}}
	n, _ := unix.Poll(fds, int(within.Milliseconds()))
	return n > 0
}

// shrink makes the memory and its peak as small as can be. Where the system
// does not allow it, nothing happens.
func (m *memory) shrink() {
	debug.FreeOSMemory()
	for _, s := range m.droppable {
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, s.from, s.to-s.from, syscall.MADV_DONTNEED)
	}
	// "5" resets the peak to what is in use (proc_pid_clear_refs(5)).
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
	m.most, m.base = ownPeak(), 0
}

// ownPeak is the peak memory of this process in bytes, 0 where /proc does not
// tell. When a process is replaced by exec, Linux counts the memory it had
// before, which after a fork is that of its parent (setmax_mm_hiwater_rss in
// exec_mmap, fs/exec.c). For the same reason getrusage would not do here: it
// counts the memory of the process that started this one.
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
