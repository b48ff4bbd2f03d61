package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Of answers what the study asks, from the whole suite on the first deciding metric; for
// services from all metrics that decide (findings). Its words are those of every output.
func Of(r *assay.Result, e Evidence) assay.Answer {
	if s := subjectsOf(r); len(s) > 0 {
		a := of(s.result(r), s.evidence(e))
		a.Use = s.variant(a.Use)
		return a
	}
	return of(r, e)
}

// of is that of a result whose variants have the names of sentences.
func of(r *assay.Result, e Evidence) assay.Answer {
	a := assay.Answer{Decided: r.Spent.Stop == "decided"}
	decisive := r.Tables[:min(len(r.Tables), 1)]
	if e.Plan.Study.Serves() {
		decisive = r.Tables // a quantile that the runs are too short for may come first
	}
	if !slices.ContainsFunc(decisive, func(tab assay.Table) bool { return tab.Decides && len(tab.Rows) > 0 }) {
		a.Verdict, a.Text = nothingMeasured(r)
		a.Decided = a.Verdict == assay.SameCoded
		if r.Rule.Gate > 0 {
			gateAnswer(&a, r, e)
		}
		return a
	}
	a.Asks = asked(r, &e.Plan.Study)
	switch a.Asks.Kind() {
	case assay.AskArc:
		stepsAnswer(&a, r, e, r.Tables[0])
	case assay.AskSame:
		sameAnswer(&a, r)
	default:
		variantAnswer(&a, r, e)
	}
	switch a.Asks.Kind() {
	case assay.AskTradeoff:
		tradeoffAnswer(&a, r)
	case assay.AskFactor:
		factorAnswer(&a, deciders(r))
	}
	if r.Arc == nil {
		a.Text = append(a.Text, soFar(r)...)
	}
	NameCosts(&a, r)
	a.Decided = a.Decided || r.Rule.Gate == 0 && claims(a)
	if a.Undecided == "" {
		a.Undecided = openCells(r, e.Plan.Study.ComparesSteps())
	}
	if a.Undecided != "" {
		a.Undecided += price(r, e.Plan.Study.ComparesSteps())
	}
	if r.Rule.Gate > 0 {
		gateAnswer(&a, r, e)
	}
	if covered := Coverage(r); covered != "" {
		a.Text = append(a.Text, covered)
	}
	a.Basis = basis(r, a)
	return a
}

// claims reports whether an answer claims something, and leaves nothing open that it is
// about. It is decided then, also where single benchmarks are not, for which a run goes on.
func claims(a assay.Answer) bool {
	return a.Undecided == "" && (a.Verdict.Differs() || a.Verdict == assay.Same || a.Verdict == assay.Mixed)
}

// deciders returns the tables that decide and have rows; the first table if there is none.
func deciders(r *assay.Result) []assay.Table {
	out := slices.DeleteFunc(slices.Clone(r.Tables), func(tab assay.Table) bool { return !tab.Decides || len(tab.Rows) == 0 })
	if len(out) == 0 {
		return r.Tables[:1]
	}
	return out
}

// variantAnswer answers which variant to use.
func variantAnswer(a *assay.Answer, r *assay.Result, e Evidence) {
	serves := e.Plan.Study.Serves()
	fs := findings(r, serves)
	others := variantsOf(fs)
	switch len(others) {
	case 0:
		noFinding(a, r)
	case 1:
		pairAnswer(a, r, fs, others[0])
	default:
		bestAnswer(a, r, e, fs)
	}
	a.Text = append(a.Text, provedElsewhere(r, *a, fs)...)
	if serves {
		if len(others) != 1 {
			others = []string{a.Use}
		}
		a.Text = append(a.Text, collectorText(r, others[0])...)
	}
	a.Text = append(a.Text, missing(r)...)
}

// noFinding answers where no metric compares any variants on the whole suite.
func noFinding(a *assay.Answer, r *assay.Result) {
	a.Verdict, a.Decided = assay.Invalid, false
	a.Text = []string{"no benchmark is common to all variants: see the table"}
	if c, ok := firstSaturated(r); ok {
		a.Verdict, a.Text = assay.Saturated, []string{"no answer: " + c.Reason}
	}
}

// nothingMeasured returns the answer of a run without a comparison.
func nothingMeasured(r *assay.Result) (assay.Verdict, []string) {
	if same := SameCode(r); len(same) > 0 {
		return assay.SameCoded, []string{fmt.Sprintf("%q and %q are the same code: all %d functions are equal, so there is nothing to measure",
			same[0].Name, same[0].SameAs.As, same[0].SameAs.Functions)}
	}
	var own []string
	rows := slices.DeleteFunc(slices.Clone(r.Tables), func(t assay.Table) bool { return len(t.Rows) == 0 })
	if len(rows) == 0 {
		return assay.Invalid, []string{"nothing could be measured: see the warnings"}
	}
	for _, t := range rows {
		if _, known := assay.FindMetric(t.Metric.Name); !known {
			own = append(own, printable.Line(t.Metric.Name, 0))
		}
	}
	text := fmt.Sprintf("no metric decides: %s %s not measured", strings.Join(nouns(r.Rule.Metrics), ", "), pick(len(r.Rule.Metrics) > 1, "were", "was"))
	switch {
	case len(own) == 1:
		text += ", and " + own[0] + " does not decide"
	case len(own) > 1:
		text += ", and " + printable.Few(own, 3) + " do not decide"
	}
	return assay.Invalid, []string{text}
}

// nouns are what sentences call metrics.
func nouns(metrics []string) (out []string) {
	for _, name := range metrics {
		out = append(out, noun(assay.Metric{Name: name}))
	}
	return out
}

// SameCode returns the variants of a result besides the base if every one of them is the
// same code as another, so that there is nothing to measure; nil if one is not.
func SameCode(r *assay.Result) []assay.VariantResult {
	others := slices.DeleteFunc(slices.Clone(r.Variants), func(v assay.VariantResult) bool { return v.Name == r.Base })
	if slices.ContainsFunc(others, func(v assay.VariantResult) bool { return v.SameAs == nil }) {
		return nil
	}
	return others
}

// Evidence is what an answer rests on besides the tables.
type Evidence struct {
	// Plan is the plan of the run.
	Plan *assay.Plan
	// Ties returns those of others that best is not proved to beat on the whole suite.
	// early ran in fewer blocks than any proof needs; tied has the others.
	Ties func(m assay.Metric, best string, others []string) (tied, early []string)
	// ProofFrom is the number of blocks before which no variant is proved to beat
	// another.
	ProofFrom int
	// Failed lists the comparisons beyond the gate, Open those that may be.
	Failed, Open []GateCell
	// Last is the last measured step, nil if there is none. Direct compares it with the
	// base on the whole suite; nil if all steps have no common benchmark.
	Last   *sample.Link
	Direct *assay.Comparison
}
