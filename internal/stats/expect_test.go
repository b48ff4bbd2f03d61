package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// What the plan promises is what normal blocks give, or a little less.
func TestHalfWidthSimulated(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	const sd, studies = 0.01, 201
	for _, alpha := range []float64{0.01, 0.05} {
		for _, n := range []int{FirstBlocks(alpha), 12, 15, 38, 100, expectBlocks, 400, 1000} {
			var halves []float64
			for range studies {
				d := make([]float64, n)
				for i := range d {
					d[i] = sd * rng.NormFloat64()
				}
				if lo, hi, ok := Interval(d, 0, 1/alpha, MinBlocks(alpha)); ok {
					halves = append(halves, (hi-lo)/2)
				}
			}
			slices.Sort(halves)
			median, got := halves[len(halves)/2], HalfWidth(n, sd, alpha)
			t.Logf("alpha %g, %d blocks: %.4f, simulated %.4f (%.2f)", alpha, n, got, median, got/median)
			if r := got / median; !(0.95 < r && r < 1.15) { // the doc comment's range, and 4 % for 201 studies
				t.Errorf("alpha %g, %d blocks: half-width %.4f, simulated median %.4f", alpha, n, got, median)
			}
		}
	}
}

// The width scales with the scatter and falls with the blocks.
func TestHalfWidthScales(t *testing.T) {
	for n := 11; n < 600; n++ {
		a, b, c := HalfWidth(n-1, 0.01, 0.01), HalfWidth(n, 0.01, 0.01), HalfWidth(n, 0.03, 0.01)
		if b > a*1.02 { // the order of the scores is another one
			t.Errorf("%d blocks give ±%.6f, one less ±%.6f", n, b, a)
		}
		if math.Abs(c/b-3) > 1e-9 {
			t.Errorf("%d blocks of three times the scatter: %g times the width, want 3", n, c/b)
		}
	}
}

// Six blocks may be looked at with 95 %, but cannot reach 20 at any effect.
func TestFirstBlocks(t *testing.T) {
	for alpha, want := range map[float64]int{0.05: 7, 0.02: 8, 0.01: 10, 0.001: 12} {
		if got := FirstBlocks(alpha); got != want {
			t.Errorf("alpha %g: got %d blocks, want %d", alpha, got, want)
		}
		if !math.IsInf(HalfWidth(FirstBlocks(alpha)-1, 0.01, alpha), 1) {
			t.Errorf("alpha %g: one block less has a width", alpha)
		}
	}
}
