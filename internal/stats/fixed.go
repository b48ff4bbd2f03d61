package stats

import (
	"math"
	"slices"
	"sort"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// # The last look
//
// The e-process pays for being valid at every number of blocks: its intervals are 1.3 to
// 1.8 times as wide as those of a test made once. Most runs end with their budget, and when
// that is does not depend on what was measured. So the level alpha of a comparison is split
// (Lan and DeMets 1983; Jennison and Turnbull 2000): the e-process has a small share of it
// at all times, and a test at each planned end, a look, has a share of its own. All shares
// add up to alpha, so that all intervals of a comparison hold at once (Bonferroni).

// EarlyShare is the e-process's share of alpha.
const EarlyShare = 0.2

// LookShare returns the share of alpha of the k-th look, counted from 1. The first is at the
// end of the budget, the others at the ends of what --more adds. Together with EarlyShare
// all add up to 1.
func LookShare(k int) float64 {
	if k == 1 {
		return 0.7
	}
	return math.Ldexp(0.1, 1-k)
}

const (
	// ranksFrom is the number of blocks from which Fixed is the signed-rank test. With
	// fewer, its smallest p-value is above what a list may require.
	ranksFrom = 16
	// ranksExact is the largest number of blocks with an exact distribution of the sum of
	// ranks. Beyond it the normal one, with continuity correction, is within 1 % at 0.1 %.
	ranksExact = 200
)

// Fixed returns the interval at level 1-alpha of a test that is made once: with fewer than
// 16 blocks Student's, otherwise Wilcoxon's signed-rank test, from order statistics of the
// Walsh averages (Hollander and Wolfe 1999, section 3.3). The second is exact if noise is
// symmetric, as it is in a random order for versions that do not differ. Under normal noise
// it is 2 % wider than Student's, under spikes less than half as wide.
//
// Student's takes half of the control's variance if that is more than the variant's: values
// of two levels may by chance all have the same one. The interval is not narrower than
// Student's of values that scatter by the resolution: rounded values may be equal. It is
// unbounded where blocks are too few for the level.
func (s Series) Fixed(alpha float64) (lo, hi float64) {
	f, ok := newFixed(s)
	if !ok {
		return math.Inf(-1), math.Inf(1)
	}
	half := f.se * quantileT(f.n, alpha)
	lo, hi = f.centre-half, f.centre+half
	if f.sorted == nil {
		return lo, hi
	}
	k := rankQuantile(f.n, alpha)
	if k == 0 {
		return math.Inf(-1), math.Inf(1)
	}
	return min(lo, f.walsh(k)), max(hi, f.walsh(pairs(f.n)+1-k))
}

// FixedP returns the two-sided p-value of that test, the largest for an effect between lo
// and hi. It is at most alpha where the interval at level 1-alpha and lo..hi have nothing in
// common.
func (s Series) FixedP(lo, hi float64) float64 {
	f, ok := newFixed(s)
	if !ok {
		return 1
	}
	mu := min(max(f.centre, lo), hi) // p falls on both sides of the centre
	p := 1.0
	if mu != f.centre && f.se > 0 {
		p = 2 * studentT(f.n).CDF(-math.Abs(f.centre-mu)/f.se)
	} else if mu != f.centre {
		p = 0 // without a resolution ranks alone count
	}
	if f.sorted == nil {
		return p
	}
	below, above := f.atMost(mu), pairs(f.n)-f.lessThan(mu)
	return max(p, min(1, 2*rankCDF(f.n, min(below, above))))
}

// A fixed has what the test needs of a series.
type fixed struct {
	n          int
	centre, se float64   // of Student's; with ranks, the median of the Walsh averages and the resolution's
	sorted     []float64 // ascending values for ranks, nil for Student's
}

// newFixed prepares the test; ok is false if there is no scale, or no number.
func newFixed(s Series) (f fixed, ok bool) {
	f.n = len(s.D)
	if f.n < 2 {
		return f, false
	}
	g := newEngine(s)
	defer g.free()
	if !g.ok {
		return f, false
	}
	n := float64(f.n)
	if f.n >= ranksFrom {
		f.sorted = slices.Sorted(slices.Values(s.D))
		half := pairs(f.n) / 2
		f.centre, f.se = f.walsh(half)/2+f.walsh(pairs(f.n)+1-half)/2, g.Floor/math.Sqrt(n)
		return f, true
	}
	f.centre = g.means[f.n-1]
	f.se = math.Sqrt(max(g.squares[f.n-1]/(n-1), g.Floor*g.Floor) / n)
	return f, f.se > 0
}

// pairs returns the number of Walsh averages of n values: the means of all pairs, those of
// a value with itself included.
func pairs(n int) int { return n * (n + 1) / 2 }

// atMost counts the Walsh averages that are at most x.
func (f fixed) atMost(x float64) int { return f.count(func(sum float64) bool { return sum <= 2*x }) }

// lessThan counts the Walsh averages below x.
func (f fixed) lessThan(x float64) int { return f.count(func(sum float64) bool { return sum < 2*x }) }

// count counts the pairs whose sum is low enough, in one pass: the largest partner of a
// value falls as the value grows.
func (f fixed) count(low func(sum float64) bool) (total int) {
	j := f.n - 1
	for i, x := range f.sorted {
		for j >= i && !low(x+f.sorted[j]) {
			j--
		}
		if j < i {
			break
		}
		total += j - i + 1
	}
	return total
}

// walsh returns the k-th smallest Walsh average, by bisection with counting.
func (f fixed) walsh(k int) float64 {
	lo, hi := f.sorted[0], f.sorted[f.n-1]
	if f.atMost(lo) >= k {
		return lo
	}
	for accuracy := 1e-13 * (hi - lo); hi-lo > accuracy; { // invariant: atMost(lo) < k <= atMost(hi)
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			break
		}
		if f.atMost(mid) >= k {
			hi = mid
		} else {
			lo = mid
		}
	}
	return f.after(lo)
}

// after returns the smallest Walsh average above x.
func (f fixed) after(x float64) float64 {
	least, j := math.Inf(1), f.n-1
	for i, y := range f.sorted {
		for j >= i && y+f.sorted[j] > 2*x {
			j--
		}
		if next := max(j+1, i); next < f.n {
			least = min(least, y+f.sorted[next])
		}
	}
	return least / 2
}

// rankSums has P(W <= w) of the signed-rank sum of n values, by n, for w up to its mean.
var rankSums sync.Map

// rankCDF returns P(W <= w) for w at most the mean of W, and at least 1/2 beyond.
func rankCDF(n, w int) float64 {
	if w < 0 {
		return 0
	}
	if n > ranksExact {
		x := float64(n)
		return distuv.UnitNormal.CDF((float64(w) + 0.5 - x*(x+1)/4) / math.Sqrt(x*(x+1)*(2*x+1)/24))
	}
	cumulated, ok := rankSums.Load(n)
	if !ok {
		cumulated, _ = rankSums.LoadOrStore(n, sumsOfRanks(n))
	}
	all := cumulated.([]float64)
	return all[min(w, len(all)-1)]
}

// sumsOfRanks adds the ranks 1..n one by one, each with a fair sign.
func sumsOfRanks(n int) []float64 {
	p := make([]float64, pairs(n)/2+1)
	p[0] = 1
	for rank := 1; rank <= n; rank++ {
		for w := len(p) - 1; w >= 0; w-- {
			p[w] /= 2
			if w >= rank {
				p[w] += p[w-rank] / 2
			}
		}
	}
	for w := 1; w < len(p); w++ {
		p[w] += p[w-1]
	}
	return p
}

// rankQuantile returns the largest k with 2 P(W < k) <= alpha; 0 if there is none.
func rankQuantile(n int, alpha float64) int {
	return sort.Search(pairs(n)/2+1, func(k int) bool { return 2*rankCDF(n, k) > alpha })
}

// studentT is Student's distribution for the mean of n values.
func studentT(n int) distuv.StudentsT { return distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)} }

// quantileT returns the half-width of Student's interval for n values, in standard errors.
func quantileT(n int, alpha float64) float64 { return -studentT(n).Quantile(alpha / 2) }

// HalfWidth estimates the half-width that Fixed has after n blocks, at least two, which
// scatter as those of the series do. It is infinite if that is unknown.
func (s Series) HalfWidth(n int, alpha float64) float64 {
	_, sd := s.spread(alpha)
	return sd * perBlock(n, alpha)
}

// Shows returns the smallest effect that Fixed shows after n blocks with some probability, if
// they scatter as those of the series do.
func (s Series) Shows(n int, alpha, power float64) float64 {
	_, sd := s.spread(alpha)
	return sd * (perBlock(n, alpha) + distuv.UnitNormal.Quantile(power)/math.Sqrt(float64(n)))
}

// spread returns the middle of Fixed, and the standard deviation of normal values that would
// have its width.
func (s Series) spread(alpha float64) (mid, sd float64) {
	lo, hi := s.Fixed(alpha)
	if n := len(s.D); n >= ranksFrom && math.IsInf(hi-lo, 0) { // ranks are too few for alpha
		return Mean(s.D), math.Sqrt(Variance(s.D))
	}
	return (lo + hi) / 2, (hi - lo) / 2 / perBlock(len(s.D), alpha)
}

// perBlock returns the half-width of Student's interval after n blocks, in standard
// deviations of one; infinite for fewer than two.
func perBlock(n int, alpha float64) float64 {
	if n < 2 {
		return math.Inf(1)
	}
	return quantileT(n, alpha) / math.Sqrt(float64(n))
}

// Enough estimates the number of blocks from which on a look with level alpha excludes 0, or
// its interval lies inside ±ln(1+margin): the half-width around the present middle is then so
// small. It is max+1 if max blocks are not enough, or if nothing is known yet.
func (s Series) Enough(alpha, margin float64, max int) int {
	if len(s.D) < 2 {
		return max + 1
	}
	mid, sd := s.spread(alpha)
	mid, margin = math.Abs(mid), math.Log1p(margin)
	return sort.Search(max+1, func(n int) bool {
		half := sd * perBlock(n, alpha)
		return mid > half || mid+half <= margin
	})
}

// HalfWidth estimates, before any measurement, the half-width in ln units of one
// comparison's interval at the end of a budget for n blocks, at level 1-alpha. It assumes a
// normal ln ratio with standard deviation sd. It is infinite if n blocks bound nothing.
// Corrections for lists make real intervals wider.
func HalfWidth(n int, sd, alpha float64, control bool) float64 {
	if n < FirstBlocks(alpha, control) {
		return math.Inf(1)
	}
	return sd * perBlock(n, LookShare(1)*alpha)
}
