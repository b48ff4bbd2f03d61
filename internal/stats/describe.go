package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Mean is the arithmetic mean; NaN of nothing.
func Mean(x []float64) float64 {
	var mean float64
	for i, v := range x {
		mean += (v - mean) / float64(i+1)
	}
	if len(x) == 0 {
		return math.NaN()
	}
	return mean
}

// Variance is the unbiased sample variance, with divisor n-1; NaN of fewer than
// two values.
func Variance(x []float64) float64 {
	if len(x) < 2 {
		return math.NaN()
	}
	return squares(x) / float64(len(x)-1)
}

// squares is the sum of squared deviations from the mean.
func squares(x []float64) float64 {
	mean, sum := Mean(x), 0.0
	for _, v := range x {
		sum += (v - mean) * (v - mean)
	}
	return sum
}

// Median is the middle value, or the mean of the two middle values; NaN of
// nothing.
func Median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	var small [64]float64 // one block's rounds need no allocation
	return middle(sortInto(small[:0], x))
}

// StudentHalfWidth is the half-width of Student's interval of the mean of x, two
// values or more.
func StudentHalfWidth(x []float64, confidence float64) float64 {
	n := float64(len(x))
	t := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(1 - (1-confidence)/2)
	return t * math.Sqrt(Variance(x)/n)
}

// Centre is the estimate that goes with an interval: the median of the series, or
// the end of [lo, hi] that is nearest to it, where a confidence sequence, which only
// ever shrinks, has left the median of later blocks outside. It is the one estimate
// of a change that is shown anywhere.
func Centre(d []float64, lo, hi float64) float64 { return min(max(Median(d), lo), hi) }

// sortInto returns x in ascending order, in buf's memory where it is enough.
func sortInto(buf, x []float64) []float64 {
	buf = append(buf[:0], x...)
	slices.Sort(buf)
	return buf
}
