package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1318a441/assay/internal/slow"
)

// coverage is the share of runs in which a band holds the whole true curve, 0,
// for n curves over 10 points made by draw.
func coverage(seed uint64, n int, confidence float64, draw func(rng *rand.Rand, points int) []float64) float64 {
	const points, runs = 10, 200
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	held := 0
	for range runs {
		curves := make([][]float64, n)
		for i := range curves {
			curves[i] = draw(rng, points)
		}
		_, lo, hi := SimultaneousBand(curves, confidence, rng.Uint64())
		in := true
		for g := range lo {
			in = in && lo[g] <= 0 && hi[g] >= 0
		}
		if in {
			held++
		}
	}
	return float64(held) / runs
}

// correlated is a curve whose neighbouring points go together, as quantiles of
// one run do, and whose tail scatters ten times as much as its middle.
func correlated(rho float64, f func(rng *rand.Rand) float64) func(*rand.Rand, int) []float64 {
	return func(rng *rand.Rand, points int) []float64 {
		out := make([]float64, points)
		x := f(rng)
		for g := range out {
			if g > 0 {
				x = rho*x + math.Sqrt(1-rho*rho)*f(rng)
			}
			out[g] = x * math.Pow(10, float64(g)/float64(points))
		}
		return out
	}
}

// From six curves on the band holds the whole curve as often as promised. At 200 runs a
// cell, .91 is 2.6 standard errors below .95; -v prints the results. Skewed curves are
// known to be held less often.
func TestSimulatedBandCoverage(t *testing.T) { checkBands(t, 6, 8) }

func TestSlowSimulatedBandCoverage(t *testing.T) {
	slow.Test(t)
	checkBands(t, 6, 8, 12, 20)
}

func checkBands(t *testing.T, curves ...int) {
	double := func(r *rand.Rand) float64 { return r.ExpFloat64() - r.ExpFloat64() }
	single := func(r *rand.Rand) float64 { return r.ExpFloat64() - 1 }
	for _, c := range []struct {
		name  string
		draw  func(*rand.Rand, int) []float64
		least float64 // share
	}{
		{"normal, rho .95", correlated(0.95, (*rand.Rand).NormFloat64), 0.91},
		{"normal, rho .5", correlated(0.5, (*rand.Rand).NormFloat64), 0.91},
		{"two-sided exponential, rho .9", correlated(0.9, double), 0.91},
		{"exponential, rho .95", correlated(0.95, single), 0.85},
	} {
		for _, n := range curves {
			share := coverage(1, n, 0.95, c.draw)
			t.Logf("%s, %d curves: %.3f", c.name, n, share)
			if share < c.least {
				t.Errorf("%s, %d curves: held in %.3f of all runs, want %.2f at least", c.name, n, share, c.least)
			}
		}
	}
}

// The reference is testdata/bands.py: all 32 patterns of signs turned, t of each
// point with its own standard deviation, the 31st largest of the 32 maxima.
func TestSignsAgreeWithPython(t *testing.T) {
	curves := [][]float64{{0.011, -0.020, 0.050}, {0.002, 0.013, -0.081}, {-0.007, -0.004, 0.022},
		{0.019, 0.007, 0.034}, {0.004, -0.012, 0.090}, {-0.003, 0.001, -0.017}}
	b := newBand(curves)
	if got, want := b.signs(0.95, nil), 3.2465984416109284; !near(got, want, 1e-9) {
		t.Errorf("critical value: got %.12g, want %.12g", got, want)
	}
	mid, lo, hi := SimultaneousBand(curves, 0.95, 1)
	for g, want := range [][2]float64{{0.00433333333333, -0.00820337664351}, {-0.0025, -0.0186407431351}, {0.0163333333333, -0.0620555677242}} {
		// The normal floor can only make the band wider.
		if !near(mid[g], want[0], 1e-9) || lo[g] > want[1]+1e-9 || !near(hi[g]-mid[g], mid[g]-lo[g], 1e-9) {
			t.Errorf("point %d: got %g in %g to %g, want %g from %g or below", g, mid[g], lo[g], hi[g], want[0], want[1])
		}
	}
}

// Of a single point the band is the t interval, to the accuracy of the draws.
func TestBandOfOnePoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	curves := make([][]float64, 40)
	for i := range curves {
		curves[i] = []float64{rng.NormFloat64()}
	}
	b := newBand(curves)
	// t with 39 degrees of freedom at .975 is 2.0227.
	if got := b.plugIn(0.95, rng); math.Abs(got-2.0227) > 0.12 {
		t.Errorf("plug-in: got %g, want 2.02", got)
	}
	if got := b.signs(0.95, rng); math.Abs(got-2.0227) > 0.12 {
		t.Errorf("signs: got %g, want 2.02", got)
	}
}

func TestBandOfFewCurves(t *testing.T) {
	if mid, lo, hi := SimultaneousBand(nil, 0.95, 1); mid != nil || lo != nil || hi != nil {
		t.Errorf("of nothing: got %v %v %v, want nil", mid, lo, hi)
	}
	if mid, lo, _ := SimultaneousBand([][]float64{{1, 2}, {3, 2}}, 0.95, 1); lo != nil || mid[0] != 2 || mid[1] != 2 {
		t.Errorf("of two curves: got %v and band %v, want [2 2] and nil", mid, lo)
	}
	// A point that never varied has no scatter to make a band of.
	_, lo, hi := SimultaneousBand([][]float64{{1, 2}, {1, 3}, {1, 4}, {1, 6}}, 0.95, 1)
	if lo[0] != 1 || hi[0] != 1 || !(lo[1] < hi[1]) || math.IsInf(hi[1], 0) {
		t.Errorf("with a constant point: got %v to %v", lo, hi)
	}
}
