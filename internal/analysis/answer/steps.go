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
	over := ""
	if len(tab.Rows) > 1 {
		over = overText(tab, c)
	}
	ch := linksOf(r.Arc, tab)
	a.Text = []string{endToEnd(tab.Metric, c, last, r.Base, eachText(tab, c)+over) + after(ch.provedText())}
	if x := rarity(tab, c, Column(tab, e.Last.Now)); len(tab.Rows) > 1 && over == "" && !x.Typical() {
		a.Text[0] = stepName(last) + ", against " + r.Base + ": " + x.String() + after(ch.provedText())
		if x.Divided() {
			a.Verdict, a.Use = assay.Mixed, ""
			a.Text[0] = onBenchmark + a.Text[0]
		}
		n = assay.VariantResult{} // said
	}
	if text := join(benchTally(tab, n), ch.moversText(tab.Metric, c)); text != "" {
		a.Text = append(a.Text, text)
	}
	a.Undecided = ch.quietText()
	if c.Verdict == assay.Unclear {
		a.Undecided = join(stepName(last)+" against "+r.Base, a.Undecided)
	}
	if failed := failedGates(last); failed != "" {
		a.Text = append(a.Text, fmt.Sprintf("step %d %s", last.Number, failed))
	}
}

// endToEnd is "step 20, final tidy, is 2.6× as fast as v2: −61.5 % [−62.0, −61.0] time",
// or the like for smaller and undecided changes. over names the benchmarks, or
// is what eachText says of them; "" for none.
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
		return fmt.Sprintf("%s changes %s by %s%s; %s", who, m.Name, Interval(c), over, sayDirection)
	case !c.Verdict.Differs():
		text := stepName(last) + " against " + base
		if c.Bound() != "" {
			return fmt.Sprintf("%s: %s beyond %s%s", text, noChange, c.Bound(), over)
		}
		if c.Interval == nil {
			return notDecided + because(text, c.Reason) + over
		}
		return fmt.Sprintf("%s%s: %s %s%s", notDecided, text, noun(m), Interval(c), over)
	case m.IsTime() && c.Change.Ratio(m) != "":
		ratio := c.Change.Ratio(m)
		return fmt.Sprintf("%s %s %s: %s %s%s", who, pick(c.Change < 0, "is "+ratio+" as", "takes "+ratio+" of"), base, Interval(c), noun(m), over)
	}
	return fmt.Sprintf("%s %s %s%s", who, takes(m), Amount(m, c, base), over)
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

// A links groups the steps of a chain by what is claimed of each against the one before it.
type links struct {
	gains, costs           []named
	changed                int // in a metric whose direction is unknown
	within, same, measured int
}

func linksOf(arc *assay.Arc, tab assay.Table) (ls links) {
	for i, s := range tab.Steps {
		if s.Whole == nil {
			continue
		}
		ls.measured++
		x := named{arc.Steps[i], *s.Whole}
		switch v := s.Whole.Verdict; {
		case v.Good():
			ls.gains = append(ls.gains, x)
		case v.Bad():
			ls.costs = append(ls.costs, x)
		case v.Differs():
			ls.changed++
		case v == assay.SameCoded:
			ls.same++
		case v == assay.Same || v == assay.Unclear:
			ls.within++
		}
	}
	slices.SortStableFunc(ls.gains, named.bySize)
	slices.SortStableFunc(ls.costs, named.bySize)
	return ls
}

// provedText is "13 of 20 steps are proved changes"; "" for a single step.
func (ls links) provedText() string {
	n := len(ls.gains) + len(ls.costs) + ls.changed
	switch {
	case ls.measured <= 1:
		return ""
	case n == 0:
		return fmt.Sprintf("none of %d steps could be distinguished from the one before it", ls.measured)
	case n == 1:
		return fmt.Sprintf("1 of %d steps is a proved change", ls.measured)
	}
	return fmt.Sprintf("%d of %d steps are proved changes", n, ls.measured)
}

// moversText says which step did most, and which ones cost.
func (ls links) moversText(m assay.Metric, direct assay.Comparison) string {
	if ls.measured <= 1 {
		return ""
	}
	most, costs := "", ""
	if len(ls.gains) > 0 {
		lead := "largest: "
		if direct.Verdict.Good() && ls.gains[0].Change.Log()/direct.Change.Log() > 0.5 {
			lead = "most of it by "
		}
		most = lead + ls.gains[0].String()
	}
	if len(ls.costs) > 0 {
		costs = string(worseWord(m)) + ": " + listNamed(ls.costs)
	}
	return join(most, costs)
}

// quietText counts the steps without a proved change.
func (ls links) quietText() string {
	code := fmt.Sprintf("%d %s the same code as before", ls.same, are(ls.same))
	switch {
	case ls.measured <= 1 || ls.within == 0:
		return ""
	case ls.same == 0:
		code = ""
	}
	return fmt.Sprintf("%d of %d steps: no change proved", ls.within, ls.measured) + after(code)
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
