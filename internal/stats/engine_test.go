package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// eValues returns e_n(mu) for n = 1..len(D) blocks.
func eValues(s Series, mu float64) []float64 {
	out := make([]float64, len(s.D))
	for i := range out {
		out[i], _ = s.First(i + 1).EAt(mu)
	}
	return out
}

// betValues returns the bets' part of eValues, of which theorems hold whatever the noise.
func betValues(s Series, mu float64) []float64 {
	out := eValues(s, mu)
	for i := range out {
		out[i] = 2*out[i] - bruteStudent(s.First(i+1), mu)
	}
	return out
}

// brute is the engine as docs/methodology.md writes it, with nothing shared with
// the real one: every block from scratch.
func brute(s Series, mu float64) (out []float64) {
	for n := range s.D {
		out = append(out, bruteLast(s.First(n+1), mu))
	}
	return out
}

// bruteLast is e after all blocks.
func bruteLast(s Series, mu float64) float64 { return (bruteBets(s, mu) + bruteStudent(s, mu)) / 2 }

// bruteStudent is the half that knows no control.
func bruteStudent(s Series, mu float64) (e float64) {
	n := float64(len(s.D))
	around := max(squares(s.D), n*s.Floor*s.Floor)
	control := slices.DeleteFunc(slices.Clone(s.Control), math.IsNaN)
	if len(control) > 1 {
		around = max(around, Variance(control)*(n-1)/2)
	}
	away := n * math.Pow(Mean(s.D)-mu, 2)
	if away == 0 && around == 0 {
		return 1
	}
	for _, c := range []float64{1, 3} {
		r := 1 / (1 + n*c*c)
		ratio := 1.0
		if away > 0 {
			ratio = (around + away) / (around + r*away)
		}
		e += math.Sqrt(r) * math.Pow(ratio, n/2) / 2
	}
	return e
}

func bruteBets(s Series, mu float64) (e float64) {
	for _, clip := range []float64{1.5, 4} {
		for _, theta := range []float64{0.5, 1, 1.75, 3, 5, 10} {
			for _, sign := range []float64{1, -1} {
				product := 1.0
				for i := range s.D {
					product *= 1 + bruteGain(s, mu, i, sign*theta/1.5, clip)
				}
				e += product / 24
			}
		}
	}
	return e
}

// bruteGain is h of one block.
func bruteGain(s Series, mu float64, block int, theta, clip float64) float64 {
	var sizes []float64
	for i := range block + 1 {
		w := bruteValues(s, mu, i)
		size := math.Abs(w[0]) / 2
		if len(w) == 3 {
			size = (math.Abs(w[0]) + math.Abs(w[1]) + math.Abs(w[2])) / 3
		}
		sizes = append(sizes, size)
	}
	values := bruteValues(s, mu, block)
	scale := max(Median(sizes)*map[int]float64{2: 2, 3: 1}[len(values)], s.Floor)
	up, down, sumUp, sumDown := 0.0, 0.0, 0.0, 0.0
	for i, w := range values {
		z := min(max(w/scale, -clip), clip)
		if i == 0 {
			up, down = math.Exp(theta*z), math.Exp(-theta*z)
		}
		sumUp += math.Exp(theta * z)
		sumDown += math.Exp(-theta * z)
	}
	return up/sumUp - down/sumDown
}

// bruteValues are w of one block, the variant first.
func bruteValues(s Series, mu float64, i int) []float64 {
	if s.Control == nil || math.IsNaN(s.Control[i]) {
		return []float64{s.D[i] - mu, 0}
	}
	u := []float64{s.D[i] - mu, 0, s.Control[i]}
	m := Median(u)
	return []float64{u[0] - m, u[1] - m, u[2] - m}
}

func near(got, want, relative float64) bool {
	return got == want || math.Abs(got-want) <= relative*max(math.Abs(want), math.Abs(got))
}

func normals(seed uint64, n int, mu, sd float64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	d := make([]float64, n)
	for i := range d {
		d[i] = mu + sd*rng.NormFloat64()
	}
	return d
}

func TestEValuesAgreeWithTheFormulas(t *testing.T) {
	for seed := range uint64(8) {
		s := Series{D: normals(seed, 40, 0.01, 0.01), Control: normals(seed+50, 40, 0, 0.01)}
		if seed%2 == 1 {
			s.D[7], s.Control[30] = 0.4, -0.3
		}
		switch {
		case seed%4 >= 2:
			s.Control = nil
		case seed >= 4: // every third block lacks it
			for i := 1; i < len(s.Control); i += 3 {
				s.Control[i] = math.NaN()
			}
		}
		for _, floor := range []float64{0, 0.001, 0.02} {
			s.Floor = floor
			for _, mu := range []float64{-0.02, 0, 0.01, 0.5} {
				got, want := eValues(s, mu), brute(s, mu)
				top := 0.0
				for i := range want {
					if !near(got[i], want[i], 1e-9) {
						t.Fatalf("seed %d mu %g floor %g: e_%d = %g, want %g", seed, mu, floor, i+1, got[i], want[i])
					}
					top = max(top, want[i])
				}
				if last, most := s.EAt(mu); !near(last, want[39], 1e-9) || !near(most, top, 1e-9) {
					t.Errorf("seed %d mu %g: EAt = %g, %g, want %g, %g", seed, mu, last, most, want[39], top)
				}
			}
		}
	}
}

func TestEValuesByHand(t *testing.T) {
	// One block: u = (3, 0, 0), median 0, w = (3, 0, 0), s = 1, z = 3, clipped at 1.5
	// in one half. Each bet appears with both signs, so that after one block the mean of
	// 1 + h and 1 - h is 1.
	if got := betValues(Series{D: []float64{3}, Control: []float64{0}}, 0); !near(got[0], 1, 1e-12) {
		t.Errorf("e after one block is %g, want 1", got[0])
	}
	// Two equal blocks: the mean over bets of (1 + h^2). With a control h = (E - 1/E... )
	// of z = 3 or 1.5: (x/(x+2) - (1/x)/(1/x+2)) with x = e^(theta z).
	want := 0.0
	for _, z := range []float64{1.5, 3} {
		for _, theta := range []float64{0.5, 1, 1.75, 3, 5, 10} {
			x := math.Exp(theta / 1.5 * z)
			h := x/(x+2) - 1/(1+2*x)
			want += (1 + h*h) / 12
		}
	}
	if got := betValues(Series{D: []float64{3, 3}, Control: []float64{0, 0}}, 0); !near(got[1], want, 1e-12) {
		t.Errorf("e after two equal blocks is %g, want %g", got[1], want)
	}
	// The same without a control: h = tanh(theta/3) in both halves, since z = 1.
	want = 0
	for _, theta := range []float64{0.5, 1, 1.75, 3, 5, 10} {
		want += (1 + math.Pow(math.Tanh(theta/3), 2)) / 6
	}
	if got := betValues(Series{D: []float64{3, 3}}, 0); !near(got[1], want, 1e-12) {
		t.Errorf("without control e after two equal blocks is %g, want %g", got[1], want)
	}
}

// TestExchangeableExactly enumerates what three values of a block can do when
// nothing tells the variant, the base and the control apart: over all 6^n orders
// the mean of the bets is 1, whatever the values are, at every n.
func TestExchangeableExactly(t *testing.T) {
	orders := [6][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	for name, blocks := range map[string][][3]float64{
		"position penalty": {{0, 0.1, 5}, {0.2, 0, 5}, {-0.1, 0.1, 5.2}, {0, 0, 5}, {0.1, 0.3, 4.9}},
		"two levels":       {{0, 0, 1}, {0, 1, 1}, {0, 0, 0}, {1, 0, 1}, {0, 1, 0}},
		"growing":          {{1, 2, 4}, {10, 30, 80}, {0.1, 0.5, 0.7}, {1000, 1, 3}, {2, 2, 7}},
	} {
		n := len(blocks)
		mean := make([]float64, n)
		total := int(math.Pow(6, float64(n)))
		for pattern := range total {
			s := Series{D: make([]float64, n), Control: make([]float64, n)}
			for i, rest := 0, pattern; i < n; i, rest = i+1, rest/6 {
				o := orders[rest%6]
				base := blocks[i][o[1]]
				s.D[i], s.Control[i] = blocks[i][o[0]]-base, blocks[i][o[2]]-base
			}
			for i, e := range betValues(s, 0) {
				mean[i] += e / float64(total)
			}
		}
		for i, m := range mean {
			if !near(m, 1, 1e-9) {
				t.Errorf("%s: mean of e_%d over all orders is %.12f, want 1", name, i+1, m)
			}
		}
	}
}

// TestReflectedExactly does the same for noise that is symmetric, however its
// variances differ: over all 2^n reflections of the blocks the mean is 1, with a
// control and without.
func TestReflectedExactly(t *testing.T) {
	d, control := normals(3, 10, 0, 3), normals(4, 10, 0, 0.2)
	for _, c := range [][]float64{control, nil} {
		mean := make([]float64, len(d))
		for pattern := range 1 << len(d) {
			s := Series{D: make([]float64, len(d))}
			if c != nil {
				s.Control = make([]float64, len(d))
			}
			for i := range d {
				sign := float64(1 - 2*(pattern>>i&1))
				s.D[i] = sign * d[i]
				if c != nil {
					s.Control[i] = sign * c[i]
				}
			}
			for i, e := range betValues(s, 0) {
				mean[i] += e / float64(int(1)<<len(d))
			}
		}
		for i, m := range mean {
			if !near(m, 1, 1e-9) {
				t.Errorf("control %t: mean of e_%d over all reflections is %.12f, want 1", c != nil, i+1, m)
			}
		}
	}
}

func TestFloorBoundsTheScale(t *testing.T) {
	// Twelve equal values of 1e-7 look like a certain effect; with a resolution of
	// 1e-3 they are nothing.
	s := Series{D: make([]float64, 12), Control: make([]float64, 12)}
	for i := range s.D {
		s.D[i] = 1e-7
	}
	if last, _ := s.EAt(0); last < 100 {
		t.Errorf("without a floor e = %g, want a claim", last)
	}
	s.Floor = 1e-3
	if last, _ := s.EAt(0); last > 1.1 {
		t.Errorf("with a floor e = %g, want about 1", last)
	}
	// No scale at all: nothing is bet.
	if last, top := (Series{D: make([]float64, 12)}).EAt(0); last != 1 || top != 1 {
		t.Errorf("e of twelve zeros is %g, %g, want 1", last, top)
	}
}

// Long series neither overflow nor lose what they had.
func TestLongSeries(t *testing.T) {
	s := Series{D: make([]float64, 2000), Control: normals(1, 2000, 0, 0.01)}
	for i := range s.D {
		s.D[i] = 1
	}
	e := eValues(s, 0)
	for i, x := range e {
		if math.IsNaN(x) || math.IsInf(x, 0) || i > 0 && x < e[i-1] {
			t.Fatalf("e_%d = %g after %g", i+1, x, e[max(i-1, 0)])
		}
	}
	if got := e[len(e)-1]; got != math.MaxFloat64 {
		t.Errorf("e of 2,000 certain blocks is %g, want the largest number", got)
	}
	// Beyond the first rescaling, by the formulas.
	s = Series{D: normals(2, 300, 0.002, 0.01), Control: normals(3, 300, 0, 0.01)}
	if got, want := eValues(s, 0)[299], bruteLast(s, 0); !near(got, want, 1e-9) {
		t.Errorf("e_300 = %g, want %g", got, want)
	}
}

func TestNoEvidenceInWhatIsNoNumber(t *testing.T) {
	for name, s := range map[string]Series{
		"NaN":      {D: append(normals(1, 12, 1, 0.01), math.NaN())},
		"infinite": {D: append(normals(1, 12, 1, 0.01), math.Inf(1))},
		"control":  {D: normals(1, 2, 1, 0.01), Control: []float64{0, math.Inf(1)}},
		"lengths":  {D: normals(1, 12, 1, 0.01), Control: []float64{0}},
	} {
		if last, top := s.EAt(0); last != 1 || top != 1 {
			t.Errorf("%s: e = %g, %g, want 1", name, last, top)
		}
		if lo, hi, ok := s.Interval(100); !ok || !math.IsInf(lo, -1) || !math.IsInf(hi, 1) {
			t.Errorf("%s: interval %g..%g %v, want everything", name, lo, hi, ok)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	s := Series{D: normals(1, 50, 0, 0.01), Control: normals(2, 50, 0, 0.01)}
	g := newEngine(s) // held: the race detector empties pools at random
	defer g.free()
	got := testing.AllocsPerRun(100, func() {
		g.reset(s)
		g.walk(0, 1, math.Inf(1))
		g.interval(100, 1)
	})
	if got != 0 {
		t.Errorf("%g allocations a call, want 0", got)
	}
}

// A difference can first be claimed after so many blocks, by construction.
func TestFirstBlocks(t *testing.T) {
	for _, tc := range []struct {
		alpha   float64
		control bool
		want    int
	}{{0.05, true, 4}, {0.01, true, 5}, {0.001, true, 6}, {0.05, false, 4}, {0.01, false, 5}} {
		got := FirstBlocks(tc.alpha, tc.control)
		if got != tc.want {
			t.Errorf("alpha %g, control %t: %d blocks, want %d", tc.alpha, tc.control, got, tc.want)
		}
		s := Series{D: normals(1, got, 1, 1e-9)}
		if tc.control {
			s.Control = make([]float64, got)
		}
		if last, _ := s.EAt(0); last < 1/tc.alpha {
			t.Errorf("alpha %g, control %t: a certain effect has e = %g after %d blocks, want %g", tc.alpha, tc.control, last, got, 1/tc.alpha)
		}
		if last, _ := s.First(got - 1).EAt(0); last >= 1/tc.alpha {
			t.Errorf("alpha %g, control %t: a certain effect has e = %g one block before", tc.alpha, tc.control, last)
		}
	}
}

// FuzzEngine feeds eight-bit series at any scale: no NaN, no infinite e-value, none
// beyond what the blocks can pay, ends in order, and the caller's data untouched.
func FuzzEngine(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, true, 0.01, 0.0, 0.0)
	f.Add([]byte{9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}, false, 1.0, 9.0, 0.0)
	f.Add([]byte{0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0}, true, 1e307, -1e308, 1e-9)
	f.Add([]byte{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2}, false, 5e-324, 0.0, 0.0)
	f.Add([]byte("00000000001111111111277\xf67"), true, 1e306, -1.8e306, -2.0)
	f.Add([]byte{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1}, true, math.Inf(1), 0.0, 0.0)
	f.Fuzz(func(t *testing.T, b []byte, control bool, scale, mu, floor float64) {
		d := make([]float64, min(len(b), 100))
		for i := range d {
			d[i] = scale * (float64(b[i]) - 128)
		}
		s := Series{D: d, Floor: floor}
		if control {
			s.D, s.Control = d[:len(d)/2], d[len(d)-len(d)/2:]
		}
		before := append([]float64(nil), d...)
		for k, e := range eValues(s, mu) {
			if math.IsNaN(e) || math.IsInf(e, 0) || e < 0 || e > math.Ldexp(1, k)+student(k+1, 0, 1)/2 {
				t.Fatalf("e_%d(%g) of %v = %g, above all that a block can pay", k+1, mu, s, e)
			}
		}
		lo, hi, ok := s.Interval(100)
		if math.IsNaN(lo) || math.IsNaN(hi) || lo > hi {
			t.Fatalf("interval of %v: %g..%g %v", s, lo, hi, ok)
		}
		if k := s.Enough(0.01, 0.01, 50); k < 0 || k > 51 {
			t.Fatalf("Enough of %v = %d", s, k)
		}
		if lo, hi := s.Fixed(0.01); math.IsNaN(lo) || math.IsNaN(hi) || lo > hi {
			t.Fatalf("fixed interval of %v: %g..%g", s, lo, hi)
		}
		if p := s.FixedP(mu, mu); !(0 <= p && p <= 1) {
			t.Fatalf("p of %v at %g = %g", s, mu, p)
		}
		for i := range d {
			if d[i] != before[i] && !math.IsNaN(d[i]) {
				t.Fatalf("value %d changed", i)
			}
		}
	})
}
