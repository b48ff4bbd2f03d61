package calibration

import (
	"math"
	"testing"
	"time"
)

// Time that grows with b.N is seen; a single run that noise makes longer is not.
func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		name  string
		n     int
		perOp func(n, run int) float64 // in microseconds
		want  float64
	}{
		{"grows", 160, func(n, _ int) float64 { return float64(n) }, 16},
		{"constant", 16_000, func(int, int) float64 { return 2 }, 1},
		{"with costs at the start", 16_000, func(n, _ int) float64 { return 2 + 1000/float64(n) }, 0.69},
		{"one slow run", 160, func(_, run int) float64 { return []float64{1, 9, 1, 1}[run] }, 1},
		{"too few", 15, func(n, _ int) float64 { return float64(n) }, 0},
		{"no time", 160, func(int, int) float64 { return 0 }, 0},
	} {
		runs := 0
		got, err := Growth(func(n int) (Probe, error) {
			runs++
			return Probe{N: n, Measured: time.Duration(c.perOp(n, runs-1) * float64(n) * 1000)}, nil
		}, c.n)
		if err != nil || math.Abs(got-c.want) > 0.1 {
			t.Errorf("%s: got %.2f, %v; want %.2f", c.name, got, err, c.want)
		}
	}
}

// On the way to its time a benchmark shows that its iterations take longer the more there are.
func TestReachSeesGrowth(t *testing.T) {
	for name, perOp := range map[string]func(n int) float64{"grows": func(n int) float64 { return 1e-8 * float64(n) }, "constant": func(int) float64 { return 1e-6 }} {
		p, err := Reach(func(n int) (Probe, error) {
			sec := time.Duration(perOp(n) * float64(n) * float64(time.Second))
			return Probe{N: n, Measured: sec, Wall: sec}, nil
		}, 100*time.Millisecond)
		if err != nil || p.Grows != (name == "grows") {
			t.Errorf("%s: got %+v, %v", name, p, err)
		}
	}
}
