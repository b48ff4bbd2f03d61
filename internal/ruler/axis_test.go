package ruler

import (
	"math"
	"slices"
	"testing"
)

// Quantiles lie between neighbouring numbers, in any order of these, which stay as they are.
func TestQuantile(t *testing.T) {
	list := []float64{5, 1, 4, 2, 3}
	for q, want := range map[float64]float64{0: 1, 0.1: 1.4, 0.25: 2, 0.5: 3, 0.9: 4.6, 1: 5} {
		if got := quantile(list, q); math.Abs(got-want) > 1e-12 {
			t.Errorf("%g: got %g, want %g", q, got, want)
		}
	}
	if want := []float64{5, 1, 4, 2, 3}; !slices.Equal(list, want) {
		t.Errorf("the numbers are %v now", list)
	}
	if got := quantile([]float64{7}, 0.3); got != 7 {
		t.Errorf("of one number: got %g", got)
	}
	if got := quantile(nil, 0.5); !math.IsNaN(got) {
		t.Errorf("of none: got %g, want NaN", got)
	}
}

// An axis holds the intervals, the noise and most dots, and is never so short that the
// minimum effect fills it. Single dots far away, and missing intervals, do not stretch it.
func TestAxis(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	far := Dots{LN: []float64{-8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.02, 9}}
	least := 2.5 * math.Log1p(0.02)
	for _, c := range []struct {
		name   string
		u      Ruler
		lo, hi float64
	}{
		{"nothing", Ruler{Margin: 0.02}, -least, least},
		{"within the minimum effect", Ruler{Margin: 0.02, Rows: []Row{{Point: 0.01, Lo: -0.01, Hi: 0.02}}}, -least, least},
		{"an interval", Ruler{Margin: 0.02, Rows: []Row{{Point: 0.2, Lo: 0.1, Hi: 0.5}, {Point: -0.3, Lo: nan, Hi: nan}}}, -0.3, 0.5},
		{"no end", Ruler{Margin: 0.02, Rows: []Row{{Point: 0.2, Lo: -inf, Hi: inf}}}, -least, 0.2},
		{"single dots", Ruler{Margin: 0.02, Same: far, Rows: []Row{{Point: 0, Lo: nan, Hi: nan, Dots: far}}}, -least, least},
		{"half of the dots", Ruler{Margin: 0.02, Rows: []Row{{Dots: Dots{LN: []float64{1, 1, 1, 1}}}}}, -least, 1},
	} {
		a := c.u.newAxis()
		room := 0.06 * (c.hi - c.lo)
		if math.Abs(a.lo-(c.lo-room)) > 1e-9 || math.Abs(a.hi-(c.hi+room)) > 1e-9 {
			t.Errorf("%s: got %g to %g, want %g to %g and some room", c.name, a.lo, a.hi, c.lo, c.hi)
		}
	}
}

// Ticks are inside of the axis, no more than there is room for, and one is at no change
// where the axis has it.
func TestTicksFit(t *testing.T) {
	for _, a := range []axis{{-0.001, 0.001}, {-0.02, 0.03}, {-0.3, 0.1}, {-1, 0.2}, {-0.2, 1.3}, {-5, 0.5}, {-0.7, 20}, {0.1, 0.2}, {-40, 40}} {
		for _, n := range []int{3, 4, 6} {
			ticks := a.ticks(n)
			if len(ticks) < 1 || len(ticks) > n+1 {
				t.Errorf("%v: got %d ticks, want about %d", a, len(ticks), n)
			}
			zero := false
			for i, k := range ticks {
				zero = zero || k.at == 0
				if k.at < a.lo-1e-9 || k.at > a.hi+1e-9 || i > 0 && k.at <= ticks[i-1].at || k.text == "" {
					t.Errorf("%v: tick %d is %+v", a, i, k)
				}
			}
			if zero != (a.lo <= 0 && a.hi >= 0) {
				t.Errorf("%v: the tick of no change is there: %t", a, zero)
			}
		}
	}
}

// The density has its peak, of 1, where most numbers are, and falls to both sides; of too
// few numbers, and of equal ones, nothing is drawn.
func TestDensity(t *testing.T) {
	list := []float64{-0.02, -0.01, -0.005, 0, 0, 0.005, 0.01, 0.02}
	a := axis{-0.1, 0.1}
	got := a.density(list, 81)
	if got[40] != 1 || got[0] > 1e-6 || got[80] > 1e-6 {
		t.Errorf("got %g at the left, %g in the middle, %g at the right, want 0, 1, 0", got[0], got[40], got[80])
	}
	for i := range 40 {
		if got[i] > got[i+1] || math.Abs(got[i]-got[80-i]) > 1e-9 {
			t.Errorf("at %d of 81: %g, then %g, and %g at the other side", i, got[i], got[i+1], got[80-i])
		}
	}
	for _, few := range [][]float64{nil, {0, 0.01}, {0.01, 0.01, 0.01, 0.01}} {
		if got := a.density(few, 5); !slices.Equal(got, make([]float64, 5)) {
			t.Errorf("%v: got %v, want nothing", few, got)
		}
	}
}

// The bandwidth is Silverman's: 0.9 of the spread, less for more numbers. One number far
// away does not widen it.
func TestBandwidth(t *testing.T) {
	var even []float64
	for i := range 1001 {
		even = append(even, float64(i)/1000)
	}
	// The standard deviation of numbers evenly between 0 and 1 is 1/√12.
	if got, want := bandwidth(even), 0.9/math.Sqrt(12)*math.Pow(1001, -0.2); math.Abs(got/want-1) > 0.01 {
		t.Errorf("got %g, want %g", got, want)
	}
	calm := []float64{-2, -1, -1, 0, 0, 0, 1, 1, 2}
	if with, without := bandwidth(append(slices.Clone(calm), 100)), bandwidth(calm); with > 1.5*without {
		t.Errorf("a number far away makes %g of %g", with, without)
	}
}
