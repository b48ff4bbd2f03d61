package analysis

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
)

// A tables makes the tables of a result.
type tables struct {
	*rule
	effects *effects
	steps   *steps
}

// table makes the table of one metric.
func (ts *tables) table(metric string) assay.Table {
	tab := ts.withBase(metric)
	tab.Steps = ts.steps.stepChanges(tab)
	if tab.Decides {
		tab.Effects = ts.effects.of(metric)
	}
	return tab
}

// withBase makes the part of a table that compares with the base.
func (ts *tables) withBase(metric string) assay.Table {
	j := ts.judge(metric)
	tab := assay.Table{Metric: j.metric, Decides: slices.Contains(ts.plan.Study.Decide.Metrics, metric), Rows: []assay.Row{}}
	for _, b := range ts.set.Benchmarks {
		if row, ok := ts.row(j, b, metric); ok {
			tab.Rows = append(tab.Rows, row)
		}
	}
	if m := middleOf(ts.set.Suite(metric)); len(m) > 1 {
		tab.Common = len(m)
		tab.GeomeanBase = ts.set.Suite(metric).Base()
		for _, v := range ts.set.Others() {
			if g := ts.set.Suite(metric).Geomean(v); g != nil {
				c := ts.geomeanComparison(j.of(ts.headClaim(metric)), g, tab.GeomeanBase, v)
				if !c.Exact {
					c = valued(c, tab.GeomeanBase, m.change(c, answer.Column(tab, v)))
				}
				tab.Geomean = append(tab.Geomean, c)
			}
		}
	}
	return tab
}

// geomeanComparison judges a variant on the whole suite.
func (ts *tables) geomeanComparison(j judge, g *sample.Sample, base float64, variant string) assay.Comparison {
	g.E, g.Top = g.EValues(0)
	c := j.compare(g, base)
	c.Variant, c.Benchmark = variant, sample.Geomean
	c.MoreTime = ts.rounds.Blocks(c.MoreBlocks, sample.Planned(ts.set.Active())...)
	return c
}

func (ts *tables) row(j judge, b *sample.Benchmark, metric string) (assay.Row, bool) {
	row := assay.Row{Benchmark: b.Plan.Benchmark}
	if b.Failed == "" {
		row.Base = b.Base(metric)
	}
	for _, v := range ts.set.Others() {
		c, ok := ts.cellComparison(j, b, row.Base, metric, v)
		if !ok {
			return row, false
		}
		row.Cells = append(row.Cells, c)
	}
	return row, len(row.Cells) > 0
}

// cellComparison judges one cell of a row; base is the row's. ok is false if the metric
// was never seen.
func (ts *tables) cellComparison(j judge, b *sample.Benchmark, base float64, metric, variant string) (c assay.Comparison, ok bool) {
	s := b.Samples[metric][variant]
	switch {
	case b.Failed != "":
		c = assay.Comparison{Verdict: assay.Invalid, Reason: b.Failed}
	case b.Lacks(variant):
		if b.Samples[metric] == nil {
			return c, false
		}
		// Not invalid: nothing went wrong.
		c = assay.Comparison{Verdict: assay.Withheld, Reason: notInStep}
	case s == nil && b.NotYet(variant) && b.Samples[metric] != nil:
		c = j.compare(&sample.Sample{E: 1}, base)
	case s == nil || len(s.D) == 0:
		return c, false
	default:
		c = j.compare(s, base)
		c.MoreTime = ts.rounds.Blocks(c.MoreBlocks, b.Plan)
		if reason := b.Saturated(metric, variant); reason != "" {
			c = saturate(c, reason)
		}
	}
	c.Variant, c.Benchmark = variant, b.Plan.Benchmark
	return c, true
}

// notInStep is the reason of a cell whose step lacks the benchmark.
const notInStep = "not in this step"

// noise reads the A/A floor from the control.
func (ts *tables) noise() assay.Noise {
	n := assay.Noise{Control: ts.set.Control}
	if ts.set.Control == "" || len(ts.set.Metrics) == 0 {
		return n
	}
	metric := ts.set.Metrics[0]
	j := ts.judge(metric)
	j.priced = false // nobody buys blocks for the control
	var cells []cell
	for _, b := range ts.set.Active() {
		if s := b.Unsaturated(metric, ts.set.Control); s != nil {
			s.E, s.Top = s.EValues(0)
			cells = append(cells, cell{s, b, ts.set.Control})
		}
	}
	// Claimed like the variants: by e-BH over the list of the control's cells.
	j.claim = eBH(cells, verdictE)
	for _, s := range cells {
		c := j.compare(s.Sample, s.b.Base(metric))
		c.Variant, c.Benchmark = ts.set.Control, s.b.Plan.Benchmark
		n.Cells = append(n.Cells, c)
		if c.Verdict.Differs() {
			n.False++
		}
	}
	whole := n.Cells
	if suite := ts.set.Suite(metric); suite.Geomean(ts.set.Control) != nil {
		c := ts.geomeanComparison(j.of(alone), suite.Geomean(ts.set.Control), suite.Base(), ts.set.Control)
		c.Change = middleOf(suite).change(c, slices.Values(n.Cells))
		whole = []assay.Comparison{c}
	}
	if len(whole) == 1 && whole[0].N > 0 {
		n.Change = whole[0].Change
		// Nothing runs beside the control, so its interval needs one block more than
		// those of the variants. By then a run may be decided.
		if whole[0].Interval != nil {
			n.Floor = whole[0].Interval.Half()
		}
	}
	return n
}

// variantResults counts each variant's verdicts on the first deciding metric.
func (ts *tables) variantResults(r *assay.Result) []assay.VariantResult {
	list := ts.plan.Study.Variants
	if ts.plan.Study.By != nil { // found in the binary, so only the plan lists them
		list = slices.DeleteFunc(slices.Clone(ts.plan.Variants), func(v assay.Variant) bool { return v.Control })
	}
	var out []assay.VariantResult
	for _, v := range list {
		out = append(out, ts.variantResult(v, r))
	}
	return out
}

func (ts *tables) variantResult(v assay.Variant, r *assay.Result) assay.VariantResult {
	out := assay.VariantResult{Name: v.Name, Words: v.Words()}
	for _, a := range ts.plan.Artifacts {
		if a.Variant == v.Name {
			out.GoVersion, out.Commit, out.Profile = a.GoVersion, a.Commit, a.Profile
		}
	}
	for _, s := range ts.plan.Same {
		if s.Variant == v.Name {
			out.SameAs = &s
		}
	}
	if len(r.Tables) > 0 {
		for c := range answer.Column(r.Tables[0], v.Name) {
			out.Count(c)
		}
	}
	return out
}
