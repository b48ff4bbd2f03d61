package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/stats"
)

// answer says which variant to use, from the whole suite on the first deciding
// metric; of services from all metrics that decide. The words are made here, once;
// every output prints them.
func answer(r *assay.Result, t *Tracker) assay.Answer {
	a := assay.Answer{Decided: r.Spent.Stop == "decided"}
	decisive := r.Tables[:min(len(r.Tables), 1)]
	if t.plan.Study.Serves() {
		decisive = r.Tables // a quantile that the runs are too short for may come first
	}
	if !slices.ContainsFunc(decisive, func(tab assay.Table) bool { return tab.Decides && len(tab.Rows) > 0 }) {
		a.Verdict, a.Text = nothingMeasured(r)
		a.Decided = a.Verdict == assay.SameCoded
		return a
	}
	tab := r.Tables[0]
	heads := headlines(tab)
	switch {
	case t.plan.Study.Serves():
		serviceAnswer(&a, r, t)
	case r.Arc != nil:
		t.stepsAnswer(&a, r, tab)
	case len(heads) == 0:
		a.Verdict = assay.Invalid
		a.Text = []string{"no benchmark is common to all variants: see the table"}
	case len(heads) == 1:
		pairAnswer(&a, r, tab, heads[0])
	default:
		bestAnswer(&a, r, t, tab, heads)
	}
	if r.Rule.Gate > 0 {
		gateAnswer(&a, t)
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

// headlines are the comparisons that stand for the whole suite, one a variant.
func headlines(tab assay.Table) []assay.Comparison {
	if len(tab.Geomean) > 0 {
		return tab.Geomean
	}
	if len(tab.Rows) == 1 {
		return tab.Rows[0].Cells
	}
	// Of several, one may be left that every variant could run, and keep up with.
	var left []assay.Row
	for _, row := range tab.Rows {
		if !slices.ContainsFunc(row.Cells, func(c assay.Comparison) bool { return noFigure(c.Verdict) }) {
			left = append(left, row)
		}
	}
	if len(left) == 1 {
		return left[0].Cells
	}
	return nil
}

// noFigure reports whether a cell says nothing of its variant.
func noFigure(v assay.Verdict) bool {
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
	over := ""
	if len(tab.Rows) > 1 {
		over = fmt.Sprintf(" over %d benchmarks", tab.Common)
	}
	switch {
	case c.Verdict.Good():
		a.Use = c.Variant
		a.Text = []string{fmt.Sprintf("use %s: %s%s", c.Variant, amount(tab.Metric, c, r.Base), over)}
	case c.Verdict.Bad():
		a.Use = r.Base
		a.Text = []string{fmt.Sprintf("use %s: %s takes %s%s", r.Base, c.Variant, amount(tab.Metric, c, r.Base), over)}
	case c.Verdict == assay.Same && a.Verdict == assay.Same:
		a.Text = []string{fmt.Sprintf("no reason to change: %s and %s are the same within ±%s%s", r.Base, c.Variant, percent(tab.Metric.MinEffect), over)}
	case c.Verdict == assay.Same:
		a.Text = []string{fmt.Sprintf("it depends on the benchmark: on the whole the same within ±%s%s", percent(tab.Metric.MinEffect), over)}
	case c.Verdict == assay.Changed:
		a.Text = []string{fmt.Sprintf("%s changes %s by %s%s; say which direction is better with a Unit line", c.Variant, tab.Metric.Name, interval(c), over)}
	case c.Verdict == assay.Invalid:
		a.Text = []string{"no answer: " + c.Reason}
	default:
		a.Text = []string{fmt.Sprintf("not decided: %s %s %s%s%s", c.Variant, tab.Metric.Name, interval(c), over, price(c))}
	}
	a.Text = append(a.Text, exceptions(tab, c, n)...)
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
		parts = append(parts, c.Benchmark.Name+" "+interval(c))
	}
	return strings.Join(parts, ", ")
}

// bestAnswer answers for several variants: the best on the suite, whether it
// can be told from the base, and which others cannot be told from it. Holm
// controls the comparisons of the best with all others.
func bestAnswer(a *assay.Answer, r *assay.Result, t *Tracker, tab assay.Table, heads []assay.Comparison) {
	metric := tab.Metric
	best, bestLog := r.Base, 0.0
	sign := loss(metric)
	for _, c := range heads {
		if l := sign * c.Change.Log(); l < bestLog && c.N > 0 && c.Verdict != assay.Saturated {
			best, bestLog = c.Variant, l
		}
	}
	rivals, beaten := t.beats(metric.Name, best, sign)
	ties := strings.Join(slices.DeleteFunc(notBeaten(rivals, beaten), func(v string) bool { return isSaturated(v, heads) }), ", ")
	tiesWithBase := false
	for i, v := range rivals {
		tiesWithBase = tiesWithBase || v == r.Base && !beaten[i]
	}
	switch {
	case best == r.Base && ties == "":
		who := "every other variant"
		if slices.ContainsFunc(rivals, func(v string) bool { return isSaturated(v, heads) }) {
			who += " that keeps up"
		}
		a.Verdict, a.Use = worseWord(metric), r.Base
		a.Text = []string{fmt.Sprintf("use %s: %s is worse", r.Base, who)}
	case best == r.Base:
		a.Verdict, a.Use = assay.Unclear, ""
		a.Text = []string{fmt.Sprintf("no reason to leave %s: none is better; not told apart from it: %s", r.Base, ties)}
	case tiesWithBase:
		a.Verdict = assay.Unclear
		a.Text = []string{fmt.Sprintf("no reason to leave %s: the best, %s, is not told apart from it", r.Base, best+" "+interval(head(best, heads)))}
	default:
		a.Verdict, a.Use = betterWord(metric), best
		a.Text = []string{fmt.Sprintf("use %s: %s", best, amount(metric, head(best, heads), r.Base))}
		if ties != "" {
			a.Text = append(a.Text, "as good, as far as can be told: "+ties)
		}
	}
	if allSame(heads) {
		a.Verdict = assay.Same
		a.Text = []string{fmt.Sprintf("no reason to leave %s: all variants are the same within ±%s", r.Base, percent(metric.MinEffect))}
	}
}

func allSame(heads []assay.Comparison) bool {
	for _, c := range heads {
		if c.Verdict != assay.Same {
			return false
		}
	}
	return true
}

func isSaturated(variant string, heads []assay.Comparison) bool {
	return slices.ContainsFunc(heads, func(c assay.Comparison) bool { return c.Variant == variant && c.Verdict == assay.Saturated })
}

// head is the headline comparison of a variant.
func head(variant string, heads []assay.Comparison) assay.Comparison {
	return heads[slices.IndexFunc(heads, func(c assay.Comparison) bool { return c.Variant == variant })]
}

// beats tests the best variant against every other on the suite: from the same
// blocks, D of one less D of the other, Holm over the variants.
func (t *Tracker) beats(metric, best string, sign float64) (rivals []string, beaten []bool) {
	var p []float64
	for _, v := range append([]string{t.plan.Study.Base}, t.others()...) {
		if v == best {
			continue
		}
		rivals = append(rivals, v)
		p = append(p, t.pairP(metric, best, v, sign))
	}
	// At the level at which lists are claimed: at that of a single interval a
	// variant that is faster with ten blocks could not be the answer.
	for _, adj := range stats.Holm(p) {
		beaten = append(beaten, adj <= falseClaims)
	}
	return rivals, beaten
}

// pairP is the anytime-valid p-value that two variants differ on the suite, in
// favour of the first, from the blocks in which both ran; 1 where it points the
// other way.
func (t *Tracker) pairP(metric, best, other string, sign float64) float64 {
	s := t.contrastWhole(metric, pair(t.plan, best, other))
	if s == nil || len(s.d) < t.from || sign*stats.Median(s.d) >= 0 {
		return 1
	}
	_, top := stats.EAt(s.d, 0, s.step, t.from)
	return min(1, 1/top)
}

// whole is the suite as one sample: the geomean, or the only benchmark. The
// base against itself is nil.
func (t *Tracker) whole(metric, variant string) *sample {
	if variant == t.plan.Study.Base {
		return nil
	}
	if g := t.geomean(metric, variant); g != nil {
		return g
	}
	if b := t.only(metric); b != nil {
		return t.unsaturated(b, metric, variant)
	}
	return nil
}

// only is the benchmark that is the whole suite: there is no other, or in a chain
// the one that all steps have. Nil where there are several, or none.
func (t *Tracker) only(metric string) *benchmark {
	bs := t.active()
	if len(bs) > 1 && len(t.chain) > 0 {
		bs = t.common(metric)
	}
	if len(bs) != 1 {
		return nil
	}
	return bs[0]
}

func notBeaten(rivals []string, beaten []bool) (out []string) {
	for i, v := range rivals {
		if !beaten[i] {
			out = append(out, v)
		}
	}
	return out
}

func worseWord(m assay.Metric) assay.Verdict {
	return assay.Differing(m, pickSign(m, 1))
}

func betterWord(m assay.Metric) assay.Verdict {
	return assay.Differing(m, pickSign(m, -1))
}

func pickSign(m assay.Metric, sign float64) float64 {
	if m.Better == assay.BetterHigher {
		return -sign
	}
	return sign
}
