package stats

import (
	"math"
	"slices"
	"sync"
)

// A Series holds the values of the blocks of one comparison, in the order of measurement.
type Series struct {
	// D is ln(variant/base) of each block.
	D []float64
	// Control is ln(control/base) of the same blocks; the control is the base run a
	// second time. It is NaN for a block without one, nil if no block has one.
	Control []float64
	// Floor is the resolution of one value in ln units. No scale is smaller.
	Floor float64
}

// First returns the series of the first n blocks.
func (s Series) First(n int) Series {
	s.D = s.D[:n]
	if s.Control != nil {
		s.Control = s.Control[:n]
	}
	return s
}

// # The engine
//
// For a candidate effect mu a block holds three values, u = (D - mu, 0, Control).
// Let w = u - median(u), s the median over the blocks so far, this one included, of
// mean |w|, and z = w/s clipped at c. With
//
//	h = softmax(theta z)_variant - softmax(-theta z)_variant, in (-1, 1),
//
// the e-process of mu is the mean of prod (1 + h) over 12 values of theta, six and their
// negatives, and two clips. A block without a control has u = (D - mu, 0), whose mean |w|
// is |D - mu| / 2, z = (D - mu) / (2 s), and h = tanh(theta z / 2). Which blocks have a
// control may depend on anything but the block's own values.
//
// E[h | past] = 0 holds under either of two assumptions:
//
//   - variant - mu, base and control are exchangeable in the block given the past.
//     Given the three values, w, s and z do not depend on which is which, and each
//     softmax adds up to 1 over the three, so that both terms have mean 1/3. This
//     covers any penalty of a position in a random order, noise of two levels, skewed
//     noise, and drift from block to block.
//   - the block's noise is symmetric under reflection given the past; the variances
//     may differ. Then z turns to -z, and h to -h.
//
// So it is a nonnegative martingale of mean 1: Ville's inequality makes the confidence
// sequence valid at every n, and e at any stopping time a true e-value, as e-BH requires.
//
// Each bet pays at most twice its stake, so that no difference is claimed before block 9.
// e_n(mu) is therefore the mean of this e-process and of Student's (func student), which
// decides after few blocks. Under normal noise that is an e-process, too. Under other noise
// it need not be one: with values of two levels a few blocks may all have the same one. It
// therefore takes half of the control's variance if that is more than the variant's, which
// can only lower it.
// docs/methodology.md has simulations of both assumptions, and of noise outside of them.

// thetas are the bets in sixths: 0.5, 1, 1.75, 3, 5 and 10 over 1.5. Small ones find
// small effects in many blocks, large ones find large effects in few. In sixths, all
// exponentials are powers of a single one.
var thetas = [...]int{2, 4, 7, 12, 20, 40}

// clips bound z. The small one limits the weight of spikes, the large one uses more of
// the evidence when noise is quiet.
var clips = [...]float64{1.5, 4}

// spreads are the standard deviations of the effect, in those of a block, that Student's
// e-process expects.
var spreads = [...]float64{1, 3}

const (
	bets = 2 * len(thetas) * len(clips)
	// largest is far beyond any logarithm, and its square is finite.
	largest = 1e100
	// rescaleEvery is how many factors, each below 2, products take between two
	// rescalings.
	rescaleEvery = 256
)

// EAt returns e_n(mu) after all n = len(D) blocks, and the largest e_k(mu) for k <= n,
// both at most [math.MaxFloat64]. It allocates nothing.
func (s Series) EAt(mu float64) (last, top float64) {
	g := newEngine(s)
	defer g.free()
	w := g.walk(mu, 1, math.Inf(1))
	return w.last, w.top
}

// An engine evaluates the e-process of one series at many candidates mu.
type engine struct {
	Series
	sizes []float64 // scratch of the walk: sizes of blocks in ascending order
	order []float64 // scratch: D in ascending order
	steps []float64 // scratch of the search for an end
	wide  float64   // the largest |Control|
	ok    bool      // all values are numbers

	// Of the first i+1 blocks: the mean of D and the sum of squared deviations from it, at
	// least half of the control's.
	means, squares []float64
}

var engines = sync.Pool{New: func() any { return new(engine) }}

func newEngine(s Series) *engine {
	g := engines.Get().(*engine)
	g.reset(s)
	return g
}

func (g *engine) free() {
	g.Series = Series{} // do not keep the caller's data alive
	engines.Put(g)
}

func (g *engine) reset(s Series) {
	g.Series, g.ok = s, s.Control == nil || len(s.Control) == len(s.D)
	g.Floor = max(g.Floor, 0)
	g.sizes = slices.Grow(g.sizes[:0], len(s.D))
	g.means, g.squares = g.means[:0], g.squares[:0]
	var d, control scatter
	for i, x := range s.D {
		g.ok = g.ok && math.Abs(x) <= largest // false for NaN
		d.add(x)
		if i < len(s.Control) && !math.IsNaN(s.Control[i]) {
			control.add(s.Control[i])
		}
		most := d.squares
		if control.n > 1 {
			most = max(most, control.squares*(d.n-1)/(control.n-1)/2)
		}
		g.means, g.squares = append(g.means, d.mean), append(g.squares, most)
	}
	g.wide = 0
	for _, x := range s.Control {
		if !math.IsNaN(x) {
			g.wide = max(g.wide, math.Abs(x))
		}
	}
	g.ok = g.ok && g.wide <= largest
}

// A scatter has the mean of n values and the sum of squared deviations from it.
type scatter struct{ n, mean, squares float64 }

func (s *scatter) add(x float64) {
	off := x - s.mean
	s.n++
	s.mean += off / s.n
	s.squares += off * (x - s.mean)
}

// A walked is the result of one pass over the blocks.
type walked struct {
	n    int     // the block at which the pass stopped
	last float64 // e_n there
	bets float64 // its half without Student's
	top  float64 // the largest e_k for from <= k <= n; 0 when n < from
}

// walk evaluates e_k(mu) for k >= from. It ends early at the first of these blocks where e
// reaches stop. If some value or mu is not a number, there is no evidence: e is 1.
func (g *engine) walk(mu float64, from int, stop float64) walked {
	if !g.ok || math.IsNaN(mu) || math.IsInf(mu, 0) {
		return walked{n: len(g.D), last: 1, top: 1}
	}
	w, p := walked{last: 1}, newProducts()
	sizes := g.sizes[:0]
	for i, d := range g.D {
		b := block{high: d - mu, place: alone}
		if g.Control != nil && !math.IsNaN(g.Control[i]) {
			b = three(d-mu, g.Control[i])
		}
		sizes = insert(sizes, b.size())
		scale := medianSorted(sizes)
		if b.place == alone {
			scale *= 2
		}
		if scale = max(scale, g.Floor); scale > 0 {
			p.bet(b, scale)
		}
		w.n = i + 1
		p.rescale(w.n)
		if w.n < from {
			continue
		}
		w.bets = p.mean()
		w.last = w.bets/2 + g.student(w.n, mu)/2
		if w.top = max(w.top, w.last); w.top >= stop {
			break
		}
	}
	return w
}

// student returns Student's e-process after n blocks. Rounded values may be equal; no block
// scatters by less than the resolution.
func (g *engine) student(n int, mu float64) float64 {
	off, floor := g.means[n-1]-mu, float64(n)*g.Floor*g.Floor
	return student(n, max(g.squares[n-1], floor), float64(n)*off*off)
}

// student returns the mean over the spreads c of
//
//	sqrt(r) ((S + A) / (S + r A))^(n/2),  r = 1/(1 + n c^2),
//
// where S is the sum of squared deviations of n values from their mean, and A is n times
// the squared distance of the mean from the candidate. It is the likelihood ratio of a
// normal effect with standard deviation c against none, with the right Haar prior over the
// unknown scale of the noise, and so an e-process (Wang and Ramdas 2025, "Anytime-valid
// t-tests and confidence sequences for Gaussian means with unknown variance").
func student(n int, squares, away float64) float64 {
	if squares == 0 && away == 0 {
		return 1 // there is no scale
	}
	sum := 0.0
	for _, c := range spreads {
		r, ratio := 1/(1+float64(n)*c*c), 1.0
		if away > 0 {
			ratio = (squares + away) / (squares + r*away)
		}
		sum += math.Sqrt(r) * power(math.Sqrt(ratio), n)
	}
	return min(sum/float64(len(spreads)), math.MaxFloat64)
}

// power returns x^n. It is several times as fast as [math.Pow].
func power(x float64, n int) float64 {
	y := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			y *= x
		}
		x *= x
	}
	return y
}

// A block holds the values of one block minus their median, high >= 0 >= low, and the
// place of the variant. Without a control high is D - mu, of either sign.
type block struct {
	high, low float64
	place     place
}

type place uint8

const (
	highest place = iota
	lowest
	between
	alone // without a control
)

// three returns the block of a variant, a base at 0 and a control.
func three(variant, control float64) block {
	median := max(min(variant, 0), min(max(variant, 0), control))
	b := block{high: max(variant, 0, control) - median, low: min(variant, 0, control) - median, place: between}
	switch {
	case variant > median:
		b.place = highest
	case variant < median:
		b.place = lowest
	}
	return b
}

// size is the scale of one block: the mean of |w|.
func (b block) size() float64 {
	if b.place == alone {
		return math.Abs(b.high) / 2
	}
	return (b.high - b.low) / 3
}

// products are the products of all bets, each times 2^-shift.
type products struct {
	of    [bets]float64
	shift int
}

func newProducts() products {
	var p products
	for i := range p.of {
		p.of[i] = 1
	}
	return p
}

// bet multiplies the products by the factors of one block.
func (p *products) bet(b block, scale float64) {
	var h [len(thetas)]float64
	for i, clip := range clips {
		if i == 0 || max(math.Abs(b.high), -b.low) > clips[0]*scale { // else both clips give the same
			if b.place == alone {
				h = gainsOfTwo(min(max(b.high/scale, -clip), clip))
			} else {
				h = gains(min(b.high/scale, clip), min(-b.low/scale, clip), b.place)
			}
		}
		of := (*[2 * len(thetas)]float64)(p.of[i*2*len(thetas):])
		for j, x := range &h {
			of[2*j] *= 1 + x
			of[2*j+1] *= 1 - x
		}
	}
}

// gains returns h for each theta, of a block whose extremes lie high above and low below
// the median. With H = e^(theta high) and B = e^(theta low) the softmax of theta z over
// the three is (H, 1, 1/B)/(H + 1 + 1/B), that of -theta z (1/H, 1, B)/(1/H + 1 + B).
func gains(high, low float64, at place) (h [len(thetas)]float64) {
	hs, bs := powers(math.Exp(high/6)), powers(math.Exp(low/6))
	for i := range h {
		H, B := hs[i], bs[i]
		q := H * B
		up, down := 1/(q+B+1), 1/(1+H+q)
		switch at {
		case highest:
			h[i] = q*up - down
		case lowest:
			h[i] = up - q*down
		default:
			h[i] = B*up - H*down
		}
	}
	return h
}

// gainsOfTwo returns tanh(theta z / 2) for each theta.
func gainsOfTwo(z float64) (h [len(thetas)]float64) {
	for i, e := range powers(math.Exp(z / 6)) {
		h[i] = (e - 1) / (e + 1)
	}
	return h
}

// powers returns x to the power of each theta in sixths: 2, 4, 7, 12, 20, 40.
func powers(x float64) [len(thetas)]float64 {
	x2 := x * x
	x4 := x2 * x2
	x8 := x4 * x4
	x20 := x8 * x8 * x4
	return [...]float64{x2, x4, x4 * x2 * x, x8 * x4, x20, x20 * x20}
}

// mean returns e.
func (p *products) mean() float64 {
	sum := 0.0
	for _, x := range p.of {
		sum += x
	}
	e := sum / float64(bets)
	if p.shift > 0 { // Ldexp takes as long as the sum
		e = math.Ldexp(e, p.shift)
	}
	return min(e, math.MaxFloat64)
}

// rescale keeps the largest product within the range of a float. It is called after each of
// n blocks.
func (p *products) rescale(n int) {
	if n%rescaleEvery != 0 {
		return
	}
	_, exp := math.Frexp(slices.Max(p.of[:]))
	if exp < rescaleEvery {
		return
	}
	p.shift += exp
	for i := range p.of {
		p.of[i] = math.Ldexp(p.of[i], -exp)
	}
}

// insert inserts x into ascending values. Moving the tail is quadratic in the number of
// blocks, but so fast that a thousand blocks cost no more than with a heap.
func insert(sorted []float64, x float64) []float64 {
	sorted = append(sorted, x)
	i := len(sorted) - 1
	if i > 64 {
		at := sortedIndex(sorted[:i], x)
		copy(sorted[at+1:], sorted[at:i])
		sorted[at] = x
		return sorted
	}
	for ; i > 0 && sorted[i-1] > x; i-- {
		sorted[i] = sorted[i-1]
	}
	sorted[i] = x
	return sorted
}

// sortedIndex returns the index of x in ascending values without NaN. [slices.BinarySearch]
// would test for NaN at every step.
func sortedIndex(sorted []float64, x float64) int {
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

// medianSorted returns the median of ascending values.
func medianSorted(sorted []float64) float64 {
	n := len(sorted)
	if n%2 == 1 {
		return sorted[n/2]
	}
	// Halves first: the sum of two finite values may overflow.
	return sorted[n/2-1]/2 + sorted[n/2]/2
}

// FirstBlocks returns the number of blocks after which a difference far beyond the noise
// is claimed at level 1-alpha: 5 at 99 % and 4 at 95 %, with a control or without one. It
// follows from the bets; the engine has no minimum of its own.
func FirstBlocks(alpha float64, control bool) int {
	p := newProducts()
	// The variant alone is far off, so it is the whole size of the three values.
	b, scale := block{high: 3, place: highest}, 1.0
	if !control {
		b = block{high: 1, place: alone}
	}
	for n := 1; ; n++ {
		p.bet(b, scale)
		p.rescale(n)
		if p.mean()/2+student(n, 0, 1)/2 >= min(1/alpha, math.MaxFloat64) {
			return n
		}
	}
}
