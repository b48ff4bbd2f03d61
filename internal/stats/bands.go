package stats

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

const (
	// bandDraws is the number of random sign patterns, and of random normal weights. If
	// there are no more than manySigns patterns, each is used once.
	bandDraws = 4000
	manySigns = 1024
	// bandCurves is the minimum number of curves for a band.
	bandCurves = 3
)

// SimultaneousBand is the mean of curves over the same points, and a band that holds the
// whole true mean curve with the given confidence: mid ± c times the standard error of
// each point (sup-t; Montiel Olea and Plagborg-Moller 2019). Curves are independent of
// one another; the points of a curve may depend on each other in any way.
//
// c is the quantile of max |t| over the points, from a wild bootstrap: the signs of the
// curves' residuals are drawn anew, and the mean is studentised again (Rademacher
// weights, recommended for few clusters by Cameron, Gelbach and Miller 2008). Few curves
// have few patterns of signs: for up to eleven curves all of them are used. The quantile
// of max |t| for normal curves is a lower bound of c. It matters for six curves or fewer,
// and at levels too fine for 2^(n-1) patterns.
//
// Simulated (n = 6 to 20, 10 to 30 points, 95 %): the band holds the whole curve in 94 to
// 97 % of all cases if curves scatter symmetrically, with normal or exponential tails.
// Differences between like things do. If single curves are as skewed as an exponential
// distribution it is 87 to 93 %; no band from so few curves can do better.
//
// The band is valid for a number of curves fixed beforehand, not for all n at once. It is
// for display; no verdict may depend on it. lo and hi are nil with fewer than three
// curves. Equal seeds give equal bands.
func SimultaneousBand(curves [][]float64, confidence float64, seed uint64) (mid, lo, hi []float64) {
	if len(curves) == 0 {
		return nil, nil, nil
	}
	b := newBand(curves)
	if len(curves) < bandCurves {
		return b.mid, nil, nil
	}
	rng := rand.New(rand.NewPCG(seed, 0x5eed))
	c := max(b.signs(confidence, rng), b.plugIn(confidence, rng))
	lo, hi = make([]float64, len(b.mid)), make([]float64, len(b.mid))
	for g, m := range b.mid {
		lo[g], hi[g] = m-c*b.se[g], m+c*b.se[g]
	}
	return b.mid, lo, hi
}

// A band is the mean curve, its standard errors, and the residuals of each curve in units
// of the point's standard deviation.
type band struct {
	mid, se []float64
	rest    [][]float64
	sum     []float64 // scratch
}

func newBand(curves [][]float64) *band {
	n, points := len(curves), len(curves[0])
	b := &band{mid: make([]float64, points), se: make([]float64, points), sum: make([]float64, points)}
	for range curves {
		b.rest = append(b.rest, make([]float64, points))
	}
	column := make([]float64, n)
	for g := range points {
		for i, c := range curves {
			column[i] = c[g]
		}
		b.mid[g] = Mean(column)
		if n < 2 {
			continue
		}
		sd := math.Sqrt(Variance(column))
		b.se[g] = sd / math.Sqrt(float64(n))
		for i, x := range column {
			if sd > 0 { // a point that never varied has no t
				b.rest[i][g] = (x - b.mid[g]) / sd
			}
		}
	}
	return b
}

// weigh sums the residuals with the weights w.
func (b *band) weigh(w []float64) {
	clear(b.sum)
	for i, rest := range b.rest {
		for g, x := range rest {
			b.sum[g] += w[i] * x
		}
	}
}

// signs returns the critical value of the wild bootstrap. If all patterns are used the
// last curve keeps its sign, since flipping all signs leaves |t| as it is.
func (b *band) signs(confidence float64, rng *rand.Rand) float64 {
	n := len(b.rest)
	all := n <= 32 && 1<<(n-1) <= manySigns
	draws := bandDraws
	if all {
		draws = 1 << (n - 1)
	}
	w := make([]float64, n)
	tops := make([]float64, draws)
	for k := range tops {
		bits := uint64(k)
		for i := range w {
			if !all && i%64 == 0 {
				bits = rng.Uint64()
			}
			w[i] = 1 - 2*float64(bits>>(i%64)&1)
		}
		b.weigh(w)
		for _, s := range b.sum {
			tops[k] = max(tops[k], studentised(s, float64(n)))
		}
	}
	return upper(tops, confidence)
}

// studentised returns |t| of n values whose squares add up to n-1, from their sum.
// Flipping signs leaves the squares as they are, so the sum determines the variance.
func studentised(sum, n float64) float64 {
	ss := (n - 1) - sum*sum/n
	if ss <= 1e-9*n {
		return math.Inf(1) // all on one side: no pattern is more extreme
	}
	return math.Abs(sum) / math.Sqrt(n) / math.Sqrt(ss/(n-1))
}

// plugIn returns the critical value of max |t| for normal curves: that of max |Z|, with Z
// normal of the curves' own correlations, converted to the t distribution with n-1
// degrees of freedom at the same tail.
func (b *band) plugIn(confidence float64, rng *rand.Rand) float64 {
	n := len(b.rest)
	w := make([]float64, n)
	tops := make([]float64, bandDraws)
	for k := range tops {
		for i := range w {
			w[i] = rng.NormFloat64()
		}
		b.weigh(w)
		for _, s := range b.sum {
			tops[k] = max(tops[k], math.Abs(s)/math.Sqrt(float64(n-1)))
		}
	}
	tail := distuv.UnitNormal.Survival(upper(tops, confidence))
	return -distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile(tail)
}

// upper returns the quantile of the draws, or the largest finite one below it.
func upper(tops []float64, confidence float64) float64 {
	slices.Sort(tops)
	k := min(int(math.Ceil(confidence*float64(len(tops)))), len(tops))
	for k > 1 && math.IsInf(tops[k-1], 1) {
		k--
	}
	if math.IsInf(tops[k-1], 1) {
		return 0
	}
	return tops[k-1]
}
