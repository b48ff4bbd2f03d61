package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
)

// pairAnswer answers for one variant against the base, from the metrics that the answer
// rests on. The first of them that differs leads.
func pairAnswer(a *assay.Answer, r *assay.Result, fs []finding, variant string) {
	g, depends := groupOf(viewsOf(fs, variant)), mixed(fs, variant)
	over, rest := fs[0].over(), []string{sameText(g.same)}
	for _, v := range g.changed {
		rest = append(rest, changedText(v)+over)
	}
	switch {
	case len(g.better) > 0 && len(g.worse) > 0:
		a.Verdict = assay.Mixed
		a.Text = []string{"it depends on what counts: " + variant + " has " + againstBase(g.better, r.Base, over) + ", but " + strings.Join(amounts(g.worse), ", ")}
	case slices.ContainsFunc(slices.Concat(g.better, g.worse), func(v view) bool { return v.rare.Divided() }):
		a.Verdict = assay.Mixed
		a.Text = []string{onBenchmark + variant + " has " + againstBase(slices.Concat(g.better, g.worse), r.Base, over)}
	case len(g.better) > 0:
		first := g.better[0]
		a.Verdict, a.Use = first.Verdict, variant
		a.Text = []string{"use " + variant + ": " + first.against(r.Base) + over + gains(r, variant, first.metric.Name)}
	case len(g.worse) > 0:
		a.Verdict, a.Use = g.worse[0].Verdict, r.Base
		a.Text = []string{fmt.Sprintf("use %s: %s %s %s", r.Base, variant, g.worse[0].takes(), againstBase(g.worse, r.Base, over))}
	case len(g.changed) > 0:
		a.Verdict, a.Text, rest = assay.Changed, slices.Clone(rest[1:]), rest[:1]
	case len(g.same) > 0:
		sameLine(a, r, g, depends, len(fs) > 1)
		a.Text[0], rest = a.Text[0]+over, nil
	case len(g.open) > 0:
		a.Verdict = assay.Unclear
		a.Text = []string{undecidedText(g.open...) + over}
	default:
		noFigure(a, g.out[0])
		g.out = nil
	}
	if depends && !a.Verdict.Differs() {
		a.Verdict = assay.Mixed
	}
	a.Undecided = openText(g.open, r.Base, len(fs) > 1, a.Text...)
	a.Text = append(a.Text, slices.DeleteFunc(rest, func(s string) bool { return s == "" })...)
	a.Text = append(a.Text, noVerdict(g.out)...)
	a.Text = append(a.Text, exceptionsText(fs, variant)...)
}

// againstBase lists changes: "5.0 % more p99 latency [+4.0, +6.0] than a, 9.0 % less …". The
// first has what a change against the base has in every sentence.
func againstBase(vs []view, base, over string) string {
	first := vs[0].against(base) + over
	return strings.Join(append([]string{first}, amounts(vs[1:])...), ", ")
}

// sameLine says that a variant is the same as the base, "so far" if other metrics are open
// or have no figures.
func sameLine(a *assay.Answer, r *assay.Result, g group, depends, several bool) {
	what := withinAll(g.same)
	if several {
		what += " in " + metricsOf(g.same)
	}
	switch variant := g.same[0].Variant; {
	case depends:
		a.Verdict = assay.Mixed
		a.Text = []string{onBenchmark + "on the whole the same" + what}
	case len(g.open)+len(g.out) == 0:
		a.Verdict = assay.Same
		a.Text = []string{fmt.Sprintf("keep %s: %s is the same%s", r.Base, variant, what)}
	default:
		a.Verdict = assay.Unclear
		a.Text = []string{fmt.Sprintf("keep %s so far: %s is the same%s", r.Base, variant, what)}
	}
}

// noFigure answers where nothing has a figure: it says why.
func noFigure(a *assay.Answer, v view) {
	a.Verdict = v.Verdict
	a.Text = []string{pick(v.Verdict == assay.Unclear, notDecided, "no answer: ") + v.Reason}
}

// noVerdict says on which metrics a variant has no verdict, each reason once.
func noVerdict(out []view) (lines []string) {
	for i, v := range out {
		why := whyOut(v)
		if slices.ContainsFunc(out[:i], func(o view) bool { return whyOut(o) == why }) {
			continue
		}
		alike := slices.DeleteFunc(slices.Clone(out), func(o view) bool { return whyOut(o) != why })
		lines = append(lines, fmt.Sprintf("no verdict on %s (%s)", metricsOf(alike), why))
	}
	return lines
}
