package survey

import (
	"cmp"
	"context"
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
func (s subject) run(ctx context.Context, n int) (trial.Outcome, error) {
	out, err := s.runOrRetry(ctx, lab.RunRequest{Study: s.Study, Workload: s.bench.Workload, Artifact: s.artifact, Variant: s.variant, Names: []string{s.name},
		N: n, Output: s.bench.Output, Benchmark: s.bench.Benchmark})
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
	return remembered(s.Memo, s.artifact, s.sizeName(), func() (calibrated, error) {
		if kind == assay.KindCommand {
			return s.time(ctx)
		}
		return s.calibrate(ctx)
	})
}

// sizeName is the name of the calibration in memory: a new number if N is computed differently.
func (s subject) sizeName() string { return s.memoName("n5-"+s.name, s.variant, s.artifact) }

// shortCommand is the duration below which the first run, with cold caches, is repeated.
const shortCommand = time.Second

// time runs a command to learn its duration and metrics. One run is one iteration.
func (s subject) time(ctx context.Context) (c calibrated, err error) {
	for range 2 {
		out, err := s.run(ctx, 1)
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
		p, err := run(w.BenchIters)
		return calibrated{N: w.BenchIters, Trial: p.Wall, Timeless: p.Timeless}, err
	}
	p, err := calibration.Reach(run, target)
	if err != nil {
		return calibrated{}, err
	}
	found := calibrated{Timeless: p.Timeless, Allocates: p.Bytes > 0 || p.Allocs > 0, Bytes: p.Bytes, Still: p.Still(), Grows: p.Grows}
	p, err = calibration.OutweighSetUp(run, p, max(calibration.MaxTrial, target))
	found.N, found.Trial, found.PerOp = p.N, p.Wall, p.Measured.Seconds()/float64(p.N)
	return found, err
}

// prober returns a function that runs a subject with n iterations. It uses the clock if
// the benchmark's own time is wrong.
func (s subject) prober(ctx context.Context) calibration.Runner {
	return calibration.ByTheClock(func(n int) (calibration.Probe, error) {
		out, err := s.run(ctx, n)
		if err != nil {
			return calibration.Probe{}, err
		}
		o := out.Observations(s.name, n)
		_, timed := o[assay.MetricTime]
		return calibration.Probe{
			Timeless: !timed,
			N:        n, Wall: out.Wall, Bytes: o[assay.MetricBytes], Allocs: o[assay.MetricAllocs],
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
