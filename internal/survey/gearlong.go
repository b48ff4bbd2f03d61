package survey

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/calibration"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/stats"
	"github.com/seed-1318a441/assay/internal/trial"
)

// Long slices hold the collections that a benchmark causes. Package testing collects
// before each slice. With x collections of its own in a slice, of which all together take
// a share s of the time, a slice is too short by s/2x on average, and a plain run of a
// second by the same with a larger x.
const (
	// longWarm is the number of warm-up slices: the heap of a new process has to grow.
	longWarm = 1
	// longSlices is the number of slices of a variant in a block that count. Between
	// processes of one binary the time differs more than between slices of a process, so
	// that more slices would gain little.
	longSlices = 4
	// probeLong is the number of slices with which a length is tried.
	probeLong = 3
	// leastCycles is the number of collections in a slice of every variant, if they are
	// counted; boundCycles is enough as a lower bound. Fewer are enough if they take so
	// little of the time that the value is wrong by maxBias at most.
	leastCycles, boundCycles = 8, 3
	maxBias                  = 0.0025
	// farLength is the factor by which a slice may be longer or shorter than meant.
	farLength = 1.3
)

// longTrials are the lengths tried, as multiples of a trial: 100 and 300 ms, and the second
// of go test -bench, unless the study has other trials.
var longTrials = []time.Duration{2, 6, 20}

// longest returns the longest slice.
func (c *chooser) longest() time.Duration {
	return longTrials[len(longTrials)-1] * c.Study.Measure.Trial
}

// long gives the benchmark the shortest long slices that hold enough collections and
// measure what go test -bench does. The error is a misfit if there are none.
func (c *chooser) long(ctx context.Context) (err error) {
	for i, trials := range longTrials {
		length, last := trials*c.Study.Measure.Trial, i == len(longTrials)-1
		if !last && (c.setUp > length || c.operations(length) == c.operations(longTrials[i+1]*c.Study.Measure.Trial)) {
			continue // its set-up, or one operation, takes longer
		}
		b := *c.bench
		b.Gear, b.Long, b.Warm, b.Slices, b.N = assay.GearSlices, true, longWarm, longSlices, c.operations(length)
		b.OneCPU = false
		if enough, err := c.collects(ctx, b.N); err != nil {
			return err
		} else if !enough && !last {
			continue
		}
		if err = c.admitLong(ctx, &b, length); err == nil {
			*c.bench = b
			return nil
		}
		if _, other := reason(err); other != nil {
			return err
		}
	}
	return err
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
	b.Trial = (longSlices + longWarm) * (time.Duration(p.perOp*float64(b.N)*float64(time.Second)) + p.beside)
	return err
}

// operations returns how many operations take so long.
func (c *chooser) operations(length time.Duration) int {
	return max(1, calibration.RoundN(length.Seconds()/c.refs.typical()))
}

// collects reports whether n operations hold enough collections in every variant that
// allocates: they cost too little by less than maxBias, because package testing collects
// before each slice.
func (c *chooser) collects(ctx context.Context, n int) (enough bool, err error) {
	c.few, enough = nil, true
	for i, v := range c.variants {
		if r := c.refs[i]; r.Bytes*float64(n) >= boundCycles*r.RSS || r.Bytes == 0 {
			continue // a heap cannot grow by more than all memory between two collections
		}
		g, err := c.collecting(ctx, v)
		if err != nil {
			return false, err
		}
		x := g.Cycles * float64(n)
		if x >= leastCycles || g.Share*min(1, 1/(2*x)) <= maxBias {
			continue
		}
		enough = false
		if x < calibration.MinCycles {
			c.few = append(c.few, v.Name)
		}
	}
	return enough, nil
}

// A collecting says how a variant collects.
type collecting struct {
	Cycles float64 // for an operation, without those of a start and a set-up
	Share  float64 // of the CPU time; 1 if unknown
}

// collecting traces the collector of a variant for about as long as a slice of the second
// length. It reuses a result in memory.
func (c *chooser) collecting(ctx context.Context, v assay.Variant) (g collecting, err error) {
	a, err := c.Builds.Binary(v.Name, *c.bench)
	if err != nil {
		return g, err
	}
	name, most := c.bench.NameFor(v, c.plan.Study.Base), c.operations(longTrials[1]*c.Study.Measure.Trial)
	return remembered(c.Memo, a, c.memoName("collecting2-"+name, v, a), func() (g collecting, err error) {
		g.Share = 1
		for _, n := range []int{min(2, most), most} {
			r := c.request(v, a, n)
			r.GCTrace = true
			out, err := c.Machine.Run(ctx, r)
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
	r := lab.TogetherRequest{Gear: assay.GearSlices, Long: true, Warm: longWarm, Rounds: probeLong, CPUs: c.drawCPUs(b), Memory: c.memory()}
	outs, err := c.sliced(ctx, &r, b.N)
	if err != nil {
		return p, err
	}
	var wall, timed, scatter float64
	for _, out := range outs {
		times := out.Slices[assay.MetricTime]
		mean := stats.Mean(times)
		scatter += stats.Variance(times) / (mean * mean) / float64(len(times)*len(outs))
		if mean <= 0 {
			return p, misfit("a slice takes no time")
		}
		p.level = append(p.level, math.Log(mean))
		p.perOp = max(p.perOp, mean)
		wall, timed = max(wall, out.Wall.Seconds()), timed+mean*float64(b.N)*(longWarm+probeLong)
	}
	p.noise = math.Sqrt(scatter)
	p.beside = time.Duration(max(wall-timed, 0) / float64(len(outs)*(longWarm+probeLong)) * float64(time.Second))
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
