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
		got, err := Growth(func(n int, _ bool) (Probe, error) {
			runs++
			return Probe{N: n, Measured: time.Duration(c.perOp(n, runs-1) * float64(n) * 1000)}, nil
		}, c.n)
		if err != nil || math.Abs(got-c.want) > 0.1 {
			t.Errorf("%s: got %.2f, %v; want %.2f", c.name, got, err, c.want)
		}
	}
}

func TestFarLonger(t *testing.T) {
	for _, c := range []struct {
		plain Plain
		want  bool
	}{
		{Plain{N: 1600, PerOp: 1e-3}, true},
		{Plain{N: 1600, PerOp: 2e-4}, false},
		{Plain{N: 300, PerOp: 1e-3}, false}, // hardly more than in the trial
		{Plain{N: 1600, PerOp: 1e-3, Broken: "it ended"}, false},
	} {
		if got := c.plain.FarLonger(160, 16*time.Millisecond); got != c.want {
			t.Errorf("%+v: %v, want %v", c.plain, got, c.want)
		}
	}
}
