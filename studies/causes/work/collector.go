//go:build collector

package work

import "runtime/debug"

func init() { debug.SetGCPercent(25) }
