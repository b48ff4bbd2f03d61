package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// logBuckets counts values in buckets of a width in ln units, as load generators
// do.
func logBuckets(values []float64, width float64) (v []float64, counts []int) {
	at := map[int]int{}
	for _, x := range values {
		at[int(math.Round(math.Log(x)/width))]++
	}
	var keys []int
	for k := range at {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		v, counts = append(v, math.Exp(float64(k)*width)), append(counts, at[k])
	}
	return v, counts
}

// From buckets of 1.8 % the quantiles of the values themselves are found to
// 0.15 %, where whole buckets give them to 0.9 % at best.
func TestQuantilesOfBuckets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	values := make([]float64, 200_000)
	for i := range values {
		values[i] = 0.01 * math.Exp(0.3*rng.NormFloat64())
	}
	slices.Sort(values)
	v, counts := logBuckets(values, 0.018)
	worst := 0.0
	for p := 0.02; p < 1; p += 0.02 {
		want := harrellDavis(values, p)
		if got := HarrellDavisBuckets(v, counts, p); math.Abs(got/want-1) > 0.0015 {
			t.Errorf("p%g: got %.6g, want %.6g to 0.15 %%", 100*p, got, want)
		}
		worst = max(worst, math.Abs(HarrellDavisCounts(v, counts, p)/want-1))
	}
	if worst < 0.005 {
		t.Errorf("whole buckets are off by %g at most: spreading them would not be needed", worst)
	}
}

// A bucket that is spread evenly is its values, as many as it has, at even
// distances.
func TestBucketsAreSpreadEvenly(t *testing.T) {
	values, counts := []float64{1, 2, 3, 4}, []int{30, 50, 15, 5}
	var spread []float64
	for i, v := range values {
		for k := range counts[i] {
			spread = append(spread, v-0.5+(float64(k)+0.5)/float64(counts[i]))
		}
	}
	for _, p := range []float64{0.05, 0.25, 0.5, 0.8, 0.9} {
		if got, want := HarrellDavisBuckets(values, counts, p), harrellDavis(spread, p); math.Abs(got-want) > 1e-3 {
			t.Errorf("p%g: got %.6g, want %.6g", 100*p, got, want)
		}
	}
}

// Values kept as they were measured give what they give one by one: nearly so,
// since each is spread over the gap beside it.
func TestBucketsOfSingleValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	values := make([]float64, 2000)
	counts := make([]int, len(values))
	for i := range values {
		values[i], counts[i] = math.Exp(rng.NormFloat64()), 1
	}
	slices.Sort(values)
	for _, p := range []float64{0.01, 0.5, 0.9, 0.99} {
		if got, want := HarrellDavisBuckets(values, counts, p), harrellDavis(values, p); !near(got, want, 1e-3) {
			t.Errorf("p%g: got %g, want %g", 100*p, got, want)
		}
	}
	for _, c := range []struct {
		values []float64
		counts []int
		p      float64
		want   float64
	}{
		{[]float64{7}, []int{3}, 0.5, 7},
		{[]float64{1, 2}, []int{1, 1}, 0, 1},
		{[]float64{1, 2}, []int{1, 1}, 1, 2},
		{[]float64{1, 2, 3}, []int{0, 9, 0}, 0.5, 2},
	} {
		if got := HarrellDavisBuckets(c.values, c.counts, c.p); !near(got, c.want, 1e-9) {
			t.Errorf("%v %v p%g: got %g, want %g", c.values, c.counts, 100*c.p, got, c.want)
		}
	}
	if got := HarrellDavisBuckets(nil, nil, 0.5); !math.IsNaN(got) {
		t.Errorf("of nothing: got %g, want NaN", got)
	}
}
