package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A field groups the variants of an answer by what their comparisons with the base claim,
// on one metric. An answer says no more than these do.
type field struct {
	better, worse, changed, same, open []assay.Comparison
	out                                []assay.Comparison // invalid, saturated, or not measured
}

func fieldOf(heads []assay.Comparison) (f field) {
	for _, c := range heads {
		switch v := c.Verdict; {
		case NoFigure(v) || c.N == 0 && v != assay.SameCoded:
			f.out = append(f.out, c)
		case v.Good():
			f.better = append(f.better, c)
		case v.Bad():
			f.worse = append(f.worse, c)
		case v == assay.Changed:
			f.changed = append(f.changed, c)
		case v == assay.Same || v == assay.SameCoded:
			f.same = append(f.same, c)
		default:
			f.open = append(f.open, c)
		}
	}
	return f
}

// bestAnswer answers for several variants. It recommends only a variant whose comparison
// with the base is claimed; those that it is not proved to beat are tied with it. If none
// is claimed to be better, those not claimed to be worse are tied with the base.
func bestAnswer(a *assay.Answer, r *assay.Result, e Evidence, tab assay.Table, heads []assay.Comparison) {
	f, m := fieldOf(heads), tab.Metric
	over := overText(tab, heads[0])
	a.Undecided = openText(f.open, r.Base)
	switch {
	case len(f.better) > 0:
		best := slices.MinFunc(f.better, func(x, y assay.Comparison) int { return cmp.Compare(m.Loss()*x.Change.Log(), m.Loss()*y.Change.Log()) })
		a.Verdict, a.Use = best.Verdict, best.Variant
		a.Text = []string{fmt.Sprintf("use %s: %s%s%s", best.Variant, Amount(m, best, r.Base), over, gains(r, best.Variant, m.Name))}
		tied, early := e.Ties(m, best.Variant, variantsOf(slices.Concat(f.better, f.same, f.open)))
		a.Undecided = ties(best.Variant, tied, early, e.ProofFrom)
		a.Text = append(a.Text, exceptions(tab, best, tally(tab, best.Variant))...)
	case len(f.changed) > 0:
		a.Verdict = assay.Changed
		for _, c := range f.changed {
			a.Text = append(a.Text, changedText(m, c)+overText(tab, c))
		}
	case len(f.same)+len(f.open) == 0 && len(f.worse) > 0:
		who := "every other variant"
		if len(f.out) > 0 {
			who += " that could be compared"
		}
		a.Verdict, a.Use = worseWord(m), r.Base
		a.Text = []string{fmt.Sprintf("use %s: %s is worse: %s%s", r.Base, who, worseRange(m, f.worse), over)}
	case len(f.open) == 0 && len(f.same) > 0:
		a.Verdict = assay.Same
		a.Text = []string{fmt.Sprintf("keep %s: %s the same within ±%s%s", r.Base, allOf(f), printable.Share(m.MinEffect), over)}
	case len(f.open) > 0 && len(f.same)+len(f.worse) == 0 && !slices.ContainsFunc(f.open, known):
		a.Verdict = assay.Unclear
		a.Text = []string{undecidedText(noun(m), slices.MaxFunc(f.open, byPrice)) + over}
	case len(f.open) > 0:
		a.Verdict = assay.Unclear
		a.Text = []string{noWinner(m, f, r.Base, over)}
		if len(f.worse) == 0 {
			a.Text = orSingly(r, a.Text...)
		}
		a.Text = append(a.Text, notRanked(f)...)
		return
	default:
		a.Verdict, a.Text = assay.Invalid, []string{"no answer: no variant could be compared with " + r.Base}
	}
	if len(f.worse) > 0 && a.Use != r.Base {
		a.Text = append(a.Text, fmt.Sprintf("worse than %s: %s", r.Base, strings.Join(variantsOf(f.worse), ", ")))
	}
	a.Text = append(a.Text, notRanked(f)...)
}

// known reports whether a comparison has figures.
func known(c assay.Comparison) bool { return c.Interval != nil || c.Exact }

func variantsOf(cs []assay.Comparison) (out []string) {
	for _, c := range cs {
		out = append(out, c.Variant)
	}
	return out
}

// noWinnerText begins the answer where no variant is proved to be the best.
const noWinnerText = "no clear winner"

// noWinner is "no clear winner; tied: a, b, c; slower: d +3.1 %, e +4.2 %".
func noWinner(m assay.Metric, f field, base, over string) string {
	tied := append([]string{base}, variantsOf(slices.Concat(f.open, f.same))...)
	text := noWinnerText + "; tied: " + strings.Join(tied, ", ") + over
	if len(f.worse) == 0 {
		return text
	}
	var worse []string
	for _, c := range f.worse {
		worse = append(worse, c.Variant+" "+figure(c))
	}
	return text + "; " + string(worseWord(m)) + ": " + Few(worse)
}

// worseRange is "b +4.2 % [+0.6, +6.7] to c +65 % [+59, +71]", the smallest and the largest
// change, or the only one.
func worseRange(m assay.Metric, worse []assay.Comparison) string {
	sorted := slices.SortedFunc(slices.Values(worse), bySize)
	most, least := sorted[0], sorted[len(sorted)-1]
	text := least.Variant + " " + Interval(least)
	if len(worse) > 1 {
		text += " to " + most.Variant + " " + Interval(most)
	}
	return text + " " + noun(m)
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
func allOf(f field) string {
	if len(f.worse)+len(f.out) == 0 {
		return "all variants are"
	}
	return joinAnd(variantsOf(f.same)) + " " + are(len(f.same))
}

// notRanked lists the variants that cannot be compared, and why.
func notRanked(f field) (out []string) {
	for _, c := range f.out {
		why := cmp.Or(c.Reason, "not measured")
		if c.Verdict == assay.Saturated || c.Verdict == assay.Invalid {
			why = string(c.Verdict) + ": " + why
		}
		out = append(out, fmt.Sprintf("not ranked: %s (%s)", c.Variant, why))
	}
	return out
}

func worseWord(m assay.Metric) assay.Verdict { return assay.Differing(m, m.Loss()) }
