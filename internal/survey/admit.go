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
	// have two degrees of freedom for each variant. tryNoise is that of a single try, in
	// standard deviations of the few slices in it; a plain run has as much noise.
	admitNoise, tryNoise = 4, 2
	// farPlain is how far they may lie if there is no time for another try.
	farPlain = 0.4 // ln 1.5
)

// A measured is what a gear measures of every variant in one try.
type measured struct {
	level []float64 // ln of the time of an operation, by variant
	noise float64   // standard deviation of one value, from the scatter inside the try; 0 if unknown
}

// admit checks in every variant that a gear measures what plain runs do. m is a first try;
// again makes another. The error is a misfit if they differ by more than nearPlain, and by
// more than the noise of both. unfit says why a plain run is useless.
func (c *chooser) admit(ctx context.Context, what string, m measured, again func() (measured, error), unfit func(reading) string) (err error) {
	var off [][]float64 // how much more the gear measures, by try and variant
	for try := 1; ; try++ {
		off = append(off, c.refs.off(m.level))
		by, near := disagreement(off, c.baseAt(), m.noise)
		switch {
		case near, c.overdue() && by <= farPlain:
			return nil
		case try == admitTries:
			return misfit(fmt.Sprintf("%s by %.0f %%", what, 100*math.Expm1(by)))
		}
		if err = c.repeatReferences(ctx, unfit); err != nil {
			return err
		}
		if m, err = again(); err != nil {
			return err
		}
	}
}

// overdue reports whether calibration has had its share of the time.
func (c *chooser) overdue() bool {
	return c.Left != nil && float64(2*c.half-c.Left()) > calibrationShare*float64(2*c.half)
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
// has the differences by try and variant, noise is the standard deviation of a value.
func disagreement(off [][]float64, base int, noise float64) (by float64, near bool) {
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
