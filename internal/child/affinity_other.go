//go:build !linux || portable

package child

import (
	"fmt"
	"runtime"
)

// checkCPUs refuses what only Linux lets a program do for another.
func checkCPUs(cpus []int) error {
	if len(cpus) == 0 {
		return nil
	}
	return fmt.Errorf("use processors %d: %w on %s", cpus, ErrAffinity, runtime.GOOS)
}
