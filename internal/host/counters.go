package host

import (
	"context"
)

// Counters reports whether the processor's counters (instructions, cycles, ...)
// can be had for the processes that this user starts; where not, why says in
// one sentence why not and, where something can be done about it, what.
func Counters(ctx context.Context) (ok bool, why string) {
	if ctx.Err() != nil {
		return false, "not looked for"
	}
	return counters()
}
