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
	"github.com/seed-1318a441/assay/internal/calibration"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/trial"
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
		return calibrated{N: w.BenchIters, Trial: p.Wall, Timeless: p.Timeless}, err
	}
	p, err := calibration.Reach(run, target)
	if err != nil {
		return calibrated{}, err
	}
	limit := max(calibration.MaxTrial, target)
	var few bool
	if p, few, err = calibration.SpanCycles(run, p, limit); err != nil {
		return calibrated{}, err
	}
	allocates := p.Bytes > 0
	p, err = calibration.OutweighSetUp(run, p, limit)
	return calibrated{N: p.N, Trial: p.Wall, Timeless: p.Timeless, Allocates: allocates, FewCycles: few}, err
}

// prober returns a function that runs a subject with n iterations. It uses the clock if
// the benchmark's own time is wrong.
func (s subject) prober(ctx context.Context) calibration.Runner {
	return calibration.ByTheClock(func(n int, gc bool) (calibration.Probe, error) {
		out, err := s.run(ctx, n, gc)
		if err != nil {
			return calibration.Probe{}, err
		}
		o := out.Observations(s.name, n)
		_, timed := o[assay.MetricTime]
		return calibration.Probe{
			Timeless: !timed,
			N:        n, Wall: out.Wall, Bytes: o[assay.MetricBytes], Cycles: out.GCCycles,
			Measured: time.Duration(o[assay.MetricTime] * float64(n) * float64(time.Second)),
		}, nil
	})
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

// span is calibration.SpanCycles of a subject. It reuses results in memory.
func (s subject) span(ctx context.Context) (calibrated, error) {
	name := s.memoName(fmt.Sprintf("span1-%d-%s", s.bench.N, s.name), s.variant, s.artifact)
	return remembered(s.Memo, s.artifact, name, func() (c calibrated, err error) {
		run := s.prober(ctx)
		p, err := run(s.bench.N, false)
		if err != nil {
			return c, err
		}
		p, few, err := calibration.SpanCycles(run, p, max(calibration.MaxTrial, s.Study.Measure.Trial))
		return calibrated{N: p.N, Trial: p.Wall, FewCycles: few}, err
	})
}

// fewCycles warns about benchmarks whose longest trial spans too few collections. Each
// text names one, and the variants.
func fewCycles(found []string) []assay.Warning {
	if len(found) == 0 {
		return nil
	}
	return []assay.Warning{{Code: assay.CodeFewCycles,
		Text:  fmt.Sprintf("a trial spans fewer than %d garbage collections: %s", calibration.MinCycles, printable.Few(found, someNames)),
		Facts: []string{"these times leave out most of what collecting garbage costs"}, Advice: "a longer --trial, such as --trial=3s"}}
}
