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
	switch {
	case len(f.better) > 0:
		best := slices.MinFunc(f.better, func(x, y assay.Comparison) int { return cmp.Compare(m.Loss()*x.Change.Log(), m.Loss()*y.Change.Log()) })
		a.Verdict, a.Use = best.Verdict, best.Variant
		a.Text = []string{fmt.Sprintf("use %s: %s%s", best.Variant, Amount(m, best, r.Base), overText(tab, best))}
		tied, early := e.Ties(m, best.Variant, variantsOf(slices.Concat(f.better, f.same, f.open)))
		if len(tied) > 0 {
			a.Text = append(a.Text, fmt.Sprintf("%s is tied with %s", best.Variant, strings.Join(tied, ", ")))
		}
		if len(early) > 0 {
			a.Text = append(a.Text, fmt.Sprintf("distinguishing %s from %s takes at least %d blocks", best.Variant, strings.Join(early, ", "), e.ProofFrom))
		}
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
		a.Text = []string{fmt.Sprintf("use %s: %s is worse%s", r.Base, who, over)}
	case len(f.open) == 0 && len(f.same) > 0:
		a.Verdict = assay.Same
		a.Text = []string{fmt.Sprintf("keep %s: %s the same within ±%s%s", r.Base, allOf(f), printable.Share(m.MinEffect), over)}
	case len(f.open) > 0 && len(f.same)+len(f.worse) == 0 && !slices.ContainsFunc(f.open, known):
		a.Verdict = assay.Unclear
		a.Text = []string{undecidedText(m.Name, slices.MaxFunc(f.open, func(x, y assay.Comparison) int { return cmp.Compare(x.MoreTime, y.MoreTime) }), over)}
	case len(f.open) > 0:
		a.Verdict = assay.Unclear
		a.Text = []string{fmt.Sprintf("no clear winner; tied: %s%s", strings.Join(append([]string{r.Base}, figures(append(f.open, f.same...))...), ", "), over)}
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

// figures is "b −0.6 % [−2.0, +0.2]" for each of a few variants; for many just their
// names.
func figures(cs []assay.Comparison) (out []string) {
	for _, c := range cs {
		text := c.Variant
		if len(cs) <= maxFigures && known(c) {
			text += " " + Interval(c)
		}
		out = append(out, text)
	}
	return out
}

// maxFigures is the number of tied variants with figures in an answer.
const maxFigures = 3

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
