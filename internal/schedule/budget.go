package schedule

import (
	"fmt"
	"math"
	"time"
)

// A Budget is the time that the user waits at most, from the start of the command
// to the answer.
type Budget struct {
	// Limit is the whole; 0 is none.
	Limit time.Duration
	// Elapsed is what has passed of it.
	Elapsed func() time.Duration
}

// Holds reports whether what costs so much can still be begun.
func (b Budget) Holds(cost time.Duration) bool {
	return b.Limit == 0 || b.Elapsed()+cost <= b.Limit
}

// Left is what has not passed yet, at least 0.
func (b Budget) Left() time.Duration { return max(b.Limit-b.Elapsed(), 0) }

// stretch is how much longer than its budget a run may take where that brings it to
// its first verdict: without, all that was measured would have been for nothing.
const stretch = 0.2

// Reaches reports whether what costs so much, up to the first verdict, can still be
// begun.
func (b Budget) Reaches(cost time.Duration) bool {
	return b.Limit == 0 || b.Elapsed()+cost <= time.Duration((1+stretch)*float64(b.Limit))
}

// Duration is a time as a flag takes it, rounded up: "90s", "15m", "3h". What is
// advised is never less than what is needed.
func Duration(d time.Duration) string {
	switch s := math.Ceil(d.Seconds()); {
	case s <= 120:
		return fmt.Sprintf("%.0fs", max(s, 1))
	case s <= 2*3600:
		return fmt.Sprintf("%.0fm", math.Ceil(d.Minutes()))
	}
	return fmt.Sprintf("%.0fh", math.Ceil(d.Hours()))
}

// OutOfReach is more measuring than anybody is advised to pay for.
const OutOfReach = 24 * time.Hour
