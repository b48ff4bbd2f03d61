package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Evidence is what an answer rests on beside the tables.
type Evidence struct {
	// Plan is the plan of the run.
	Plan *assay.Plan
	// Others are the variants compared with the base.
	Others []string
	// Ties finds, among others, the variants that best is not proved to beat on the whole
	// suite. Those in early ran in fewer blocks than any proof takes, tied has the rest.
	Ties func(m assay.Metric, best string, others []string) (tied, early []string)
	// ProofFrom is the number of blocks before which no variant is proved to beat
	// another.
	ProofFrom int
	// Failed lists the comparisons beyond the gate, Open those that may be.
	Failed, Open []string
	// Last is the last step that was measured, nil where there is none. Direct is what
	// it is to the base on the whole suite, nil where no benchmark is common to all.
	Last   *sample.Link
	Direct *assay.Comparison
}

// Of says which variant to use, from the whole suite on the first deciding metric; of
// services from all metrics that decide. The words are made here, once; every output
// prints them.
func Of(r *assay.Result, e Evidence) assay.Answer {
	a := assay.Answer{Decided: r.Spent.Stop == "decided"}
	decisive := r.Tables[:min(len(r.Tables), 1)]
	if e.Plan.Study.Serves() {
		decisive = r.Tables // a quantile that the runs are too short for may come first
	}
	if !slices.ContainsFunc(decisive, func(tab assay.Table) bool { return tab.Decides && len(tab.Rows) > 0 }) {
		a.Verdict, a.Text = nothingMeasured(r)
		a.Decided = a.Verdict == assay.SameCoded
		return a
	}
	tab := r.Tables[0]
	heads := Headlines(tab)
	switch {
	case e.Plan.Study.Serves():
		serviceAnswer(&a, r, e)
	case r.Arc != nil:
		stepsAnswer(&a, r, e, tab)
	case len(heads) == 0:
		a.Verdict = assay.Invalid
		a.Text = []string{"no benchmark is common to all variants: see the table"}
	case len(heads) == 1:
		pairAnswer(&a, r, tab, heads[0])
	default:
		bestAnswer(&a, r, e, tab, heads)
	}
	if r.Arc == nil && !e.Plan.Study.Serves() {
		a.Text = append(a.Text, provedElsewhere(r, a.Verdict.Differs())...)
	}
	if r.Rule.Gate > 0 {
		gateAnswer(&a, e)
	}
	a.Basis = basis(r, a)
	return a
}

// nothingMeasured answers for a run without a comparison.
func nothingMeasured(r *assay.Result) (assay.Verdict, []string) {
	for _, v := range r.Variants {
		if v.SameAs != nil {
			return assay.SameCoded, []string{fmt.Sprintf("%q and %q are the same code: all %d functions are equal, so there is nothing to measure",
				v.Name, v.SameAs.As, v.SameAs.Functions)}
		}
	}
	return assay.Invalid, []string{"nothing could be measured: see the warnings"}
}

// Headlines are the comparisons that stand for the whole suite, one a variant.
func Headlines(tab assay.Table) []assay.Comparison {
	if len(tab.Geomean) > 0 {
		return tab.Geomean
	}
	if len(tab.Rows) == 1 {
		return tab.Rows[0].Cells
	}
	// Of several, one may be left that every variant could run, and keep up with.
	var left []assay.Row
	for _, row := range tab.Rows {
		if !slices.ContainsFunc(row.Cells, func(c assay.Comparison) bool { return NoFigure(c.Verdict) }) {
			left = append(left, row)
		}
	}
	if len(left) == 1 {
		return left[0].Cells
	}
	return nil
}

// NoFigure reports whether a cell says nothing of its variant.
func NoFigure(v assay.Verdict) bool {
	return v == assay.Invalid || v == assay.Saturated || v == assay.Withheld
}

// tally is what the benchmarks say one by one.
func tally(tab assay.Table, variant string) assay.VariantResult {
	var v assay.VariantResult
	for _, row := range tab.Rows {
		for _, c := range row.Cells {
			if c.Variant == variant {
				v.Count(c)
			}
		}
	}
	return v
}

// pairAnswer answers for one variant against the base.
func pairAnswer(a *assay.Answer, r *assay.Result, tab assay.Table, c assay.Comparison) {
	n := tally(tab, c.Variant)
	a.Verdict = c.Verdict
	if !c.Verdict.Differs() && n.Better > 0 && n.Worse > 0 {
		a.Verdict = assay.Mixed
	}
	over := overText(tab, c)
	switch {
	case c.Verdict.Good():
		a.Use = c.Variant
		a.Text = []string{fmt.Sprintf("use %s: %s%s", c.Variant, Amount(tab.Metric, c, r.Base), over)}
	case c.Verdict.Bad():
		a.Use = r.Base
		a.Text = []string{fmt.Sprintf("use %s: %s takes %s%s", r.Base, c.Variant, Amount(tab.Metric, c, r.Base), over)}
	case c.Verdict == assay.Same && a.Verdict == assay.Same:
		a.Text = []string{fmt.Sprintf("keep %s: %s is the same%s", r.Base, c.Variant, within(tab.Metric, c)+over)}
	case c.Verdict == assay.Same:
		a.Text = []string{fmt.Sprintf("it depends on the benchmark: on the whole the same%s", within(tab.Metric, c)+over)}
	case c.Verdict == assay.Changed:
		a.Text = []string{changedText(tab.Metric, c) + over}
	case c.Verdict == assay.Invalid:
		a.Text = []string{"no answer: " + c.Reason}
	default:
		a.Text = []string{undecidedText(c.Variant+" "+tab.Metric.Name, c, over)}
	}
	a.Text = append(a.Text, exceptions(tab, c, n)...)
}

// undecidedText is "not decided: b sec/op +0.4 % [−0.5, +1.3], needs about 5 more
// blocks (20 s)".
func undecidedText(what string, c assay.Comparison, over string) string {
	if c.Interval == nil {
		return fmt.Sprintf("not decided: %s: %s%s", what, c.Reason, price(c))
	}
	return fmt.Sprintf("not decided: %s %s%s%s", what, Interval(c), over, price(c))
}

// changedText says that a metric of unknown direction changed.
func changedText(m assay.Metric, c assay.Comparison) string {
	return fmt.Sprintf("%s changes %s by %s; say which direction is better with a Unit line", c.Variant, m.Name, Interval(c))
}

// within is " within ±1 %" of what is the same; exact numbers are the same without.
func within(m assay.Metric, c assay.Comparison) string {
	if c.Exact {
		return " (exact)"
	}
	return " within ±" + printable.Share(m.MinEffect)
}

// overText says what a headline is over: " (geomean of 24 benchmarks, 12 complete
// blocks)", or the only benchmark of several that all variants have.
func overText(tab assay.Table, c assay.Comparison) string {
	switch {
	case len(tab.Geomean) > 0:
		return fmt.Sprintf(" (geomean of %d benchmarks, %s)", tab.Common, printable.Count(c.N, "complete block"))
	case len(tab.Rows) > 1:
		return " on " + c.Benchmark.Name
	}
	return ""
}

// exceptions names the benchmarks that go against the headline.
func exceptions(tab assay.Table, head assay.Comparison, n assay.VariantResult) []string {
	if len(tab.Rows) < 2 {
		return nil
	}
	worseOnly := func(v assay.Verdict) bool { return v.Bad() }
	betterOnly := func(v assay.Verdict) bool { return v.Good() }
	switch {
	case head.Verdict.Good() && n.Worse > 0:
		return []string{fmt.Sprintf("except %d: %s", n.Worse, movers(tab, head.Variant, worseOnly))}
	case head.Verdict.Bad() && n.Better > 0:
		return []string{fmt.Sprintf("except %d: %s", n.Better, movers(tab, head.Variant, betterOnly))}
	case !head.Verdict.Differs() && n.Worse+n.Better > 0:
		return []string{fmt.Sprintf("%d for the better, %d for the worse: %s", n.Better, n.Worse, movers(tab, head.Variant, assay.Verdict.Differs))}
	}
	return nil
}

// movers lists up to three benchmarks of the wanted verdicts, largest first.
func movers(tab assay.Table, variant string, want func(assay.Verdict) bool) string {
	var found []assay.Comparison
	for _, row := range tab.Rows {
		for _, c := range row.Cells {
			if c.Variant == variant && want(c.Verdict) {
				found = append(found, c)
			}
		}
	}
	sortByChange(found)
	var parts []string
	for i, c := range found {
		if i == 3 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, c.Benchmark.Name+" "+Interval(c))
	}
	return strings.Join(parts, ", ")
}

// Column are the comparisons of one variant with the base.
func Column(tab assay.Table, variant string) (cells []assay.Comparison) {
	for _, row := range tab.Rows {
		for _, c := range row.Cells {
			if c.Variant == variant && c.Verdict != assay.Withheld {
				cells = append(cells, c)
			}
		}
	}
	return cells
}

// Headline is the comparison of a variant with the base on the whole suite and the
// first metric; ok is false where it was not measured.
func Headline(r *assay.Result, variant string) (c assay.Comparison, ok bool) {
	if len(r.Tables) == 0 {
		return c, false
	}
	heads := Headlines(r.Tables[0])
	i := slices.IndexFunc(heads, func(c assay.Comparison) bool { return c.Variant == variant && c.N > 0 })
	if i < 0 {
		return c, false
	}
	return heads[i], true
}
