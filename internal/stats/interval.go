package stats

import "math"

// Interval returns the confidence sequence after all blocks, in ln units: the hull of {mu
// : max over k of e_k(mu) < threshold}, found to 1e-6 of its width. With threshold
// 1/alpha it covers the effect at every number of blocks at once with probability
// 1-alpha.
//
// It is unbounded if there are too few blocks to reach the threshold at any mu. ok is
// false if no mu is left ("invalid: drift"). For blocks with a constant effect that has
// probability below alpha.
func (s Series) Interval(threshold float64) (lo, hi float64, ok bool) {
	return s.interval(threshold, 1)
}

// LastInterval returns the hull of {mu : e_n(mu) < threshold}. With threshold m/(q k*) it
// is the e-BY interval of a cell claimed among m (Xu, Wang and Ramdas 2022).
func (s Series) LastInterval(threshold float64) (lo, hi float64, ok bool) {
	return s.interval(threshold, len(s.D))
}

func (s Series) interval(threshold float64, from int) (lo, hi float64, ok bool) {
	g := newEngine(s)
	defer g.free()
	return g.interval(threshold, from)
}

func (g *engine) interval(threshold float64, from int) (lo, hi float64, ok bool) {
	if len(g.D) == 0 || !g.ok {
		return math.Inf(-1), math.Inf(1), true
	}
	s := seeker{g: g, from: from, limit: threshold}
	c, ok := s.inside()
	if !ok {
		return 0, 0, false
	}
	return s.end(c, -1), s.end(c, 1), true
}

// A seeker finds the set {mu : max e_k(mu) < limit} of one series.
type seeker struct {
	g     *engine
	from  int
	limit float64
}

// rejects reports whether mu lies outside the set. Far from the data Student's half, which
// needs no walk, says so.
func (s *seeker) rejects(mu float64) bool {
	return s.g.student(len(s.g.D), mu)/2 >= s.limit || s.g.walk(mu, s.from, s.limit).top >= s.limit
}

// excess returns how far ln max e_k(mu) lies above ln limit.
func (s *seeker) excess(mu float64) float64 {
	return math.Log(s.g.walk(mu, s.from, math.Inf(1)).top / s.limit)
}

// inside finds a point of the set. The median is in it unless the series drifts.
func (s *seeker) inside() (c float64, ok bool) {
	g := s.g
	g.order = sortInto(g.order, g.D)
	if c := medianSorted(g.order); !s.rejects(c) {
		return c, true
	}
	return s.scan(g.order[0], g.order[len(g.order)-1])
}

// scan looks for the point between lo and hi with the smallest e-value. It tries even
// steps and the order statistics, whose spacing follows the scale of the data, then
// searches around the best point by ternary search.
func (s *seeker) scan(lo, hi float64) (c float64, ok bool) {
	const steps = 64
	best, least := lo, math.Inf(1)
	try := func(mu float64) {
		if x := s.excess(mu); x < least {
			best, least = mu, x
		}
	}
	n := len(s.g.order)
	for i := range steps + 1 {
		try(lo + (hi-lo)*float64(i)/steps)
		try(s.g.order[i*(n-1)/steps])
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

const (
	// stride is the factor between steps of the search for an end. Holes of the set
	// narrower than that are not found.
	stride = 1.25
	// beyond is how far outside the data, as a multiple of their range, the search goes.
	// From there on all blocks bet the same way, so a bounded interval ends before it.
	beyond = 1e6
)

// end returns the outermost point of the set on one side (-1 or 1) of its point c;
// infinite if no point on that side is rejected. The set may have holes, so it comes from
// outside the data: there one look rejects a point, inside the set it takes all blocks.
func (s *seeker) end(c, side float64) float64 {
	g := s.g
	span := max(g.order[len(g.order)-1]-g.order[0], g.Floor, math.Abs(c)*1e-12, 1e-300)
	x := max(span/float64(8*len(g.order)), g.Floor/8)
	span = max(span, g.wide)
	g.steps = append(g.steps[:0], 0) // distances from c
	for ; x <= 2*span; x *= stride {
		g.steps = append(g.steps, x)
	}
	if !s.rejects(c + side*x) {
		return s.farEnd(c, side, x, beyond*span)
	}
	last := len(g.steps) - 1
	for last > 0 && s.rejects(c+side*g.steps[last]) {
		x, last = g.steps[last], last-1
	}
	return c + side*s.cross(c, side, x, g.steps[last])
}

// farEnd looks for the end between the accepted distance x and the largest.
func (s *seeker) farEnd(c, side, x, largest float64) float64 {
	for {
		accepted := x
		if x *= 4 * stride; x > largest {
			return math.Inf(int(side))
		}
		if s.rejects(c + side*x) {
			return c + side*s.cross(c, side, x, accepted)
		}
	}
}

// cross finds the crossing between the rejected distance a and the accepted distance b by
// regula falsi with Illinois' halving, and returns the accepted side.
func (s *seeker) cross(c, side, a, b float64) float64 {
	const accuracy = 1e-6
	fa, fb := s.excess(c+side*a), s.excess(c+side*b)
	last := 0
	for i := 0; i < 60 && a-b > accuracy*a; i++ {
		x := b + (a-b)*fb/(fb-fa)
		if i%4 == 3 || !(b < x && x < a) {
			x = a/2 + b/2 // never slower than bisection by more than 4
		}
		fx := s.excess(c + side*x)
		switch {
		case fx >= 0:
			a, fa = x, fx
			if last == 1 {
				fb /= 2
			}
			last = 1
		default:
			b, fb = x, fx
			if -fx < accuracy {
				return b
			}
			if last == -1 {
				fa /= 2
			}
			last = -1
		}
	}
	return b
}
