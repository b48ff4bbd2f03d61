package stats

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// reference is testdata/reference.json; reference.py says how it is made.
type reference struct {
	Engine []struct {
		Name    string
		D       []float64
		Control []float64 // null without one
		At      []struct {
			Mu float64
			E  []float64
		}
		Hulls []struct {
			Threshold float64
			Last      bool
			Lo, Hi    *float64 // null where unbounded
		}
	}
	Quantile []struct{ X, P, Q []float64 }
	Beta     []struct {
		N    int
		P    float64
		Rank int
		W    float64
	}
	Holm []struct{ P, Adjusted []float64 }
	BH   []struct {
		P        []float64
		Rejected int
	}
}

func load(t *testing.T) (r reference) {
	t.Helper()
	text, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Engine) == 0 || len(r.Quantile) == 0 || len(r.Beta) == 0 || len(r.Holm) == 0 || len(r.BH) == 0 {
		t.Fatal("testdata/reference.json lacks a part")
	}
	return r
}

func TestEngineAgreesWithSciPy(t *testing.T) {
	for _, c := range load(t).Engine {
		for _, at := range c.At {
			got := eValues(Series{D: c.D, Control: c.Control}, at.Mu)
			for i, want := range at.E {
				if !near(got[i], want, 1e-9) {
					t.Errorf("%s, mu %g: e after %d = %g, want %g", c.Name, at.Mu, i+1, got[i], want)
				}
			}
		}
	}
}

func TestIntervalAgreesWithNumPyGrid(t *testing.T) {
	for _, c := range load(t).Engine {
		for _, h := range c.Hulls {
			s := Series{D: c.D, Control: c.Control}
			lo, hi, ok := s.Interval(h.Threshold)
			if h.Last {
				lo, hi, ok = s.LastInterval(h.Threshold)
			}
			wantLo, wantHi, tolerance := math.Inf(-1), math.Inf(1), 0.0
			if h.Lo != nil && h.Hi != nil {
				// The grid's last step is a millionth of its width, or less.
				wantLo, wantHi, tolerance = *h.Lo, *h.Hi, 2e-5*(*h.Hi-*h.Lo)
			}
			same := func(a, b float64) bool { return a == b || math.Abs(a-b) <= tolerance }
			if !ok || !same(lo, wantLo) || !same(hi, wantHi) {
				t.Errorf("%s, threshold %g, last %t: got %.8f..%.8f %v, want %.8f..%.8f",
					c.Name, h.Threshold, h.Last, lo, hi, ok, wantLo, wantHi)
			}
		}
	}
}

func TestHarrellDavisAgreesWithSciPy(t *testing.T) {
	for _, c := range load(t).Quantile {
		for i, p := range c.P {
			if got, want := harrellDavis(c.X, p), c.Q[i]; !near(got, want, 1e-9) {
				t.Errorf("n = %d, p = %g: got %g, want %g", len(c.X), p, got, want)
			}
		}
	}
	for _, c := range load(t).Beta {
		// Digits go where lgamma of ten million is taken.
		if got := newWeights([]int{c.N}, c.P).cdf(c.Rank); math.Abs(got-c.W) > 1e-7 {
			t.Errorf("n = %d, p = %g: weight of %d ranks %.12f, want %.12f", c.N, c.P, c.Rank, got, c.W)
		}
	}
}

func TestListsAgreeWithStatsmodelsAndSciPy(t *testing.T) {
	for _, c := range load(t).Holm {
		for i, got := range Holm(c.P) {
			if want := c.Adjusted[i]; !near(got, want, 1e-12) {
				t.Errorf("Holm of %d: value %d is %g, want %g", len(c.P), i, got, want)
			}
		}
	}
	for _, c := range load(t).BH {
		e := make([]float64, len(c.P))
		for i, p := range c.P {
			e[i] = 1 / p
		}
		if got := EBH(e, 0.05); got != c.Rejected {
			t.Errorf("e-BH on 1/p of %d values: %d, want Benjamini-Hochberg's %d", len(e), got, c.Rejected)
		}
	}
}
