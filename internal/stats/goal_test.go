package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// slowly is Goal.Decided by asking for the whole interval after every block.
func slowly(g Goal, d []float64) int {
	for k := g.From; k <= len(d); k++ {
		lo, hi, ok := Interval(d[:k], g.Floor, g.Threshold, g.From)
		last, top := EAt(d[:k], g.Null, g.Floor, g.From)
		switch {
		case g.Margin > 0 && (!ok || -g.Margin <= lo && hi <= g.Margin):
			return k
		case top >= g.Threshold && last >= min(g.Claim, math.MaxFloat64):
			return k
		}
	}
	return 0
}

func TestDecidedIsTheFirstBlock(t *testing.T) {
	margin := math.Log1p(0.01)
	for _, nz := range noises {
		for seed := range uint64(9) {
			d := shifted(nz.draw(rand.New(rand.NewPCG(seed, 6)), 50), 0.01*float64(seed%3))
			for _, g := range []Goal{
				{Floor: resolution, Threshold: 100, Margin: margin, From: 10},
				{Floor: resolution, Threshold: 20, Margin: margin, From: 6},
				{Floor: resolution, Threshold: 100, Claim: 2000, Margin: margin, From: 10},
				{Floor: resolution, Threshold: 100, Null: math.Log1p(0.02), From: 10},
			} {
				if got, want := g.Decided(d), slowly(g, d); got != want {
					t.Errorf("%s, seed %d, %+v: decided at %d, want %d", nz.name, seed, g, got, want)
				}
			}
		}
	}
}

func TestMore(t *testing.T) {
	clear := normals(1, 12, 0.1, 0.01)     // ten sds from 0
	tiny := normals(1, 12, 0, 0.0005)      // a twentieth of the margin
	between := normals(2, 12, 0.01, 0.012) // near the margin: needs more
	short := clear[:4]
	for _, c := range []struct {
		name string
		d    []float64
		max  int
		want int
	}{
		{"different", clear, 100, 0},
		{"same", tiny, 100, 0},
		{"before ten blocks", short, 100, 6},
		{"no more allowed", short, 0, 1},
		{"not within max", between, 1, 2},
		{"one block", clear[:1], 50, 51},
		{"none", nil, 50, 51},
	} {
		if got := More(c.d, resolution, 0.01, 0.01, c.max); got != c.want {
			t.Errorf("%s: %d more, want %d", c.name, got, c.want)
		}
	}
	// What More promises is what repeating the blocks gives.
	g := Goal{Floor: resolution, Threshold: 100, Margin: math.Log1p(0.01), From: 10}
	got := More(between, resolution, 0.01, 0.01, 200)
	var repeated []float64
	for range 20 {
		repeated = append(repeated, between...)
	}
	if want := slowly(g, repeated) - len(between); got != want || got <= 0 {
		t.Errorf("near the margin: %d more, want %d", got, want)
	}
}

// TestMoreIsAFairPrice: among studies undecided after 20 blocks whose effect is
// twice the margin, the median price is near the median of what it then took.
func TestMoreIsAFairPrice(t *testing.T) {
	var prices, costs []float64
	g := Goal{Floor: resolution, Threshold: 100, Margin: math.Log1p(0.01), From: 10}
	for seed := range uint64(400) {
		d := normals(seed, 500, 0.02, 0.03)
		if k := g.Decided(d); k > 20 {
			prices = append(prices, float64(More(d[:20], resolution, 0.01, 0.01, 500)))
			costs = append(costs, float64(k-20))
		}
	}
	if got, want := Median(prices), Median(costs); got < want/2 || got > want*2 {
		t.Errorf("median price of %d studies: %g blocks, took %g", len(prices), got, want)
	} else {
		t.Logf("median price of %d studies: %g blocks, took %g", len(prices), got, want)
	}
}
