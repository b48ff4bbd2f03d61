package stats

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

const (
	// bandDraws is the number of random sign patterns; below it all patterns are
	// enumerated. 2000 put the 95 % point within half a percent of the level.
	bandDraws = 2000
	// bandCurves is the least number of curves with which there is a band.
	bandCurves = 3
)

// SimultaneousBand is the mean of curves over the same points, and a band that
// holds all of the true mean curve at once with the given confidence: mid ± c
// times the standard error of each point (sup-t; Montiel Olea and
// Plagborg-Moller 2019). Curves are independent of one another; the points of a
// curve may depend on each other in any way.
//
// c is the quantile of max |t| over the points. It is taken from a wild
// bootstrap of the studentised curves with random signs (Rademacher weights;
// Cameron, Gelbach and Miller 2008, for few clusters), and from a plug-in sup-t
// whose maximum is that of the same residuals with normal weights over the root
// of an independent chi square with n-1 degrees of freedom; the larger counts.
// With few curves the first alone is too narrow, since it has few signs to draw
// and its residuals are centred; see bands_test.go for the coverage.
//
// It is a band for a number of curves that was fixed beforehand, not one for all
// n at once: it is there to be looked at, and no verdict may rest on it. lo and
// hi are nil with fewer than three curves. Equal seeds give equal bands.
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

// A band is the mean curve, its standard errors, and what is left of each curve
// in units of its point's standard deviation.
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

// weigh sums the residuals with weights.
func (b *band) weigh(w []float64) {
	clear(b.sum)
	for i, rest := range b.rest {
		for g, x := range rest {
			b.sum[g] += w[i] * x
		}
	}
}

// signs is the critical value of the wild bootstrap: all patterns of signs
// where they are few, else random ones. The last curve's sign is fixed, since
// |t| is the same with all signs turned.
func (b *band) signs(confidence float64, rng *rand.Rand) float64 {
	n := len(b.rest)
	all := n-1 < 11
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

// studentised is |t| of n values whose squares add up to n-1, from their sum:
// turning signs leaves the squares as they are, so that the variance follows.
func studentised(sum, n float64) float64 {
	ss := (n - 1) - sum*sum/n
	if ss <= 1e-9*n {
		return math.Inf(1) // all on one side: no pattern is more extreme
	}
	return math.Abs(sum) / math.Sqrt(n) / math.Sqrt(ss/(n-1))
}

// plugIn is the critical value of max |Z|/sqrt(chi2/(n-1)) with Z normal of the
// curves' own correlations.
func (b *band) plugIn(confidence float64, rng *rand.Rand) float64 {
	n := len(b.rest)
	chi := distuv.ChiSquared{K: float64(n - 1), Src: rng}
	w := make([]float64, n)
	tops := make([]float64, bandDraws)
	for k := range tops {
		for i := range w {
			w[i] = rng.NormFloat64()
		}
		b.weigh(w)
		scale := math.Sqrt(chi.Rand())
		for _, s := range b.sum {
			tops[k] = max(tops[k], math.Abs(s)/scale)
		}
	}
	return upper(tops, confidence)
}

// upper is the order statistic that a further draw exceeds with probability
// 1-confidence at most; where there are too few draws for it, the largest finite
// one.
func upper(tops []float64, confidence float64) float64 {
	slices.Sort(tops)
	k := min(int(math.Ceil(confidence*float64(len(tops)+1))), len(tops))
	for k > 1 && math.IsInf(tops[k-1], 1) {
		k--
	}
	if math.IsInf(tops[k-1], 1) {
		return 0
	}
	return tops[k-1]
}
