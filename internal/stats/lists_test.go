package stats

import (
	"math"
	"slices"
	"testing"
)

func TestEBH(t *testing.T) {
	for _, c := range []struct {
		e    []float64
		want int
	}{
		{nil, 0},
		{[]float64{20}, 1}, // 1/(.05*1) = 20
		{[]float64{19.9}, 0},
		// m = 4: thresholds 80, 40, 26.7, 20 for k = 1..4. The third largest is
		// 27, so three are rejected though the largest is below 80.
		{[]float64{1, 30, 27, 50}, 3},
		{[]float64{1, 30, 26, 39}, 0},
		// The fourth saves the rest: all are at least 20.
		{[]float64{21, 20, 20, 20}, 4},
		// Cells that claim nothing count.
		{[]float64{30, 27, 50, 0, 0, 0, 0}, 0},
		{append(make([]float64, 99), 2000), 1},
		{[]float64{math.NaN(), math.MaxFloat64}, 1},
	} {
		before := slices.Clone(c.e)
		if got := EBH(c.e, 0.05); got != c.want {
			t.Errorf("EBH(%v, .05) = %d, want %d", c.e, got, c.want)
		}
		if len(before) > 0 && c.e[len(c.e)-1] != before[len(before)-1] {
			t.Errorf("%v was reordered", before)
		}
	}
}

func TestHolm(t *testing.T) {
	for _, c := range []struct{ p, want []float64 }{
		{nil, []float64{}},
		{[]float64{0.03}, []float64{0.03}},
		// ascending .01*3, .02*2, .03*1, and never below the one before
		{[]float64{0.03, 0.01, 0.02}, []float64{0.04, 0.03, 0.04}},
		{[]float64{0.5, 0.6}, []float64{1, 1}},
		{[]float64{0, 1}, []float64{0, 1}},
	} {
		got := Holm(c.p)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return near(a, b, 1e-12) }) {
			t.Errorf("Holm(%v) = %v, want %v", c.p, got, c.want)
		}
	}
}
