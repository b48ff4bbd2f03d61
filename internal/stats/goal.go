package stats

import "math"

// A Goal is what a cell must reach to be decided. The zero values of Null,
// Claim and Margin are meaningful; that of Threshold is not.
type Goal struct {
	// Threshold is 1/alpha.
	Threshold float64
	// Claim is the e-value at Null that a claimed difference needs at the
	// block where one stops, as e-BH's m/(q k*); at most Threshold, it changes
	// nothing.
	Claim float64
	// Null is the effect that a decided interval excludes, in ln units: 0, or
	// a gate's ln(1+P).
	Null float64
	// Margin is the half-width in ln units inside which the interval means
	// "same"; 0 when there is no such verdict (gates).
	Margin float64
}

// More is the expected number of further blocks until the series is decided at
// level 1-alpha: until its interval excludes 0 or lies inside +-ln(1+margin).
// It is a price, not a promise. See [Goal.More].
func (s Series) More(alpha, margin float64, max int) int {
	return Goal{Threshold: 1 / alpha, Margin: math.Log1p(margin)}.More(s, max)
}

// More is the smallest number of further blocks with which s is decided when
// the further blocks repeat the observed ones in a cycle: 0 when it is decided
// already, max+1 when not even max blocks decide, or when fewer than two blocks
// were observed.
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

// Decided is the first number of blocks after which s is decided; 0 when it is not
// decided at any.
func (g Goal) Decided(s Series) int { return g.decidedFrom(s, 1) }

// decidedFrom is Decided for those who look from block n on.
func (g Goal) decidedFrom(s Series, n int) int {
	e := newEngine(s)
	defer e.free()
	differs := g.differs(e, n)
	if same := g.same(e, n, differs); same > 0 {
		return same
	}
	return differs
}

// differs is the first block >= n at which Null is excluded; 0 for none.
// Excluding is for good: the confidence sequence is a running intersection.
func (g Goal) differs(e *engine, n int) int {
	if g.Claim > g.Threshold {
		return firstAbove(e, g.Null, n, g.Claim)
	}
	if k := firstAbove(e, g.Null, 1, g.Threshold); k > 0 {
		return max(k, n)
	}
	return 0
}

// same is the first block >= n at which the interval lies inside the margin; 0
// for none, or for none before the block that already decides (unless that is
// 0).
func (g Goal) same(e *engine, n, decided int) int {
	last := len(e.D)
	if decided > 0 {
		last = decided - 1
	}
	if g.Margin <= 0 {
		return 0
	}
	// Both margins must be rejected, which costs two passes; only then is it
	// worth asking for the whole interval.
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
	// The interval only ever shrinks, so that one can bisect; nearly always the
	// first block at which both margins are rejected is the one.
	for try := n; n < last; try = n + (last-n)/2 {
		if g.within(e, try) {
			last = try
		} else {
			n = try + 1
		}
	}
	return last
}

// within reports whether the interval after k blocks lies inside the margin. An
// empty one does: further blocks would not bring it back.
func (g Goal) within(e *engine, k int) bool {
	all := e.Series
	defer func() { e.Series = all }()
	e.Series = all.First(k)
	lo, hi, ok := e.interval(g.Threshold, 1)
	return !ok || -g.Margin <= lo && hi <= g.Margin
}

// firstAbove is the first block k >= from with e_k(mu) >= bound; 0 for none.
func firstAbove(e *engine, mu float64, from int, bound float64) int {
	if w := e.walk(mu, from, bound, nil); w.top >= bound {
		return w.n
	}
	return 0
}
