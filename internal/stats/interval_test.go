package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestIntervalOfTooFewBlocks(t *testing.T) {
	for name, s := range map[string]Series{
		"none": {}, "four": {D: normals(1, 4, 0, 1), Control: normals(2, 4, 0, 1)}, "four alone": {D: normals(1, 4, 0, 1)},
	} {
		if lo, hi, ok := s.Interval(100); !ok || !math.IsInf(lo, -1) || !math.IsInf(hi, 1) {
			t.Errorf("%s: %g..%g %v, want everything", name, lo, hi, ok)
		}
	}
	lo, hi, ok := Series{D: normals(1, 6, 1, 0.01), Control: normals(2, 6, 0, 0.01)}.Interval(100)
	if !ok || !(0.9 < lo && lo < 1 && 1 < hi && hi < 1.1) {
		t.Errorf("six blocks: %g..%g %v, want a little around 1", lo, hi, ok)
	}
}

func TestIntervalOfConstantSeries(t *testing.T) {
	s := Series{D: make([]float64, 12), Control: make([]float64, 12)}
	for i := range s.D {
		s.D[i] = 0.25
	}
	if lo, hi, ok := s.Interval(100); !ok || !near(lo, 0.25, 1e-9) || !near(hi, 0.25, 1e-9) {
		t.Errorf("no floor: %g..%g %v, want 0.25", lo, hi, ok)
	}
	s.Floor = 0.01
	lo, hi, ok := s.Interval(100)
	if !ok || !(0.2 < lo && lo < 0.25 && 0.25 < hi && hi < 0.3) {
		t.Errorf("floor 0.01: %g..%g %v, want a little around 0.25", lo, hi, ok)
	}
}

// TestIntervalOfDrift: eighty blocks around 0 and then eighty around 1 leave no
// effect that fits both.
func TestIntervalOfDrift(t *testing.T) {
	s := Series{D: append(normals(1, 80, 0, 0.01), normals(2, 80, 1, 0.01)...), Control: normals(3, 160, 0, 0.01)}
	if lo, hi, ok := s.Interval(100); ok {
		t.Errorf("got %g..%g, want nothing", lo, hi)
	}
}

// TestIntervalIsTheHull compares with a grid over and beyond the data, and checks
// that just beyond either end mu is rejected.
func TestIntervalIsTheHull(t *testing.T) {
	for _, nz := range noises {
		for seed := range uint64(8) {
			s := nz.draw(rand.New(rand.NewPCG(seed, 9)), []int{10, 14, 20, 40}[seed%4])
			if seed%3 == 2 {
				s = s.alone()
			}
			threshold := []float64{100, 20}[seed%2]
			lo, hi, ok := s.Interval(threshold)
			if !ok {
				t.Errorf("%s, seed %d: empty", nz.name, seed)
				continue
			}
			g := newEngine(s)
			k := seeker{g: g, from: 1, limit: threshold}
			a, b := Median(s.D)-0.3, Median(s.D)+0.3
			for i := range 601 {
				mu := a + (b-a)*float64(i)/600
				if !k.rejects(mu) && (mu < lo || hi < mu) {
					t.Errorf("%s, seed %d: %g accepted outside %g..%g", nz.name, seed, mu, lo, hi)
				}
			}
			w := 1e-4 * (hi - lo)
			if !math.IsInf(lo, 0) && !math.IsInf(hi, 0) && (k.rejects(lo) || k.rejects(hi) || !k.rejects(lo-w) || !k.rejects(hi+w)) {
				t.Errorf("%s, seed %d: %g..%g are not the ends", nz.name, seed, lo, hi)
			}
			g.free()
		}
	}
}

// TestEndFromOutside: coming from outside finds the same end, to the last bit, as stepping
// outwards from the middle through all holes, and as walks that Student's half does not save.
func TestEndFromOutside(t *testing.T) {
	outwards := func(s *seeker, c, side float64) float64 {
		rejects := func(x float64) bool { return s.g.walk(c+side*x, s.from, s.limit).top >= s.limit }
		span := max(s.g.order[len(s.g.order)-1]-s.g.order[0], s.g.Floor)
		far, accepted, rejected := max(span, s.g.wide), 0.0, 0.0
		for x := max(span/float64(8*len(s.g.order)), s.g.Floor/8); ; x *= stride {
			if !rejects(x) {
				accepted, rejected = x, 0
			} else if rejected == 0 {
				rejected = x
			}
			switch {
			case x > beyond*far:
				return math.Inf(int(side))
			case x > 2*far && rejected > 0:
				return c + side*s.cross(c, side, rejected, accepted)
			case x > 2*far:
				x *= 4
			}
		}
	}
	for _, nz := range noises {
		for seed := range uint64(12) {
			s := nz.draw(rand.New(rand.NewPCG(seed, 10)), []int{3, 7, 20, 40}[seed%4])
			switch seed % 3 {
			case 1:
				s = s.alone()
			case 2:
				shifted(Series{D: s.D[len(s.D)/2:]}, 0.05) // the effect changes: the set has holes, or is empty
			}
			g := newEngine(s)
			k := seeker{g: g, from: []int{1, len(s.D)}[seed%2], limit: 100}
			c, ok := k.inside()
			for _, side := range []float64{-1, 1} {
				if got, want := k.end(c, side), outwards(&k, c, side); ok && got != want {
					t.Errorf("%s, seed %d: the end is %g, want %g", nz.name, seed, got, want)
				}
			}
			g.free()
		}
	}
}

// TestIntervalEquivariance: moving the variant, or mirroring or scaling all, does
// the same to the interval.
func TestIntervalEquivariance(t *testing.T) {
	for _, nz := range noises {
		s := nz.draw(rand.New(rand.NewPCG(3, 3)), 30)
		s.Floor = 0
		lo, hi, _ := s.Interval(100)
		for name, f := range map[string]struct{ factor, shift float64 }{"moved": {1, 0.7}, "mirrored": {-1, 0}, "scaled": {1000, 0}} {
			e := Series{D: make([]float64, len(s.D)), Control: make([]float64, len(s.D))}
			for i := range s.D {
				e.D[i], e.Control[i] = f.factor*s.D[i]+f.shift, f.factor*s.Control[i]
			}
			gotLo, gotHi, ok := e.Interval(100)
			wantLo, wantHi := f.factor*lo+f.shift, f.factor*hi+f.shift
			wantLo, wantHi = min(wantLo, wantHi), max(wantLo, wantHi)
			tolerance := 1e-4 * (wantHi - wantLo)
			if !ok || math.Abs(gotLo-wantLo) > tolerance || math.Abs(gotHi-wantHi) > tolerance {
				t.Errorf("%s, %s: %g..%g, want %g..%g", nz.name, name, gotLo, gotHi, wantLo, wantHi)
			}
		}
	}
}

// TestIntervalOnlyShrinks: it is a running intersection.
func TestIntervalOnlyShrinks(t *testing.T) {
	for _, nz := range noises {
		s := nz.draw(rand.New(rand.NewPCG(5, 5)), 60)
		lo, hi := math.Inf(-1), math.Inf(1)
		for k := 9; k <= len(s.D); k++ {
			a, b, ok := s.First(k).Interval(100)
			slack := 1e-4 * (b - a)
			if !ok || a < lo-slack || hi+slack < b {
				t.Errorf("%s: after %d blocks %g..%g %v, before %g..%g", nz.name, k, a, b, ok, lo, hi)
			}
			lo, hi = a, b
		}
	}
}

// A last e-value may fall again, and its interval then grows.
func TestLastInterval(t *testing.T) {
	s := normal.draw(rand.New(rand.NewPCG(5, 5)), 40)
	lo, hi, ok := s.Interval(100)
	a, b, ok2 := s.LastInterval(100)
	if !ok || !ok2 || a > lo || b < hi {
		t.Errorf("of the last e-value %g..%g, of all %g..%g: want the wider first", a, b, lo, hi)
	}
}
