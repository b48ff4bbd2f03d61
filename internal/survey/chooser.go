package survey

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/calibration"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// chooser finds the gear of one benchmark.
type chooser struct {
	surveyor *surveyor
	plan     *assay.Plan
	bench    *assay.PlannedBenchmark
	base     calibrated
	variants []assay.Variant
	machine  lab.SideBySide
	cpus     []int              // CPUs that trials can be bound to
	refs     calibration.Plains // of the variants
	anew     bool               // do not take references from memory
	drawn    int                // draws of a CPU so far
	until    time.Time          // when its share of the time is over
	uneven   bool               // short slices measure something else than plain runs
	setUp    time.Duration      // of a slice outside its operations, in the base
}

// A misfit is the error that says why a benchmark cannot be measured in a gear.
type misfit string

func (m misfit) Error() string { return string(m) }

// misfitIn is a misfit of one variant.
func misfitIn(v assay.Variant, why string) error {
	return misfit(fmt.Sprintf("%s in %s", why, assay.Quoted(v.Name)))
}

// reason returns the text of a misfit; another error stays one.
func reason(err error) (string, error) {
	if m, ok := errors.AsType[misfit](err); ok {
		return string(m), nil
	}
	return "", err
}

// workload returns the benchmark's workload.
func (c *chooser) workload() assay.Workload { return c.surveyor.Study.Workloads[c.bench.Workload] }

// trials returns the time of so many trials.
func (c *chooser) trials(n int) time.Duration {
	return time.Duration(n) * c.surveyor.Study.Measure.Trial
}

// references runs every variant once, as go test -bench does. The error is a misfit if one
// rules slices out.
func (c *chooser) references(ctx context.Context) error {
	for i := len(c.refs); i < len(c.variants); i++ {
		ref, err := c.reference(ctx, i)
		if err != nil {
			return err
		}
		if c.refs = append(c.refs, ref); ref.Broken != "" {
			break
		}
	}
	for i, v := range c.variants[:len(c.refs)] {
		if why := c.unfit(c.refs[i]); why != "" {
			return misfitIn(v, why)
		}
	}
	return nil
}

// memory returns the memory that all variants and the control need at once, in bytes.
func (c *chooser) memory() (sum uint64) {
	for i, r := range c.refs {
		sum += uint64(r.RSS)
		if c.variants[i].Name == c.plan.Study.Base && c.plan.ControlVariant() != "" {
			sum += uint64(r.RSS)
		}
	}
	return sum
}

// unfit says why a benchmark cannot be measured in slices, from its reference.
func (c *chooser) unfit(r calibration.Plain) string {
	switch {
	case r.Broken != "":
		return "the reference run failed: " + r.Broken
	case r.PerOp <= 0:
		return "it reports no time per operation"
	case r.Untrue:
		return "the time that it reports is not that of its operations"
	case r.PerOp > sliceLengths[len(sliceLengths)-1].Seconds():
		return tooLong
	}
	return ""
}

// untrue is the factor by which all operations may take less than was asked for.
const untrue = 5

// target returns the total time of a variant's slices in a block.
func (c *chooser) target() time.Duration {
	return cmp.Or(c.workload().BenchTime, c.surveyor.Study.Measure.Trial)
}

// How the set-up of a slice is measured: by two slices, and, unless those took longer than
// slowSetUps, by so many more. The first two hold the start of the process.
const (
	slowSetUps = 100 * time.Millisecond
	moreSetUps = 10
)

// measureSetUp measures the time of a short slice of the base outside its operations. Package
// testing sets a benchmark up, and collects, before each.
func (c *chooser) measureSetUp(ctx context.Context) error {
	v := c.variants[c.baseAt()]
	a, err := c.surveyor.Builds.Binary(v.Name, *c.bench)
	if err != nil {
		return err
	}
	n := max(1, int(sliceLengths[0].Seconds()/c.refs.Typical()))
	wall := func(slices int) (time.Duration, error) {
		r := c.request(v, a, n)
		r.Warm = slices - 1
		out, err := c.surveyor.runOrRetry(ctx, r)
		if err == nil && out.Status != assay.StatusOK {
			err = misfitIn(v, "it failed: "+out.Reason)
		}
		return out.Wall, err
	}
	two, err := wall(2)
	c.setUp = two / 2
	if err != nil || two > slowSetUps {
		return err
	}
	all, err := wall(2 + moreSetUps)
	operations := time.Duration(float64(n) * c.refs[c.baseAt()].PerOp * float64(time.Second))
	c.setUp = min(c.setUp, max(0, (all-two)/moreSetUps-operations))
	return err
}

// referenceTime returns the length of reference runs: that of go test -bench, or less if
// there are many benchmarks, so that calibration takes at most calibrationShare of the
// budget.
func (c *chooser) referenceTime() time.Duration {
	runs := time.Duration(len(c.plan.Benchmarks) * len(c.variants))
	for _, trials := range referenceTrials {
		long := c.trials(trials)
		// Package testing takes about half as long again to find the number of operations;
		// the tries of slices take as long as that.
		if c.surveyor.Left == nil || float64(runs*long*2) <= calibrationShare*float64(2*c.surveyor.half) {
			return long
		}
	}
	return c.trials(referenceTrials[len(referenceTrials)-1])
}

// reference runs variant i as go test -bench does, for a second unless the study has other
// trials; anew with as many operations as before. It reuses a result in memory for the
// same artifact.
func (c *chooser) reference(ctx context.Context, i int) (r calibration.Plain, err error) {
	v := c.variants[i]
	a, err := c.surveyor.Builds.Binary(v.Name, *c.bench)
	if err != nil {
		return r, err
	}
	name, length, known := c.bench.NameFor(v, c.plan.Study.Base), c.referenceTime(), 0
	if c.anew && i < len(c.refs) {
		known = c.refs[i].N
	}
	memo := c.surveyor.memoName(fmt.Sprintf("ref4-%v-%s", length, name), v, a)
	if !c.anew && c.surveyor.Memo.load(a, memo, &r) {
		return r, nil
	}
	// A plain run has a sixth of the budget, or five times as long as its operations if that
	// is more. Package testing needs 1.5 to 2.5 times; the rest is set-up, or a timer that
	// stands still: with both calls in the loop, operations of 100 ns took 100 times as long.
	request, limit := c.request(v, a, 0), max(5*length, c.surveyor.half/3)
	if known > 0 {
		request.N = known
	} else {
		request.Time = length
	}
	if c.surveyor.Left != nil && limit < request.Study.Measure.Timeout {
		short := *request.Study
		short.Measure.Timeout, request.Study = limit, &short
	}
	out, err := c.surveyor.runOrRetry(ctx, request)
	switch {
	case err != nil:
		return r, err
	case out.Status == assay.StatusTimeout && request.Study != c.surveyor.Study:
		return calibration.Plain{Broken: fmt.Sprintf("%v of operations took more than %v", length, limit), Still: true}, nil
	case out.Status != assay.StatusOK:
		return calibration.Plain{Broken: out.Reason}, nil
	}
	found, _ := out.Reading(name)
	r = calibration.Plain{N: found.N, PerOp: found.Values[assay.MetricTime], RSS: float64(out.PeakRSS), Bytes: found.Values[assay.MetricBytes], Allocs: found.Values[assay.MetricAllocs]}
	if claimed := r.PerOp * float64(found.N); request.Time > 0 && found.N < calibration.MaxN {
		// Package testing runs as many operations as take the time.
		r.Untrue = claimed < request.Time.Seconds()/untrue || claimed > 1.05*out.Wall.Seconds()
	}
	if out.Wall > 0 {
		r.Busy = float64(out.User+out.Sys) / float64(out.Wall)
	}
	c.surveyor.Memo.store(a, memo, r)
	return r, nil
}

// affordable returns the longest trial of which twice as many blocks as a first verdict
// takes fit into the budget, but not less than a trial of the study.
func (c *chooser) affordable() time.Duration {
	trial := c.surveyor.Study.Measure.Trial
	longest := c.trials(2 * longer[len(longer)-1])
	if c.surveyor.Left == nil {
		return longest
	}
	trials := 2 * design.LeastBlocks(c.plan) * len(c.plan.Benchmarks) * len(c.plan.Variants)
	left := time.Duration((1 - calibrationShare - linkShare) * float64(2*c.surveyor.half))
	return max(min(left/time.Duration(trials), longest), trial)
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

// drawCPUs draws the processors for one try of a gear. Each try has others, since one may
// be slower.
func (c *chooser) drawCPUs(b assay.PlannedBenchmark) []int {
	c.drawn++
	return design.CPUs(c.plan.Seed, b, 0, c.drawn, c.cpus)
}

// together runs every variant side by side with each number of iterations. The error is a
// misfit if there is no memory for them.
func (c *chooser) together(ctx context.Context, r *lab.TogetherRequest, counts ...int) ([]trial.Outcome, error) {
	for _, n := range counts {
		for _, v := range c.variants {
			a, err := c.surveyor.Builds.Binary(v.Name, *c.bench)
			if err != nil {
				return nil, err
			}
			r.Arms = append(r.Arms, c.request(v, a, n))
		}
	}
	r.Turns = design.Turns{Seed: c.plan.Seed, Benchmark: c.bench.Benchmark, Arms: len(r.Arms)}
	outs, err := c.machine.Together(ctx, *r)
	if err == nil && died(outs...) {
		outs, err = c.machine.Together(ctx, *r)
	}
	if errors.Is(err, lab.ErrNoMemory) {
		err = misfit(err.Error())
	}
	return outs, err
}

// request returns a run of a variant with n iterations.
func (c *chooser) request(v assay.Variant, a lab.Artifact, n int) lab.RunRequest {
	return lab.RunRequest{Study: c.surveyor.Study, Workload: c.bench.Workload, Artifact: a, Variant: v, Names: []string{c.bench.NameFor(v, c.plan.Study.Base)},
		N: n, Output: c.bench.Output, Benchmark: c.bench.Benchmark}
}

// notSliced says why the study rules out slices for a Go benchmark.
func (c *chooser) notSliced() error {
	for _, metric := range c.surveyor.Study.Decide.Metrics {
		if metric == assay.MetricUser || metric == assay.MetricSys {
			return misfit(metric + " decides, and slices do not measure CPU time")
		}
	}
	return nil
}

// excluded says why the study rules out measuring a benchmark side by side.
func (c *chooser) excluded() error {
	if iters := c.workload().BenchIters; iters > 0 {
		return misfit(fmt.Sprintf("-benchtime=%dx fixes the number of iterations", iters))
	}
	return nil
}

// sideBySide sets the machine that runs Go benchmarks side by side, if there is one;
// commands and services run alone. The error is a misfit.
func (c *chooser) sideBySide() error {
	m, ok := c.surveyor.Machine.(lab.SideBySide)
	if !ok || c.workload().Kind != assay.KindGoTest {
		return nil
	}
	cpus, err := m.CPUs()
	switch {
	case c.surveyor.Platform.Emulated != "":
		return misfit(c.surveyor.Platform.Emulated + " runs the programs: what trials side by side share is not known in an emulator")
	case err != nil:
		return misfit(err.Error())
	case len(cpus) == 0:
		return nil
	}
	c.machine, c.cpus = m, cpus
	return c.excluded()
}
