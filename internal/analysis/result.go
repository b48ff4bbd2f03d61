package analysis

import (
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/stats"
)

// Result is the record of where the run stands. stop is why it ended, as Next
// gave it, or "interrupted", or "" while it runs.
func (t *Tracker) Result(platform assay.Platform, stop assay.StopReason) *assay.Result {
	p := t.plan
	r := &assay.Result{
		Schema: assay.ResultSchema, Run: p.Run, Study: p.Study.Name, StudyHash: p.StudyHash,
		Question: p.Study.Question, Command: p.Command, Created: p.Created, Platform: platform,
		Base:     p.Study.Base,
		Spent:    assay.Spent{Blocks: t.blocks, Trials: t.trials, Time: t.costs.Spent().Round(time.Millisecond), Stop: stop},
		Warnings: slices.Concat(t.planned(), t.warnings),
	}
	decide := p.Study.Decide
	r.Rule = assay.Rule{Metrics: decide.Metrics, MinEffect: decide.MinEffect, Confidence: decide.Confidence,
		MinBlocks: t.from, Gate: decide.Gate}
	if k := p.Study.Measure.Layouts; k > 0 && k < t.from {
		r.Rule.Scope = "for these binaries"
	}
	for _, b := range p.Benchmarks {
		if b.Gear != "" {
			r.Gears = append(r.Gears, assay.GearOf{Benchmark: b.Benchmark, Gear: b.Gear, N: b.N, Slices: b.Slices, Placement: b.Placement})
		}
	}
	for _, m := range t.metrics {
		// Of a metric that only some trials had there is nothing to compare.
		if tab := t.table(m); len(tab.Rows) > 0 || tab.Decides {
			r.Tables = append(r.Tables, tab)
		}
	}
	if len(r.Tables) > 0 {
		if c := t.judge(t.metrics[0]).claim; !c.ever {
			r.Rule.Claims = c.list
		}
		if c := t.headClaim(t.metrics[0]); c.ever {
			r.Rule.Heads = c.list
		}
	}
	r.Noise = t.noise()
	r.Tradeoff = t.tradeoff(r)
	r.Variants = t.variantResults(r)
	r.Arc, r.Report = t.arc(r), p.Study.Report
	r.Warnings = append(r.Warnings, t.closingWarnings(r)...)
	r.Answer = answer(r, t)
	return r
}

// planned are the warnings of the plan that still hold. Blocks can be shorter than
// calibration foretold; then there are verdicts, and the warning that there would be none
// is wrong.
func (t *Tracker) planned() []assay.Warning {
	if t.blocks < schedule.FirstVerdict(t.plan) {
		return t.plan.Warnings
	}
	return slices.DeleteFunc(slices.Clone(t.plan.Warnings), func(w assay.Warning) bool { return w.Code == schedule.CodeShortBudget })
}

// table compares everything on one metric.
func (t *Tracker) table(metric string) assay.Table {
	j := t.judge(metric)
	tab := assay.Table{Metric: j.metric, Decides: slices.Contains(t.plan.Study.Decide.Metrics, metric), Rows: []assay.Row{}}
	for _, b := range t.bench {
		if row, ok := t.row(j, b, metric); ok {
			tab.Rows = append(tab.Rows, row)
		}
	}
	if common := t.common(metric); len(common) > 1 {
		tab.Common = len(common)
		tab.GeomeanBase, _ = t.baseValue(metric)
		for _, v := range t.others() {
			if g := t.geomean(metric, v); g != nil {
				tab.Geomean = append(tab.Geomean, t.geomeanComparison(j.of(t.headClaim(metric)), g, tab.GeomeanBase, v))
			}
		}
	}
	tab.Steps = t.stepChanges(tab)
	if tab.Decides {
		tab.Effects = t.effectsOf(metric)
	}
	return tab
}

// geomeanComparison judges the whole suite on a variant.
func (t *Tracker) geomeanComparison(j judge, g *sample, base float64, variant string) assay.Comparison {
	g.e, g.top = g.evalues(0)
	c := j.compare(g, base)
	c.Variant, c.Benchmark = variant, assay.Benchmark{Name: "geomean"}
	c.MoreTime = t.rounds.Blocks(c.MoreBlocks, planned(t.active())...)
	return c
}

// others are the variants that are compared with the base, the control left
// out.
func (t *Tracker) others() []string {
	return slices.DeleteFunc(slices.Clone(t.variants), func(v string) bool { return v == t.control })
}

func (t *Tracker) row(j judge, b *benchmark, metric string) (assay.Row, bool) {
	row := assay.Row{Benchmark: b.plan.Benchmark}
	if b.failed == "" {
		row.Base = t.rowBase(b, metric)
	}
	for _, v := range t.others() {
		c, ok := t.cellComparison(j, b, row.Base, metric, v)
		if !ok {
			return row, false
		}
		row.Cells = append(row.Cells, c)
	}
	return row, len(row.Cells) > 0
}

// cellComparison judges one cell of a row whose base has that value; ok is false where
// the metric was never seen.
func (t *Tracker) cellComparison(j judge, b *benchmark, base float64, metric, variant string) (c assay.Comparison, ok bool) {
	s := b.samples[metric][variant]
	switch {
	case b.failed != "":
		c = assay.Comparison{Verdict: assay.Invalid, Reason: b.failed}
	case b.lacks(variant):
		if b.samples[metric] == nil {
			return c, false
		}
		// No verdict rather than invalid: nothing went wrong.
		c = assay.Comparison{Verdict: assay.Withheld, Reason: notInStep}
	case s == nil && t.notYet(b, variant) && b.samples[metric] != nil:
		c = j.compare(&sample{e: 1}, base)
	case s == nil || len(s.d) == 0:
		return c, false
	default:
		c = j.compare(s, base)
		c.MoreTime = t.rounds.Blocks(c.MoreBlocks, b.plan)
		if reason, ok := t.saturated(b, metric, variant); ok {
			c = saturate(c, reason)
		}
	}
	c.Variant, c.Benchmark = variant, b.plan.Benchmark
	return c, true
}

// notInStep is the reason of a cell whose step has no such benchmark.
const notInStep = "not in this step"

// rowBase is the median of the base, over the blocks of the variant that has
// most of them: that of the control, which is in every block.
func (t *Tracker) rowBase(b *benchmark, metric string) float64 {
	var most []float64
	for _, v := range t.variants {
		if s := b.samples[metric][v]; s != nil && len(s.base) > len(most) {
			most = s.base
		}
	}
	if most == nil {
		return 0
	}
	return stats.Median(most)
}

// noise reads the A/A floor from the control.
func (t *Tracker) noise() assay.Noise {
	n := assay.Noise{Control: t.control}
	if t.control == "" || len(t.metrics) == 0 {
		return n
	}
	metric := t.metrics[0]
	j := t.judge(metric)
	j.priced = false // nobody buys blocks for the control
	var cells []cell
	for _, b := range t.active() {
		if s := t.unsaturated(b, metric, t.control); s != nil {
			s.e, s.top = s.evalues(0)
			cells = append(cells, cell{s, b, t.control})
		}
	}
	// Claimed as the variants are: by e-BH over the list of the control's cells.
	j.claim = eBH(cells, verdictE)
	for _, s := range cells {
		c := j.compare(s.sample, t.rowBase(s.b, metric))
		c.Variant, c.Benchmark = t.control, s.b.plan.Benchmark
		n.Cells = append(n.Cells, c)
		if c.Verdict.Differs() {
			n.False++
		}
	}
	whole := n.Cells
	if g := t.geomean(metric, t.control); g != nil {
		base, _ := t.baseValue(metric)
		whole = []assay.Comparison{t.geomeanComparison(j.of(alone), g, base, t.control)}
	}
	if len(whole) == 1 && whole[0].N > 0 {
		n.Change = whole[0].Change
		// Nothing stands beside the control: its interval takes a block more than those
		// of the variants, and a run may be decided by then.
		if whole[0].Interval != nil {
			n.Floor = whole[0].Interval.Half()
		}
	}
	return n
}

// variantResults counts each variant's verdicts on the first deciding metric.
func (t *Tracker) variantResults(r *assay.Result) []assay.VariantResult {
	var out []assay.VariantResult
	for _, v := range t.plan.Study.Variants {
		out = append(out, t.variantResult(v, r))
	}
	if t.plan.Study.By != nil { // discovered, so only the plan lists them
		out = nil
		for _, v := range t.plan.Variants {
			if !v.Control {
				out = append(out, t.variantResult(v, r))
			}
		}
	}
	return out
}

func (t *Tracker) variantResult(v assay.Variant, r *assay.Result) assay.VariantResult {
	out := assay.VariantResult{Name: v.Name, Words: v.Words()}
	for _, a := range t.plan.Artifacts {
		if a.Variant == v.Name {
			out.GoVersion, out.Commit, out.Profile = a.GoVersion, a.Commit, a.Profile
		}
	}
	for _, s := range t.plan.Same {
		if s.Variant == v.Name {
			out.SameAs = &s
		}
	}
	if len(r.Tables) == 0 {
		return out
	}
	for _, row := range r.Tables[0].Rows {
		for _, c := range row.Cells {
			if c.Variant == v.Name {
				out.Count(c)
			}
		}
	}
	return out
}
