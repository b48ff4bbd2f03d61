package sample

import (
	"math"
	"slices"
	"testing"

	"github.com/seed-1318a441/assay"
)

// Two blocks that happen to agree are no proof.
func TestUnevenOfFewBlocks(t *testing.T) {
	if by, ok := (&Sample{byMedian: []float64{-0.0100, -0.0105}, byMean: []float64{-0.0100, -0.0105}}).SliceGap(0.01); ok {
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

func TestSortBlocks(t *testing.T) {
	s := assay.Sample{Blocks: []int{2, 2, 1, 3, 1}, Values: []float64{20, 21, 10, 30, 11}}
	sortBlocks(&s)
	if want := []float64{10, 11, 20, 21, 30}; !slices.Equal(s.Values, want) || !slices.Equal(s.Blocks, []int{1, 1, 2, 2, 3}) {
		t.Errorf("got %v of blocks %v, want %v", s.Values, s.Blocks, want)
	}
}
