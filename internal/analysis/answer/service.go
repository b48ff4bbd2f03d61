package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
)

// A study of services decides by several metrics of one benchmark: throughput, and
// latency at some quantiles. Its answer uses all of them; other studies use many
// benchmarks on one metric.

// findings returns those of the metrics that decide, in the order of the study, and then
// that of errors if it differs: quick failures are no improvement.
func findings(r *assay.Result) (out []finding) {
	for _, tab := range r.Tables {
		if heads := Headlines(tab); tab.Decides && len(heads) > 0 {
			out = append(out, finding{tab, heads})
		}
	}
	for _, tab := range r.Tables {
		heads := Headlines(tab)
		if tab.Metric.Name == assay.MetricErrors && !tab.Decides && slices.ContainsFunc(heads, func(c assay.Comparison) bool { return c.Verdict.Differs() }) {
			out = append(out, finding{tab, heads})
		}
	}
	return out
}

// saturated reports whether the metric cannot distinguish any variants.
func (f finding) saturated() bool {
	return !slices.ContainsFunc(f.heads, func(c assay.Comparison) bool { return c.Verdict != assay.Saturated })
}

// serviceAnswer answers for a study of services.
func serviceAnswer(a *assay.Answer, r *assay.Result, e Evidence) {
	fs := findings(r)
	others := e.Others
	switch {
	case len(fs) == 0:
		a.Verdict, a.Decided = assay.Invalid, false
		a.Text = []string{"no answer: none of the metrics that decide is common to all variants: see the table"}
		if c, ok := firstSaturated(r); ok {
			a.Verdict, a.Text = assay.Saturated, []string{"no answer: " + c.Reason}
		}
	case len(others) == 1:
		pairOfServices(a, r, fs, others[0])
		a.Text = append(a.Text, collectorText(r, others[0])...)
	default:
		bestService(a, r, e, fs)
		if v := a.Use; v != "" && v != r.Base {
			a.Text = append(a.Text, collectorText(r, v)...)
		}
	}
	a.Text = append(a.Text, missing(r)...)
}

// pairOfServices answers for one variant against the base.
func pairOfServices(a *assay.Answer, r *assay.Result, fs []finding, variant string) {
	v := viewsOf(fs, variant)
	rest := join(v.sameText(), v.changedText())
	a.Undecided = v.openList()
	switch {
	case len(v.better) > 0 && len(v.worse) > 0:
		a.Verdict = assay.Mixed
		a.Text = []string{fmt.Sprintf("it depends on what counts: %s has %s, but %s%s", variant, list(v.better), list(v.worse), after(rest))}
	case len(v.better) > 0:
		a.Verdict, a.Use = v.better[0].Verdict, variant
		a.Text = []string{fmt.Sprintf("use %s: %s against %s%s", variant, list(v.better), r.Base, after(rest))}
	case len(v.worse) > 0:
		a.Verdict, a.Use = v.worse[0].Verdict, r.Base
		a.Text = []string{fmt.Sprintf("use %s: %s has %s%s", r.Base, variant, list(v.worse), after(rest))}
	case len(v.changed) > 0:
		a.Verdict = assay.Changed
		a.Text = []string{join(v.changedText(), v.sameText())}
	case len(v.same) > 0 && len(v.open) == 0 && len(v.saturated)+len(v.invalid) == 0:
		a.Verdict = assay.Same
		a.Text = []string{"keep " + r.Base + ": " + rest}
	case len(v.same) > 0:
		a.Verdict = assay.Unclear
		a.Text = []string{"keep " + r.Base + " so far: " + rest}
	case len(v.open) > 0:
		a.Verdict = assay.Unclear
		a.Text = []string{"not decided: " + v.openList()}
	case len(v.saturated) > 0:
		a.Verdict = assay.Saturated
		a.Text = []string{"no answer: " + v.saturated[0].Reason}
	default:
		a.Verdict = assay.Invalid
		a.Text = []string{"no answer: " + v.invalid[0].Reason}
	}
	if len(v.saturated) > 0 && a.Verdict != assay.Saturated {
		a.Text = append(a.Text, v.names(v.saturated)+" say nothing: "+v.saturated[0].Reason)
	}
	if len(v.invalid) > 0 && a.Verdict != assay.Invalid {
		a.Text = append(a.Text, v.names(v.invalid)+" invalid: "+v.invalid[0].Reason)
	}
	for _, f := range fs {
		for _, line := range exceptions(f.table, f.of(variant), tally(f.table, variant)) {
			a.Text = append(a.Text, noun(f.table.Metric)+": "+line)
		}
	}
}

// bestService answers for several variants: the first metric that claims a best one
// decides, and the others give the exceptions.
func bestService(a *assay.Answer, r *assay.Result, e Evidence, fs []finding) {
	lead := -1
	var each []assay.Answer
	for i, f := range fs {
		var x assay.Answer
		bestAnswer(&x, r, e, f.table, f.heads)
		each = append(each, x)
		if x.Use != "" && lead < 0 {
			lead = i
		}
	}
	if lead < 0 {
		noBestService(a, r, e, fs, each)
		return
	}
	a.Verdict, a.Use, a.Text, a.Undecided = each[lead].Verdict, each[lead].Use, each[lead].Text, each[lead].Undecided
	for i := range a.Text[1:] {
		a.Text[1+i] = noun(fs[lead].table.Metric) + ": " + a.Text[1+i]
	}
	if against := exceptionsOf(slices.Delete(slices.Clone(fs), lead, lead+1), a.Use, r.Base); against != "" {
		a.Text[0] = "it depends on what counts: by " + noun(fs[lead].table.Metric) + " " + a.Text[0]
		a.Text = append(a.Text, "but "+against)
		a.Verdict, a.Use = assay.Mixed, ""
	}
	a.Text = append(a.Text, saturatedText(fs, a.Text)...)
}

// noBestService answers if no metric has a best variant: it says what each shows.
func noBestService(a *assay.Answer, r *assay.Result, e Evidence, fs []finding, each []assay.Answer) {
	same, saturated := true, true
	for i, f := range fs {
		same = same && each[i].Verdict == assay.Same && !slices.ContainsFunc(f.heads, func(c assay.Comparison) bool { return c.Verdict != assay.Same })
		saturated = saturated && f.saturated()
	}
	switch {
	case saturated:
		a.Verdict, a.Text = assay.Saturated, []string{"no answer: " + fs[0].heads[0].Reason}
		return
	case same:
		a.Verdict = assay.Same
		a.Text = []string{fmt.Sprintf("keep %s: %s for all variants", r.Base, viewsOf(fs, e.Others[0]).sameText())}
		return
	}
	a.Verdict = assay.Unclear
	a.Text = orSingly(r, byMetric(fs, each)...)
	a.Text = append(a.Text, saturatedText(fs, a.Text)...)
	a.Undecided = openService(r, fs)
}

// byMetric has what each metric says; metrics that say the same share a line.
func byMetric(fs []finding, each []assay.Answer) (out []string) {
	var texts []string
	metrics := map[string][]assay.Metric{}
	for i, f := range fs {
		if f.saturated() || len(each[i].Text) == 0 {
			continue
		}
		text := each[i].Text[0]
		if metrics[text] == nil {
			texts = append(texts, text)
		}
		metrics[text] = append(metrics[text], f.table.Metric)
	}
	for _, text := range texts {
		out = append(out, joinAnd(nounList(metrics[text]))+": "+text)
	}
	return out
}

// openService says on which metrics which variants are not decided.
func openService(r *assay.Result, fs []finding) string {
	var open []view
	for _, f := range fs {
		for _, c := range f.heads {
			if c.Verdict == assay.Unclear {
				open = append(open, view{f.table.Metric, c})
			}
		}
	}
	if len(open) == 0 {
		return ""
	}
	return fmt.Sprintf("%s against %s on %s", Few(variantsIn(open)), r.Base, metricsOf(open))
}

// saturatedText names the variants that did not keep up, and with what, unless said
// already.
func saturatedText(fs []finding, said []string) (out []string) {
	for _, f := range fs {
		for _, c := range f.heads {
			if c.Verdict == assay.Saturated && !slices.Contains(out, c.Reason) && !strings.Contains(strings.Join(said, "\n"), c.Reason) {
				out = append(out, c.Reason)
			}
		}
	}
	return out
}

// exceptionsOf lists what other metrics say against using a variant: where it is worse
// than the base, or, for the base, where others are better.
func exceptionsOf(fs []finding, use, base string) string {
	var out []string
	for _, f := range fs {
		for _, c := range f.heads {
			if c.Variant == use && c.Verdict.Bad() || use == base && c.Verdict.Good() {
				out = append(out, c.Variant+" has "+view{f.table.Metric, c}.String())
			}
		}
	}
	return strings.Join(out, ", ")
}

// firstSaturated returns the first saturated comparison that decides.
func firstSaturated(r *assay.Result) (assay.Comparison, bool) {
	for _, tab := range r.Tables {
		for _, row := range tab.Rows {
			for _, c := range row.Cells {
				if tab.Decides && c.Verdict == assay.Saturated {
					return c, true
				}
			}
		}
	}
	return assay.Comparison{}, false
}

// collectorText describes the collector in a variant, if that is proved: the cost of a
// cycle, and the number of cycles. It never decides.
func collectorText(r *assay.Result, variant string) []string {
	proved := func(metric string) (c assay.Comparison, ok bool) {
		for _, tab := range r.Tables {
			if tab.Metric.Name == metric {
				c, _ = Find(Headlines(tab), variant)
			}
		}
		return c, c.Verdict.Differs()
	}
	cost, costs := proved(assay.MetricGCMarkCPU)
	cycles, fewer := proved(assay.MetricGCCyclesTx)
	if !fewer {
		cycles, fewer = proved(assay.MetricGCCyclesMin)
	}
	link := pick(cost.Verdict == cycles.Verdict, "and", "but")
	costText := fmt.Sprintf("each GC cycle costs %s CPU (%s)", pick(cost.Verdict.Bad(), "more", "less"), Interval(cost))
	countText := fmt.Sprintf("cycles are %s (%s)", pick(cycles.Verdict.Bad(), "more frequent", "rarer"), Interval(cycles))
	switch {
	case costs && fewer:
		return []string{fmt.Sprintf("in %s %s, %s %s", variant, costText, link, countText)}
	case costs:
		return []string{fmt.Sprintf("in %s %s", variant, costText)}
	case fewer:
		return []string{fmt.Sprintf("in %s GC %s", variant, countText)}
	}
	return nil
}

// missing lists the deciding metrics that no block has for both sides.
func missing(r *assay.Result) (out []string) {
	for _, tab := range r.Tables {
		switch {
		case !tab.Decides || len(tab.Rows) > 0:
		case assay.IsLatency(tab.Metric.Name):
			out = append(out, fmt.Sprintf("%s is unknown: each run needs %d requests beyond it", tab.Metric.Name, assay.MinBeyond))
		default:
			out = append(out, tab.Metric.Name+" is unknown: no run reported it")
		}
	}
	return out
}
