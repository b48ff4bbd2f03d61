package survey

import (
	"context"
	"fmt"
	"math"

	"github.com/seed-1318a441/assay/internal/stats"
)

// How a gear is admitted: it must measure what plain runs measure (docs/methodology.md).
const (
	// nearPlain is how far the values of a gear may lie from those of plain runs, and the
	// changes between variants from theirs, in ln units.
	nearPlain = 0.05
	// admitTries is how often both are measured if they disagree: either may have met
	// another speed of the machine.
	admitTries = 3
	// admitNoise is the allowance for noise after the last try, in standard errors. These
	// have two degrees of freedom for each variant.
	admitNoise = 4
)

// admit checks in every variant that a gear measures what plain runs do. level has ln of
// the gear's values, by variant; again measures them anew. The error is a misfit if they
// differ by more than nearPlain, and by more than the noise of both. unfit says why a
// plain run is useless.
func (c *chooser) admit(ctx context.Context, what string, level []float64, again func() ([]float64, error), unfit func(reading) string) (err error) {
	var off [][]float64 // how much more the gear measures, by try and variant
	for try := 1; ; try++ {
		off = append(off, c.refs.off(level))
		by, near := disagreement(off, c.baseAt())
		if near {
			return nil
		}
		if try == admitTries {
			return misfit(fmt.Sprintf("%s by %.0f %%", what, 100*math.Expm1(by)))
		}
		if err = c.repeatReferences(ctx, unfit); err != nil {
			return err
		}
		if level, err = again(); err != nil {
			return err
		}
	}
}

// repeatReferences measures the plain run of every variant anew.
func (c *chooser) repeatReferences(ctx context.Context, unfit func(reading) string) error {
	c.anew = true
	defer func() { c.anew = false }()
	for i, v := range c.variants {
		r, err := c.reference(ctx, v)
		if err != nil {
			return err
		}
		if why := unfit(r); why != "" {
			return misfitIn(v, why)
		}
		c.refs[i] = r
	}
	return nil
}

// disagreement returns the largest difference between a gear and plain runs, in a variant
// or between the changes of a variant from the base, and whether that is near enough. off
// has the differences by try and variant.
func disagreement(off [][]float64, base int) (by float64, near bool) {
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
		allowed := nearPlain
		if len(off) == admitTries {
			allowed += admitNoise * math.Sqrt(variance/float64(len(off)))
		}
		by, near = max(by, far), near && far <= allowed
	}
	near = true
	farthest(func([]float64) float64 { return 0 })
	farthest(func(try []float64) float64 { return try[base] })
	return by, near
}
