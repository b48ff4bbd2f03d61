package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// stepsAnswer answers for a chain: the last measured step against the base, which step
// did most of it, and which ones cost.
func stepsAnswer(a *assay.Answer, r *assay.Result, e Evidence, tab assay.Table) {
	if e.Direct == nil {
		a.Verdict = assay.Invalid
		a.Text = []string{"no benchmark is common to all steps: see the table"}
		if e.Last == nil {
			a.Text = []string{"no step could be measured: see the warnings"}
		}
		return
	}
	c := *e.Direct
	last := r.Arc.Steps[slices.IndexFunc(r.Arc.Steps, func(s assay.StepResult) bool { return s.Variant == e.Last.Step })]
	a.Verdict = c.Verdict
	switch {
	case c.Verdict.Good():
		a.Use = last.Variant
	case c.Verdict.Bad():
		a.Use = r.Base
	}
	n := tally(tab, e.Last.Now)
	if !c.Verdict.Differs() && n.Better > 0 && n.Worse > 0 {
		a.Verdict = assay.Mixed
	}
	over, each := "", benchTally(tab, n)
	if len(tab.Rows) > 1 {
		over = overText(tab, c)
	}
	a.Text = append([]string{endToEnd(tab.Metric, c, last, r.Base, over) + after(each)}, chainText(r.Arc, tab, c)...)
	if failed := failedGates(last); failed != "" {
		a.Text = append(a.Text, fmt.Sprintf("step %d %s", last.Number, failed))
	}
}

// endToEnd is "step 20, final tidy, is 2.6× as fast as v2: −61.5 % [−62.0, −61.0] time",
// or the like for smaller and undecided changes. over names the benchmarks, or is "".
func endToEnd(m assay.Metric, c assay.Comparison, last assay.StepResult, base, over string) string {
	who := stepName(last) + ","
	switch {
	case c.Verdict == assay.SameCoded:
		return fmt.Sprintf("%s is the same code as %s", who, base)
	case c.Verdict == assay.Same:
		return fmt.Sprintf("%s and %s are the same within ±%s%s", who, base, printable.Share(m.MinEffect), over)
	case c.Verdict == assay.Invalid || c.Verdict == assay.Saturated:
		return "no answer: " + c.Reason
	case c.Verdict == assay.Changed:
		return fmt.Sprintf("%s changes %s by %s%s; say which direction is better with a Unit line", who, m.Name, Interval(c), over)
	case !c.Verdict.Differs():
		return undecidedText(fmt.Sprintf("%s against %s: %s", who[:len(who)-1], base, m.Name), c, over)
	case m.IsTime() && c.Change.Ratio(m) != "":
		ratio := c.Change.Ratio(m)
		return fmt.Sprintf("%s %s %s: %s %s%s", who, pick(c.Change < 0, "is "+ratio+" as", "takes "+ratio+" of"), base, Interval(c), noun(m), over)
	}
	return fmt.Sprintf("%s takes %s%s", who, Amount(m, c, base), over)
}

// benchTally is "all 31 benchmarks faster", or "21 of 31 benchmarks faster, 2 slower"; ""
// for a single one.
func benchTally(tab assay.Table, n assay.VariantResult) string {
	total := n.Better + n.Worse + n.Same + n.Unclear
	if len(tab.Rows) < 2 || n.Better+n.Worse == 0 {
		return ""
	}
	better, worse := assay.Differing(tab.Metric, -tab.Metric.Loss()), worseWord(tab.Metric)
	switch total {
	case n.Better:
		return fmt.Sprintf("all %d benchmarks %s", total, better)
	case n.Worse:
		return fmt.Sprintf("all %d benchmarks %s", total, worse)
	}
	switch {
	case n.Better == 0:
		return fmt.Sprintf("%d of %d benchmarks %s", n.Worse, total, worse)
	case n.Worse == 0:
		return fmt.Sprintf("%d of %d benchmarks %s", n.Better, total, better)
	}
	return fmt.Sprintf("%d of %d benchmarks %s, %d %s", n.Better, total, better, n.Worse, worse)
}

// chainText says which step did most, which ones cost, and how many have no proved
// change.
func chainText(arc *assay.Arc, tab assay.Table, direct assay.Comparison) (out []string) {
	var gains, costs []named
	within, same, measured := 0, 0, 0
	for i, s := range tab.Steps {
		if s.Whole == nil {
			continue
		}
		measured++
		x := named{arc.Steps[i], *s.Whole}
		switch v := s.Whole.Verdict; {
		case v.Good():
			gains = append(gains, x)
		case v.Bad():
			costs = append(costs, x)
		case v == assay.SameCoded:
			same++
		case v == assay.Same || v == assay.Unclear:
			within++
		}
	}
	slices.SortStableFunc(gains, named.bySize)
	slices.SortStableFunc(costs, named.bySize)
	if len(gains) > 0 && measured > 1 {
		lead := "largest: "
		if direct.Verdict.Good() && gains[0].Change.Log()/direct.Change.Log() > 0.5 {
			lead = "most of it by "
		}
		out = append(out, lead+gains[0].String())
	}
	if len(costs) > 0 && measured > 1 {
		out = append(out, string(worseWord(tab.Metric))+": "+listNamed(costs))
	}
	if measured <= 1 {
		return out
	}
	return append(out, quietText(within, same, measured)...)
}

// quietText counts the steps without a proved change.
func quietText(within, same, measured int) []string {
	code := fmt.Sprintf("%d %s the same code as before", same, are(same))
	switch {
	case within+same == measured:
		return []string{fmt.Sprintf("none of %d steps could be distinguished from the one before it", measured)}
	case within == 0 && same == 0:
		return nil
	case within == 0:
		return []string{fmt.Sprintf("%d of %d steps %s the same code as before", same, measured, are(same))}
	case same == 0:
		code = ""
	}
	return []string{fmt.Sprintf("%d of %d steps: no change proved", within, measured) + after(code)}
}

// A named is a step with its change against the previous.
type named struct {
	step assay.StepResult
	assay.Comparison
}

// String is "step 13, decode into map: −41.0 %".
func (n named) String() string { return stepName(n.step) + ": " + figure(n.Comparison) }

func (n named) bySize(o named) int { return bySize(n.Comparison, o.Comparison) }

// listNamed lists three steps at most.
func listNamed(ns []named) string {
	var parts []string
	for i, n := range ns {
		if i == maxMovers {
			parts = append(parts, fmt.Sprintf("and %d more", len(ns)-maxMovers))
			break
		}
		parts = append(parts, n.String())
	}
	return strings.Join(parts, "; ")
}
