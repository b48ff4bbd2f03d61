package stats

import "math"

// A Goal is what a cell must reach to be decided. Null, Claim and Margin may be zero,
// Threshold may not.
type Goal struct {
	// Threshold is 1/alpha.
	Threshold float64
	// Claim is the e-value at Null that a claimed difference needs at the last block, as
	// e-BH's m/(q k*). If it is at most Threshold it changes nothing.
	Claim float64
	// Null is the effect, in ln units, that a decided interval excludes: 0, or a gate's
	// ln(1+P).
	Null float64
	// Margin is the half-width, in ln units, of the range that means "same"; 0 if there
	// is no such verdict (gates).
	Margin float64
}

// More returns the expected number of further blocks until the interval at level 1-alpha
// excludes 0 or lies inside +-ln(1+margin). It is an estimate, not a promise. See
// [Goal.More].
func (s Series) More(alpha, margin float64, max int) int {
	return Goal{Threshold: 1 / alpha, Margin: math.Log1p(margin)}.More(s, max)
}

// More returns the number of further blocks needed to decide s, assuming that they repeat
// the observed ones in a cycle. It is 0 if s is decided already. It is max+1 if max
// blocks are not enough, or if fewer than two blocks were observed.
func (g Goal) More(s Series, max int) int {
	n := len(s.D)
	if n < 2 {
		return max + 1
	}
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
		if k := g.decidedFrom(long, n); k > 0 {
			return k - n
		}
		if further == max {
			return max + 1
		}
	}
}

// Decided returns the number of blocks after which s was first decided; 0 if it never
// was.
func (g Goal) Decided(s Series) int { return g.decidedFrom(s, 1) }

// decidedFrom is Decided for a reader who looks from block n on.
func (g Goal) decidedFrom(s Series, n int) int {
	e := newEngine(s)
	defer e.free()
	differs := g.differs(e, n)
	if same := g.same(e, n, differs); same > 0 {
		return same
	}
	return differs
}

// differs returns the first block >= n at which Null is excluded; 0 for none. An
// exclusion is final: the confidence sequence is a running intersection.
func (g Goal) differs(e *engine, n int) int {
	if g.Claim > g.Threshold {
		return firstAbove(e, g.Null, n, g.Claim)
	}
	if k := firstAbove(e, g.Null, 1, g.Threshold); k > 0 {
		return max(k, n)
	}
	return 0
}

// same returns the first block >= n, and before the block decided (unless that is 0), at
// which the interval lies inside the margin; 0 for none.
func (g Goal) same(e *engine, n, decided int) int {
	last := len(e.D)
	if decided > 0 {
		last = decided - 1
	}
	if g.Margin <= 0 {
		return 0
	}
	// Both margins must be rejected, which costs two passes. Only then is it worth
	// computing the whole interval.
	for _, mu := range [...]float64{-g.Margin, g.Margin} {
		k := firstAbove(e, mu, 1, g.Threshold)
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
func (g Goal) within(e *engine, k int) bool {
	all := e.Series
	defer func() { e.Series = all }()
	e.Series = all.First(k)
	lo, hi, ok := e.interval(g.Threshold, 1)
	return !ok || -g.Margin <= lo && hi <= g.Margin
}

// firstAbove returns the first block k >= from with e_k(mu) >= bound; 0 for none.
func firstAbove(e *engine, mu float64, from int, bound float64) int {
	if w := e.walk(mu, from, bound, nil); w.top >= bound {
		return w.n
	}
	return 0
}
