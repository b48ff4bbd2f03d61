package stats

import "math"

// HarrellDavis is the p-quantile of ascending values after Harrell and Davis
// (1982): the mean of all order statistics, the i-th weighted by the
// probability that a Beta((n+1)p, (n+1)(1-p)) variable lies between (i-1)/n and
// i/n. It moves less from run to run than any single order statistic does. p is
// clamped to 0..1, whose ends are the minimum and the maximum. NaN of nothing.
func HarrellDavis(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	w := newWeights(len(sorted), p)
	lo, hi := w.window()
	var q, below float64
	for i := lo; i < hi; i++ {
		upTo := w.cdf(i + 1)
		q += (upTo - below) * sorted[i]
		below = upTo
	}
	return q
}

// HarrellDavisCounts is [HarrellDavis] of a histogram: values in ascending
// order, and beside each how often it occurred.
func HarrellDavisCounts(values []float64, counts []int, p float64) float64 {
	total := 0
	for _, c := range counts {
		total += c
	}
	if total == 0 {
		return math.NaN()
	}
	w := newWeights(total, p)
	lo, hi := w.window()
	var q, below float64
	rank := 0
	for i, v := range values {
		rank += counts[i]
		if rank <= lo || counts[i] == 0 {
			continue
		}
		upTo := w.cdf(min(rank, hi))
		q += (upTo - below) * v
		below = upTo
		if rank >= hi {
			break
		}
	}
	return q
}

// weights is the Beta distribution that weighs n order statistics.
type weights struct {
	n      int
	a, b   float64
	lnBeta float64 // ln B(a, b)
}

func newWeights(n int, p float64) weights {
	p = min(max(p, 0), 1)
	w := weights{n: n, a: float64(n+1) * p, b: float64(n+1) * (1 - p)}
	w.lnBeta = lgamma(w.a) + lgamma(w.b) - lgamma(w.a+w.b)
	return w
}

func lgamma(x float64) float64 {
	v, _ := math.Lgamma(x)
	return v
}

// window is the range lo..hi of order statistics whose weights can be told from
// 0: twelve standard deviations around the middle, and fifty ranks more for the
// exponential tail next to either end.
func (w weights) window() (lo, hi int) {
	sum, n := w.a+w.b, float64(w.n)
	half := 12*math.Sqrt(w.a*w.b/(sum+1))/sum*n + 50
	mid := w.a / sum * n
	return max(0, int(mid-half)), min(w.n, int(mid+half)+1)
}

// cdf is the weight of the first rank order statistics together.
func (w weights) cdf(rank int) float64 {
	x := float64(rank) / float64(w.n)
	switch {
	case rank <= 0:
		return 0
	case rank >= w.n || w.a == 0:
		return 1
	case w.b == 0:
		return 0
	case x < (w.a+1)/(w.a+w.b+2):
		return incompleteBeta(w.a, w.b, x, w.lnBeta)
	}
	return 1 - incompleteBeta(w.b, w.a, 1-x, w.lnBeta)
}

// incompleteBeta is the regularised I_x(a, b) by its continued fraction (DLMF
// 8.17.22, modified Lentz), which converges in O(sqrt(max(a, b))) terms for x
// below (a+1)/(a+b+2). gonum's stops after 300 terms: too few for the ten
// million requests of one service run.
func incompleteBeta(a, b, x, lnBeta float64) float64 {
	front := math.Exp(a*math.Log(x)+b*math.Log1p(-x)-lnBeta) / a
	if front == 0 {
		return 0
	}
	c := 1.0
	d := 1 / nonZero(1-(a+b)*x/(a+1))
	h := d
	for i := 1; i < 100_000; i++ {
		m := float64(i)
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d = 1 / nonZero(1+even*d)
		c = nonZero(1 + even/c)
		h *= c * d
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d = 1 / nonZero(1+odd*d)
		c = nonZero(1 + odd/c)
		h *= c * d
		if math.Abs(c*d-1) < 1e-15 {
			break
		}
	}
	return front * h
}

// nonZero keeps Lentz's recurrence off a division by zero.
func nonZero(x float64) float64 {
	const tiny = 1e-300
	if math.Abs(x) < tiny {
		return tiny
	}
	return x
}
