package lab

import (
	"math"
	"testing"

	"github.com/seed-1318a441/assay"
)

// Slices are reduced to values of the arms: differences of time are the medians over
// the rounds, a round that is slow for all counts for nothing, and counts stay exact.
func TestReduceSlices(t *testing.T) {
	arms := []map[string][]float64{
		{assay.MetricTime: {1, 2, 1, 1, 9}, assay.MetricBytes: {48, 48, 64, 48, 48}, "own": {7, 7, 7, 7, 7}},
		{assay.MetricTime: {1.1, 2.2, 1.1, 5, 1.1}, assay.MetricBytes: {0, 0, 0, 0, 0}, "own": {0, 7, 7, 7, 7}},
	}
	got := ReduceSlices(arms)
	if r := got[1][assay.MetricTime] / got[0][assay.MetricTime]; math.Abs(r-1.1) > 1e-9 {
		t.Errorf("the ratio is %g, want 1.1", r)
	}
	if x := got[0][assay.MetricTime]; x < 1 || x > 1.1 {
		t.Errorf("a time of %g is none of the first arm's", x)
	}
	if got[0][assay.MetricBytes] != 48 || got[1][assay.MetricBytes] != 0 {
		t.Errorf("bytes %g and %g, want 48 and 0 exactly", got[0][assay.MetricBytes], got[1][assay.MetricBytes])
	}
	if got[0]["own"] != 7 || got[1]["own"] != 7 {
		t.Errorf("own %g and %g, want the medians: one was 0", got[0]["own"], got[1]["own"])
	}
	swapped := ReduceSlices([]map[string][]float64{arms[1], arms[0]})
	if math.Abs(swapped[0][assay.MetricTime]/got[1][assay.MetricTime]-1) > 1e-12 {
		t.Error("the arms are not treated alike")
	}
}
