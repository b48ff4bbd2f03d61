package survey

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

const (
	// leastTurns is the minimum number of turns for a command.
	leastTurns = 20
	// Longer turns are tried if the variants take longerTurns longer than in the
	// references, in ln units. They are used if the variants take shorterTurns less time.
	longerTurns, shorterTurns = 0.14, 0.05
	// maxBusyTurns is maxBusy for programs with a concurrent garbage collector.
	maxBusyTurns = 1.1
)

// costlyTurns says why turns are not tried.
const costlyTurns = misfit("to try turns would take too much of the time")

// turns makes a command run in turns if that is right: it computes, and several of it can
// run at once. The error is a misfit if not.
func (c *chooser) turns(ctx context.Context) error {
	w := c.workload()
	forced := c.Study.Measure.Pair == assay.GearTurns
	switch {
	case forced:
	case len(w.Prepare)+len(w.Cleanup) > 0:
		return misfit("it has a preparation or a clean-up, which may not be for several at once")
	case c.costly(time.Duration(2*len(c.variants)) * c.bench.Trial): // a reference of each, and then all at once
		return costlyTurns
	}
	unfit := func(r reading) string {
		why := notForTurns(r)
		if least := leastTurns * lab.TurnLengths[0]; why == "" && r.PerOp < least.Seconds() {
			why = fmt.Sprintf("it takes less than %v, too little for turns,", least)
		}
		return why
	}
	if err := c.references(ctx, unfit, forced); err != nil {
		return err
	}
	b := *c.bench
	b.Gear, b.OneCPU = assay.GearTurns, c.refs.oneCPU(maxBusyTurns)
	level, err := c.turnLength(ctx, &b)
	if err == nil && !forced {
		err = c.disagree(ctx, "turns disagree with whole runs", level, notForTurns)
	}
	if err == nil {
		*c.bench = b
	}
	return err
}

// turnLength finds the shortest turns in which the variants take no longer than in longer
// ones, as far as that must be tried. It returns the logarithms of their times.
func (c *chooser) turnLength(ctx context.Context, b *assay.PlannedBenchmark) (level []float64, err error) {
	fastest := slices.MinFunc(c.refs, func(a, b reading) int { return cmp.Compare(a.PerOp, b.PerOp) }).PerOp
	for i, length := range lab.TurnLengths {
		if i > 0 && (fastest < leastTurns*length.Seconds() || c.refs.excess(level) < longerTurns) {
			break
		}
		try := *b
		try.Turn = length
		outs, err := c.tryTurns(ctx, &try)
		if err != nil {
			return nil, err
		}
		next := c.levels(outs, b.N)
		if i > 0 && c.refs.excess(level)-c.refs.excess(next) < shorterTurns {
			break
		}
		*b, level = try, next
	}
	return level, nil
}

// tryTurns runs all variants in turns once, and sets the time that a trial takes.
func (c *chooser) tryTurns(ctx context.Context, b *assay.PlannedBenchmark) ([]trial.Outcome, error) {
	r := lab.TogetherRequest{Gear: b.Gear, Turn: b.Turn, CPUs: design.CPUs(c.plan.Seed, *b, 0, 0, c.cpus), Memory: c.memory()}
	outs, err := c.together(ctx, &r, b.N)
	if err != nil {
		return nil, err
	}
	b.Trial = 0
	for i, out := range outs {
		if out.Status != assay.StatusOK {
			return nil, failsTogether(c.variants[i], out)
		}
		b.Trial = max(b.Trial, out.Wall/time.Duration(len(outs)))
	}
	return outs, nil
}

func failsTogether(v assay.Variant, out trial.Outcome) error {
	return misfit(fmt.Sprintf("it fails in %s where several run at once: %s", assay.Quoted(v.Name), out.Reason))
}

// levels returns the logarithms of the times of an operation.
func (c *chooser) levels(outs []trial.Outcome, n int) (out []float64) {
	for i, o := range outs {
		name := c.bench.NameFor(c.variants[i], c.plan.Study.Base)
		out = append(out, math.Log(o.Observations(name, n)[assay.MetricTime]))
	}
	return out
}

// notForTurns says why a command cannot run in turns, from its reference.
func notForTurns(r reading) string {
	switch {
	case r.Broken != "":
		return "the reference run failed: " + r.Broken
	case r.PerOp <= 0:
		return "it reports no time per operation"
	case r.Busy < minBusy:
		return fmt.Sprintf("it waits (or the machine had no time for it) for more than %.0f %% of its time", 100*(1-minBusy))
	}
	return ""
}
