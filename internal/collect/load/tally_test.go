package load

import (
	"math"
	"reflect"
	"slices"
	"testing"
)

// TestTallyCoarsens: far more latencies than are kept apart come out close to
// what they were, in whatever order they came.
func TestTallyCoarsens(t *testing.T) {
	const n = 4 * maxDistinct
	var values []float64
	for i := range n {
		values = append(values, 1e-4*math.Pow(1000, float64(i)/n))
	}
	var up, down tally
	for i, v := range values {
		if err := up.add(v, 1); err != nil {
			t.Fatal(err)
		}
		if err := down.add(values[n-1-i], 1); err != nil {
			t.Fatal(err)
		}
	}
	h := up.histogram()
	if !reflect.DeepEqual(h, down.histogram()) {
		t.Error("the order matters")
	}
	if len(h.Values) > maxDistinct || len(h.Values) < maxDistinct/3 || h.Total() != n {
		t.Errorf("%d values of %d requests", len(h.Values), h.Total())
	}
	if err := checkHistogram(h); err != nil {
		t.Error(err)
	}
	for _, v := range values {
		i, _ := slices.BinarySearch(h.Values, v)
		below, above := h.Values[max(0, i-1)], h.Values[min(i, len(h.Values)-1)]
		if !near(below, v, 1.0/4000) && !near(above, v, 1.0/4000) {
			t.Fatalf("%g became %g or %g", v, below, above)
		}
	}
}

func TestTallyKeeps(t *testing.T) {
	var a tally
	for _, v := range []float64{0.004101, 0, 0.004101, 0.3} {
		if err := a.add(v, 2); err != nil {
			t.Fatal(err)
		}
	}
	h := a.histogram()
	if !slices.Equal(h.Values, []float64{0, 0.004101, 0.3}) || !slices.Equal(h.Counts, []int{2, 4, 2}) {
		t.Errorf("%v", h)
	}
	for _, v := range []float64{-1, math.NaN(), math.Inf(1), 2 * maxSeconds} {
		if a.add(v, 1) == nil {
			t.Errorf("%g was taken", v)
		}
	}
	if a.add(1, maxRequests) == nil {
		t.Error("more than maxRequests were taken")
	}
}

// TestSpectrumSpreads: of 100 requests between two rows, those below the share
// of the second lie between the values, the others at the second.
func TestSpectrumSpreads(t *testing.T) {
	s := spectrum{total: 200, ended: true, rows: []spectrumRow{{1, 0.5, 100}, {2, 0.75, 180}, {2, 0.9, 180}, {3, 1, 200}}}
	h, err := s.histogram()
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for i, v := range h.Values {
		switch {
		case v <= 1:
			n["1"] += h.Counts[i]
		case v < 2:
			n["between"] += h.Counts[i]
		case v == 2:
			n["2"] += h.Counts[i]
		}
	}
	want := map[string]int{"1": 100, "between": 49, "2": 31}
	if !reflect.DeepEqual(n, want) || h.Total() != 200 {
		t.Errorf("%v of %d, want %v", n, h.Total(), want)
	}
}
