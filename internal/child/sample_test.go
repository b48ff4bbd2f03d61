package child

import (
	"math"
	"slices"
	"testing"
	"time"
)

// TestSamples: time and memory between two moments.
func TestSamples(t *testing.T) {
	at := func(s float64) time.Time { return time.Unix(1000, 0).Add(time.Duration(s * 1e9)) }
	u := Samples{{at(0), 100, 2 * time.Second}, {at(0.25), 200, 3 * time.Second}, {at(0.5), 300, 5 * time.Second}}
	for _, test := range []struct {
		from, to float64
		cpu      time.Duration
		memory   []float64
		mean     float64
	}{
		{0, 0.5, 3 * time.Second, []float64{0, 0.25, 0.5}, 200},
		{-0.01, 9, 3 * time.Second, []float64{0.01, 0.26, 0.51}, 200},
		{0.125, 0.375, 1500 * time.Millisecond, []float64{0, 0.125, 0.375}, 200},
		{0.2, 0.5, 2200 * time.Millisecond, []float64{0.05, 0.3}, 250},
		{7, 9, 0, nil, 0},
	} {
		if got := u.CPU(at(test.from), at(test.to)); (got - test.cpu).Abs() > time.Microsecond {
			t.Errorf("%g to %g: %v of CPU, want %v", test.from, test.to, got, test.cpu)
		}
		list, mean := u.Memory(at(test.from), at(test.to))
		got := make([]float64, 0, len(list))
		for _, m := range list {
			got = append(got, math.Round(m.At*1e6)/1e6)
		}
		if !slices.Equal(got, test.memory) || mean != test.mean {
			t.Errorf("%g to %g: memory at %v, mean %g, want %v, %g", test.from, test.to, got, mean, test.memory, test.mean)
		}
	}
	if got := (Samples)(nil).CPU(at(0), at(1)); got != 0 {
		t.Errorf("nothing used %v", got)
	}
}
