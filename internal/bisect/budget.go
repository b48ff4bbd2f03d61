package bisect

import "time"

// A budget is the time that a search may calibrate and measure. Its measurements share it.
type budget struct {
	// limit is the whole, used what measurements have taken, those of earlier calls included.
	limit, used time.Duration
}

// leastLeft is the part of the budget that is not worth a measurement.
const leastLeft = 0.05

// share returns the time of a measurement with steps measurements left, its own included. ok
// is false if the budget is over. A measurement that its first share leaves undecided gets half
// of what is left: its neighbours would be as hard to decide.
func (b budget) share(ask Ask, steps int) (share time.Duration, ok bool) {
	left := b.limit - b.used
	if ask.Again {
		steps = min(steps, 2)
	}
	return left / time.Duration(max(steps, 1)), float64(left) > leastLeft*float64(b.limit)
}
