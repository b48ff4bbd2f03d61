package host

import (
	"context"
)

// Counters reports whether the processor's counters (instructions, cycles, ...) are
// available for this user's processes. If not, why is a sentence with the reason and,
// where possible, the remedy.
func Counters(ctx context.Context) (ok bool, why string) {
	if ctx.Err() != nil {
		return false, "not looked for"
	}
	return counters()
}
