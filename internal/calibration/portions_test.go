package calibration

import (
	"errors"
	"testing"
	"time"
)

// A benchmark needs a time if its operations take longer where their number is fixed, in each
// pair of runs.
func TestHandsOut(t *testing.T) {
	broken := errors.New("broken")
	for name, test := range map[string]struct {
		fixed, free []float64
		err         error
		want        bool
	}{
		"ten times":          {[]float64{10, 10, 10}, []float64{1, 1, 1}, nil, true},
		"on a noisy machine": {[]float64{10, 14, 9}, []float64{1, 3, 0.8}, nil, true},
		"noise alone":        {[]float64{1.3, 1.4, 1}, []float64{1, 1, 1}, nil, false},
		"the same":           {[]float64{1}, []float64{1}, nil, false},
		"once":               {[]float64{9, 1}, []float64{1, 1}, nil, false},
		"no time":            {[]float64{0}, nil, nil, false},
		"no time for a time": {[]float64{10}, []float64{0}, nil, false},
		"fails":              {[]float64{10}, []float64{1}, broken, false},
	} {
		var fixed, free int
		h, err := HandsOut(100, func(n int) (float64, Handing, error) {
			if n == 100 {
				fixed++
				return test.fixed[fixed-1], Handing{}, test.err
			}
			free++
			return test.free[free-1], Handing{N: 7, Wall: time.Second}, test.err
		})
		if h.Timed != test.want || !errors.Is(err, test.err) || h.Timed && (h.N != 7 || h.Wall != time.Second) {
			t.Errorf("%s: got %+v, %v", name, h, err)
		}
	}
	for perOp, want := range map[float64]bool{5e-9: true, 1e-5: true, 1e-3: false, 0: false} {
		if got := IsSmall(perOp); got != want {
			t.Errorf("%g: got %t", perOp, got)
		}
	}
}
