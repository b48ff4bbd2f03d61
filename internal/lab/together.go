package lab

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/stats"
	"github.com/seed-1318a441/assay/internal/trial"
)

// ErrNoMemory means that there is not enough memory for all variants of a block at once.
var ErrNoMemory = errors.New("there is no memory for all variants at once")

// together runs the trials of a benchmark in a block side by side, in slices, and fills in
// the results.
func (b *block) together(ctx context.Context, ts []assay.Trial, bench assay.PlannedBenchmark, as []Artifact) ([]trial.Outcome, error) {
	m, ok := b.runner.(SideBySide)
	if !ok {
		return nil, errors.New("run block: this machine runs no trials side by side")
	}
	usable, err := m.CPUs()
	if err != nil {
		return nil, err
	}
	first := ts[0]
	r := TogetherRequest{Warm: cmp.Or(bench.Warm, assay.WarmSlices), Rounds: bench.Slices, // plans of older versions have no Warm
		Turns: design.Turns{Seed: b.Plan.Seed, Benchmark: bench.Benchmark, Arms: len(ts), Block: first.Block, Attempt: first.Attempt},
		CPUs:  design.CPUs(b.Plan.Seed, bench, first.Block, first.Attempt, usable)}
	for i := range ts {
		r.Arms = append(r.Arms, b.request(&ts[i], bench, as[i]))
	}
	outs, err := m.Together(ctx, r)
	if errors.Is(err, trial.ErrPrints) {
		outs, err = printed(ts, err), nil
	}
	if err != nil {
		return nil, err
	}
	shareTime(outs)
	for i := range ts {
		fill(&ts[i], outs[i])
		ts[i].Gear, ts[i].CPUs = bench.Gear, r.CPUs
	}
	reduceTrials(ts, outs)
	return outs, nil
}

// shareTime gives each trial that ran together an equal share of their time, one after
// the other. All began at once, some in the same nanosecond, and two trials with the same
// beginning and duration would look like one that counts twice.
func shareTime(outs []trial.Outcome) {
	var start time.Time
	var wall time.Duration
	for _, out := range outs {
		wall = max(wall, out.Wall)
		if start.IsZero() || !out.Start.IsZero() && out.Start.Before(start) {
			start = out.Start
		}
	}
	for i := range outs {
		// A skipped trial has no start.
		if outs[i].Wall = max(wall/time.Duration(len(outs)), 1); !outs[i].Start.IsZero() {
			outs[i].Start = start.Add(time.Duration(i) * outs[i].Wall)
		}
	}
}

// slicesOf returns the times of an operation for the record.
func slicesOf(out trial.Outcome) (list []float64) {
	for _, sec := range out.Slices[assay.MetricTime] {
		list = append(list, nanoseconds(sec))
	}
	return list
}

// printed returns the outcomes of a benchmark that prints only occasionally, unnoticed by
// calibration.
func printed(ts []assay.Trial, err error) []trial.Outcome {
	outs := make([]trial.Outcome, len(ts))
	for i := range outs {
		outs[i].Start, outs[i].Wall = time.Now(), time.Nanosecond
		outs[i].Status, outs[i].Reason = assay.StatusFailed, err.Error()+"; let it print nothing, or fix its number of operations: -benchtime=1000x"
	}
	return outs
}

// reduceTrials reduces the slices of a block to one observation of each metric per trial.
func reduceTrials(ts []assay.Trial, outs []trial.Outcome) {
	if slices.ContainsFunc(outs, func(o trial.Outcome) bool { return o.Status != assay.StatusOK }) {
		return
	}
	arms := make([]map[string][]float64, len(outs))
	for i, o := range outs {
		arms[i] = o.Slices
	}
	for i, obs := range ReduceSlices(arms) {
		if outs[i].PeakRSS > 0 {
			obs[assay.MetricRSS] = float64(outs[i].PeakRSS)
		}
		ts[i].Observations, ts[i].Slices = obs, slicesOf(outs[i])
	}
}

// nanoseconds converts a time in seconds to ns, as printed by package testing.
func nanoseconds(sec float64) float64 { return math.Round(sec*1e9*1e4) / 1e4 }

// ReduceSlices reduces the slices of one block to a value of each metric for each arm.
// Metrics that vary and that all arms have, such as time, are reduced together
// (stats.Arms), and scaled back to values of the arms. For bytes, allocations and all
// others it is the median, which is a value printed by package testing.
func ReduceSlices(arms []map[string][]float64) []map[string]float64 {
	out := make([]map[string]float64, len(arms))
	for i, arm := range arms {
		out[i] = map[string]float64{}
		for metric, values := range arm {
			out[i][metric] = stats.Median(values)
		}
	}
	for metric := range out[0] {
		logs, ok := Logs(arms, metric)
		if !ok {
			continue
		}
		level := 0.0
		for _, x := range logs {
			level += stats.Median(x) / float64(len(logs))
		}
		for i, effect := range stats.Arms(logs) {
			out[i][metric] = math.Exp(level + effect)
		}
	}
	return out
}

// Logs returns the logarithms of a metric by arm and round; ok is false if it has none.
func Logs(arms []map[string][]float64, metric string) (logs [][]float64, ok bool) {
	if metric == assay.MetricBytes || metric == assay.MetricAllocs {
		return nil, false
	}
	varies := false
	for _, arm := range arms {
		values := arm[metric]
		if len(values) == 0 || len(values) != len(arms[0][metric]) || slices.Min(values) <= 0 {
			return nil, false
		}
		varies = varies || slices.Min(values) != slices.Max(values)
		ln := make([]float64, len(values))
		for i, x := range values {
			ln[i] = math.Log(x)
		}
		logs = append(logs, ln)
	}
	return logs, varies
}
