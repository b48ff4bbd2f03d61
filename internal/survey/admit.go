package survey

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/calibration"
)

// admitTime is the time of a benchmark after which no gear is tried again, with two
// variants and the control; more variants take longer, and have more.
const admitTime = 8 * time.Second

// A measured is what slices measure of every variant in one try.
type measured struct {
	level []float64 // ln of the mean time of an operation, by variant
	// counts is the same of the value that counts, if that is another. Where a program that
	// computes shares the CPU of short slices, it doubles their mean, and not what counts.
	counts []float64
	noise  float64 // standard deviation of one value, from the scatter inside the try; 0 if unknown
}

// admit checks in every variant that slices measure what plain runs do
// (calibration.Disagreement). m is a first try; again makes another. They may be tried for
// twice the time that the benchmark has: without slices a decision takes many times as long.
// The error is a misfit if they disagree.
func (c *chooser) admit(ctx context.Context, what string, m measured, again func() (measured, error)) (err error) {
	var off, offCounts [][]float64 // how much more the gear measures, by try and variant
	for try := 1; ; try++ {
		off = append(off, c.refs.Off(m.level))
		by, near := calibration.Disagreement(off, c.baseAt(), m.noise)
		if !near && m.counts != nil {
			offCounts = append(offCounts, c.refs.Off(m.counts))
			_, near = calibration.Disagreement(offCounts, c.baseAt(), 0)
		}
		switch {
		case near:
			return nil
		case try == calibration.Tries, c.spare() <= -c.surveyor.share(c.plan):
			return misfit(fmt.Sprintf("%s by %.0f %%", what, 100*math.Expm1(by)))
		}
		if err = c.repeatReferences(ctx); err != nil {
			return err
		}
		if m, err = again(); err != nil {
			return err
		}
	}
}

// spare returns what the benchmark has left of its share of the time, below 0 if it is over.
func (c *chooser) spare() time.Duration { return time.Until(c.until) }

// overdue reports whether the benchmark has had its share of the time.
func (c *chooser) overdue() bool { return c.spare() <= 0 }

// deadline returns until when the gear of benchmark i may be tried. What benchmarks before
// it did not need is its own.
func (s *surveyor) deadline(p *assay.Plan, began time.Time, i int) time.Time {
	until := time.Now().Add(mostAdmit(p))
	if s.Left == nil {
		return until
	}
	all := time.Duration(calibrationShare * float64(2*s.half) * float64(i+1) / float64(len(p.Benchmarks)))
	if t := began.Add(all); t.Before(until) {
		return t
	}
	return until
}

// share returns the time that the gear of one benchmark may be tried.
func (s *surveyor) share(p *assay.Plan) time.Duration {
	if s.Left == nil {
		return mostAdmit(p)
	}
	return min(mostAdmit(p), time.Duration(calibrationShare*float64(2*s.half)/float64(len(p.Benchmarks))))
}

// mostAdmit returns admitTime for the variants of a plan.
func mostAdmit(p *assay.Plan) time.Duration {
	return admitTime * time.Duration(max(3, len(p.Variants))) / 3
}

// repeatReferences measures the plain run of every variant anew.
func (c *chooser) repeatReferences(ctx context.Context) error {
	c.anew = true
	defer func() { c.anew = false }()
	for i, v := range c.variants {
		r, err := c.reference(ctx, i)
		if err != nil {
			return err
		}
		if why := c.unfit(r); why != "" {
			return misfitIn(v, why)
		}
		c.refs[i] = r
	}
	return nil
}
