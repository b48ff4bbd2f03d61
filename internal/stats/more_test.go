package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// slowly is goal.decided by asking for the whole interval after every block.
func slowly(g goal, s Series) int {
	for k := 1; k <= len(s.D); k++ {
		part := s.First(k)
		lo, hi, ok := part.Interval(g.threshold)
		_, top := part.EAt(0)
		switch {
		case !ok || -g.margin <= lo && hi <= g.margin:
			return k
		case top >= g.threshold:
			return k
		}
	}
	return 0
}

func TestDecidedIsTheFirstBlock(t *testing.T) {
	margin := math.Log1p(0.01)
	for _, nz := range noises {
		for seed := range uint64(6) {
			s := shifted(nz.draw(rand.New(rand.NewPCG(seed, 6)), 40), 0.01*float64(seed%3))
			for _, g := range []goal{{100, margin}, {20, margin}} {
				if got, want := g.decided(s, 1), slowly(g, s); got != want {
					t.Errorf("%s, seed %d, %+v: decided at %d, want %d", nz.name, seed, g, got, want)
				}
			}
		}
	}
}

func TestMore(t *testing.T) {
	control := normals(9, 12, 0, 0.01)
	clear := Series{D: normals(1, 12, 0.1, 0.01), Control: control, Floor: resolution} // ten sds from 0
	tiny := Series{D: normals(1, 12, 0, 0.0005), Control: normals(9, 12, 0, 0.0005), Floor: resolution}
	between := Series{D: normals(2, 12, 0.01, 0.012), Control: control, Floor: resolution} // near the margin
	for _, c := range []struct {
		name string
		s    Series
		max  int
		want int
	}{
		{"different", clear, 100, 0},
		{"same", tiny, 100, 0},
		{"no more allowed", clear.First(2), 0, 1},
		{"not within max", between, 1, 2},
		{"one block", clear.First(1), 50, 51},
		{"none", Series{}, 50, 51},
	} {
		if got := c.s.More(0.01, 0.01, c.max); got != c.want {
			t.Errorf("%s: %d more, want %d", c.name, got, c.want)
		}
	}
	if got := clear.First(2).More(0.01, 0.01, 100); got < 2 || got > 5 {
		t.Errorf("two clear blocks need %d more, want about three", got)
	}
	// What More promises is what repeating the blocks gives.
	g := goal{100, math.Log1p(0.01)}
	got := between.More(0.01, 0.01, 200)
	repeated := Series{Floor: resolution}
	for range 20 {
		repeated.D, repeated.Control = append(repeated.D, between.D...), append(repeated.Control, between.Control...)
	}
	if want := slowly(g, repeated) - len(between.D); got != want || got <= 0 {
		t.Errorf("near the margin: %d more, want %d", got, want)
	}
}

// TestMoreIsAFairPrice: among studies undecided after 20 blocks whose effect is
// twice the margin, the median price is near the median of what it then took.
func TestMoreIsAFairPrice(t *testing.T) {
	var prices, costs []float64
	g := goal{100, math.Log1p(0.01)}
	for seed := range uint64(300) {
		s := Series{D: normals(seed, 400, 0.02, 0.03), Control: normals(seed+1000, 400, 0, 0.03), Floor: resolution}
		if k := g.decided(s, 1); k > 20 {
			prices = append(prices, float64(s.First(20).More(0.01, 0.01, 400)))
			costs = append(costs, float64(k-20))
		}
	}
	got, want := Median(prices), Median(costs)
	t.Logf("median price of %d studies: %g blocks, took %g", len(prices), got, want)
	if got < want/2 || got > want*2 {
		t.Errorf("median price of %d studies: %g blocks, took %g", len(prices), got, want)
	}
}
