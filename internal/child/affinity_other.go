//go:build !linux || portable

package child

import (
	"fmt"
	"runtime"
)

// checkCPUs refuses all processors: only Linux can bind another process.
func checkCPUs(cpus []int) error {
	if len(cpus) == 0 {
		return nil
	}
	return fmt.Errorf("use processors %d: %w on %s", cpus, ErrAffinity, runtime.GOOS)
}
