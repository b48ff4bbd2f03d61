package stats

import "math"

// More returns the expected number of further blocks until the interval at level 1-alpha
// excludes 0 or lies inside ±ln(1+margin). It assumes that these repeat the observed
// blocks in a cycle: an estimate, not a promise. It is 0 if s is decided already. It is
// max+1 if max blocks are not enough, or if fewer than two blocks were observed.
func (s Series) More(alpha, margin float64, max int) int {
	n := len(s.D)
	if n < 2 {
		return max + 1
	}
	g := goal{threshold: 1 / alpha, margin: math.Log1p(margin)}
	long := Series{Floor: s.Floor, D: append(make([]float64, 0, n+max), s.D...)}
	if s.Control != nil {
		long.Control = append(make([]float64, 0, n+max), s.Control...)
	}
	// Doubling: the cost of a pass grows with the length of the series.
	for further := 0; ; further = min(max, 2*further+8) {
		for len(long.D) < n+further {
			long.D = append(long.D, long.D[len(long.D)-n])
			if long.Control != nil {
				long.Control = append(long.Control, long.Control[len(long.Control)-n])
			}
		}
		if k := g.decided(long, n); k > 0 {
			return k - n
		}
		if further == max {
			return max + 1
		}
	}
}

// A goal is what an interval must reach: it excludes 0, or lies inside the margin.
type goal struct {
	threshold float64 // 1/alpha
	margin    float64 // half of the range that means "same", in ln units; 0 if none does
}

// decided returns the first block from n on after which s is decided; 0 if it never is.
func (g goal) decided(s Series, n int) int {
	e := newEngine(s)
	defer e.free()
	differs := firstAbove(e, 0, g.threshold)
	if differs > 0 { // for good: the confidence sequence is a running intersection
		differs = max(differs, n)
	}
	if same := g.same(e, n, differs); same > 0 {
		return same
	}
	return differs
}

// same returns the first block >= n, and before the block decided (unless that is 0), at
// which the interval lies inside the margin; 0 for none.
func (g goal) same(e *engine, n, decided int) int {
	last := len(e.D)
	if decided > 0 {
		last = decided - 1
	}
	if g.margin <= 0 {
		return 0
	}
	// Two passes reject both margins. Only then is the whole interval worth computing.
	for _, mu := range [...]float64{-g.margin, g.margin} {
		k := firstAbove(e, mu, g.threshold)
		if k == 0 || k > last {
			return 0
		}
		n = max(n, k)
	}
	if n > last || !g.within(e, last) {
		return 0
	}
	// The interval only ever shrinks, so bisection works. The first block at which both
	// margins are rejected is nearly always the result.
	for try := n; n < last; try = n + (last-n)/2 {
		if g.within(e, try) {
			last = try
		} else {
			n = try + 1
		}
	}
	return last
}

// within reports whether the interval after k blocks lies inside the margin. An empty one
// does: further blocks would not change it.
func (g goal) within(e *engine, k int) bool {
	all := e.Series
	defer func() { e.Series = all }()
	e.Series = all.First(k)
	lo, hi, ok := e.interval(g.threshold, 1)
	return !ok || -g.margin <= lo && hi <= g.margin
}

// firstAbove returns the first block k with e_k(mu) >= bound; 0 for none.
func firstAbove(e *engine, mu, bound float64) int {
	if w := e.walk(mu, 1, bound); w.top >= bound {
		return w.n
	}
	return 0
}
