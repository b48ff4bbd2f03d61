package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/explain"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/runs"
)

// An explainer collects evidence for the differences of one run and has package
// explain make causes of it.
type explainer struct {
	*session
	explainPlan
	collect  []string
	evidence *record.Evidence
	// opened has the binaries that were read, by artifact.
	opened map[string]*binary.File
}

// explainPlan says how much evidence to collect.
type explainPlan struct {
	subject *assay.Plan // the plan of the run that is explained
	blocks  int
	trial   time.Duration
	check   bool
	layouts int
	budget  time.Duration
	// named are functions that are asked for beside those of the study.
	named []*regexp.Regexp
	// brief leaves out what has to be compiled anew, and every doubt.
	brief bool
	// now says that what was built is not what was measured, "" where it is.
	now string
}

// openExplainer builds the variants of a run again and opens its record.
func openExplainer(ctx context.Context, c *console, f *explainFlags, run *runs.Found) (*explainer, func(), error) {
	plan := run.Plan
	dir, err := studyDir(plan, f.dir)
	if err != nil {
		return nil, nil, err
	}
	plan.Study.Dir = dir
	ses, done, err := newSession(c, &f.run, &plan.Study, nil, plan.Command)
	if err != nil {
		return nil, nil, err
	}
	if err := ses.build(ctx); err != nil {
		done()
		return nil, nil, err
	}
	if ses.rec, err = record.Open(run.Dir); err != nil {
		done()
		return nil, nil, openError(err, plan.Run, run.Ref)
	}
	if ses.rec.Run().Head() != run.Head() {
		err := errors.Join(fmt.Errorf("run %s was changed by another assay while its variants were built", plan.Run), ses.rec.Close())
		done()
		return nil, nil, err
	}
	x := &explainer{session: ses, opened: map[string]*binary.File{},
		explainPlan: explainPlan{subject: plan, blocks: f.blocks, trial: f.trial, check: f.check, layouts: f.layouts, budget: f.budget, named: f.named}}
	x.now = ses.changed(ses.rec.Run())
	return x, func() { ses.rec.Close(); done() }, nil
}

// explainAll explains one benchmark after the other. On an error what was
// explained before it is returned too.
func (x *explainer) explainAll(ctx context.Context, r *assay.Result, targets []target) (out []assay.Explanation, err error) {
	for i, t := range targets {
		x.progress.stage("explain", fmt.Sprintf("explaining %s, %d of %d", t.row.Benchmark.Name, i+1, len(targets)))
		made, err := x.explain(ctx, r, t)
		out = append(out, made...)
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// explain explains one benchmark, every variant that is asked for.
func (x *explainer) explain(ctx context.Context, r *assay.Result, t target) ([]assay.Explanation, error) {
	planned := x.planned(t.row.Benchmark)
	trials, warnings, err := x.trials(ctx, r, t)
	if err != nil {
		return nil, err
	}
	for _, w := range x.subject.Warnings {
		if w.Code == "profile-match" { // built with a profile of other code: inlining follows from it
			warnings = append(warnings, w)
		}
	}
	var out []assay.Explanation
	for _, cell := range t.cells {
		m := explain.Material{Benchmark: t.row.Benchmark, Base: r.Base, Metric: t.metric, Comparison: cell, BaseValue: t.row.Base,
			Settings: settingsApart(x.subject, cell.Variant), Links: x.links(cell), Warnings: slices.Clone(warnings), Layout: x.fresh(cell), Spent: spentOn(trials)}
		s := &side{x: x, planned: planned, cell: cell, m: &m, trials: trials}
		if err := s.collect(ctx); err != nil {
			return out, err
		}
		if x.brief {
			m.Warnings = nil // nobody asked
		}
		out = append(out, explain.Explain(m))
	}
	return out, nil
}

func (x *explainer) planned(b assay.Benchmark) assay.PlannedBenchmark {
	i := slices.IndexFunc(x.subject.Benchmarks, func(p assay.PlannedBenchmark) bool { return p.Benchmark == b })
	return x.subject.Benchmarks[i]
}

// wants reports whether a kind of evidence is to be collected.
func (x *explainer) wants(kind string) bool { return slices.Contains(x.collect, kind) }

// kinds are those of the trials that have to be run.
func (x *explainer) kinds() (out []string) {
	for _, k := range []string{assay.CollectCPU, assay.CollectMem, assay.CollectGC} {
		if x.wants(k) {
			out = append(out, k)
		}
	}
	return out
}

// trials runs what has to be run.
func (x *explainer) trials(ctx context.Context, r *assay.Result, t target) ([]assay.EvidenceTrial, []assay.Warning, error) {
	kinds := x.kinds()
	if len(kinds) == 0 {
		return nil, nil, nil
	}
	if x.subject.Study.Workloads[x.planned(t.row.Benchmark).Workload].Kind == assay.KindService {
		return nil, []assay.Warning{{Code: "no-profile", Text: "servers are not profiled: only their code is compared",
			Facts: []string{"what their collectors did is in the run's own tables"}, Try: "assay show " + r.Run + " --all"}}, nil
	}
	var variants []string
	for _, c := range t.cells {
		variants = append(variants, c.Variant)
	}
	q := &lab.Inquiry{Plan: x.subject, Machine: x.machine, Builds: x.builds, Evidence: x.evidence, Events: x.progress.event, Benchmark: t.row.Benchmark,
		Variants: variants, Kinds: kinds, Blocks: x.blocks, Trial: x.trial, BaseValue: seconds(t), Slowest: slowest(t), AllocsPerOp: allocsOf(r, t.row.Benchmark)}
	return q.Run(ctx)
}

// slowest is the time per operation of the slowest variant.
func slowest(t target) float64 {
	most := seconds(t)
	for _, c := range t.cells {
		if most > 0 {
			most = max(most, c.Value)
		}
	}
	return most
}

func spentOn(trials []assay.EvidenceTrial) (d time.Duration) {
	for _, t := range trials {
		d += t.Duration
	}
	return d
}

// seconds is the base's time per operation, 0 where the metric is another.
func seconds(t target) float64 {
	if t.metric.Name != assay.MetricTime {
		return 0
	}
	return t.row.Base
}

// allocsOf is the number of allocations per operation of the variant that makes
// most.
func allocsOf(r *assay.Result, b assay.Benchmark) (most float64) {
	for _, t := range r.Tables {
		if t.Metric.Name != assay.MetricAllocs {
			continue
		}
		for _, row := range t.Rows {
			if row.Benchmark == b {
				most = max(most, row.Base)
				for _, c := range row.Cells {
					most = max(most, c.Value)
				}
			}
		}
	}
	return most
}

// links is the number of links of each variant behind a comparison.
func (x *explainer) links(c assay.Comparison) int {
	if k := x.subject.Study.Measure.Layouts; k > 0 {
		return min(k, c.N)
	}
	return c.N
}

// fresh is what the run itself says of layouts: where every block had a link of
// its own, what it found holds across them.
func (x *explainer) fresh(c assay.Comparison) *assay.LayoutCheck {
	if x.subject.Study.Measure.Layouts != 0 || x.subject.Link == 0 || !c.Verdict.Good() && !c.Verdict.Bad() {
		return nil
	}
	return &assay.LayoutCheck{Layouts: c.N, Comparison: c, Share: c.LayoutShare, Survives: true,
		Text: fmt.Sprintf("it held over %d fresh links of each variant: not the layout of one binary", c.N)}
}

// settingsApart says how a variant's run settings differ from the base's.
func settingsApart(p *assay.Plan, variant string) string {
	base, _ := p.Variant(p.Study.Base)
	v, _ := p.Variant(variant)
	var out []string
	keys := slices.Sorted(maps.Keys(base.Env))
	for k := range v.Env {
		if _, ok := base.Env[k]; !ok {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, k := range keys {
		if base.Env[k] != v.Env[k] {
			out = append(out, fmt.Sprintf("%s=%s became %q", k, base.Env[k], v.Env[k]))
		}
	}
	return strings.Join(out, ", ")
}
