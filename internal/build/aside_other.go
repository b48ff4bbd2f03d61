//go:build !linux

package build

import (
	"errors"
	"runtime"
)

// aside calls f; only Linux binds it to CPUs.
func aside(cpus []int, f func() error) error {
	if len(cpus) > 0 {
		return errors.New("link beside a block: not on " + runtime.GOOS)
	}
	return f()
}
