package stats

import (
	"math"
	"slices"
	"sync"
)

// The constants of the engine; docs/methodology.md fixes them and the
// simulations of this package hold for these values only.
const (
	// warmBlocks is how many first blocks share one scale in e_s. Before them
	// e_s is 1.
	warmBlocks = 5
	// scoreClip bounds one block's score in e_s, in scales.
	scoreClip = 2
	// madToSD makes a median absolute deviation estimate a normal sd.
	madToSD = 1.4826
	// largest is far beyond any logarithm, and its square is finite.
	largest = 1e100
	// rho is the prior precision of the normal mixture in e_s.
	rho = 1
)

// MinBlocks is the number of blocks before which nothing is decided: 10 for
// alpha <= .01, otherwise 6. Under two-level noise +-x the combined e-process is
// wrong 1.16 % of the time at .01 when one may decide from block 9 on, where it
// first can, and 1.00 % from block 10 on; 4.4 % of the time at .05; and 0.20 %
// at .001, twice the level (within 300 blocks; TestTwoLevelExactly).
//
// It is where looking starts, not where a difference is first possible: e_t of k
// blocks is at most 2^(k-1) and e_s adds little to half of that, so that 20 is
// within reach from block 7 on, 100 from 9, 1000 from 12.
func MinBlocks(alpha float64) int {
	if alpha <= 0.01 {
		return 10
	}
	return 6
}

// EValues returns the combined e-process e(mu) = (e_t + e_s)/2 after
// k = 1..len(d) blocks. It is 1 before two blocks, and e_s is 1 before five.
//
// d holds ln-ratios in the order in which they were measured, mu is the
// candidate effect in ln units, and floor the resolution of one datum in ln
// units: no scale is taken to be smaller. Values are capped at
// [math.MaxFloat64] and never NaN.
func EValues(d []float64, mu, floor float64) []float64 {
	g := newEngine(d, floor)
	defer g.free()
	out := make([]float64, len(d))
	g.walk(mu, 1, math.Inf(1), func(k int, ln float64) { out[k-1] = exp(ln) })
	return out
}

// EAt returns e_n(mu) after all n = len(d) blocks, and the largest e_k(mu) for
// from <= k <= n (1 when n < from). It allocates nothing; see [EValues] for the
// arguments.
func EAt(d []float64, mu, floor float64, from int) (last, top float64) {
	g := newEngine(d, floor)
	defer g.free()
	from = max(from, 1)
	w := g.walk(mu, from, math.Inf(1), nil)
	if w.k < from {
		w.top = 0
	}
	return exp(w.last), exp(w.top)
}

// exp is e^x, capped at the largest finite number: an e-value beyond it says no
// more, and Inf cannot be written as JSON.
func exp(x float64) float64 { return min(math.Exp(x), math.MaxFloat64) }

// An engine evaluates both e-processes of one series at many candidates mu.
// What does not depend on mu is computed once.
type engine struct {
	d      []float64
	floor  float64
	step   []step    // step[k-1] belongs to k blocks
	abs    []float64 // scratch of the walk: |d_j - mu| in ascending order
	sorted []float64 // scratch: d in ascending order
	ok     bool      // all of d are numbers
}

// A step is the mu-free part of e_t after k blocks.
type step struct {
	mean  float64
	unit  float64 // T = unit * (mean - mu)^2
	r     float64 // 1/(k+1)
	halfK float64
	lnR   float64 // ln(sqrt(r))
	lnMax float64 // the most that ln e_t can be
}

var engines = sync.Pool{New: func() any { return new(engine) }}

func newEngine(d []float64, floor float64) *engine {
	g := engines.Get().(*engine)
	g.reset(d, floor)
	return g
}

func (g *engine) free() {
	g.d = nil // do not keep the caller's data alive
	engines.Put(g)
}

// reset prepares the engine for d: running means and variances by Welford's
// recurrence, which loses no digits when the mean is large.
func (g *engine) reset(d []float64, floor float64) {
	g.d, g.floor, g.ok = d, max(floor, 0), true
	g.step = slices.Grow(g.step[:0], len(d))
	g.abs = slices.Grow(g.abs[:0], len(d))
	var mean, ss float64
	for i, x := range d {
		k := float64(i + 1)
		delta := x - mean
		mean += delta / k
		ss += delta * (x - mean)
		// s^2 (k-1) is the sum of squares itself, unless s is below the floor.
		squares := max(ss, g.floor*g.floor*(k-1))
		g.step = append(g.step, step{
			mean: mean, unit: k / squares,
			r: 1 / (k + 1), halfK: k / 2, lnR: -math.Log(k+1) / 2, lnMax: lnMax(k),
		})
		g.ok = g.ok && math.Abs(x) <= largest // false for NaN
	}
}

// lnT is ln e_t(mu):
//
//	e_t = min(2^(k-1), sqrt(r) ((1+T)/(1+rT))^(k/2)), T = k (mean-mu)^2 / (s^2 (k-1))
//
// the t-test's likelihood ratio mixed over a normal prior on the effect in
// units of s, of scale c = 1 (Wang and Ramdas 2023). Exact for independent
// normal values; the cap can only lower it, so that it stays valid for them.
//
// The cap departs from the method as first written, which has none. A random
// order makes the signs of D - mu fair coins and says nothing of the sizes
// |D - mu|. Given sizes other than 0, all 2^k patterns of signs are equally
// likely, and the values of anything that is an e-value for all symmetric noise,
// of mean at most 1, add up to at most 2^k over them. e_t is the same for a
// pattern and its mirror image: neither may be above 2^(k-1). For one sign
// throughout that is 1/P, since P(all k signs equal) = 2^(1-k). Without the cap,
// ten blocks of one sign (2 in 1024) of noise at +-x give 10^4 and more.
//
// The cap is necessary for that validity, not sufficient: patterns with a few
// signs of the minority stay too high. Over the signs of ten equal sizes the mean
// of e_t is 2.0 (96 without the cap), and that of e 1.4; it grows with k. What is
// left of it [MinBlocks] and [EBH] say.
func (s *step) lnT(mu float64) float64 {
	x := s.mean - mu
	t := x * x * s.unit
	switch {
	case !(t > 0):
		return s.lnR // also where s is 0, so that T is 0/0
	case t > 1e300:
		return s.lnMax
	}
	return min(s.lnR+s.halfK*math.Log((1+t)/(1+s.r*t)), s.lnMax)
}

// lnMax is the largest ln e_t(mu) of k blocks, reached far away from the mean:
// the cap, or for k < 4 what the formula tends to, where (1+T)/(1+rT) is 1/r.
func lnMax(k float64) float64 { return (k - 1) * min(math.Ln2, math.Log(k+1)/2) }

// A symmetric is the running state of e_s for one mu: the clipped scores'
// sum and sum of squares, and the absolute deviations seen so far in order.
//
// Given the past and |D - mu|, the sign of a score is a fair coin when D - mu
// is symmetric; e_s is de la Pena's (1999) self-normalised bound mixed over a
// normal prior. The clip keeps one spike from owning the sum.
type symmetric struct {
	mu, floor float64
	abs       []float64
	s, v      float64
}

// warm takes the first blocks at once; their common scale depends on absolute
// deviations alone, so the signs stay fair coins.
func (y *symmetric) warm(d []float64) {
	for _, x := range d {
		y.insert(math.Abs(x - y.mu))
	}
	scale := y.scale()
	for _, x := range d {
		y.score(x-y.mu, scale)
	}
}

// add takes one more block, scored on the scale of those before it.
func (y *symmetric) add(x float64) {
	x -= y.mu
	y.score(x, y.scale())
	y.insert(math.Abs(x))
}

func (y *symmetric) scale() float64 {
	return max(madToSD*middle(y.abs), y.floor)
}

func (y *symmetric) score(x, scale float64) {
	x = min(max(x/scale, -scoreClip), scoreClip)
	if math.IsNaN(x) {
		return // 0/0: no deviation on no scale
	}
	y.s += x
	y.v += x * x
}

// insert keeps abs in order. Moving the tail is quadratic in the number of
// blocks, with so small a factor that a thousand blocks cost what one heap of
// a thousand would.
func (y *symmetric) insert(x float64) {
	y.abs = append(y.abs, x)
	i := len(y.abs) - 1
	if i > 64 {
		at := search(y.abs[:i], x)
		copy(y.abs[at+1:], y.abs[at:i])
		y.abs[at] = x
		return
	}
	for ; i > 0 && y.abs[i-1] > x; i-- {
		y.abs[i] = y.abs[i-1]
	}
	y.abs[i] = x
}

// search is where x belongs in ascending values, which hold no NaN that
// matters: [slices.BinarySearch] would test for them at every step.
func search(sorted []float64, x float64) int {
	lo, hi := 0, len(sorted)
	for lo < hi {
		if mid := (lo + hi) / 2; sorted[mid] < x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// lnS is ln e_s: sqrt(rho/(V+rho)) exp(S^2 / (2(V+rho))).
func (y *symmetric) lnS() float64 {
	w := y.v + rho
	return (y.s*y.s/w - math.Log(w/rho)) / 2
}

// middle is the median of ascending values.
func middle(sorted []float64) float64 {
	n := len(sorted)
	if n%2 == 1 {
		return sorted[n/2]
	}
	// Halves first: the sum of two finite values may overflow.
	return sorted[n/2-1]/2 + sorted[n/2]/2
}

// A walked is what one pass over the blocks leaves behind.
type walked struct {
	k    int     // the block at which the pass stopped
	last float64 // ln e_k there
	top  float64 // the largest ln e_j for from <= j <= k; -Inf when k < from
}

// walk evaluates ln e_k(mu) for k = from..n and ends early, once it has reached
// stop. each, when not nil, is called with every value.
func (g *engine) walk(mu float64, from int, stop float64, each func(k int, ln float64)) walked {
	w := walked{top: math.Inf(-1)}
	blind := !g.ok || math.IsNaN(mu) || math.IsInf(mu, 0)
	y := symmetric{mu: mu, floor: g.floor, abs: g.abs[:0]}
	n := len(g.d)
	for k := 1; k <= n && w.top < stop; k++ {
		switch {
		case k == warmBlocks:
			y.warm(g.d[:k])
		case k > warmBlocks:
			y.add(g.d[k-1])
		}
		w.k = k
		if k < from && k < n {
			continue
		}
		t, s := g.step[k-1].lnT(mu), y.lnS()
		if k < 2 || blind {
			t, s = 0, 0
		}
		// The mean of the two is no larger than the larger: most blocks need no
		// exponential.
		if k < n && each == nil && max(t, s) <= w.top {
			continue
		}
		w.last = lnMean(t, s)
		if k >= from {
			w.top = max(w.top, w.last)
		}
		if each != nil {
			each(k, w.last)
		}
	}
	return w
}

// lnMean is ln((e^a + e^b)/2).
func lnMean(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	return a + math.Log((1+math.Exp(b-a))/2)
}
