package survey

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
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
	// counted; boundCycles is enough as a lower bound.
	leastCycles, boundCycles = 8, 3
	// farLength is the factor by which a slice may be longer or shorter than meant.
	farLength = 1.3
)

// fitLong shortens the trials of a benchmark to a share of their time: it has fewer
// slices, and a last one of at least half the length.
func fitLong(b *assay.PlannedBenchmark, share float64) {
	if share >= 1 {
		return
	}
	trial := share * float64(b.Trial)
	slice := float64(b.Trial) / float64(b.Slices+b.Warm)
	b.Slices = max(1, int(trial/slice)-b.Warm)
	if all := slice * float64(b.Slices+b.Warm); all > trial && b.N > 1 {
		n := max(1, int(float64(b.N)*max(trial/all, 0.5)))
		slice *= float64(n) / float64(b.N)
		b.N = n
	}
	b.Trial = time.Duration(slice * float64(b.Slices+b.Warm))
}

// longLengths are the lengths tried. The last is that of go test -bench.
var longLengths = []time.Duration{100 * time.Millisecond, 300 * time.Millisecond, time.Second}

// long gives the benchmark the shortest long slices that hold enough collections and
// measure what go test -bench does. The error is a misfit if there are none.
func (c *chooser) long(ctx context.Context) error {
	b := *c.bench
	b.Gear, b.Long, b.Warm, b.Slices = assay.GearSlices, true, longWarm, longSlices
	b.OneCPU = c.oneThread() && c.refs.oneCPU(maxBusy)
	var refused error
	for i, length := range longLengths {
		last := i == len(longLengths)-1
		b.N = c.operations(length)
		if next := c.operations(longLengths[min(i+1, len(longLengths)-1)]); !last && next == b.N {
			continue // one operation takes longer
		}
		if enough, err := c.collects(ctx, b.N); err != nil {
			return err
		} else if !enough && !last {
			continue
		}
		p, err := c.tryLong(ctx, b)
		if err != nil {
			return err
		}
		if off := p.length.Seconds() / length.Seconds(); b.N > 1 && (off < 1/farLength || off > farLength) {
			// The plain run met another speed of the machine, perhaps in an earlier run.
			b.N = max(1, lab.RoundN(float64(b.N)/off))
			if p, err = c.tryLong(ctx, b); err != nil {
				return err
			}
		}
		again := func() (measured, error) {
			p, err := c.tryLong(ctx, b)
			return p.measured, err
		}
		if !c.forced(assay.GearSlices) {
			if refused = c.admit(ctx, slicesDisagree, p.measured, again, unfit); refused != nil {
				if _, err := reason(refused); err != nil {
					return err
				}
				continue
			}
		}
		b.Trial = (longSlices + longWarm) * (p.length + p.beside)
		if p.beside > p.length && !c.forced(assay.GearSlices) {
			return misfit(slowSetUp)
		}
		*c.bench = b
		return nil
	}
	return refused
}

// oneThread reports whether the variants use one thread at a time: either none collects
// beside its operations, or all have one P.
func (c *chooser) oneThread() bool {
	return !c.refs.allocate() || !slices.ContainsFunc(c.variants, func(v assay.Variant) bool { return trial.Procs(c.Study.Measure, v) != 1 })
}

// operations returns how many operations take so long.
func (c *chooser) operations(length time.Duration) int {
	return max(1, lab.RoundN(length.Seconds()/c.refs.typical()))
}

// collects reports whether n operations cause enough collections in every variant.
func (c *chooser) collects(ctx context.Context, n int) (bool, error) {
	c.few = nil
	if !c.refs.allocate() || c.refs.cycles(n) >= boundCycles {
		return true, nil
	}
	enough := true
	for _, v := range c.variants {
		cycles, err := c.cycles(ctx, v, n)
		if err != nil {
			return false, err
		}
		if cycles < minGCCycles {
			c.few = append(c.few, v.Name)
		}
		enough = enough && cycles >= leastCycles
	}
	return enough, nil
}

// cycles counts the collections that n operations of a variant cause, beside those of a
// start and a set-up. It reuses a result in memory.
func (c *chooser) cycles(ctx context.Context, v assay.Variant, n int) (cycles int, err error) {
	a, err := c.Builds.Binary(v.Name, *c.bench)
	if err != nil {
		return 0, err
	}
	name := c.bench.NameFor(v, c.plan.Study.Base)
	return remembered(c.Memo, a, c.memoName(fmt.Sprintf("cycles1-%d-%s", n, name), v, a), func() (int, error) {
		var counts [2]int
		for i, n := range []int{min(2, n), n} {
			r := c.request(v, a, n)
			r.GCTrace = true
			out, err := c.Machine.Run(ctx, r)
			if err != nil {
				return 0, err
			}
			if out.Status != assay.StatusOK {
				return 0, misfitIn(v, "it failed: "+out.Reason)
			}
			counts[i] = out.GCCycles
		}
		return counts[1] - counts[0], nil
	})
}

// A longProbe is the result of a few long slices of every variant.
type longProbe struct {
	measured                     // of the mean of the slices
	length, beside time.Duration // of a slice of the slowest variant; its time outside the operations
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
		p.length = max(p.length, time.Duration(mean*float64(b.N)*float64(time.Second)))
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
