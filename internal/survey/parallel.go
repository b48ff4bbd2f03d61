package survey

import (
	"cmp"
	"context"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/calibration"
)

const handedOut = "operations run in parallel, in portions that package testing sizes: their number cannot be fixed"

// handsOut gives the benchmark a time in each trial if it hands out its operations in
// portions. One takes perOp seconds.
func (c *chooser) handsOut(ctx context.Context, perOp float64) error {
	if c.workload().Kind != assay.KindGoTest || c.workload().BenchIters > 0 || !calibration.IsSmall(perOp) {
		return nil
	}
	v, length := c.variants[c.baseAt()], cmp.Or(c.workload().BenchTime, c.surveyor.Study.Measure.Trial)
	a, err := c.surveyor.Builds.Binary(v.Name, *c.bench)
	if err != nil {
		return err
	}
	if a.Print == nil { // of a system whose binaries assay does not read
		return nil
	}
	if _, calls := a.Print.Funcs[calibration.RunParallel]; !calls {
		return nil
	}
	run := func(n int) (float64, calibration.Handing, error) {
		r := c.request(v, a, n)
		if n == 0 {
			r.Time = length
		}
		out, err := c.surveyor.runOrRetry(ctx, r)
		found, ok := out.Reading(r.Names[0])
		if err != nil || !ok || out.Status != assay.StatusOK { // the blocks will show it
			return 0, calibration.Handing{}, err
		}
		return found.Values[assay.MetricTime], calibration.Handing{N: found.N, Wall: out.Wall}, nil
	}
	h, err := remembered(c.surveyor.Memo, a, c.surveyor.memoName("parallel2-"+length.String()+"-"+c.bench.Name, v, a), func() (calibration.Handing, error) {
		return calibration.HandsOut(max(1, int(length.Seconds()/perOp)), run)
	})
	if err == nil && h.Timed {
		c.bench.BenchTime, c.bench.N, c.bench.Trial = length, h.N, h.Wall
	}
	return err
}
