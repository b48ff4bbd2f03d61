package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Mean returns the arithmetic mean; NaN for no values.
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

// Variance returns the unbiased sample variance; NaN for fewer than two values.
func Variance(x []float64) float64 {
	if len(x) < 2 {
		return math.NaN()
	}
	return squares(x) / float64(len(x)-1)
}

// squares returns the sum of squared deviations from the mean.
func squares(x []float64) float64 {
	mean, sum := Mean(x), 0.0
	for _, v := range x {
		sum += (v - mean) * (v - mean)
	}
	return sum
}

// Median returns the middle value, or the mean of the middle two; NaN for no values.
func Median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	var small [64]float64 // one block's rounds need no allocation
	return medianSorted(sortInto(small[:0], x))
}

// StudentHalfWidth returns half of Student's interval of the mean of two or more values.
func StudentHalfWidth(x []float64, confidence float64) float64 {
	n := float64(len(x))
	t := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(1 - (1-confidence)/2)
	return t * math.Sqrt(Variance(x)/n)
}

// Follow reports whether values resemble the ones before them: whether the first
// autocorrelation is above 0 at level alpha, under its normal approximation (Bartlett 1946).
// Of fewer than eight values nothing is known.
func Follow(x []float64, alpha float64) (autocorrelation float64, ok bool) {
	n := float64(len(x))
	all := squares(x)
	if n < 8 || !(all > 0) {
		return 0, false
	}
	mean := Mean(x)
	for i, v := range x[1:] {
		autocorrelation += (v - mean) * (x[i] - mean) / all
	}
	z := (autocorrelation + 1/n) * math.Sqrt(n)
	return autocorrelation, z > distuv.UnitNormal.Quantile(1-alpha)
}

// sortInto returns x in ascending order, in buf's memory if it is large enough.
func sortInto(buf, x []float64) []float64 {
	buf = append(buf[:0], x...)
	slices.Sort(buf)
	return buf
}
