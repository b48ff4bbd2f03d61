package stats

import "math"

// Interval is the confidence sequence after n = len(d) blocks, in ln units: the
// hull of {mu : max over from <= k <= n of e_k(mu) < threshold}, found to 1e-6 of
// its width, or of the e-value where that is nearly flat. With threshold 1/alpha it covers the effect at
// every n at once with probability 1-alpha.
//
// It is unbounded when n < from, or when so few blocks cannot reach the
// threshold at any mu. It is not ok when no mu is left, which independent
// blocks with one effect do with probability below alpha: "invalid: drift".
//
// The e-BY interval of a cell claimed among m uses the last e-value only: from =
// len(d) and threshold m/(q k*) (Xu, Wang and Ramdas 2022).
func Interval(d []float64, floor, threshold float64, from int) (lo, hi float64, ok bool) {
	g := newEngine(d, floor)
	defer g.free()
	return g.interval(threshold, from)
}

func (g *engine) interval(threshold float64, from int) (lo, hi float64, ok bool) {
	from = max(from, 1)
	if len(g.d) < from || !g.ok {
		return math.Inf(-1), math.Inf(1), true
	}
	s := seeker{g: g, from: from, limit: math.Log(threshold)}
	lo, hi = s.outer()
	if lo > hi {
		return 0, 0, false
	}
	if math.IsInf(hi, 1) {
		if s.far() < s.limit {
			return lo, hi, true
		}
		lo, hi = s.wide()
	}
	c, ok := s.inside(lo, hi)
	if !ok {
		return 0, 0, false
	}
	return s.end(lo, c), s.end(hi, c), true
}

// A seeker finds the set {mu : excess(mu) < 0} of one series.
type seeker struct {
	g     *engine
	from  int
	limit float64 // ln threshold
}

// excess is how far ln max e_k(mu) lies above the limit.
func (s *seeker) excess(mu float64) float64 {
	return s.g.walk(mu, s.from, math.Inf(1), nil).top - s.limit
}

// outer is an interval that holds the set, in closed form. The mean of e_t and
// e_s is below x only if e_t < 2x, and e_t < 2x is an interval around the mean:
// with g = (2x/sqrt(r))^(2/k), T < (g-1)/(1-rg). The cap does not move its ends
// where it lies at 2x or above, and where it lies below, e_t < 2x says nothing.
// The set for all k lies in the intersection. It is infinite when no e_t can
// reach 2x.
func (s *seeker) outer() (lo, hi float64) {
	lo, hi = math.Inf(-1), math.Inf(1)
	for k := s.from; k <= len(s.g.d); k++ {
		p := &s.g.step[k-1]
		x := s.limit + math.Ln2
		ratio := math.Exp((x - p.lnR) / p.halfK)
		if k < 2 || x > p.lnMax || ratio*p.r >= 1 {
			continue
		}
		half := math.Sqrt((ratio - 1) / (1 - p.r*ratio) / p.unit)
		if math.IsNaN(half) {
			continue // a threshold below 1
		}
		lo, hi = max(lo, p.mean-half), min(hi, p.mean+half)
	}
	return lo, hi
}

// far is the limit of ln max e_k(mu) as mu goes to infinity: every deviation
// tends to the same size, so every score to 1/1.4826.
func (s *seeker) far() float64 {
	const score = 1 / madToSD
	top := math.Inf(-1)
	for k := s.from; k <= len(s.g.d); k++ {
		t, y := 0.0, symmetric{}
		if k >= 2 {
			t = s.g.step[k-1].lnMax
		}
		if k >= warmBlocks {
			y.s, y.v = float64(k)*score, float64(k)*score*score
		}
		top = max(top, lnMean(t, y.lnS()))
	}
	return top
}

// wide stands in for outer where e_t alone gives no bound but the combination
// does: a million times the data's range.
func (s *seeker) wide() (lo, hi float64) {
	lo, hi = s.g.d[0], s.g.d[0]
	for _, x := range s.g.d {
		lo, hi = min(lo, x), max(hi, x)
	}
	reach := 1e6 * max(hi-lo, s.g.floor)
	return lo - reach, hi + reach
}

// inside finds a point of the set. One of the obvious centres is in it unless
// the series drifts.
func (s *seeker) inside(lo, hi float64) (c float64, ok bool) {
	g := s.g
	n := len(g.d)
	g.sorted = sortInto(g.sorted, g.d)
	for _, c := range [...]float64{middle(g.sorted), g.step[n-1].mean, lo/2 + hi/2} {
		c = min(max(c, lo), hi)
		if s.excess(c) < 0 {
			return c, true
		}
	}
	return s.scan(lo, hi)
}

// scan looks for the lowest point between lo and hi: over even steps and over
// the order statistics, whose spacing follows the data's own scale, and then by
// ternary search around the best.
func (s *seeker) scan(lo, hi float64) (c float64, ok bool) {
	const steps = 64
	best, least := lo, math.Inf(1)
	try := func(mu float64) {
		if x := s.excess(mu); x < least {
			best, least = mu, x
		}
	}
	n := len(s.g.sorted)
	for i := range steps + 1 {
		try(lo + (hi-lo)*float64(i)/steps)
		if x := s.g.sorted[i*(n-1)/steps]; lo < x && x < hi {
			try(x)
		}
	}
	a, b := max(lo, best-(hi-lo)/steps), min(hi, best+(hi-lo)/steps)
	for i := 0; i < 40 && least >= 0; i++ {
		third := (b - a) / 3
		try(a + third)
		try(b - third)
		if best < a+third*1.5 {
			b -= third
		} else {
			a += third
		}
	}
	return best, least < 0
}

// end is the outermost point of the set between the rejected point out and the
// accepted point c. It steps from the outside in, since the set may have holes,
// in steps proportional to the distance from c, since spikes can make the outer
// bound many times too wide; then it closes in on the crossing.
func (s *seeker) end(out, c float64) float64 {
	rejected, above := out, s.excess(out)
	if above < 0 {
		return out
	}
	ratio := 0.94
	for i := range 150 { // enough for a billionth of the way
		x := c + (rejected-c)*ratio
		e := s.excess(x)
		if e < 0 {
			return s.cross(rejected, above, x, e)
		}
		rejected, above = x, e
		if i > 60 {
			ratio = 0.8 // beyond 40 times too wide there is no fine structure
		}
	}
	return c
}

// cross closes in on the zero of excess between the rejected point a and the
// accepted point b by regula falsi with Illinois' halving, and returns the
// accepted side.
func (s *seeker) cross(a, fa, b, fb float64) float64 {
	const accuracy = 1e-6
	side := 0
	first := math.Abs(a - b)
	for i := 0; i < 60 && math.Abs(a-b) > accuracy*first; i++ {
		x := b + (a-b)*fb/(fb-fa)
		if i%4 == 3 || !(min(a, b) < x && x < max(a, b)) {
			x = a/2 + b/2 // never slower than bisection by more than 4
		}
		fx := s.excess(x)
		if math.Abs(fx) < accuracy && fx < 0 {
			return x
		}
		if fx >= 0 {
			a, fa = x, fx
			if side == 1 {
				fb /= 2
			}
			side = 1
		} else {
			b, fb = x, fx
			if side == -1 {
				fa /= 2
			}
			side = -1
		}
	}
	return b
}
