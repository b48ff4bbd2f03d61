package calibration

import (
	"math"

	"github.com/seed-1318a441/assay/internal/stats"
)

// How a gear is admitted: it must measure what plain runs measure (docs/methodology.md).
const (
	// nearPlain is how far the values of a gear may lie from those of plain runs, and the
	// changes between variants from theirs, in ln units.
	nearPlain = 0.05
	// Tries is how often both are measured if they disagree: either may have met
	// another speed of the machine.
	Tries = 3
	// triesNoise is the allowance for noise after the last try, in standard errors. These
	// have two degrees of freedom for each variant. tryNoise is that of a single try, in
	// standard deviations of the few slices in it; a plain run has as much noise.
	triesNoise, tryNoise = 6, 2
	// mostOff is how far the mean over all variants and tries may lie, however noisy: a gear
	// that finds the caches cold is off in all of them.
	mostOff = 0.3 // ln 1.35
)

// Disagreement returns the largest difference between a gear and plain runs, in a variant
// or between the changes of a variant from the base, and whether that is near enough. off
// has the differences by try and variant, noise is the standard deviation of a value.
func Disagreement(off [][]float64, base int, noise float64) (by float64, near bool) {
	farthest := func(from func(try []float64) float64) {
		far, variance := 0.0, 0.0
		for v := range off[0] {
			d := make([]float64, len(off))
			for i, try := range off {
				d[i] = try[v] - from(try)
			}
			far = max(far, math.Abs(stats.Mean(d)))
			variance += stats.Variance(d) / float64(len(off[0]))
		}
		allowed := nearPlain + tryNoise*noise*math.Sqrt(2/float64(len(off)))
		if len(off) == Tries {
			allowed += triesNoise * math.Sqrt(variance/float64(len(off)))
		}
		by, near = max(by, far), near && far <= allowed
	}
	level := 0.0
	for _, try := range off {
		level += stats.Mean(try) / float64(len(off))
	}
	near = math.Abs(level) <= mostOff
	farthest(func([]float64) float64 { return 0 })
	farthest(func(try []float64) float64 { return try[base] })
	return by, near
}
