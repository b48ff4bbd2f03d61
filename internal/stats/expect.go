package stats

import "math"

// expectBlocks is the longest series that HalfWidth runs through the engine. For longer
// ones it extrapolates with growth, which is right within a few percent.
const expectBlocks = 256

// HalfWidth estimates, before any measurement, the half-width in ln units of one
// comparison's interval at level 1-alpha after n blocks. It assumes a normal ln ratio
// with standard deviation sd. It is infinite if n blocks bound nothing. Spikes, drift and
// corrections for lists make real intervals wider.
//
// It uses a series whose three sides are spread evenly over normal distributions, without
// random draws. A real mean wanders, and the running intersection gains from that
// (TestHalfWidthSimulated).
func HalfWidth(n int, sd, alpha float64, control bool) float64 {
	k := min(n, expectBlocks)
	lo, hi, ok := normalSeries(k, control).Interval(1 / alpha)
	if !ok || n == 0 {
		return math.Inf(1)
	}
	return sd * (hi - lo) / 2 * growth(n, alpha) / growth(k, alpha)
}

// normalSeries returns a series of n blocks with an ln ratio of standard deviation 1.
// Side j of block i is the normal quantile of the fractional part of (i+1) a_j, where the
// a_j are powers of the root of x^4 = x + 1: Kronecker's sequence in three dimensions.
// Every prefix of it is spread evenly.
func normalSeries(n int, control bool) Series {
	const root = 1.22074408460575947536
	side := func(i int, a float64) float64 {
		u := math.Mod(0.5+float64(i+1)*a, 1)
		return math.Erfinv(2*u - 1) // of standard deviation 1/sqrt(2)
	}
	s := Series{D: make([]float64, n)}
	if control {
		s.Control = make([]float64, n)
	}
	for i := range n {
		base := side(i, 1/root)
		s.D[i] = side(i, 1/(root*root)) - base
		if control {
			s.Control[i] = side(i, 1/(root*root*root)) - base
		}
	}
	return s
}

// growth returns how the half-width of a confidence sequence depends on a large number of
// blocks, up to a factor: that of a mixture over effects, sqrt((2 ln(1/alpha) + ln(n)) /
// n) (Robbins 1970).
func growth(n int, alpha float64) float64 {
	x := max(float64(n), 1)
	return math.Sqrt((2*math.Log(1/alpha) + math.Log(x)) / x)
}

// Narrowing returns the ratio of interval widths after n and after k blocks.
func Narrowing(k, n int, alpha float64) float64 { return growth(n, alpha) / growth(k, alpha) }
