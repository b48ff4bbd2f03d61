package survey

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
)

// How calibration chooses the gear of a benchmark (docs/methodology.md).
const (
	// reference is the length of the run that all shorter ones are compared with, as a
	// multiple of a trial: with the default trial it is the second of go test -bench.
	referenceTrials = 20
	// shortReference is its length if a longer run would take more than referenceShare of
	// the remaining time.
	shortReference = 2
	referenceShare = 0.2

	// A benchmark whose CPU time is between these shares of its wall time keeps one CPU
	// busy. One below waits, or the machine had no time for it.
	minBusy, maxBusy = 0.7, 1.25
)

// chooser finds the gear of one benchmark.
type chooser struct {
	*surveyor
	plan     *assay.Plan
	bench    *assay.PlannedBenchmark
	base     calibrated
	variants []assay.Variant
	cpus     []int    // CPUs that trials can be bound to
	refs     readings // of the variants
	anew     bool     // do not take references from memory
}

// A gearNote is what to report about the gear of a benchmark.
type gearNote struct {
	// noSlices and noTurns say why it runs in neither; "" if there is nothing to report.
	noSlices, noTurns string
	// few are the variants in which a trial spans too few collections.
	few []string
}

// chooseGear sets the gear of a benchmark that is calibrated on the base as a process.
func (s *surveyor) chooseGear(ctx context.Context, p *assay.Plan, b *assay.PlannedBenchmark, base calibrated) (note gearNote, err error) {
	c := &chooser{surveyor: s, plan: p, bench: b, base: base}
	for _, v := range p.Variants {
		if v.Name != assay.ControlName && !slices.Contains(b.Missing, v.Name) {
			c.variants = append(c.variants, v)
		}
	}
	m, why, err := c.sideBySide()
	if m != nil && why == "" {
		switch c.kind() {
		case assay.KindGoTest:
			return c.ofTest(ctx, m)
		case assay.KindCommand:
			why, err = c.turns(ctx, m)
		case assay.KindService:
			why, err = c.loadTurns(ctx, m)
		}
	}
	if err != nil || b.Gear != "" {
		return note, err
	}
	note.noTurns = why
	note.few, err = c.longEnough(ctx)
	return note, err
}

// kind returns the workload's kind.
func (c *chooser) kind() assay.Kind { return c.study.Workloads[c.bench.Workload].Kind }

// sideBySide returns the machine that runs trials side by side, nil if there is none or
// the study forbids it. why says why no benchmark of the kind can use it.
func (c *chooser) sideBySide() (m lab.SideBySide, why string, err error) {
	kind, forced := c.kind(), c.study.Measure.Pair
	if forced == assay.GearProcesses {
		return nil, "", nil
	}
	m, ok := c.m.(lab.SideBySide)
	if !ok {
		return nil, "", nil
	}
	switch c.cpus, err = m.CPUs(); {
	case err != nil:
		return nil, err.Error(), nil
	case len(c.cpus) == 0:
		return nil, "", nil
	case kind != assay.KindGoTest && forced == assay.GearSlices:
		return m, fmt.Sprintf("%s are not for this kind of workload (%s)", forced, kind), nil
	}
	return m, c.excluded(), nil
}

// ofTest chooses the gear of a Go benchmark: slices, else turns, else processes.
func (c *chooser) ofTest(ctx context.Context, m lab.SideBySide) (note gearNote, err error) {
	forced := c.study.Measure.Pair
	if forced != assay.GearTurns {
		if note.noSlices = c.notSliced(); note.noSlices == "" {
			note.noSlices, err = c.slices(ctx, m)
		}
		if err != nil || c.bench.Gear != "" {
			return note, err
		}
	}
	if note.few, err = c.longEnough(ctx); err != nil || forced == assay.GearSlices {
		return note, err
	}
	note.noTurns, err = c.testTurns(ctx, m)
	return note, err
}

// longEnough makes the trials of a benchmark that runs as a process long enough, and
// warms it up if it allocates. few are the variants in which they still span too few
// collections.
func (c *chooser) longEnough(ctx context.Context) (few []string, err error) {
	few, err = c.spanAll(ctx, c.plan, c.bench, c.base)
	// If it takes a second, go test -bench measures the first operation, too.
	first := c.bench.N == 1 && c.bench.Trial >= maxTrial
	if err == nil && c.base.Allocates && !first && c.study.Workloads[c.bench.Workload].BenchIters == 0 {
		c.bench.Warm = 1
		c.bench.Trial *= 2
	}
	return few, err
}

// notSliced says why the study, or the calibration, rules out slices for a Go benchmark.
func (c *chooser) notSliced() string {
	for _, metric := range c.study.Decide.Metrics {
		if metric == assay.MetricUser || metric == assay.MetricSys {
			return metric + " decides, and slices do not measure CPU time"
		}
	}
	if c.bench.Trial/time.Duration(c.bench.N) > 2*sliceLengths[len(sliceLengths)-1] {
		return tooLong
	}
	return ""
}

// excluded says why the study rules out measuring a benchmark side by side.
func (c *chooser) excluded() string {
	m, w := c.study.Measure, c.study.Workloads[c.bench.Workload]
	switch {
	case w.BenchIters > 0:
		return fmt.Sprintf("-benchtime=%dx fixes the number of iterations", w.BenchIters)
	case m.Inner > 1:
		return fmt.Sprintf("--inner asks for %d trials a block", m.Inner)
	}
	return ""
}

// references runs every variant once, as go test -bench does.
func (c *chooser) references(ctx context.Context) error {
	for _, v := range c.variants[len(c.refs):] {
		ref, err := c.reference(ctx, v)
		if err != nil {
			return err
		}
		c.refs = append(c.refs, ref)
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
func unfit(r reading) string {
	switch {
	case r.Broken != "":
		return "the reference run failed: " + r.Broken
	case r.Allocs > 0 || r.Bytes > 0:
		return "it allocates: a slice would be measured without the garbage collections that this causes"
	case r.PerOp <= 0:
		return "it reports no time per operation"
	case r.PerOp > sliceLengths[len(sliceLengths)-1].Seconds():
		return tooLong
	}
	return ""
}

// target returns the total time of a variant's slices in a block.
func (c *chooser) target() time.Duration {
	if t := c.study.Workloads[c.bench.Workload].BenchTime; t > 0 {
		return t
	}
	return c.study.Measure.Trial
}

// setUp estimates the time of a benchmark before its operations. A trial spends it twice.
func (c *chooser) setUp() time.Duration {
	i := c.baseAt()
	return max(c.bench.Trial/time.Duration(c.bench.Warm+1)-time.Duration(c.refs[i].PerOp*float64(c.bench.N)*float64(time.Second)), 0) / 2
}

// referenceTime returns the length of the reference runs, shorter in a study of many
// benchmarks.
func (c *chooser) referenceTime() time.Duration {
	long := referenceTrials * c.study.Measure.Trial
	// Package testing takes about half as long again to find the number of operations.
	all := time.Duration(len(c.plan.Benchmarks)*len(c.variants)) * long * 3 / 2
	if c.left != nil && float64(all) > referenceShare*float64(2*c.half) {
		return shortReference * c.study.Measure.Trial
	}
	return long
}

// referenceTrials runs a variant as go test -bench does, for a second unless the study has
// other trials. It reuses a result in memory for the same artifact.
func (c *chooser) reference(ctx context.Context, v assay.Variant) (r reading, err error) {
	a, err := c.builds.Binary(v.Name, *c.bench)
	if err != nil {
		return r, err
	}
	name, length := c.bench.NameFor(v, c.plan.Study.Base), c.referenceTime()
	memo := c.memoName(fmt.Sprintf("ref2-%v-%s", length, name), v, a)
	if !c.anew && c.memo.load(a, memo, &r) {
		return r, nil
	}
	request := c.request(v, a, 0)
	if request.Time = length; c.study.Workloads[c.bench.Workload].IsProgram() {
		request.N, request.Time = 1, 0
	}
	out, err := c.m.Run(ctx, request)
	if err != nil {
		return r, err
	}
	if out.Status != assay.StatusOK {
		return reading{Broken: out.Reason}, nil
	}
	found, _ := out.Reading(name)
	r = reading{PerOp: found.Values[assay.MetricTime], RSS: float64(out.PeakRSS), Bytes: found.Values[assay.MetricBytes], Allocs: found.Values[assay.MetricAllocs]}
	if out.Wall > 0 {
		r.Busy = float64(out.User+out.Sys) / float64(out.Wall)
	}
	c.memo.store(a, memo, r)
	return r, nil
}

// request returns a run of a variant with n iterations.
func (c *chooser) request(v assay.Variant, a lab.Artifact, n int) lab.RunRequest {
	return lab.RunRequest{Study: c.study, Workload: c.bench.Workload, Artifact: a, Variant: v, Names: []string{c.bench.NameFor(v, c.plan.Study.Base)},
		N: n, Output: c.bench.Output, Benchmark: c.bench.Benchmark}
}

// pairWarnings lists the benchmarks that are measured in turns, or as processes, and why.
func pairWarnings(forced assay.Gear, bs []assay.PlannedBenchmark, notes map[assay.Benchmark]gearNote) (out []assay.Warning) {
	type kind struct {
		gear              assay.Gear
		noSlices, noTurns string
	}
	names := map[kind][]string{}
	var order []kind
	for _, b := range bs {
		note := notes[b.Benchmark]
		k := kind{b.Gear, note.noSlices, note.noTurns}
		if b.Gear == assay.GearSlices || note.noSlices+note.noTurns == "" {
			continue
		}
		if names[k] == nil {
			order = append(order, k)
		}
		names[k] = append(names[k], b.Name)
	}
	for _, k := range order {
		one := assay.Warning{Code: assay.CodePair, Text: "measured in turns: " + printable.Few(names[k], someNames), Facts: slices.DeleteFunc([]string{k.noSlices, k.noTurns}, func(why string) bool { return why == "" })}
		switch {
		case k.gear == "" && forced != "":
			one = assay.Warning{Code: assay.CodeNoPair, Text: fmt.Sprintf("%s cannot be measured in %s, and run as processes", printable.Few(names[k], someNames), forced),
				Facts: one.Facts, Try: "--pair=auto"}
		case k.gear == "":
			one.Text = "measured as processes, one after the other: " + printable.Few(names[k], someNames)
		}
		out = append(out, one)
	}
	return out
}
