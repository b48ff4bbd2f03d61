package stats

import "math"

// Centre returns the estimate that goes with the interval [lo, hi] of the series, the only
// estimate shown anywhere: the effect against which the bets have the least evidence after
// the last block. That uses the control, and errs less than the median of D; with Student's
// half it would err more under spikes (TestCentreErrsLess). It lies inside the interval, never at an end, unless that has no
// width.
//
// ok is false if the median of D lies outside the interval by more than slack. A confidence sequence only ever
// shrinks: where the effect has changed since, the interval holds on to the old one. For
// blocks with a constant effect that is rare (TestSimulatedDrift). The median is returned
// then.
func (s Series) Centre(lo, hi, slack float64) (mid float64, ok bool) {
	median := Median(s.D)
	if !(lo-slack <= median && median <= hi+slack) {
		return median, false
	}
	if lo == hi || math.IsInf(hi-lo, 0) {
		return median, true
	}
	g := newEngine(s)
	defer g.free()
	return Inside(g.least(lo, hi, median), lo, hi), true
}

// Slack is how far the median of ln ratios may lie outside an interval. A change of 0.1 % in
// the course of a run does no harm; a count that is nearly always the same has an interval
// that is narrower by far.
const Slack = 0.001

// edge is the least distance of an estimate from the ends, as a share of the width.
const edge = 0.01

// Inside returns the estimate nearest to x that an interval can have.
func Inside(x, lo, hi float64) float64 {
	e := edge * (hi - lo)
	return min(max(x, lo+e), hi-e)
}

// least returns the mu between lo and hi against which the bets have the least evidence. There may be several local
// minima: it tries even steps and the median, and closes in on the best.
func (g *engine) least(lo, hi, median float64) float64 {
	const steps, rounds = 8, 6
	at := func(mu float64) float64 { return g.walk(mu, len(g.D), math.Inf(1)).bets }
	step := (hi - lo) / steps
	best, e := median, at(median)
	try := func(mu float64) {
		if x := at(mu); x < e {
			best, e = mu, x
		}
	}
	for i := range steps + 1 {
		try(lo + float64(i)*step)
	}
	for range rounds {
		step /= 2
		c := best
		try(max(lo, c-step))
		try(min(hi, c+step))
	}
	return best
}
