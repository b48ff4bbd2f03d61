package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// sameAnswer answers whether the same code measures the same: it does, it differs where
// nothing should, or it may still differ by what the widest interval allows.
func sameAnswer(a *assay.Answer, r *assay.Result) {
	var all []view
	for _, f := range findings(r, true) {
		all = append(all, f.views()...)
	}
	g := groupOf(all)
	differ := slices.DeleteFunc(slices.Clone(all), func(v view) bool { return !v.Verdict.Differs() })
	open := slices.DeleteFunc(g.open, func(v view) bool { return v.Interval == nil })
	a.Use, a.Undecided = "", ""
	switch {
	case len(differ) > 0:
		a.Verdict = differ[0].Verdict
		a.Text = []string{fmt.Sprintf("a difference where there should be none: %s %s %s", differ[0].Variant, takes(differ[0].metric), Amount(differ[0].metric, differ[0].Comparison, r.Base))}
	case len(open) > 0:
		a.Verdict = assay.Unclear
		a.Text = []string{fmt.Sprintf("no difference proved: %s may still be %s off %s in %s", open[0].Variant, possible(open[0]), r.Base, noun(open[0].metric))}
		if len(open) > 1 {
			var others []string
			for _, x := range open[1:] {
				who := ""
				if x.Variant != open[0].Variant {
					who = x.Variant + " "
				}
				others = append(others, who+possible(x)+" "+noun(x.metric))
			}
			a.Text = append(a.Text, "also possible: "+strings.Join(others, ", "))
		}
		a.Undecided = metricsOf(open)
	case len(g.same) > 0:
		x := g.same[0]
		a.Verdict = assay.Same
		a.Text = []string{fmt.Sprintf("%s are the same within ±%s: %s %s", joinAnd(append([]string{r.Base}, names(g.same)...)), printable.Share(x.metric.MinEffect), Interval(x.Comparison), noun(x.metric))}
	default:
		a.Verdict = assay.Invalid
		a.Text = []string{"no answer: no interval could be computed; see the table"}
		if len(all) > 0 {
			a.Verdict, a.Text = assay.Unclear, []string{undecidedText(all[0])}
		}
		return
	}
	if single := provedSingly(deciders(r)); single != "" {
		a.Text = append(a.Text, "although the code is the same, "+single)
	}
}

// possible is "−3.6 % to +3.8 %".
func possible(v view) string {
	half := v.Interval.Half()
	return v.Interval.Lo.Format(half) + " to " + v.Interval.Hi.Format(half)
}
