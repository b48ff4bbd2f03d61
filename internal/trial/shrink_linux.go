//go:build !portable

package trial

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"

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

// slack is how much memory may grow before it is shrunk again, which takes a
// trial's time; and how wrong the kernel's quick count of it may be is rough.
const (
	slack = 512 << 10
	rough = 128 << 10
)

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

// floor is the peak memory of this process since the last shrink, in bytes.
// What is in use only grows from one shrink to the next, so that asking now and
// then is enough.
func (m *memory) floor() uint64 {
	if m.most == 0 || m.statm == -1 {
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
	m.most = max(m.most, pages*uint64(os.Getpagesize())+rough)
	if m.base == 0 {
		m.base = m.most
	}
	return m.most
}

// shrink makes the memory and its peak as small as can be, if it has grown.
// Where the system does not allow it, nothing happens.
func (m *memory) shrink() {
	if m.base > 0 && m.most < m.base+slack {
		return
	}
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
