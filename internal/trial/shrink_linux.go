package trial

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
)

// A span is a range of addresses.
type span struct{ from, to uintptr }

// shrinkable, in a starter only, are the parts of memory that shrink drops.
var shrinkable []span

// findShrinkable prepares shrink. What is as in the file comes back from there
// when it is needed: all code, and the constants of programs that run at the
// low addresses that they were linked to; others may have been relocated.
func findShrinkable() {
	debug.SetGCPercent(10)
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return
	}
	for line := range strings.Lines(string(maps)) {
		var from, to uint64
		var mode string
		_, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &mode)
		if err == nil && strings.Contains(line, "/") && (mode == "r-xp" || mode == "r--p" && to < 1<<32) {
			shrinkable = append(shrinkable, span{uintptr(from), uintptr(to)})
		}
	}
}

// shrink makes the memory of a starter, and its peak, as small as can be just
// before it forks: its peak is the floor under which a trial's cannot be seen,
// and that of a small benchmark is 4 to 5 MB. Where the system does not allow
// it, nothing happens.
func shrink() {
	if shrinkable == nil {
		return
	}
	debug.FreeOSMemory()
	for _, s := range shrinkable {
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, s.from, s.to-s.from, syscall.MADV_DONTNEED)
	}
	// "5" resets the peak to what is in use (proc_pid_clear_refs(5)).
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}
