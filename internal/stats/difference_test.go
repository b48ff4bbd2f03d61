package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1318a441/assay/internal/slow"
)

// twoMachines draws a variant with these effects on two machines.
func twoMachines(seed uint64, a, b float64) Difference {
	r := rand.New(rand.NewPCG(seed, 18))
	draw := func(effect float64, noise int) Series {
		s := noises[noise%len(noises)].draw(r, 10+r.IntN(25))
		for i := range s.D {
			s.D[i] += effect
		}
		return s
	}
	return Difference{A: draw(a, int(seed)), B: draw(b, int(seed)+3)}
}

// Equal effects on two machines are told apart more rarely than the level, under every pair
// of noises, and the interval holds the true difference as often as it promises.
func TestDifferenceOfMachines(t *testing.T) { checkDifferences(t, 100) }

func TestSlowDifferenceOfMachines(t *testing.T) {
	slow.Test(t)
	checkDifferences(t, 300)
}

func checkDifferences(t *testing.T, n int) {
	const alpha = 0.05
	false05, missed := 0, 0
	for seed := range uint64(n) {
		if twoMachines(seed, 0.03, 0.03).E(0) >= 1/alpha {
			false05++
		}
		if seed%5 == 0 {
			if lo, hi, ok := twoMachines(seed, 0.03, 0.05).Interval(1 / alpha); !ok || lo > 0.02 || hi < 0.02 {
				missed++
			}
		}
	}
	most := func(n float64) float64 { return alpha*n + 3*math.Sqrt(alpha*n) }
	if float64(false05) > most(float64(n)) || float64(missed) > most(float64(n)/5) {
		t.Errorf("%d of %d differences of equal effects, %d of %d intervals miss", false05, n, missed, n/5)
	}
	t.Logf("%d of %d differences of equal effects, %d of %d intervals miss", false05, n, missed, n/5)
}

// The interval is narrower than the sum of both machines' own, and its ends are where the
// e-value crosses the threshold.
func TestDifferenceInterval(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(effect float64) (s Series) {
		for range 25 {
			s.D = append(s.D, effect+0.01*r.NormFloat64())
			s.Control = append(s.Control, 0.01*r.NormFloat64())
		}
		return s
	}
	d := Difference{A: draw(-0.2), B: draw(0.02)}
	lo, hi, ok := d.Interval(100)
	if !ok || lo > 0.22 || hi < 0.22 || d.E(0) < 1e4 {
		t.Fatalf("%g to %g %v, e %g, want 0.22 inside", lo, hi, ok, d.E(0))
	}
	w := hi - lo
	if d.E(lo+w/100) >= 100 || d.E(hi-w/100) >= 100 || d.E(lo-w/100) < 100 || d.E(hi+w/100) < 100 {
		t.Errorf("%g to %g are not the ends: %g %g", lo, hi, d.E(lo), d.E(hi))
	}
	a, b, _ := d.A.Interval(100)
	x, y, _ := d.B.Interval(100)
	if w >= (b-a)+(y-x) {
		t.Errorf("width %g, want less than that of both, %g", w, (b-a)+(y-x))
	}
	for _, d := range []Difference{{}, {A: d.A}, {A: d.A, B: Series{D: []float64{1, 2}}}} {
		if e := d.E(0); e >= 100 {
			t.Errorf("too few blocks: e %g", e)
		}
		if lo, hi, ok := d.Interval(100); ok && !math.IsInf(hi-lo, 1) {
			t.Errorf("too few blocks: %g to %g", lo, hi)
		}
	}
}

// logE is the smallest value over mu: no place of a fine grid is lower by more than a
// twentieth.
func TestDifferenceMinimum(t *testing.T) {
	const cases, places = 50, 1200
	for seed := range uint64(cases) {
		f := newProfile(twoMachines(seed, 0.03, 0.03))
		for _, delta := range []float64{0, 0.02, -0.01} {
			b := f.b - delta
			from, to := min(f.a-f.spanA, b-f.spanB), max(f.a+f.spanA, b+f.spanB)
			least := math.Inf(1)
			for i := range places + 1 {
				least = min(least, f.at(from+(to-from)*float64(i)/places, delta))
			}
			if got := f.logE(delta); got > least+0.05 {
				t.Errorf("seed %d, difference %g: ln e is %.3f, and %.3f at another mu", seed, delta, got, least)
			}
		}
		f.free()
	}
}

func BenchmarkDifferenceInterval(b *testing.B) {
	d := twoMachines(4, 0.03, 0.05)
	for b.Loop() {
		d.Interval(100)
	}
}
