package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// brute is the engine as docs/methodology.md writes it, and e_t's cap, with
// nothing shared with the real one: every block from scratch.
func brute(d []float64, mu, floor float64) []float64 {
	out := make([]float64, len(d))
	for k := 1; k <= len(d); k++ {
		out[k-1] = 1
		if k >= 2 {
			out[k-1] = (bruteT(d[:k], mu, floor) + bruteS(d[:k], mu, floor)) / 2
		}
	}
	return out
}

func bruteT(d []float64, mu, floor float64) float64 {
	n := float64(len(d))
	s := max(math.Sqrt(Variance(d)), floor)
	r := 1 / (n + 1)
	t := n * math.Pow(Mean(d)-mu, 2) / (s * s * (n - 1))
	return min(math.Sqrt(r)*math.Pow((1+t)/(1+r*t), n/2), math.Pow(2, n-1))
}

func bruteS(d []float64, mu, floor float64) float64 {
	if len(d) < 5 {
		return 1
	}
	var sum, squares float64
	for i := range d {
		var dev []float64
		for j := range max(i, 5) {
			dev = append(dev, math.Abs(d[j]-mu))
		}
		y := (d[i] - mu) / max(1.4826*Median(dev), floor)
		y = min(max(y, -2), 2)
		sum += y
		squares += y * y
	}
	return math.Sqrt(1/(squares+1)) * math.Exp(sum*sum/(2*(squares+1)))
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
		d := normals(seed, 80, 0.01, 0.01)
		if seed%2 == 1 {
			d[7], d[30] = 0.4, -0.3
		}
		for _, floor := range []float64{0, 0.001, 0.02} {
			for _, mu := range []float64{-0.02, 0, 0.01, 0.5} {
				got, want := EValues(d, mu, floor), brute(d, mu, floor)
				top := 0.0
				for i := range want {
					if !near(got[i], want[i], 1e-9) {
						t.Fatalf("seed %d mu %g floor %g: e_%d = %g, want %g", seed, mu, floor, i+1, got[i], want[i])
					}
					if i >= 9 {
						top = max(top, want[i])
					}
				}
				last, max := EAt(d, mu, floor, 10)
				if !near(last, want[79], 1e-9) || !near(max, top, 1e-9) {
					t.Errorf("seed %d mu %g: EAt = %g, %g, want %g, %g", seed, mu, last, max, want[79], top)
				}
			}
		}
	}
}

func TestEValuesByHand(t *testing.T) {
	for _, c := range []struct {
		d    []float64
		mu   float64
		want float64
	}{
		// Before two blocks there is no evidence.
		{[]float64{7}, 0, 1},
		// m = 2, s^2 = 2, T = 2*4/(2*1) = 4, r = 1/3:
		// e_t = sqrt(1/3) * (5/(7/3))^1 = 0.57735*2.142857 = 1.237179;
		// e_s = 1, so e = 1.118590.
		{[]float64{1, 3}, 0, 1.118590},
		// m = 3, s^2 = 2.5, T = 5*9/(2.5*4) = 4.5, r = 1/6:
		// e_t = sqrt(1/6) * (5.5/1.75)^2.5 = 0.408248*17.511192 = 7.148914.
		// MAD = 3, scale 4.4478, S = 15/4.4478 = 3.372454,
		// V = 55/19.782925 = 2.780175: e_s = exp(11.373446/7.560350)/sqrt(3.780175)
		// = 4.501253/1.944267 = 2.315141; e = 4.732028.
		{[]float64{1, 2, 3, 4, 5}, 0, 4.732028},
		// m = 10, s^2 = 2/3, T = 4*100/(2/3*3) = 200, r = 1/5: e_t would be
		// sqrt(1/5) * (201/41)^2 = 10.748, and is capped at 2^3 = 8; e_s = 1.
		{[]float64{10, 11, 9, 10}, 0, 4.5},
		// At the mean of a symmetric series both are at their least:
		// T = 0: e_t = sqrt(1/6); S = 0, MAD = 1, V = 2*(0.674491^2 + 1.348982^2)
		// = 4.549379: e_s = 1/sqrt(5.549379); e = (0.408248+0.424502)/2.
		{[]float64{1, 2, 3, 4, 5}, 3, 0.416375},
	} {
		got := EValues(c.d, c.mu, 0)
		if last := got[len(got)-1]; !near(last, c.want, 1e-5) {
			t.Errorf("e of %v at %g = %.6f, want %.6f", c.d, c.mu, last, c.want)
		}
	}
}

func TestFloorBoundsTheScale(t *testing.T) {
	// Twelve equal data of 1e-7 look like a certain effect; with a resolution of
	// 1e-3 they are nothing.
	d := make([]float64, 12)
	for i := range d {
		d[i] = 1e-7
	}
	if last, _ := EAt(d, 0, 0, 10); last < 100 {
		t.Errorf("without a floor e = %g, want a claim", last)
	}
	if last, _ := EAt(d, 0, 1e-3, 10); last > 1 {
		t.Errorf("with a floor e = %g, want less than 1", last)
	}
}

func TestEAtBeforeFrom(t *testing.T) {
	d := normals(1, 8, 1, 0.01)
	last, top := EAt(d, 0, 0, 10)
	if want := EValues(d, 0, 0)[7]; last != want || top != 1 {
		t.Errorf("EAt = %g, %g, want %g, 1", last, top, want)
	}
	if last, top := EAt(nil, 0, 0, 0); last != 1 || top != 1 {
		t.Errorf("EAt of nothing = %g, %g, want 1, 1", last, top)
	}
}

func TestNoAllocation(t *testing.T) {
	d := normals(1, 50, 0, 0.01)
	g := newEngine(d, 0) // held: the race detector empties pools at random
	defer g.free()
	got := testing.AllocsPerRun(100, func() {
		g.reset(d, 0)
		g.walk(0, 10, math.Inf(1), nil)
		g.interval(100, 10)
	})
	if got != 0 {
		t.Errorf("%g allocations a call, want 0", got)
	}
}

func TestMinBlocks(t *testing.T) {
	for alpha, want := range map[float64]int{0.001: 10, 0.01: 10, 0.05: 6, 0.1: 6} {
		if got := MinBlocks(alpha); got != want {
			t.Errorf("MinBlocks(%g) = %d, want %d", alpha, got, want)
		}
	}
}

// FuzzEngine feeds eight-bit series at any scale: no NaN, no infinite e-value,
// none beyond largestE, ends in order, and the caller's data untouched.
func FuzzEngine(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 0.01, 0.0, 0.0)
	f.Add([]byte{9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}, 1.0, 9.0, 0.0)
	f.Add([]byte{0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0}, 1e307, -1e308, 1e-9)
	f.Add([]byte{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2}, 5e-324, 0.0, 0.0)
	f.Add([]byte("00000000001111111111277\xf67"), 1e306, -1.8e306, -2.0)
	f.Add([]byte{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1}, math.Inf(1), 0.0, 0.0)
	f.Fuzz(func(t *testing.T, b []byte, scale, mu, floor float64) {
		d := make([]float64, min(len(b), 100))
		for i := range d {
			d[i] = scale * (float64(b[i]) - 128)
		}
		before := append([]float64(nil), d...)
		for k, e := range EValues(d, mu, floor) {
			if math.IsNaN(e) || math.IsInf(e, 0) || e < 0 || e > largestE(k+1)*(1+1e-9) {
				t.Fatalf("e_%d(%g) of %v = %g, want 0..%g", k+1, mu, d, e, largestE(k+1))
			}
		}
		lo, hi, ok := Interval(d, floor, 100, 10)
		if math.IsNaN(lo) || math.IsNaN(hi) || lo > hi {
			t.Fatalf("interval of %v: %g..%g %v", d, lo, hi, ok)
		}
		if k := More(d, floor, 0.01, 0.01, 50); k < 0 || k > 51 {
			t.Fatalf("More of %v = %d", d, k)
		}
		for i := range d {
			if d[i] != before[i] && !math.IsNaN(d[i]) {
				t.Fatalf("datum %d changed", i)
			}
		}
	})
}
