package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// bestAnswer answers for several variants, from the metrics that the answer rests on: the
// first that claims a best one decides, and the others give the exceptions.
func bestAnswer(a *assay.Answer, r *assay.Result, e Evidence, fs []finding) {
	var each []assay.Answer
	for _, f := range fs {
		each = append(each, bestOn(r, e, f))
	}
	lead := slices.IndexFunc(each, func(x assay.Answer) bool { return x.Use != "" })
	switch {
	case len(fs) == 1:
		lead = 0
	case lead < 0:
		noBest(a, r, fs, each)
		return
	}
	x, what := each[lead], noun(fs[lead].table.Metric)
	a.Verdict, a.Use, a.Text, a.Undecided = x.Verdict, x.Use, x.Text, x.Undecided
	if len(fs) == 1 {
		return
	}
	for i := range a.Text[1:] {
		a.Text[1+i] = what + ": " + a.Text[1+i]
	}
	if against := exceptionsOf(slices.Delete(slices.Clone(fs), lead, lead+1), a.Use, r.Base); against != "" {
		a.Text[0] = "it depends on what counts: by " + what + " " + a.Text[0]
		a.Text = append(a.Text, "but "+against)
		a.Verdict, a.Use = assay.Mixed, ""
	}
	a.Text = append(a.Text, saturatedText(fs, a.Text)...)
}

// bestOn answers for several variants on one metric. It recommends only a variant whose
// comparison with the base is claimed; those that it is not proved to beat are tied with
// it. If none is claimed to be better, those not claimed to be worse are tied with the base.
func bestOn(r *assay.Result, e Evidence, f finding) (a assay.Answer) {
	g, m, over := groupOf(f.views()), f.table.Metric, f.over()
	a.Undecided = openText(g.open, r.Base, false)
	switch {
	case f.saturated():
		noFigure(&a, g.out[0])
		return a
	case len(g.better) > 0:
		best := slices.MinFunc(g.better, func(x, y view) int { return cmp.Compare(m.Loss()*x.Change.Log(), m.Loss()*y.Change.Log()) })
		a.Verdict, a.Use = best.Verdict, best.Variant
		a.Text = []string{fmt.Sprintf("use %s: %s%s%s", best.Variant, best.against(r.Base), over, gains(r, best.Variant, m.Name))}
		if best.rare.Divided() {
			a.Verdict, a.Use = assay.Mixed, ""
			a.Text[0] = onBenchmark + strings.TrimPrefix(a.Text[0], "use ")
		}
		tied, early := e.Ties(m, best.Variant, names(slices.Concat(g.better, g.same, g.open)))
		a.Undecided = ties(best.Variant, tied, early, e.ProofFrom)
		a.Text = append(a.Text, exceptionsText([]finding{f}, best.Variant)...)
	case len(g.changed) > 0:
		a.Verdict = assay.Changed
		for _, v := range g.changed {
			a.Text = append(a.Text, changedText(v)+over)
		}
	case len(g.same)+len(g.open) == 0 && len(g.worse) > 0:
		who := "every other variant"
		if len(g.out) > 0 {
			who += " that could be compared"
		}
		a.Verdict, a.Use = worseWord(m), r.Base
		a.Text = []string{fmt.Sprintf("use %s: %s is worse: %s%s", r.Base, who, worseRange(g.worse), over)}
	case len(g.open) == 0 && len(g.same) > 0:
		a.Verdict = assay.Same
		a.Text = []string{fmt.Sprintf("keep %s: %s the same within ±%s%s", r.Base, allOf(g), printable.Share(m.MinEffect), over)}
		dependsOn(&a, []finding{f}, g.same)
	case len(g.open) > 0 && len(g.same)+len(g.worse) == 0 && !slices.ContainsFunc(g.open, known):
		a.Verdict = assay.Unclear
		a.Text = []string{undecidedText(slices.MaxFunc(g.open, byPrice)) + over}
	case len(g.open) > 0:
		a.Verdict = assay.Unclear
		a.Text = []string{noWinner(m, g, r.Base, over)}
		if len(g.worse) == 0 {
			a.Text = orSingly(r, a.Text...)
		}
	default:
		a.Verdict, a.Text = assay.Invalid, []string{"no answer: no variant could be compared with " + r.Base}
	}
	if len(g.worse) > 0 && a.Use != r.Base && a.Verdict != assay.Unclear {
		a.Text = append(a.Text, fmt.Sprintf("worse than %s: %s", r.Base, strings.Join(names(g.worse), ", ")))
	}
	a.Text = append(a.Text, notRanked(g.out)...)
	return a
}

// dependsOn adds to an answer that finds all variants the same on the whole what is proved
// on single benchmarks. If that goes both ways the answer depends on the benchmark.
func dependsOn(a *assay.Answer, fs []finding, same []view) {
	for _, variant := range names(same) {
		if mixed(fs, variant) && a.Verdict == assay.Same {
			_, rest, _ := strings.Cut(a.Text[0], ": ")
			a.Verdict, a.Text[0] = assay.Mixed, onBenchmark+"on the whole "+rest
		}
		for _, line := range exceptionsText(fs, variant) {
			a.Text = append(a.Text, variant+": "+line)
		}
	}
}

// noBest answers if no metric has a best variant: it says what each shows.
func noBest(a *assay.Answer, r *assay.Result, fs []finding, each []assay.Answer) {
	var all []view
	for _, f := range fs {
		all = append(all, f.views()...)
	}
	g := groupOf(all)
	switch {
	case !slices.ContainsFunc(fs, func(f finding) bool { return !f.saturated() }):
		noFigure(a, all[0])
		return
	case len(g.same) == len(all):
		a.Verdict = assay.Same
		a.Text = []string{fmt.Sprintf("keep %s: all variants are the same%s in %s", r.Base, withinAll(all), metricsOf(all))}
		dependsOn(a, fs, all)
		return
	}
	a.Verdict = assay.Unclear
	a.Text = orSingly(r, byMetric(fs, each)...)
	a.Text = append(a.Text, saturatedText(fs, a.Text)...)
	a.Undecided = openText(g.open, r.Base, true)
}

// byMetric has what each metric says; metrics that say the same share a line, without
// their names if all do.
func byMetric(fs []finding, each []assay.Answer) (out []string) {
	var texts []string
	metrics := map[string][]view{}
	for i, f := range fs {
		if f.saturated() || len(each[i].Text) == 0 {
			continue
		}
		text := each[i].Text[0]
		if metrics[text] == nil {
			texts = append(texts, text)
		}
		metrics[text] = append(metrics[text], f.views()[0])
	}
	for _, text := range texts {
		lead := metricsOf(metrics[text]) + ": "
		out = append(out, pick(len(metrics[text]) < len(fs), lead, "")+text)
	}
	return out
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
		for _, v := range f.views() {
			if v.Variant == use && v.Verdict.Bad() || use == base && v.Verdict.Good() {
				out = append(out, v.Variant+" has "+v.amount())
			}
		}
	}
	return strings.Join(out, ", ")
}

// known reports whether an undecided comparison has figures.
func known(v view) bool { return v.Interval != nil }

// noWinnerText begins the answer where no variant is proved to be the best.
const noWinnerText = "no clear winner"

// noWinner is "no clear winner; tied: a, b, c; slower: d +3.1 %, e +4.2 %".
func noWinner(m assay.Metric, g group, base, over string) string {
	tied := append([]string{base}, names(slices.Concat(g.open, g.same))...)
	text := noWinnerText + "; tied: " + strings.Join(tied, ", ") + over
	if len(g.worse) == 0 {
		return text
	}
	var worse []string
	for _, v := range g.worse {
		worse = append(worse, v.Variant+" "+v.figure())
	}
	return text + "; " + string(worseWord(m)) + ": " + Few(worse)
}

// worseRange is "b +4.2 % [+0.6, +6.7] to c +65 % [+59, +71]", the smallest and the largest
// change, or the only one.
func worseRange(worse []view) string {
	sorted := slices.SortedFunc(slices.Values(worse), view.bySize)
	most, least := sorted[0], sorted[len(sorted)-1]
	text := least.Variant + " " + Interval(least.Comparison) + least.rare.few()
	if len(worse) > 1 {
		text += " to " + most.Variant + " " + Interval(most.Comparison) + most.rare.few()
	}
	return text + " " + noun(most.metric)
}

// ties says from which variants the best could not be distinguished: from early ones
// because no proof is possible in so few blocks.
func ties(best string, tied, early []string, from int) string {
	var parts []string
	if len(tied) > 0 {
		parts = append(parts, best+" is tied with "+strings.Join(tied, ", "))
	}
	if len(early) > 0 {
		parts = append(parts, fmt.Sprintf("distinguishing %s from %s takes at least %d blocks", best, strings.Join(early, ", "), from))
	}
	return join(parts...)
}

// allOf is "all variants are", or if some are worse "b and c are".
func allOf(g group) string {
	if len(g.worse)+len(g.out) == 0 {
		return "all variants are"
	}
	return joinAnd(names(g.same)) + " " + are(len(g.same))
}

// notRanked lists the variants that cannot be compared, and why.
func notRanked(out []view) (lines []string) {
	for _, v := range out {
		lines = append(lines, fmt.Sprintf("not ranked: %s (%s)", v.Variant, whyOut(v)))
	}
	return lines
}

func worseWord(m assay.Metric) assay.Verdict { return assay.Differing(m, m.Loss()) }
