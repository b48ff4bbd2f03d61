package build

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// aside calls f on a thread of its own that is bound to some CPUs and runs only when
// nobody else wants them; what f starts inherits both. Without CPUs it just calls f.
func aside(cpus []int, f func() error) error {
	if len(cpus) == 0 {
		return f()
	}
	done := make(chan error)
	go func() {
		// The thread is never unlocked, so that it ends with the goroutine: an
		// unprivileged one cannot get its priority back.
		runtime.LockOSThread()
		if err := stepAside(cpus); err != nil {
			done <- err
			return
		}
		done <- f()
	}()
	return <-done
}

// stepAside binds this thread to CPUs, at idle priority.
func stepAside(cpus []int) error {
	var set unix.CPUSet
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("use processors %d: %w", cpus, err)
	}
	idle := unix.SchedAttr{Policy: unix.SCHED_IDLE}
	idle.Size = uint32(unsafe.Sizeof(idle))
	if unix.SchedSetAttr(0, &idle, 0) == nil {
		return nil
	}
	if err := unix.Setpriority(unix.PRIO_PROCESS, 0, 19); err != nil {
		return fmt.Errorf("run at idle priority: %w", err)
	}
	return nil
}
