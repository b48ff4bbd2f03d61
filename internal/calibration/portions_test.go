package calibration

import (
	"errors"
	"testing"
	"time"
)

// A benchmark needs a time if its operations take longer where their number is fixed, also if
// one run of either kind was disturbed.
func TestHandsOut(t *testing.T) {
	broken := errors.New("broken")
	for name, test := range map[string]struct {
		fixed, free []float64
		err         error
		want        bool
	}{
		"ten times":          {[]float64{10, 10, 10}, []float64{1, 1, 1}, nil, true},
		"a disturbed run":    {[]float64{10, 10, 10}, []float64{1, 30, 30}, nil, true},
		"the same":           {[]float64{1, 1.1, 1}, []float64{1, 1, 1.05}, nil, false},
		"disturbed runs":     {[]float64{9, 1, 9}, []float64{1, 1, 1}, nil, false},
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
	for _, test := range []struct {
		perOp, busy float64
		want        bool
	}{{5e-9, 1.9, true}, {5e-9, 1, false}, {1e-3, 2, false}, {0, 2, false}} {
		if got := MayHandOut(test.perOp, test.busy); got != test.want {
			t.Errorf("%+v: got %t", test, got)
		}
	}
}
