//go:build !linux

package host

import "runtime"

// Counters reports that there are no counters.
func Counters() Refusal {
	return Refusal{Why: "assay reads hardware counters on Linux only, and this is " + runtime.GOOS}
}
