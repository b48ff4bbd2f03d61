//go:build !portable

package child

import (
	"fmt"
	"slices"

	"golang.org/x/sys/unix"
)

// maxCPUs is the number of processors in a mask.
const maxCPUs = 1024

// checkCPUs returns an error for processors that no system has, before a starter is used.
func checkCPUs(cpus []int) error {
	for _, cpu := range cpus {
		if cpu < 0 || cpu >= maxCPUs {
			return fmt.Errorf("use processor %d: there is no such processor", cpu)
		}
	}
	return nil
}

// pin binds this thread, and what it starts, to processors until undo is called. The
// caller has locked the thread. Without processors it changes nothing.
func pin(cpus []int) (undo func(), err error) {
	if len(cpus) == 0 {
		return func() {}, nil
	}
	var before, want, got unix.CPUSet
	for _, cpu := range cpus {
		want.Set(cpu)
	}
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return nil, fmt.Errorf("use processors %d: %w", cpus, err)
	}
	undo = func() { _ = unix.SchedSetaffinity(0, &before) }
	// The system uses the available part of a mask and ignores the rest.
	err = unix.SchedSetaffinity(0, &want)
	if err == nil {
		err = unix.SchedGetaffinity(0, &got)
	}
	if err == nil && got == want {
		return undo, nil
	}
	undo()
	if err != nil && err != unix.EINVAL {
		return nil, fmt.Errorf("use processors %d: %w", cpus, err)
	}
	missing := slices.DeleteFunc(slices.Clone(cpus), got.IsSet)
	return nil, fmt.Errorf("use processors %d: this process may not use %d, or the machine does not have it", cpus, missing)
}
