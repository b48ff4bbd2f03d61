package stats

import (
	"math"
	"slices"
	"testing"
)

func TestDescribe(t *testing.T) {
	for _, c := range []struct {
		x                      []float64
		mean, variance, median float64
	}{
		{nil, math.NaN(), math.NaN(), math.NaN()},
		{[]float64{3}, 3, math.NaN(), 3},
		{[]float64{3, 1}, 2, 2, 2}, // ((3-2)^2 + (1-2)^2) / 1
		// mean 4; squares 9+4+1+36 = 50, over 3
		{[]float64{1, 2, 3, 10}, 4, 50.0 / 3, 2.5},
		{[]float64{9, -9, 0}, 0, 81, 0},
		// A large mean takes no digits from the variance.
		{[]float64{1e9 + 1, 1e9 + 2, 1e9 + 3}, 1e9 + 2, 1, 1e9 + 2},
	} {
		before := slices.Clone(c.x)
		for name, v := range map[string][2]float64{
			"mean":     {Mean(c.x), c.mean},
			"variance": {Variance(c.x), c.variance},
			"median":   {Median(c.x), c.median},
		} {
			if got, want := v[0], v[1]; !near(got, want, 1e-12) && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s of %v = %g, want %g", name, c.x, got, want)
			}
		}
		if !slices.Equal(c.x, before) {
			t.Errorf("%v was reordered to %v", before, c.x)
		}
	}
	if got := Median(normals(1, 1001, 5, 1)); math.Abs(got-5) > 0.2 {
		t.Errorf("median of 1001 values around 5 = %g", got)
	}
}

// harrellDavis is the quantile of values that are written out.
func harrellDavis(values []float64, p float64) float64 {
	return HarrellDavisCounts(values, slices.Repeat([]int{1}, len(values)), p)
}

func TestHarrellDavisByHand(t *testing.T) {
	for _, c := range []struct {
		x       []float64
		p, want float64
	}{
		{[]float64{4}, 0.9, 4},
		// Beta(1.5, 1.5) is symmetric: both halves weigh the same.
		{[]float64{1, 3}, 0.5, 2},
		// n = 3, p = .5: Beta(2, 2), I_x = 3x^2 - 2x^3: I_1/3 = 7/27,
		// I_2/3 = 20/27; weights 7, 13, 7 of 27: (0*7 + 1*13 + 5*7)/27.
		{[]float64{0, 1, 5}, 0.5, 48.0 / 27},
		{[]float64{0, 1, 5}, 0, 0},
		{[]float64{0, 1, 5}, 1, 5},
		{[]float64{0, 1, 5}, 1.5, 5},
	} {
		if got := harrellDavis(c.x, c.p); !near(got, c.want, 1e-12) {
			t.Errorf("harrellDavis(%v, %g) = %g, want %g", c.x, c.p, got, c.want)
		}
	}
	if got := harrellDavis(nil, 0.5); !math.IsNaN(got) {
		t.Errorf("HarrellDavis of nothing = %g, want NaN", got)
	}
}

// TestHarrellDavisCounts: a histogram gives what its values written out give.
func TestHarrellDavisCounts(t *testing.T) {
	values := []float64{1, 2, 4, 8, 16, 32}
	for _, counts := range [][]int{{1, 0, 0, 0, 0, 0}, {5, 9, 0, 30, 2, 1}, {0, 4000, 3000, 500, 40, 11}} {
		var all []float64
		for i, v := range values {
			for range counts[i] {
				all = append(all, v)
			}
		}
		for _, p := range []float64{0, 0.001, 0.5, 0.9, 0.999, 1} {
			got, want := HarrellDavisCounts(values, counts, p), harrellDavis(all, p)
			if !near(got, want, 1e-9) {
				t.Errorf("%v, p = %g: got %g, want %g", counts, p, got, want)
			}
		}
	}
	if got := HarrellDavisCounts(values, make([]int, 6), 0.5); !math.IsNaN(got) {
		t.Errorf("of an empty histogram = %g, want NaN", got)
	}
	// Ten million requests, half of them 1, half 3: the median weighs both alike.
	if got := HarrellDavisCounts([]float64{1, 3}, []int{5e6, 5e6}, 0.5); !near(got, 2, 1e-6) {
		t.Errorf("of ten million = %g, want 2", got)
	}
}

// Student's t with 3 degrees of freedom at 95 % is 3.182446 (R: qt(0.975, 3)), and
// 0.1, 0.2, 0.3, 0.4 have the standard error sqrt(1/60)/2.
func TestStudentHalfWidth(t *testing.T) {
	got := StudentHalfWidth([]float64{0.1, 0.2, 0.3, 0.4}, 0.95)
	if want := 3.182446305284263 * math.Sqrt(0.05/3/4); math.Abs(got-want) > 1e-9 {
		t.Errorf("got %v, want %v", got, want)
	}
}
