package stats

import "math"

// HarrellDavisCounts returns the p-quantile of a histogram, ascending values and their
// counts, by Harrell and Davis (1982): the mean of all order statistics, the i-th weighted
// by the probability that a Beta((n+1)p, (n+1)(1-p)) variable lies between (i-1)/n and
// i/n. It moves less from run to run than any single order statistic does. p is clamped
// to 0..1, whose ends are the minimum and the maximum. NaN for no values.
func HarrellDavisCounts(values []float64, counts []int, p float64) float64 {
	w := newWeights(counts, p)
	if w.n == 0 {
		return math.NaN()
	}
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

// weights is the Beta distribution that gives the weights of n order statistics.
type weights struct {
	n      int
	a, b   float64
	lnBeta float64 // ln B(a, b)
}

func newWeights(counts []int, p float64) weights {
	n := 0
	for _, c := range counts {
		n += c
	}
	p = min(max(p, 0), 1)
	w := weights{n: n, a: float64(n+1) * p, b: float64(n+1) * (1 - p)}
	w.lnBeta = lgamma(w.a) + lgamma(w.b) - lgamma(w.a+w.b)
	return w
}

func lgamma(x float64) float64 {
	v, _ := math.Lgamma(x)
	return v
}

// window returns the range lo..hi of order statistics with weights distinguishable from
// 0: twelve standard deviations around the middle, and fifty more ranks for the
// exponential tail near either end.
func (w weights) window() (lo, hi int) {
	sum, n := w.a+w.b, float64(w.n)
	half := 12*math.Sqrt(w.a*w.b/(sum+1))/sum*n + 50
	mid := w.a / sum * n
	return max(0, int(mid-half)), min(w.n, int(mid+half)+1)
}

// cdf returns the total weight of the first rank order statistics.
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

// incompleteBeta returns the regularised I_x(a, b) by its continued fraction (DLMF
// 8.17.22, modified Lentz), in O(sqrt(max(a, b))) terms for x below (a+1)/(a+b+2).
// gonum's stops after 300: too few for the ten million requests of one service run.
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

// HarrellDavisBuckets is [HarrellDavisCounts] for a histogram whose values stand for
// buckets. It spreads the counts of a bucket evenly over it, instead of placing them all
// at its value. A load generator's buckets are 1 to 2 % wide. With a hundred thousand
// requests the weights of the middle quantiles lie within one of them: HarrellDavisCounts
// then returns that bucket's value, and two runs differ by 0 or by a whole bucket.
//
// The width of a bucket is not known. It is assumed to extend on both sides by half the
// smaller distance to a neighbour. That is right for adjacent buckets, and close to 0 for
// values kept as measured.
//
// With F the Beta distribution function, a bucket from x0 to x1 between the ranks
// u0 and u1 (shares of n) adds the integral of x dF, which by parts is x1 F(u1) -
// x0 F(u0) - (x1-x0)/(u1-u0) times the integral of F, and that of u -> F(u) is
// u F(u; a, b) - a/(a+b) F(u; a+1, b) (DLMF 8.17.20 gives the second from the
// first).
func HarrellDavisBuckets(values []float64, counts []int, p float64) float64 {
	w := newWeights(counts, p)
	if w.n == 0 || w.a == 0 || w.b == 0 {
		return HarrellDavisCounts(values, counts, p)
	}
	// From the bucket that holds the quantile outwards, until the remaining weight is
	// negligible: each step costs an incomplete beta function.
	mid, rank := 0, counts[0]
	for float64(rank) < p*float64(w.n) {
		mid++
		rank += counts[mid]
	}
	bottom, top := w.moments(rank-counts[mid]), w.moments(rank)
	q := w.bucket(values, mid, bottom, top)
	for i, at, from := mid+1, rank, top; i < len(values) && 1-from.f > negligible; i++ {
		at += counts[i]
		to := w.moments(at)
		q += w.bucket(values, i, from, to)
		from = to
	}
	for i, at, to := mid-1, rank-counts[mid], bottom; i >= 0 && to.f > negligible; i-- {
		at -= counts[i]
		from := w.moments(at)
		q += w.bucket(values, i, from, to)
		to = from
	}
	return q
}

// negligible is a weight that changes no digit of an output.
const negligible = 1e-12

// bucket returns the part of the quantile from values[i], a bucket between two ranks.
func (w weights) bucket(values []float64, i int, from, to moments) float64 {
	if to.u <= from.u {
		return 0
	}
	half := halfWidth(values, i)
	x0, x1 := values[i]-half, values[i]+half
	area := (to.u*to.f - from.u*from.f) - w.a/(w.a+w.b)*(to.g-from.g)
	return x1*to.f - x0*from.f - (x1-x0)/(to.u-from.u)*area
}

// moments are the Beta distribution functions of (a, b) and (a+1, b) at u.
type moments struct{ u, f, g float64 }

// moments returns the moments of the first rank order statistics.
func (w weights) moments(rank int) moments {
	switch {
	case rank <= 0:
		return moments{}
	case rank >= w.n:
		return moments{1, 1, 1}
	}
	u := float64(rank) / float64(w.n)
	f := w.cdf(rank)
	// DLMF 8.17.20: I_x(a+1, b) = I_x(a, b) - x^a (1-x)^b / (a B(a, b)).
	return moments{u, f, f - math.Exp(w.a*math.Log(u)+w.b*math.Log1p(-u)-w.lnBeta)/w.a}
}

// halfWidth returns half the smaller distance to a neighbour; 0 for a single value.
func halfWidth(values []float64, i int) float64 {
	out := math.Inf(1)
	if i > 0 {
		out = values[i] - values[i-1]
	}
	if i+1 < len(values) {
		out = min(out, values[i+1]-values[i])
	}
	if math.IsInf(out, 1) {
		return 0
	}
	return out / 2
}
