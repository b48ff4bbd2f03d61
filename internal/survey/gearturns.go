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
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/trial"
)

const (
	// leastTurns is the minimum number of turns for a command.
	leastTurns = 20
	// Longer turns are tried if the variants take longerTurns longer than in the
	// references, in ln units. They are used if the variants take shorterTurns less time.
	longerTurns, shorterTurns = 0.14, 0.05
	// turnsTime is the total time of the counted runs of a Go benchmark, in trials.
	turnsTime = 4
	// testRuns is the number of runs of a Go benchmark in a block.
	testRuns = 2
	// maxBusyTurns is maxBusy for programs with a concurrent garbage collector.
	maxBusyTurns = 1.1
	// nearTurns is how far the changes between variants in two tries of turns may differ,
	// in ln units: they scatter by 3 to 5 %.
	nearTurns = 0.1
	// A heap counts as grown if the memory of a reference run is larger than in turns by
	// this factor, and by a heap of the minimum size: with a concurrent collector the
	// largest heap varies by a third from run to run.
	grown, grownBytes = 1.5, 4 << 20
	// A heap that still grows is larger by these in runs of twice the length.
	growing, growingBytes = 1.2, 2 << 20
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

// testTurns makes a Go benchmark run in turns if that is right. Runs are as long as a
// trial that spans its collections, and long enough for the heap of the reference run.
func (c *chooser) testTurns(ctx context.Context) error {
	forced := c.Study.Measure.Pair == assay.GearTurns
	for _, v := range c.variants {
		switch a, err := c.Builds.Binary(v.Name, *c.bench); {
		case err != nil:
			return err
		case !a.Clock:
			return misfitIn(v, "assay cannot exclude stops from the clock of package testing")
		}
	}
	if err := c.references(ctx, notForTurns, forced); err != nil {
		return err
	}
	timed := turnsTime * c.target() // of a variant in a block
	if c.setUp() > timed && !forced {
		return misfit("its set-up takes longer than its timed part")
	}
	b := *c.bench
	b.Gear, b.OneCPU = assay.GearTurns, c.refs.oneCPU(maxBusyTurns)
	b.N, b.Slices = c.runs(timed)
	outs, err := c.tryTurns(ctx, &b)
	for err == nil && b.N < c.longest() && c.refs.grows(outs) {
		longer, before := b, outs
		longer.N = min(2*b.N, c.longest())
		if outs, err = c.tryTurns(ctx, &longer); err == nil && !heapGrew(before, outs) {
			outs = before
			break // the heap of the reference was larger for another reason
		}
		b = longer
	}
	if err == nil && b.N < c.longest() && c.refs.apart("", c.levels(outs, b.N)) != nil {
		b, err = c.asLong(ctx, b, outs)
	}
	if err == nil {
		c.least[b.Benchmark] = c.refs.shortest(c.bench.N)
		*c.bench = b
	}
	return err
}

// A shortest is the number of iterations of a run in turns that still spans its
// collections in every variant, and the time of an operation, the mean over the variants.
type shortest struct {
	n     int
	perOp float64 // seconds
}

// fitTurns shortens the runs of Go benchmarks in turns if there is not enough time for
// one and a half times the blocks of the first verdict. Runs may be longer than their
// collections need: a reference met another speed of the machine, or the heap grows,
// which the first run does for the others. A verdict is worth more.
func fitTurns(p *assay.Plan, least map[assay.Benchmark]shortest) {
	for range 3 { // benchmarks at their shortest leave more to the others
		f := schedule.Foresee(p)
		room := time.Duration(float64(f.Time) / (spareBlocks * float64(f.First)))
		var timed float64 // seconds of a block that could be saved
		over := (f.Block - room).Seconds()
		if f.Time <= 0 || over <= 0 {
			return
		}
		for i := range p.Benchmarks {
			n, one := needless(&p.Benchmarks[i], least)
			timed += float64(n) * one * f.Share.Present()
		}
		if timed <= 0 {
			return
		}
		for i := range p.Benchmarks {
			b := &p.Benchmarks[i]
			n, one := needless(b, least)
			less := int(float64(n) * min(over/timed, 1))
			b.N -= less
			b.Trial -= time.Duration(float64(less) * one * float64(time.Second))
		}
	}
}

// needless returns how many iterations fewer the runs of a benchmark could have, and what
// one fewer in each of its runs saves, in seconds.
func needless(b *assay.PlannedBenchmark, least map[assay.Benchmark]shortest) (n int, one float64) {
	l, ok := least[b.Benchmark]
	if !ok || b.Gear != assay.GearTurns || b.N <= l.n {
		return 0, 0
	}
	return b.N - l.n, l.perOp * float64(b.Slices+b.Warm)
}

// asLong decides about turns that disagree with the reference runs, which may have met
// another speed of the machine. It compares with turns of the same length as the
// references, and uses the shortest runs, doubling each time, that agree with these.
func (c *chooser) asLong(ctx context.Context, b assay.PlannedBenchmark, outs []trial.Outcome) (assay.PlannedBenchmark, error) {
	long := b
	long.N, long.Slices = c.longest(), 1
	longer, err := c.tryTurns(ctx, &long)
	for err == nil && b.N < long.N {
		far, differ := distance(c.levels(outs, b.N), c.levels(longer, long.N))
		if far <= nearReference && differ <= nearTurns {
			return b, nil
		}
		b.N, b.Slices = 2*b.N, 1
		if b.N < long.N {
			outs, err = c.tryTurns(ctx, &b)
		}
	}
	return long, err
}

// runs returns the number of iterations of a run in turns, and the number of runs.
// Package testing collects before each, so one is at least as long as a trial.
func (c *chooser) runs(timed time.Duration) (n, rounds int) {
	n, rounds = c.bench.N, testRuns
	one := c.refs.perOp() * float64(n)
	if c.setUp().Seconds() > timed.Seconds()/8 || one >= timed.Seconds() {
		rounds = 1
	}
	if want := timed.Seconds() / float64(rounds); one < want {
		n = lab.RoundN(float64(n) * want / one)
	}
	return n, rounds
}

// longest returns the number of iterations of the reference runs.
func (c *chooser) longest() int {
	return lab.RoundN(max(c.referenceTime().Seconds()/c.refs.perOp(), 1))
}

// heapGrew reports whether the memory of a variant is larger in the second try.
func heapGrew(before, after []trial.Outcome) bool {
	for i := range before {
		if float64(after[i].PeakRSS) > growing*float64(before[i].PeakRSS)+growingBytes {
			return true
		}
	}
	return false
}

// tryTurns runs all variants in turns once, and sets the time that a trial takes.
func (c *chooser) tryTurns(ctx context.Context, b *assay.PlannedBenchmark) ([]trial.Outcome, error) {
	r := lab.TogetherRequest{Gear: b.Gear, Warm: b.Warm, Rounds: b.Slices, Turn: b.Turn, CPUs: design.CPUs(c.plan.Seed, *b, 0, 0, c.cpus), Memory: c.memory()}
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
		out = append(out, math.Log(lab.InTurns(o, name, n)[assay.MetricTime]))
	}
	return out
}

// notForTurns says why a benchmark or command cannot run in turns, from its reference.
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
