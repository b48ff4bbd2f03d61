package survey

import (
	"context"
	"fmt"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/calibration"
)

// longer are the lengths of trials, in those of the study, that are tried where a trial
// holds too few collections: 300 ms, and the second of go test -bench.
var longer = []int{1, 3, 10}

// holdCollections lengthens the trials of a benchmark that allocates until enough
// collections fall into one, in every variant: one with a larger heap collects less often
// than the base, and without its collections it would look faster, or, because of page
// faults, slower than it is. few are the variants in which even the longest trial holds too few.
func (c *chooser) holdCollections(ctx context.Context) (few []string, err error) {
	perOp := c.base.PerOp
	if !calibration.Matters(perOp, c.base.Bytes) || c.bench.BenchTime > 0 || c.workload().BenchIters > 0 {
		return nil, nil
	}
	n, trial, seldom := c.bench.N, c.bench.Trial, c.variants
	one := time.Duration(perOp * float64(n) * float64(time.Second))
	for _, times := range longer {
		longer := trial + time.Duration(times-1)*one
		if len(seldom) == 0 || times > 1 && longer > c.affordable() {
			break
		}
		c.bench.N, c.bench.Trial = times*n, longer
		few, seldom, err = c.seldom(ctx, seldom, time.Duration(times)*one)
		if err != nil {
			return nil, err
		}
	}
	return few, nil
}

// holdLumps makes the trials of a benchmark that short slices do not measure as long as go
// test -bench does, if there is time: what one operation in many costs, such as a map that
// grows, may come seldom.
func (c *chooser) holdLumps() {
	times := longer[len(longer)-1]
	if longest := c.trials(times); c.uneven && c.bench.Trial < longest && longest <= c.affordable() && c.workload().BenchIters == 0 {
		c.bench.N, c.bench.Trial = times*c.bench.N, longest
	}
}

// seldom returns those of some variants in which a trial of that length holds fewer
// collections than it should, and of these the names of those in which it holds too few to
// say anything. A variant that nobody traced, since the time was over or it failed, is in neither.
func (c *chooser) seldom(ctx context.Context, of []assay.Variant, length time.Duration) (few []string, seldom []assay.Variant, err error) {
	for _, v := range of {
		if c.overdue() {
			break
		}
		g, err := c.collecting(ctx, v)
		why, err := reason(err)
		if err != nil {
			return nil, nil, err
		}
		x := calibration.Counted(c.base.PerOp, g.Cycles, g.Share)
		if why == "" && x.Enough() > length {
			seldom = append(seldom, v)
			if x.Few(c.bench.N) {
				few = append(few, v.Name)
			}
		}
	}
	return few, seldom, nil
}

// A collecting says how a variant collects.
type collecting struct {
	Cycles float64 // for an operation, without those of a start and a set-up
	Share  float64 // of the CPU time; 1 if unknown
}

// collecting traces the collector of a variant for a trial. It reuses a result in memory.
// The error is a misfit if it fails.
func (c *chooser) collecting(ctx context.Context, v assay.Variant) (g collecting, err error) {
	a, err := c.surveyor.Builds.Binary(v.Name, *c.bench)
	if err != nil {
		return g, err
	}
	name, most := c.bench.NameFor(v, c.plan.Study.Base), c.bench.N
	return remembered(c.surveyor.Memo, a, c.surveyor.memoName(fmt.Sprintf("collecting4-%d-%s", most, name), v, a), func() (g collecting, err error) {
		g.Share = 1
		for _, n := range []int{min(2, most), most} {
			r := c.request(v, a, n)
			r.GCTrace = true
			out, err := c.surveyor.runOrRetry(ctx, r)
			if err != nil {
				return g, err
			}
			if out.Status != assay.StatusOK {
				return g, misfitIn(v, "it failed: "+out.Reason)
			}
			g.Cycles = float64(out.GCCycles) - g.Cycles
			if share, ok := out.Observations(name, n)[assay.MetricGCShare]; ok {
				g.Share = share
			}
		}
		g.Cycles = max(g.Cycles, 0) / float64(most)
		return g, nil
	})
}
