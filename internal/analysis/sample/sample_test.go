package sample

import (
	"math"
	"testing"
)

// Two blocks that happen to agree are no proof.
func TestUnevenOfFewBlocks(t *testing.T) {
	if by, ok := (&Sample{middle: []float64{-0.0100, -0.0105}}).SliceGap(0.01); ok {
		t.Errorf("told of %v after two blocks", by)
	}
}

func TestResolution(t *testing.T) {
	for _, tc := range []struct{ value, want float64 }{
		{7.12e-9, 1e-11}, {7e-9, 1e-9}, {1200, 100}, {48, 1}, {0.25, 0.01}, {1, 1},
	} {
		if got := resolution(tc.value); math.Abs(got/tc.want-1) > 1e-9 {
			t.Errorf("resolution(%g) = %g, want %g", tc.value, got, tc.want)
		}
	}
}

// Values printed with two digits that never differ by more than the last of
// them must not be called different with certainty: 7.1 against 7.2 ns is one
// step.
func TestScaleIsFlooredAtTheResolution(t *testing.T) {
	s := new(Sample)
	for block := 1; block <= 12; block++ {
		s.Add(block, []float64{7.1e-9}, []float64{7.1e-9 + float64(block%2)*1e-10}, nil)
	}
	lo, hi, ok := s.Interval(100)
	if step := 0.1 / 7.1; !ok || hi-lo < step/2 {
		t.Errorf("interval [%g, %g] is narrower than half the printed step %g", lo, hi, step)
	}
}
