package inquiry

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/explain"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/session"
)

// mostInRun is the maximum number of benchmarks that a run explains unasked, and of
// variants on each: a chain of steps has dozens.
const mostInRun = 3

// Changes explains the largest changes with the evidence named in the study, or
// else with the binaries, which exist anyway. It does not affect the verdicts. The result
// is for the end of the run, which already has the explanations of earlier blocks.
func Changes(ctx context.Context, s *session.Session, plan *assay.Plan, r *assay.Result, end *assay.End) {
	collect := kindsOfRun(plan)
	if len(collect) == 0 || r.Race != nil || r.Spent.Stop == assay.StopInterrupted || ctx.Err() != nil {
		return
	}
	x := newExplainer(s, plan, Request{Collect: collect, Trial: time.Second})
	x.brief = plan.Study.Measure.Collect == nil
	end.Warnings = append(end.Warnings, x.doubts(r)...)
	targets, err := targetsOf(r, plan, "", "")
	if err != nil {
		return // nothing changed
	}
	if plan.Study.By != nil && x.brief {
		targets = slices.DeleteFunc(targets, func(t target) bool { return t.row.Base > slowestUnasked.Seconds() })
	}
	targets = targets[:min(len(targets), mostInRun)]
	for i := range targets {
		targets[i].keepLargest(mostInRun)
	}
	made, err := x.withEvidence(func() ([]assay.Explanation, error) { return x.explainAll(ctx, r, targets) })
	end.Explanations = replaced(end.Explanations, made)
	if err != nil && ctx.Err() == nil {
		s.Config.Progress.Say("assay: the changes are not explained: " + printable.OneLine(err))
	}
}

// slowestUnasked is the longest operation for which a run counts allocations unasked, in a few
// trials of a second at most.
const slowestUnasked = 100 * time.Millisecond

// withEvidence opens the run's evidence while explain runs, if trials are needed.
func (x *explainer) withEvidence(explain func() ([]assay.Explanation, error)) (made []assay.Explanation, err error) {
	if len(x.kinds()) > 0 {
		if x.evidence, err = x.ses.Record.Evidence(); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, x.evidence.Close()) }()
	}
	return explain()
}

// suspiciousOpTime is the time per operation, in seconds, below which a run checks the
// benchmark itself. An empty loop takes a third of a nanosecond, and several on a busy
// machine.
const suspiciousOpTime = 10e-9

// doubts warns about benchmarks so short that they may measure nothing.
func (x *explainer) doubts(r *assay.Result) (out []assay.Warning) {
	t := explained(r)
	if t == nil || t.Metric.Name != assay.MetricTime {
		return nil
	}
	for _, row := range t.Rows {
		if row.Base >= suspiciousOpTime {
			continue
		}
		planned, _ := x.plan.Planned(row.Benchmark)
		d := &difference{x: x, planned: planned, cell: assay.Comparison{Variant: r.Base},
			m: &explain.Material{Metric: t.Metric, Explanation: assay.Explanation{Benchmark: row.Benchmark, BaseValue: row.Base}}}
		if d.open(); d.base == nil {
			continue
		}
		d.hygiene()
		out = append(out, d.m.Warnings...)
	}
	return out
}

// kindsOfRun returns the kinds of evidence that a run collects after its verdicts.
func kindsOfRun(p *assay.Plan) (out []string) {
	m := p.Study.Measure
	if m.Collect == nil && p.Study.By != nil {
		return []string{assay.CollectCode, assay.CollectMem} // allocations show which functions to compare
	}
	if m.Collect == nil && p.Study.Steps == nil && !notExplainable(&p.Study) {
		return []string{assay.CollectCode}
	}
	for _, kind := range []string{assay.CollectCode, assay.CollectCPU, assay.CollectMem} {
		if m.Collects(kind) {
			out = append(out, kind)
		}
	}
	if len(out) > 0 && m.Collects(assay.CollectGC) {
		out = append(out, assay.CollectGC)
	}
	return out
}

// notExplainable reports whether assay did not build what it compares, or runs servers. A
// run does not explain those unasked.
func notExplainable(s *assay.Study) bool {
	return slices.ContainsFunc(s.Workloads, func(w assay.Workload) bool { return w.Kind == assay.KindService }) ||
		slices.ContainsFunc(s.Variants, func(v assay.Variant) bool { return len(v.Run) > 0 })
}
