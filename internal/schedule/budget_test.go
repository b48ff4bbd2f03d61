package schedule

import (
	"testing"
	"time"
)

// Something begins only if it ends within the budget; what brings the first verdict may
// take a fifth of the budget more.
func TestBudget(t *testing.T) {
	for _, c := range []struct {
		limit, elapsed, cost time.Duration
		holds, reaches       bool
		left                 time.Duration
	}{
		{10 * time.Second, 6 * time.Second, 4 * time.Second, true, true, 4 * time.Second},
		{10 * time.Second, 6 * time.Second, 4*time.Second + 1, false, true, 4 * time.Second},
		{10 * time.Second, 6 * time.Second, 6 * time.Second, false, true, 4 * time.Second},
		{10 * time.Second, 6 * time.Second, 6*time.Second + 1, false, false, 4 * time.Second},
		{10 * time.Second, 11 * time.Second, 0, false, true, 0},
		{0, 11 * time.Second, 100 * time.Hour, true, true, 0},
	} {
		b := Budget{Limit: c.limit, Elapsed: func() time.Duration { return c.elapsed }}
		if got := b.Holds(c.cost); got != c.holds {
			t.Errorf("%v of %v over: holds %v %t, want %t", c.elapsed, c.limit, c.cost, got, c.holds)
		}
		if got := b.Reaches(c.cost); got != c.reaches {
			t.Errorf("%v of %v over: reaches a verdict after %v %t, want %t", c.elapsed, c.limit, c.cost, got, c.reaches)
		}
		if got := b.Left(); got != c.left {
			t.Errorf("%v of %v over: %v left, want %v", c.elapsed, c.limit, got, c.left)
		}
	}
}

// A price is rounded up to a time that one would say; none stays none, and more than a
// day stays as it is.
func TestRound(t *testing.T) {
	for d, want := range map[time.Duration]time.Duration{
		0: 0, 1: 15 * time.Second, 15 * time.Second: 15 * time.Second, 15*time.Second + 1: 30 * time.Second,
		61 * time.Second: 2 * time.Minute, 4 * time.Minute: 5 * time.Minute, 21 * time.Minute: 30 * time.Minute,
		4 * time.Hour: 5 * time.Hour, 11 * time.Hour: OutOfReach, OutOfReach: OutOfReach, 25 * time.Hour: 25 * time.Hour,
	} {
		if got := Round(d); got != want {
			t.Errorf("%v is rounded to %v, want %v", d, got, want)
		}
	}
}

// A number of blocks is rounded up to 1, 2, 3 or 5, or to one of them with zeros.
func TestRoundBlocks(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, 3: 3, 4: 5, 6: 10, 10: 10, 11: 20, 21: 30, 31: 50, 51: 100, 201: 300, 999: 1000, 1001: 2000} {
		if got := RoundBlocks(n); got != want {
			t.Errorf("%d blocks are rounded to %d, want %d", n, got, want)
		}
	}
}
