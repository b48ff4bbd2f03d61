package bisect

import "time"

// A clock shares the budget of a search, from its start to its answer, among its
// measurements.
type clock struct {
	budget time.Duration
	// before is the time that earlier calls have spent on the question.
	before time.Duration
	// since returns the time of this call.
	since func() time.Duration
	// free is the part of that time that does not count.
	free time.Duration
}

// leastLeft is the part of the budget that is not worth a measurement.
const leastLeft = 0.05

// left returns what is left of the budget.
func (c *clock) left() time.Duration {
	return c.budget - c.before - c.since() + c.free
}

// chargeBuilds counts the time for the first builds, at most half of the budget: the user
// does not control how long they take, and the next start finds them done.
func (c *clock) chargeBuilds(took time.Duration) {
	c.free += max(took-c.budget/2, 0)
}

// share returns the time of a measurement with steps measurements left, its own included. ok
// is false if the budget is over. A measurement that its first share leaves undecided gets half
// of what is left: its neighbours would be as hard to decide.
func (c *clock) share(ask Ask, steps int) (share time.Duration, ok bool) {
	left := c.left()
	if ask.Again {
		steps = min(steps, 2)
	}
	return left / time.Duration(max(steps, 1)), float64(left) > leastLeft*float64(c.budget)
}
