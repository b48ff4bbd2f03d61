package survey

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/calibration"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/stats"
	"github.com/seed-1318a441/assay/internal/trial"
)

// Long slices hold the collections that a benchmark causes (calibration.Collections).
const (
	// probeLong is the largest number of slices that a length is tried with. A benchmark
	// that has had its share of the time has one.
	probeLong = 3
	// farLength is the factor by which a slice may be longer or shorter than meant.
	farLength = 1.3

	// The shortest and the longest slices, in trials: 100 ms, and the second of go test
	// -bench, unless the study has other trials. mostLong is for those that collect
	// seldom. Where a length disagrees with plain runs, lengthen times that is tried.
	leastLong, secondLong, mostLong = 2, 20, 60
	lengthen                        = 3
)

// trials returns the time of so many trials.
func (c *chooser) trials(n int) time.Duration {
	return time.Duration(n) * c.surveyor.Study.Measure.Trial
}

// longest returns the longest slice of a benchmark that need not collect seldom.
func (c *chooser) longest() time.Duration { return c.trials(secondLong) }

// long gives the benchmark the shortest long slices that hold enough collections and
// measure what go test -bench does. The error is a misfit if there are none.
func (c *chooser) long(ctx context.Context) error {
	enough, few, err := c.enoughCycles(ctx)
	if err != nil {
		return err
	}
	length := min(max(c.trials(leastLong), c.setUp, enough), c.affordable())
	// On one CPU, slices differ less from each other: of two, one is often faster. A collector
	// needs all of them, and so do goroutines that hand over.
	bound := !c.refs.Allocate() && c.refs.OneCPU(calibration.MaxBusy)
	for {
		b := *c.bench
		b.Gear, b.Long, b.Warm, b.Slices, b.N = assay.GearSlices, true, assay.WarmLongSlices, schedule.LongSlices(length), c.operations(length)
		b.OneCPU = bound
		err := c.admitLong(ctx, &b, length)
		if err == nil {
			c.few = few(b.N)
			*c.bench = b
			return nil
		}
		if _, other := reason(err); other != nil || !bound && (length >= c.longest() || b.N == 1) || c.overdue() {
			return err
		}
		if !bound {
			length = min(lengthen*length, c.longest())
		}
		bound = false
	}
}

// affordable returns the longest trial of which twice as many blocks as a first verdict takes
// fit into the budget, but not less than the shortest long slices. That is also the longest of those: FitSlices
// leaves a warm-up and one slice of half the length.
func (c *chooser) affordable() time.Duration {
	longest := c.trials(mostLong)
	if c.surveyor.Left == nil {
		return longest
	}
	trials := 2 * design.LeastBlocks(c.plan) * len(c.plan.Benchmarks) * len(c.plan.Variants)
	left := time.Duration((1 - calibrationShare - linkShare) * float64(2*c.surveyor.half))
	return max(min(longest, left/time.Duration(trials)), c.trials(leastLong))
}

// admitLong tries long slices of about a length, and compares them with plain runs.
func (c *chooser) admitLong(ctx context.Context, b *assay.PlannedBenchmark, length time.Duration) error {
	var p longProbe
	try := func() (m measured, err error) {
		p, err = c.tryLong(ctx, *b)
		return p.measured, err
	}
	m, err := try()
	if off := p.perOp * float64(b.N) / length.Seconds(); err == nil && b.N > 1 && (off < 1/farLength || off > farLength) {
		// The plain run met another speed of the machine, perhaps in an earlier run.
		b.N = max(1, calibration.RoundN(float64(b.N)/off))
	}
	if err == nil && !c.forced(assay.GearSlices) {
		err = c.admit(ctx, slicesDisagree, m, try, c.unfit)
	}
	b.Trial = time.Duration(b.Slices+assay.WarmLongSlices) * (time.Duration(p.perOp*float64(b.N)*float64(time.Second)) + p.beside)
	return err
}

// operations returns how many operations take so long.
func (c *chooser) operations(length time.Duration) int {
	return max(1, calibration.RoundN(length.Seconds()/c.refs.Typical()))
}

// enoughCycles returns the length of slices that hold enough collections in every variant.
// few lists the variants in which n operations hold too few.
func (c *chooser) enoughCycles(ctx context.Context) (length time.Duration, few func(n int) []string, err error) {
	found := map[string]calibration.Collections{}
	for i, v := range c.variants {
		r := c.refs[i]
		x, matter := calibration.Bounded(r.PerOp, r.Bytes, r.RSS)
		if !matter {
			continue
		}
		if x.Enough() > c.trials(leastLong) {
			if c.overdue() { // the bound is long enough, but says of no length that it is not
				length = max(length, x.Enough())
				continue
			}
			g, err := c.collecting(ctx, v)
			if err != nil {
				return 0, nil, err
			}
			if counted := calibration.Counted(r.PerOp, g.Cycles, g.Share); counted.Enough() < x.Enough() {
				x = counted
			}
		}
		found[v.Name] = x
		length = max(length, x.Enough())
	}
	return length, func(n int) (names []string) {
		for _, v := range c.variants {
			if x, ok := found[v.Name]; ok && x.Few(n) {
				names = append(names, v.Name)
			}
		}
		return names
	}, nil
}

// A collecting says how a variant collects.
type collecting struct {
	Cycles float64 // for an operation, without those of a start and a set-up
	Share  float64 // of the CPU time; 1 if unknown
}

// collecting traces the collector of a variant for a few of the shortest slices. It reuses
// a result in memory.
func (c *chooser) collecting(ctx context.Context, v assay.Variant) (g collecting, err error) {
	a, err := c.surveyor.Builds.Binary(v.Name, *c.bench)
	if err != nil {
		return g, err
	}
	name, most := c.bench.NameFor(v, c.plan.Study.Base), c.operations(lengthen*c.trials(leastLong))
	return remembered(c.surveyor.Memo, a, c.surveyor.memoName("collecting3-"+name, v, a), func() (g collecting, err error) {
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

// A longProbe is the result of a few long slices of every variant.
type longProbe struct {
	measured               // of the mean of the slices
	perOp    float64       // seconds of an operation in the slowest variant
	beside   time.Duration // of a slice outside the operations
}

// tryLong runs a few long slices of every variant side by side.
func (c *chooser) tryLong(ctx context.Context, b assay.PlannedBenchmark) (p longProbe, err error) {
	rounds := min(b.Slices, probeLong)
	if c.overdue() {
		rounds = 1
	}
	r := lab.TogetherRequest{Gear: assay.GearSlices, Long: true, Warm: assay.WarmLongSlices, Rounds: rounds, CPUs: c.drawCPUs(b), Memory: c.memory()}
	outs, err := c.sliced(ctx, &r, b.N)
	if err != nil {
		return p, err
	}
	var wall, timed, scatter float64
	for _, out := range outs {
		times := out.Slices[assay.MetricTime]
		mean := stats.Mean(times)
		if rounds > 1 { // else the scatter is not known
			scatter += stats.Variance(times) / (mean * mean) / float64(len(times)*len(outs))
		}
		if mean <= 0 {
			return p, misfit("a slice takes no time")
		}
		p.level = append(p.level, math.Log(mean))
		p.perOp = max(p.perOp, mean)
		wall, timed = max(wall, out.Wall.Seconds()), timed+mean*float64(b.N*(assay.WarmLongSlices+rounds))
	}
	p.noise = math.Sqrt(scatter)
	p.beside = time.Duration(max(wall-timed, 0) / float64(len(outs)*(assay.WarmLongSlices+rounds)) * float64(time.Second))
	return p, nil
}

// sliced runs slices of every variant side by side. The error is a misfit if one fails.
func (c *chooser) sliced(ctx context.Context, r *lab.TogetherRequest, counts ...int) ([]trial.Outcome, error) {
	outs, err := c.together(ctx, r, counts...)
	switch {
	case errors.Is(err, trial.ErrPrints):
		return nil, misfit("it prints to standard output")
	case errors.Is(err, trial.ErrNoSlices):
		return nil, misfit(err.Error())
	case err != nil:
		return nil, err
	}
	for i, out := range outs {
		if out.Status != assay.StatusOK || len(out.Slices[assay.MetricTime]) == 0 {
			return nil, misfit(fmt.Sprintf("its slices failed in %s: %s", assay.Quoted(r.Arms[i].Variant.Name), out.Reason))
		}
	}
	return outs, nil
}
