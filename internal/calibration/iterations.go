package calibration

import "math"

// MaxN is the largest number of iterations that package testing runs.
const MaxN = 1_000_000_000

// RoundN rounds to two significant digits, so that a repeated calibration is likely to
// find the same n.
func RoundN(x float64) int {
	scale := math.Pow(10, math.Floor(math.Log10(x))-1)
	if scale <= 1 {
		return int(math.Ceil(x))
	}
	return int(math.Ceil(x/scale) * scale)
}
