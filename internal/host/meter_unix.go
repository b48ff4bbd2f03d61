//go:build unix

package host

import (
	"syscall"
	"time"
)

// familyCPU returns the CPU time of this process and of the children that it has waited
// for.
func familyCPU() (sum time.Duration, ok bool) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			return 0, false
		}
		sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return sum, true
}
