package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1318a441/assay/internal/slow"
)

// What the plan promises is what normal blocks give, or a little more.
func TestHalfWidthSimulated(t *testing.T) { checkHalfWidths(t, 31) }

func TestSlowHalfWidthSimulated(t *testing.T) {
	slow.Test(t)
	checkHalfWidths(t, 101)
}

func checkHalfWidths(t *testing.T, studies int) {
	rng := rand.New(rand.NewPCG(7, 1))
	const sd = 0.01
	for _, control := range []bool{true, false} {
		for _, alpha := range []float64{0.01, 0.05} {
			for _, n := range []int{FirstBlocks(alpha, control), 12, 15, 38, 100, expectBlocks, 400} {
				var halves []float64
				for range studies {
					s := normal.draw(rng, n)
					s.Floor = 0
					if !control {
						s = s.alone()
					}
					if lo, hi, ok := s.Interval(1 / alpha); ok {
						halves = append(halves, (hi-lo)/2)
					}
				}
				slices.Sort(halves)
				median, got := halves[len(halves)/2], HalfWidth(n, sd, alpha, control)
				t.Logf("control %t, alpha %g, %d blocks: %.4f, simulated %.4f (%.2f)", control, alpha, n, got, median, got/median)
				if r := got / median; n > 12 && !(0.85 < r && r < 1.25) {
					t.Errorf("control %t, alpha %g, %d blocks: half-width %.4f, simulated median %.4f", control, alpha, n, got, median)
				}
			}
		}
	}
}

// The width scales with the scatter and falls with the blocks.
func TestHalfWidthScales(t *testing.T) {
	for n := 14; n < 600; n += 7 {
		a, b, c := HalfWidth(n-7, 0.01, 0.01, true), HalfWidth(n, 0.01, 0.01, true), HalfWidth(n, 0.03, 0.01, true)
		if b > a*1.05 {
			t.Errorf("%d blocks give %.6f, seven less %.6f", n, b, a)
		}
		if math.Abs(c/b-3) > 1e-9 {
			t.Errorf("%d blocks of three times the scatter: %g times the width, want 3", n, c/b)
		}
	}
	if !math.IsInf(HalfWidth(0, 0.01, 0.01, true), 1) || !math.IsInf(HalfWidth(3, 0.01, 0.01, true), 1) {
		t.Error("no block, or three, bound something at 99 %")
	}
}
