package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSimulatedDrift: where a change of 5 % is gone after twelve blocks, the interval of the
// first ones stays, and the estimate says so. A constant change is not called drift.
func TestSimulatedDrift(t *testing.T) { checkDrift(t, *runs) }

func checkDrift(t *testing.T, runs int) {
	for _, nz := range noises {
		drifts := func(change float64, blocks int) float64 {
			return share(11, runs, func(rng *rand.Rand) bool {
				s := nz.draw(rng, 25)
				for i := range blocks {
					s.D[i] += change
				}
				lo, hi, ok := s.Interval(100)
				if ok {
					_, ok = s.Centre(lo, hi, Slack)
				}
				return !ok
			})
		}
		gone, constant := drifts(-0.05, 12), drifts(-0.05, 25)
		t.Logf("%-14s gone: %.1f %% drift; constant: %.1f %%", nz.name, 100*gone, 100*constant)
		if nz.name == "normal" && gone < 0.99 {
			t.Errorf("%s: of effects that went, %.1f %% are called drift", nz.name, 100*gone)
		}
		if constant > atMost(0.02, runs) {
			t.Errorf("%s: of constant effects, %.1f %% are called drift", nz.name, 100*constant)
		}
	}
}

// TestCentreErrsLess: after nine blocks the estimate's error is at least 15 % below that of
// the median of the differences from the base.
func TestCentreErrsLess(t *testing.T) { checkCentre(t, *runs) }

func checkCentre(t *testing.T, runs int) {
	for _, nz := range []noise{normal, t3, spikes, {"skewed", sides((*rand.Rand).ExpFloat64)}, {"position 1 sd", position(1)}} {
		type errors struct{ centre, median float64 }
		var sum errors
		for _, e := range simulate(12, runs, func(rng *rand.Rand) errors {
			s := nz.draw(rng, 9)
			lo, hi, ok := s.Interval(100)
			if !ok {
				return errors{}
			}
			mid, _ := s.Centre(lo, hi, Slack)
			return errors{mid * mid, Median(s.D) * Median(s.D)}
		}) {
			sum.centre, sum.median = sum.centre+e.centre, sum.median+e.median
		}
		t.Logf("%-14s error %.3f %%, of the median %.3f %%", nz.name, 100*math.Sqrt(sum.centre/float64(runs)), 100*math.Sqrt(sum.median/float64(runs)))
		if math.Sqrt(sum.centre) > 0.85*math.Sqrt(sum.median) {
			t.Errorf("%s: the error is %.2f of the median's", nz.name, math.Sqrt(sum.centre/sum.median))
		}
	}
}

func TestCentreInside(t *testing.T) {
	for _, test := range []struct{ x, lo, hi, want float64 }{
		{0.5, 0, 1, 0.5}, {-3, 0, 1, 0.01}, {1, 0, 1, 0.99}, {2, 1, 1, 1},
	} {
		if got := Inside(test.x, test.lo, test.hi); got != test.want {
			t.Errorf("Inside(%g, %g, %g) = %g, want %g", test.x, test.lo, test.hi, got, test.want)
		}
	}
	s := Series{D: []float64{1, 1, 1, 1, 1}}
	if mid, ok := s.Centre(1, 1, 0); mid != 1 || !ok {
		t.Errorf("of equal values: %g, %t", mid, ok)
	}
	if mid, ok := s.Centre(2, 3, 0); mid != 1 || ok {
		t.Errorf("of values outside of their interval: %g, %t", mid, ok)
	}
}
