package stats

import "math"

// A Goal is what a cell must reach to be decided. The zero values of Null,
// Claim and Margin are meaningful; Threshold and From are not.
type Goal struct {
	// Floor is the resolution of one datum in ln units.
	Floor float64
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
	// From is the number of blocks before which nothing is decided.
	From int
}

// More is the expected number of further blocks until the cell is decided at
// level 1-alpha: until its interval excludes 0 or lies inside +-ln(1+margin).
// It is a price, not a promise. See [Goal.More].
func More(d []float64, floor, alpha, margin float64, max int) int {
	g := Goal{
		Floor: floor, Threshold: 1 / alpha,
		Margin: math.Log1p(margin), From: MinBlocks(alpha),
	}
	return g.More(d, max)
}

// More is the smallest number of further blocks with which d is decided when
// the further blocks repeat the observed ones in a cycle: 0 when d is decided
// already, max+1 when not even max blocks decide, or when fewer than two blocks
// were observed.
func (g Goal) More(d []float64, max int) int {
	n := len(d)
	if n < 2 {
		return max + 1
	}
	series := make([]float64, 0, n+max)
	series = append(series, d...)
	// Doubling: the cost of a pass grows with the length of the series.
	for further := 0; ; further = min(max, 2*further+g.From) {
		for len(series) < n+further {
			series = append(series, series[len(series)-n])
		}
		if k := g.decidedFrom(series, n); k > 0 {
			return k - n
		}
		if further == max {
			return max + 1
		}
	}
}

// Decided is the first block k at which d[:k] is decided; 0 when d is not
// decided at any.
func (g Goal) Decided(d []float64) int { return g.decidedFrom(d, 1) }

// decidedFrom is Decided for those who look from block n on.
func (g Goal) decidedFrom(d []float64, n int) int {
	e := newEngine(d, g.Floor)
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
		return firstAbove(e, g.Null, max(n, g.From), g.Claim)
	}
	if k := firstAbove(e, g.Null, g.From, g.Threshold); k > 0 {
		return max(k, n)
	}
	return 0
}

// same is the first block >= n at which the interval lies inside the margin; 0
// for none, or for none before the block that already decides (unless that is
// 0).
func (g Goal) same(e *engine, n, decided int) int {
	last := len(e.d)
	if decided > 0 {
		last = decided - 1
	}
	if g.Margin <= 0 {
		return 0
	}
	// Both margins must be rejected, which costs two passes; only then is it
	// worth asking for the whole interval.
	for _, mu := range [...]float64{-g.Margin, g.Margin} {
		k := firstAbove(e, mu, g.From, g.Threshold)
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
	all := e.d
	defer func() { e.d = all }()
	e.d = all[:k]
	lo, hi, ok := e.interval(g.Threshold, g.From)
	return !ok || -g.Margin <= lo && hi <= g.Margin
}

// firstAbove is the first block k >= from with e_k(mu) >= bound; 0 for none.
func firstAbove(e *engine, mu float64, from int, bound float64) int {
	stop := math.Log(bound)
	if w := e.walk(mu, from, stop, nil); w.top >= stop {
		return w.k
	}
	return 0
}
