package survey

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/trial"
)

// Limits of calibration, from docs/methodology.md.
const (
	maxTrial     = time.Second  // the longest trial, unless the study has another
	maxCold      = maxTrial / 2 // from here on the first iteration is enough
	minGCCycles  = 3            // a trial of a benchmark that allocates spans whole cycles
	maxSetUp     = 0.40         // of a trial's wall time
	calibrations = 8            // maximum number of runs to hit the target time

	longStart = 100 * time.Millisecond // longer than a process takes to start
	maxOver   = 3 * maxTrial           // longer trials are shortened
)

// A subject is a benchmark in one variant, to be calibrated.
type subject struct {
	*surveyor
	bench    assay.PlannedBenchmark
	variant  assay.Variant
	artifact lab.Artifact
	name     string // of the benchmark in the variant
}

// subject returns what a variant runs of a benchmark.
func (s *surveyor) subject(b assay.PlannedBenchmark, v assay.Variant) (subject, error) {
	a, err := s.Builds.Binary(v.Name, b)
	return subject{s, b, v, a, b.NameFor(v, s.Study.Base)}, err
}

// workload returns the benchmark's workload.
func (s subject) workload() assay.Workload { return s.Study.Workloads[s.bench.Workload] }

// run runs it once with some number of iterations. The error may be a brokenError.
func (s subject) run(ctx context.Context, n int, gc bool) (trial.Outcome, error) {
	out, err := s.runOrRetry(ctx, lab.RunRequest{Study: s.Study, Workload: s.bench.Workload, Artifact: s.artifact, Variant: s.variant, Names: []string{s.name},
		N: n, GCTrace: gc, Output: s.bench.Output, Benchmark: s.bench.Benchmark})
	if err == nil && out.Status != assay.StatusOK {
		err = &brokenError{name: s.name, status: out.Status, reason: out.Reason}
	}
	return out, err
}

// size calibrates a Go benchmark, times a command, or warms up a service.
func (s subject) size(ctx context.Context) (calibrated, error) {
	kind := s.workload().Kind
	if kind == assay.KindService {
		return s.warmUp(ctx)
	}
	name := s.memoName("n4-"+s.name, s.variant, s.artifact) // a new number if N is computed differently
	return remembered(s.Memo, s.artifact, name, func() (calibrated, error) {
		if kind == assay.KindCommand {
			return s.time(ctx)
		}
		return s.calibrate(ctx)
	})
}

// shortCommand is the duration below which the first run, with cold caches, is repeated.
const shortCommand = time.Second

// time runs a command to learn its duration and metrics. One run is one iteration.
func (s subject) time(ctx context.Context) (c calibrated, err error) {
	for range 2 {
		out, err := s.run(ctx, 1, false)
		if err != nil {
			return c, err
		}
		c = calibrated{N: 1, Trial: out.Wall, Metrics: slices.Sorted(maps.Keys(out.Observations(s.name, 1)))}
		if c.Trial >= shortCommand {
			break
		}
	}
	return c, nil
}

// calibrate finds the iteration count with which a trial of the base takes about the
// target time. It is then fixed for every variant, so that both sides do the same work.
func (s subject) calibrate(ctx context.Context) (calibrated, error) {
	w := s.workload()
	target := cmp.Or(w.BenchTime, s.Study.Measure.Trial)
	run := s.prober(ctx)
	if w.BenchIters > 0 {
		p, err := run(w.BenchIters, false)
		return calibrated{N: w.BenchIters, Trial: p.wall, Timeless: p.timeless}, err
	}
	p, err := reach(run, target)
	if err != nil {
		return calibrated{}, err
	}
	limit := max(maxTrial, target)
	var few bool
	if p, few, err = spanCycles(run, p, limit); err != nil {
		return calibrated{}, err
	}
	allocates := p.bytes > 0
	p, err = outweighSetUp(run, p, limit)
	return calibrated{N: p.n, Trial: p.wall, Timeless: p.timeless, Allocates: allocates, FewCycles: few}, err
}

// A probe is one calibration run.
type probe struct {
	n        int
	measured time.Duration // n times sec/op, unless the clock differs
	beyond   time.Duration // how much wall is longer than that of the first run
	wall     time.Duration // of the process
	bytes    float64       // B/op
	cycles   int
	clocked  bool // measured comes from the clock
	timeless bool // the benchmark reports no ns/op
}

// prober returns a function that runs a subject with n iterations. It uses the clock if
// the benchmark's own time is wrong.
func (s subject) prober(ctx context.Context) func(n int, gc bool) (probe, error) {
	return byTheClock(func(n int, gc bool) (probe, error) {
		out, err := s.run(ctx, n, gc)
		if err != nil {
			return probe{}, err
		}
		o := out.Observations(s.name, n)
		_, timed := o[assay.MetricTime]
		return probe{
			timeless: !timed,
			n:        n, wall: out.Wall, bytes: o[assay.MetricBytes], cycles: out.GCCycles,
			measured: time.Duration(o[assay.MetricTime] * float64(n) * float64(time.Second)),
		}, nil
	})
}

// byTheClock returns run with the wall-clock time of the operations if the benchmark's
// own time is impossible: an author may report another number as ns/op, or 0, which hides
// it. The first run is mostly start and set-up; the time beyond it is that of the
// operations.
func byTheClock(run func(n int, gc bool) (probe, error)) func(n int, gc bool) (probe, error) {
	var first time.Duration
	untrue := false // its own time
	return func(n int, gc bool) (probe, error) {
		p, err := run(n, gc)
		if err != nil {
			return p, err
		}
		if n == 1 && !gc {
			first = p.wall
		}
		p.beyond = max(p.wall-first, 0)
		untrue = untrue || p.measured <= 0 || p.measured > p.wall || p.beyond > maxTrial && p.beyond > 2*p.measured
		if untrue {
			p.measured, p.clocked = p.beyond, true
		}
		return p, nil
	}
}

// brokenError means that a benchmark cannot be measured; others can.
type brokenError struct {
	name   string
	status assay.Status
	reason string
}

func (e *brokenError) Error() string {
	return fmt.Sprintf("%s: %s: %s", e.name, e.status, e.reason)
}

// reach grows n until the measured time is within a fifth of the target. n is 1 only if
// an iteration is long: package testing runs one iteration before it runs n of them,
// unless n is 1. Then it times the first of the process, which fills pools and grows the
// heap. A benchmark that decodes 2 MB in 92 ms took 43 % less time after a rewrite by its
// first iteration, and 80 % less by the next.
func reach(run func(int, bool) (probe, error), target time.Duration) (p probe, err error) {
	n := 1
	for range calibrations {
		if p, err = run(n, false); err != nil {
			return p, err
		}
		switch {
		case n == 1 && (p.measured < maxCold && p.measured >= target*4/5 || p.wall > longStart && p.measured < p.wall/2):
			n = 2
		case p.measured > maxOver && n > 1:
			n = max(1, lab.RoundN(float64(n)*float64(target)/float64(p.measured)))
			return run(n, false)
		case p.measured >= target*4/5 || n >= lab.MaxN:
			return p, nil
		default:
			n = grow(p, target)
		}
	}
	return p, nil
}

// grow predicts n from the last run, growing at most a hundredfold as package testing
// does, since the first runs are the least reliable. With the clock alone it grows
// tenfold.
func grow(p probe, target time.Duration) int {
	n := float64(p.n)
	want := 100 * n
	if p.clocked {
		want = 10 * n
	}
	if p.measured > 0 {
		want = min(want, n*float64(target)/float64(p.measured))
	}
	if p.beyond > longStart {
		want = min(want, n*2*float64(maxTrial)/float64(p.beyond))
	}
	return lab.RoundN(min(max(want, n+1), lab.MaxN))
}

// spanCycles doubles n until a trial that allocates spans whole GC cycles, so that no
// trial pays for another's garbage. Cycles of the start and the set-up, as in a run of
// two iterations, do not count. few means that the limit was reached before.
func spanCycles(run func(int, bool) (probe, error), p probe, limit time.Duration) (_ probe, few bool, err error) {
	if p.bytes <= 0 || p.measured >= limit {
		return p, false, nil
	}
	idle, err := run(min(2, p.n), true)
	if err != nil {
		return p, false, err
	}
	for p.measured < limit {
		traced, err := run(p.n, true)
		if err != nil || traced.cycles-idle.cycles >= minGCCycles {
			return p, false, err
		}
		if 2*p.measured > limit {
			break
		}
		if p, err = run(2*p.n, false); err != nil {
			return p, false, err
		}
	}
	return p, true, nil
}

// spanAll makes the trials of an allocating benchmark long enough for every variant. One
// with a larger heap collects less often than the base; without its collections it would
// look faster, or, because of page faults, slower than it is. few are the variants in
// which even the longest trial spans too few.
func (s *surveyor) spanAll(ctx context.Context, p *assay.Plan, b *assay.PlannedBenchmark, base calibrated) (few []string, err error) {
	w := s.Study.Workloads[b.Workload]
	if !base.Allocates || w.Kind != assay.KindGoTest || w.BenchIters > 0 {
		return nil, nil
	}
	if base.FewCycles {
		few = append(few, p.Study.Base)
	}
	for _, v := range p.Variants {
		if v.Control || v.Name == p.Study.Base || slices.Contains(b.Missing, v.Name) {
			continue
		}
		one, err := s.subject(*b, v)
		if err != nil {
			return nil, err
		}
		c, err := one.span(ctx)
		if _, broken := errors.AsType[*brokenError](err); broken {
			continue // the blocks will show it
		}
		if err != nil {
			return nil, err
		}
		if c.N > b.N {
			b.Trial = max(c.Trial, time.Duration(float64(b.Trial)*float64(c.N)/float64(b.N)))
			b.N = c.N
		}
		if c.FewCycles {
			few = append(few, v.Name)
		}
	}
	return few, nil
}

// span is spanCycles of a subject. It reuses results in memory.
func (s subject) span(ctx context.Context) (calibrated, error) {
	name := s.memoName(fmt.Sprintf("span1-%d-%s", s.bench.N, s.name), s.variant, s.artifact)
	return remembered(s.Memo, s.artifact, name, func() (c calibrated, err error) {
		run := s.prober(ctx)
		p, err := run(s.bench.N, false)
		if err != nil {
			return c, err
		}
		p, few, err := spanCycles(run, p, max(maxTrial, s.Study.Measure.Trial))
		return calibrated{N: p.n, Trial: p.wall, FewCycles: few}, err
	})
}

// outweighSetUp grows n until set-up takes less than maxSetUp of the wall time.
func outweighSetUp(run func(int, bool) (probe, error), p probe, limit time.Duration) (probe, error) {
	setUp := p.wall - p.measured
	if p.measured <= 0 || p.clocked || float64(setUp) <= maxSetUp*float64(p.wall) {
		return p, nil
	}
	// A little more than the share requires, since set-up itself varies.
	want := min(time.Duration(1.1*float64(setUp)*(1-maxSetUp)/maxSetUp), limit)
	if want <= p.measured {
		return p, nil
	}
	return run(lab.RoundN(float64(p.n)*float64(want)/float64(p.measured)), false)
}

// fewCycles warns about benchmarks whose longest trial spans too few collections. Each
// text names one, and the variants.
func fewCycles(found []string) []assay.Warning {
	if len(found) == 0 {
		return nil
	}
	return []assay.Warning{{Code: assay.CodeFewCycles,
		Text:  fmt.Sprintf("a trial spans fewer than %d garbage collections: %s", minGCCycles, printable.Few(found, someNames)),
		Facts: []string{"these times leave out most of what collecting garbage costs"}, Try: "a longer --trial, such as --trial=3s"}}
}
