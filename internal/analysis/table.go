package analysis

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/stats"
)

// A tables makes the tables of a result.
type tables struct {
	rule    *rule
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
	j := ts.rule.judge(metric)
	tab := assay.Table{Metric: j.metric, Decides: slices.Contains(ts.rule.plan.Study.Decide.Metrics, metric), Rows: []assay.Row{}}
	for _, b := range ts.rule.set.Benchmarks {
		if row, ok := ts.row(j, b, metric); ok {
			tab.Rows = append(tab.Rows, row)
		}
	}
	if m := middleOf(ts.rule.set.Suite(metric)); len(m) > 1 {
		tab.Common = len(m)
		tab.GeomeanBase = ts.rule.set.Suite(metric).Base()
		for _, v := range ts.rule.set.Others() {
			if g := ts.rule.set.Suite(metric).Geomean(v); g != nil {
				c := ts.geomeanComparison(j.of(ts.rule.headClaim(metric)), g, tab.GeomeanBase, v)
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
	c.MoreTime = ts.rule.costs.Blocks(c.MoreBlocks, sample.Planned(ts.rule.set.Active())...)
	return c
}

func (ts *tables) row(j judge, b *sample.Benchmark, metric string) (assay.Row, bool) {
	row := assay.Row{Benchmark: b.Plan.Benchmark}
	if b.Failed == "" {
		row.Base = b.Base(metric)
	}
	for _, v := range ts.rule.set.Others() {
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
		c.MoreTime = ts.rule.costs.Blocks(c.MoreBlocks, b.Plan)
		if reason := b.Saturated(metric, variant); reason != "" {
			c = saturate(c, reason)
		}
	}
	c.Variant, c.Benchmark = variant, b.Plan.Benchmark
	return c, true
}

// notInStep is the reason of a cell whose step lacks the benchmark.
const notInStep = "not in this step"

// leastControls is the number of blocks with a control from which the noise is known. It is a
// description, on which no verdict rests.
const leastControls = 3

// floor returns the half-width that the control's comparison would have in all blocks; 0 if
// it has too few values to tell. It runs in some of them only.
func floor(s *sample.Sample, blocks int, alpha float64) assay.Change {
	if s == nil || s.Zero || len(s.D) < leastControls {
		return 0
	}
	n := float64(blocks)
	t := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(1 - alpha/2)
	return assay.ChangeOfLog(t * math.Sqrt(stats.Variance(s.D)/n))
}

// noise reads the A/A floor from the control.
func (ts *tables) noise() assay.Noise {
	n := assay.Noise{Control: ts.rule.set.Control}
	if ts.rule.set.Control == "" || len(ts.rule.set.Metrics) == 0 {
		return n
	}
	metric := ts.rule.set.Metrics[0]
	j := ts.rule.judge(metric)
	j.priced = false // nobody buys blocks for the control
	var cells []cell
	for _, b := range ts.rule.set.Active() {
		if s := b.Unsaturated(metric, ts.rule.set.Control); s != nil {
			s.E, s.Top = s.EValues(0)
			cells = append(cells, cell{s, b, ts.rule.set.Control})
		}
	}
	// Claimed like the variants: by e-BH over the list of the control's cells.
	j.claim = eBH(cells, verdictE)
	for _, s := range cells {
		c := j.compare(s.Sample, s.b.Base(metric))
		c.Variant, c.Benchmark = ts.rule.set.Control, s.b.Plan.Benchmark
		n.Cells = append(n.Cells, c)
		if c.Verdict.Differs() {
			n.False++
		}
	}
	whole := n.Cells
	if suite := ts.rule.set.Suite(metric); suite.Geomean(ts.rule.set.Control) != nil {
		c := ts.geomeanComparison(j.of(alone), suite.Geomean(ts.rule.set.Control), suite.Base(), ts.rule.set.Control)
		c.Change = middleOf(suite).change(c, slices.Values(n.Cells))
		whole = []assay.Comparison{c}
	}
	if len(whole) == 1 && whole[0].N > 0 {
		n.Change = whole[0].Change
		switch s := ts.rule.set.Suite(metric).Sample(ts.rule.set.Control); {
		case ts.rule.plan.ControlEvery > 1:
			n.Floor = floor(s, ts.rule.set.Blocks, j.alpha)
		case whole[0].Interval != nil:
			n.Floor = whole[0].Interval.Half()
		}
	}
	return n
}

// variantResults counts each variant's verdicts on the first deciding metric.
func (ts *tables) variantResults(r *assay.Result) []assay.VariantResult {
	list := ts.rule.plan.Study.Variants
	if ts.rule.plan.Study.By != nil { // found in the binary, so only the plan lists them
		list = slices.DeleteFunc(slices.Clone(ts.rule.plan.Variants), func(v assay.Variant) bool { return v.Control })
	}
	var out []assay.VariantResult
	for _, v := range list {
		out = append(out, ts.variantResult(v, r))
	}
	return out
}

func (ts *tables) variantResult(v assay.Variant, r *assay.Result) assay.VariantResult {
	out := assay.VariantResult{Name: v.Name, Words: v.Words()}
	for _, a := range ts.rule.plan.Artifacts {
		if a.Variant == v.Name {
			out.GoVersion, out.Commit, out.Profile = a.GoVersion, a.Commit, a.Profile
		}
	}
	for _, s := range ts.rule.plan.Same {
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
