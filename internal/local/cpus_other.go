//go:build !linux

package local

// usableCPUs is nil: no process is bound to CPUs here.
func usableCPUs() []int { return nil }
