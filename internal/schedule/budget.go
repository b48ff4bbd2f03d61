package schedule

import (
	"fmt"
	"math"
	"time"
)

// A Budget is the longest time from the first calibration to the answer.
type Budget struct {
	// Limit is the whole; 0 is no limit.
	Limit time.Duration
	// Elapsed returns how much of it has passed.
	Elapsed func() time.Duration
}

// Holds reports whether there is time to begin something that takes cost.
func (b Budget) Holds(cost time.Duration) bool {
	return b.Limit == 0 || b.Elapsed()+cost <= b.Limit
}

// Left returns the remaining time, at least 0.
func (b Budget) Left() time.Duration { return max(b.Limit-b.Elapsed(), 0) }

// stretch is the share by which a run may exceed its budget to reach its first verdict.
// Without the verdict all its measurements would be wasted.
const stretch = 0.2

// Reaches reports whether there is time for something that ends with the first verdict.
func (b Budget) Reaches(cost time.Duration) bool {
	return b.Limit == 0 || b.Elapsed()+cost <= time.Duration((1+stretch)*float64(b.Limit))
}

// Duration formats a time for a flag: "90s", "15m", "3h". It rounds up: advice must
// suffice.
func Duration(d time.Duration) string {
	switch s := math.Ceil(d.Seconds()); {
	case s <= 120:
		return fmt.Sprintf("%.0fs", max(s, 1))
	case s <= 2*3600:
		return fmt.Sprintf("%.0fm", math.Ceil(d.Minutes()))
	}
	return fmt.Sprintf("%.0fh", math.Ceil(d.Hours()))
}

// rounds are the times that prices are rounded up to.
var rounds = []time.Duration{15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 3 * time.Minute, 5 * time.Minute,
	10 * time.Minute, 20 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 3 * time.Hour, 5 * time.Hour, 10 * time.Hour, OutOfReach}

// Round rounds the price of a decision up to a round time, and leaves 0 and what is out of
// reach.
func Round(d time.Duration) time.Duration {
	for _, r := range rounds {
		if 0 < d && d <= r {
			return r
		}
	}
	return d
}

// RoundBlocks rounds a number of blocks up to 1, 2, 3 or 5 times a power of 10.
func RoundBlocks(n int) int {
	for unit := 1; n > 0; unit *= 10 {
		for _, r := range []int{1, 2, 3, 5} {
			if n <= r*unit {
				return r * unit
			}
		}
	}
	return n
}

// OutOfReach is more measuring time than assay ever recommends.
const OutOfReach = 24 * time.Hour
