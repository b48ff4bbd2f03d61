//go:build !unix

package host

import "time"

// familyCPU is not available here.
func familyCPU() (time.Duration, bool) { return 0, false }
