//go:build !linux

package host

import "runtime"

func counters() (bool, string) {
	return false, "assay reads hardware counters on Linux only, and this is " + runtime.GOOS
}
