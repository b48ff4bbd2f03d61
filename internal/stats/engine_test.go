package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// brute is the engine as docs/methodology.md writes it, with nothing shared
// with the real one: every block from scratch.
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
	return math.Sqrt(r) * math.Pow((1+t)/(1+r*t), n/2)
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
	for seed := range uint64(50) {
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
