package stats

import (
	"cmp"
	"math"
	"slices"
)

// A Difference compares the effects of two series that were measured apart, such as one
// variant on two machines: the effect of B minus that of A.
//
// At any effect mu, each of e_A(mu), e_B(mu+delta) and their product is an e-value against
// "A has the effect mu and B the effect mu+delta": the product too, since the orders of the
// two series' blocks are drawn independently. So is the mean of the three. The product is
// large where both have many blocks; of few blocks no e-value is large, and one alone that
// excludes the other's effect says more. The smallest mean over mu is then an e-value
// against the difference delta, whatever mu is (Wasserman, Ramdas and Balakrishnan 2020,
// "Universal inference", where the nuisance parameter is profiled out).
type Difference struct{ A, B Series }

// E returns the e-value against a difference of delta, after all blocks of both.
func (d Difference) E(delta float64) float64 {
	f := newProfile(d)
	defer f.free()
	return min(math.Exp(f.logE(delta)), math.MaxFloat64)
}

// Interval returns the hull of {delta : e(delta) < threshold}, found to 1e-4 of its width.
// With threshold 1/alpha it covers the difference with probability 1-alpha. It is unbounded
// where blocks are too few; ok is false if no difference is left, or there are no blocks.
func (d Difference) Interval(threshold float64) (lo, hi float64, ok bool) {
	if len(d.A.D) == 0 || len(d.B.D) == 0 {
		return 0, 0, false
	}
	f := newProfile(d)
	defer f.free()
	centre, limit := f.b-f.a, math.Log(threshold)
	if f.logE(centre) >= limit {
		return 0, 0, false
	}
	return f.end(centre, -1, limit), f.end(centre, 1, limit), true
}

// A profile evaluates a Difference. a and b are the medians of its series, spanA and spanB
// the ranges of their values.
type profile struct {
	first, second *engine
	a, b          float64
	spanA, spanB  float64
	tried         []point // scratch of logE
}

// A point is ln e of a difference at one mu.
type point struct{ mu, logE float64 }

func newProfile(d Difference) *profile {
	f := &profile{first: newEngine(d.A), second: newEngine(d.B)}
	f.a, f.spanA = f.first.middle()
	f.b, f.spanB = f.second.middle()
	return f
}

// last returns e after all blocks.
func (g *engine) last(mu float64) float64 { return g.walk(mu, len(g.D), math.Inf(1)).last }

// middle returns the median of the values and their range, never 0.
func (g *engine) middle() (median, span float64) {
	n := len(g.D)
	if n == 0 {
		return 0, 1
	}
	g.order = sortInto(g.order, g.D)
	median = medianSorted(g.order)
	return median, max(g.order[n-1]-g.order[0], g.Floor, 1e-12*math.Abs(median), 1e-300)
}

func (f *profile) free() {
	f.first.free()
	f.second.free()
}

// at returns ln of the mean of both e-values and their product.
func (f *profile) at(mu, delta float64) float64 {
	x, y := f.first.last(mu), f.second.last(mu+delta)
	big, small := max(x, y), min(x, y) // (xy + x + y)/3, without overflow
	return math.Log(big) + math.Log(small+1+small/big) - math.Log(3)
}

// logE returns ln e(delta), the smallest over mu. Each factor grows away from the middle of
// its own series, with a kink wherever a block changes sides, so the smallest product lies
// between the two middles or a little beyond, and there may be several local minima. It
// tries even steps and the values of the blocks, then closes in on the lowest few.
func (f *profile) logE(delta float64) float64 {
	const steps, values, lowest, rounds = 16, 24, 5, 6
	b := f.b - delta
	tried := f.tried[:0]
	try := func(mu float64) { tried = append(tried, point{mu, f.at(mu, delta)}) }
	for i := range steps + 1 {
		try(f.a + (b-f.a)*float64(i)/steps)
	}
	for i := range values + 1 {
		if n := len(f.first.D); n > 0 {
			try(f.first.order[i*(n-1)/values])
		}
		if n := len(f.second.D); n > 0 {
			try(f.second.order[i*(n-1)/values] - delta)
		}
	}
	for range rounds {
		slices.SortFunc(tried, func(x, y point) int { return cmp.Compare(x.mu, y.mu) })
		low := make([]int, len(tried))
		for i := range low {
			low[i] = i
		}
		slices.SortFunc(low, func(i, j int) int { return cmp.Compare(tried[i].logE, tried[j].logE) })
		last := len(tried) - 1
		for _, i := range low[:min(lowest, len(low))] { // halfway to both neighbours
			try((tried[max(i-1, 0)].mu + tried[i].mu) / 2)
			try((tried[i].mu + tried[min(i+1, last)].mu) / 2)
		}
	}
	f.tried = tried
	return slices.MinFunc(tried, func(x, y point) int { return cmp.Compare(x.logE, y.logE) }).logE
}

// end returns the end of the set on one side of its point c, infinite if it has none.
func (f *profile) end(c, side, limit float64) float64 {
	span := max(f.spanA, f.spanB)
	in, out := 0.0, span/32
	for f.logE(c+side*out) < limit {
		if in, out = out, 2*out; out > beyond*span {
			return math.Inf(int(side))
		}
	}
	for out-in > 1e-4*out {
		if x := (in + out) / 2; f.logE(c+side*x) < limit {
			in = x
		} else {
			out = x
		}
	}
	return c + side*in
}
