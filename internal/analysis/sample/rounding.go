package sample

import (
	"math"

	"github.com/seed-1318a441/assay"
)

// A precision is what is known of the digits of a metric's values.
type precision struct {
	// counted values are whole and without noise: equal ones are exactly equal.
	counted bool
	// rounded is the step to which the source rounds, in the metric's unit; 0 is unknown.
	rounded float64
	// whole means that the value is printed in its own unit, so that whole numbers have no
	// larger step than 1: the zeros of 100 are digits.
	whole bool
	// digits is the least number of digits that the source prints; 0 is unknown.
	digits int
}

// benchDigits is what package testing prints of a metric from 0.001 up.
const benchDigits = 4

// precisionOf returns the precision of a metric. bench is true for Go benchmarks.
func precisionOf(metric string, bench bool) precision {
	known, found := assay.FindMetric(metric)
	p := precision{counted: assay.IsCount(metric), rounded: known.Step, whole: !found}
	if bench && !p.counted {
		p.digits = benchDigits
	}
	return p
}

// stepOf returns the weight of the last digit of a value above 0.
func (p precision) stepOf(x float64) float64 {
	step := resolution(x)
	if p.whole && x == math.Trunc(x) {
		step = min(step, 1)
	}
	if p.digits > 0 {
		step = min(step, math.Pow10(int(math.Floor(math.Log10(x)))+1-p.digits))
	}
	return step
}

// roundingWidth returns how far the change may lie from the measured one because both
// values are rounded, in the unit of D. More blocks do not help: it is the step to which
// the source rounds, or the last digit if no value varied. If they vary by themselves, their
// mean shows what the last digit does not.
func (s *Sample) roundingWidth() float64 {
	step := s.rounded
	if step == 0 && !s.Varied && !s.counted {
		step = s.step
	}
	switch {
	case s.blur > 0 || step == 0:
		return s.blur
	case s.Zero:
		return step
	}
	low, high := 0.0, 0.0 // the furthest that half a step on both sides moves the change
	for i := range s.Base {
		low = max(low, -math.Log1p(-min(step/2/s.Value[i], 1))+math.Log1p(step/2/s.Base[i]))
		high = max(high, -math.Log1p(-min(step/2/s.Base[i], 1))+math.Log1p(step/2/s.Value[i]))
	}
	return max(low, high)
}

// width returns how much wider than the engine's the interval is on each side: the blocks
// show neither other links than theirs nor what lies below the last digit.
func (s *Sample) width() float64 { return s.LinkWidth() + s.roundingWidth() }
