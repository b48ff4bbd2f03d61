//go:build !linux

package host

import "runtime"

// Counters reports that there are no counters.
func Counters() (ok bool, why string) {
	return false, "assay reads hardware counters on Linux only, and this is " + runtime.GOOS
}
