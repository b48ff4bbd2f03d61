package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestIntervalOfTooFewBlocks(t *testing.T) {
	for name, d := range map[string][]float64{
		"none": nil, "nine": normals(1, 9, 0, 1), "not finite": append(normals(1, 12, 0, 1), math.NaN()),
	} {
		lo, hi, ok := Interval(d, 0, 100, 10)
		if !ok || !math.IsInf(lo, -1) || !math.IsInf(hi, 1) {
			t.Errorf("%s: %g..%g %v, want everything", name, lo, hi, ok)
		}
	}
	// Nothing reaches 20 after three blocks, where e_t < (3+1)^((3-1)/2) = 4 and
	// e_s = 1, nor after six, where e_t <= 2^5 and e_s < 5.
	for _, n := range []int{3, 6} {
		lo, hi, ok := Interval(normals(1, n, 1, 0.01), 0, 20, 2)
		if !ok || !math.IsInf(lo, -1) || !math.IsInf(hi, 1) {
			t.Errorf("%d blocks: %g..%g %v, want everything", n, lo, hi, ok)
		}
	}
	lo, hi, ok := Interval(normals(1, 7, 1, 0.01), 0, 20, 2)
	if !ok || !(0.9 < lo && lo < 1 && 1 < hi && hi < 1.1) {
		t.Errorf("seven blocks: %g..%g %v, want a little around 1", lo, hi, ok)
	}
}

// TestIntervalWithoutOuterBound: after six blocks e_t <= 2^5 = 32 never reaches
// 2*18, but the mean reaches 18 with e_s: far away every score is 1/1.4826,
// S = 4.047, V = 2.730, e_s = exp(16.378/7.459)/sqrt(3.730) = 4.65, so that e
// tends to 18.33. At threshold 18 the interval is bounded, at 18.5 it is not.
func TestIntervalWithoutOuterBound(t *testing.T) {
	d := []float64{0.1, -0.1, 0.05, -0.05, 0.02, -0.02}
	lo, hi, ok := Interval(d, 0, 18, 6)
	if !ok || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		t.Fatalf("threshold 18: %g..%g %v, want bounds", lo, hi, ok)
	}
	for _, end := range []float64{lo, hi} {
		if _, top := EAt(d, end, 0, 6); !near(top, 18, 1e-3) {
			t.Errorf("max e(%g) = %g, want 18", end, top)
		}
	}
	if lo, hi, ok := Interval(d, 0, 18.5, 6); !ok || !math.IsInf(lo, -1) || !math.IsInf(hi, 1) {
		t.Errorf("threshold 18.5: %g..%g %v, want everything", lo, hi, ok)
	}
}

func TestIntervalOfConstantSeries(t *testing.T) {
	d := make([]float64, 12)
	for i := range d {
		d[i] = 0.25
	}
	if lo, hi, ok := Interval(d, 0, 100, 10); !ok || lo != 0.25 || hi != 0.25 {
		t.Errorf("no floor: %g..%g %v, want 0.25", lo, hi, ok)
	}
	lo, hi, ok := Interval(d, 0.01, 100, 10)
	if !ok || !(0.2 < lo && lo < 0.25 && 0.25 < hi && hi < 0.3) {
		t.Errorf("floor 0.01: %g..%g %v, want a little around 0.25", lo, hi, ok)
	}
}

// TestIntervalOfDrift: fifty blocks around 0 and then fifty around 1 leave no
// effect that fits both.
func TestIntervalOfDrift(t *testing.T) {
	d := append(normals(1, 50, 0, 0.01), normals(2, 50, 1, 0.01)...)
	if lo, hi, ok := Interval(d, 0, 100, 10); ok {
		t.Errorf("got %g..%g, want nothing", lo, hi)
	}
}

// TestIntervalFindsSliver: where drift has nearly emptied the set, what is left
// is not where the median or the mean is, and is found all the same.
func TestIntervalFindsSliver(t *testing.T) {
	found := 0
	for seed := range uint64(200) {
		d := normals(seed, 40, 0, 0.01)
		for i := 20; i < 40; i++ {
			d[i] += 0.017
		}
		g := newEngine(d, 0)
		s := seeker{g: g, from: 10, limit: math.Log(100)}
		lo, hi := s.outer()
		want := false
		for i := range 1001 {
			want = want || s.excess(lo+(hi-lo)*float64(i)/1000) < 0
		}
		a, b, ok := g.interval(100, 10)
		if want && !ok {
			t.Errorf("seed %d: found nothing in %g..%g", seed, lo, hi)
		}
		if ok && s.excess(Median(d)) >= 0 && s.excess(Mean(d)) >= 0 {
			found++
			if !(s.excess(a) < 0 && s.excess(b) < 0) {
				t.Errorf("seed %d: an end of %g..%g is rejected", seed, a, b)
			}
		}
		g.free()
	}
	if found == 0 {
		t.Error("no series of this test needed the search")
	}
}

// TestIntervalIsTheHull compares with a grid over the outer bound, and checks
// that just beyond either end mu is rejected.
func TestIntervalIsTheHull(t *testing.T) {
	for _, nz := range noises {
		for seed := range uint64(12) {
			rng := rand.New(rand.NewPCG(seed, 9))
			d := nz.draw(rng, []int{10, 14, 20, 40}[seed%4])
			threshold, from := 100.0, 10
			if seed%3 == 0 {
				threshold, from = 20, 6
			}
			lo, hi, ok := Interval(d, resolution, threshold, from)
			if !ok {
				t.Errorf("%s, seed %d: empty", nz.name, seed)
				continue
			}
			g := newEngine(d, resolution)
			s := seeker{g: g, from: from, limit: math.Log(threshold)}
			a, b := s.outer()
			for i := range 801 {
				mu := a + (b-a)*float64(i)/800
				if s.excess(mu) < 0 && (mu < lo || hi < mu) {
					t.Errorf("%s, seed %d: %g accepted outside %g..%g", nz.name, seed, mu, lo, hi)
				}
			}
			w := 1e-4 * (hi - lo)
			if s.excess(lo) >= 0 || s.excess(hi) >= 0 || s.excess(lo-w) < 0 || s.excess(hi+w) < 0 {
				t.Errorf("%s, seed %d: %g..%g are not the ends", nz.name, seed, lo, hi)
			}
			g.free()
		}
	}
}

// TestOuterHoldsTheSet draws short series and thresholds at random, half of them
// just below what e can reach, where the cap leaves no closed-form bound: no
// accepted mu, on a grid from a thousandth of an sd to a million, lies outside the
// outer bound or the interval.
func TestOuterHoldsTheSet(t *testing.T) {
	bounded, without := 0, 0
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 77))
		nz := noises[seed%uint64(len(noises))]
		d := nz.draw(rng, 4+rng.IntN(14))
		from := 2 + rng.IntN(len(d)-1)
		g := newEngine(d, 0)
		s := seeker{g: g, from: from, limit: 2 + 8*rng.Float64()}
		if seed%2 == 0 {
			s.limit = s.far() - 0.06*rng.Float64()
		}
		a, b := s.outer()
		lo, hi, ok := g.interval(math.Exp(s.limit), from)
		if math.IsInf(b, 1) && !math.IsInf(hi, 1) {
			without++
		} else if !math.IsInf(hi, 1) {
			bounded++
		}
		mean, sd := Mean(d), math.Sqrt(Variance(d))
		for i := -200; i <= 200; i++ {
			mu := mean + math.Copysign(sd*1e-3*math.Pow(1e9, math.Abs(float64(i))/200), float64(i))
			// The ends are found to 1e-6 of the e-value.
			if s.excess(mu) >= -1e-5 || ok && max(a, lo) <= mu && mu <= min(b, hi) {
				continue
			}
			t.Fatalf("%s, seed %d: %g accepted outside %g..%g or %g..%g %v", nz.name, seed, mu, a, b, lo, hi, ok)
		}
		g.free()
	}
	if bounded < 100 || without < 100 {
		t.Errorf("%d intervals inside an outer bound, %d without one: too few of a kind", bounded, without)
	}
}

// TestIntervalEquivariance: moving, mirroring or scaling the data does the same
// to the interval.
func TestIntervalEquivariance(t *testing.T) {
	for _, nz := range noises {
		d := nz.draw(rand.New(rand.NewPCG(3, 3)), 30)
		lo, hi, _ := Interval(d, 0, 100, 10)
		for name, f := range map[string]func(float64) float64{
			"moved":    func(x float64) float64 { return x + 0.7 },
			"mirrored": func(x float64) float64 { return -x },
			"scaled":   func(x float64) float64 { return 1000 * x },
		} {
			e := make([]float64, len(d))
			for i, x := range d {
				e[i] = f(x)
			}
			gotLo, gotHi, ok := Interval(e, 0, 100, 10)
			wantLo, wantHi := min(f(lo), f(hi)), max(f(lo), f(hi))
			tolerance := 1e-5 * (wantHi - wantLo)
			if !ok || math.Abs(gotLo-wantLo) > tolerance || math.Abs(gotHi-wantHi) > tolerance {
				t.Errorf("%s, %s: %g..%g, want %g..%g", nz.name, name, gotLo, gotHi, wantLo, wantHi)
			}
		}
	}
}

// TestIntervalOnlyShrinks: it is a running intersection.
func TestIntervalOnlyShrinks(t *testing.T) {
	for _, nz := range noises {
		d := nz.draw(rand.New(rand.NewPCG(5, 5)), 60)
		lo, hi := math.Inf(-1), math.Inf(1)
		for k := 10; k <= len(d); k++ {
			a, b, ok := Interval(d[:k], resolution, 100, 10)
			slack := 1e-5 * (b - a)
			if !ok || a < lo-slack || hi+slack < b {
				t.Errorf("%s: after %d blocks %g..%g %v, before %g..%g", nz.name, k, a, b, ok, lo, hi)
			}
			lo, hi = a, b
		}
	}
}
