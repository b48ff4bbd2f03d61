package local

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// usableCPUs returns the CPUs that this process may use.
func usableCPUs() []int {
	var set unix.CPUSet
	var out []int
	if err := unix.SchedGetaffinity(0, &set); err == nil {
		for c := 0; len(out) < set.Count(); c++ {
			if set.IsSet(c) {
				out = append(out, c)
			}
		}
		return out
	}
	for c := range runtime.NumCPU() {
		out = append(out, c)
	}
	return out
}
