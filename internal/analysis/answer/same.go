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
	fs := findings(r)
	var differ, open, same []view
	for _, f := range fs {
		for _, c := range f.heads {
			x := view{f.table.Metric, c}
			switch v := c.Verdict; {
			case v.Differs():
				differ = append(differ, x)
			case v == assay.Same || v == assay.SameCoded:
				same = append(same, x)
			case c.Interval != nil:
				open = append(open, x)
			}
		}
	}
	a.Use, a.Undecided = "", ""
	switch {
	case len(differ) > 0:
		a.Verdict = differ[0].Verdict
		a.Text = []string{fmt.Sprintf("a difference where there should be none: %s takes %s", differ[0].Variant, Amount(differ[0].metric, differ[0].Comparison, r.Base))}
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
	case len(same) > 0:
		x := same[0]
		a.Verdict = assay.Same
		a.Text = []string{fmt.Sprintf("%s are the same within ±%s: %s %s", joinAnd(append([]string{r.Base}, variantsIn(same)...)), printable.Share(x.metric.MinEffect), Interval(x.Comparison), noun(x.metric))}
	default:
		a.Verdict = assay.Invalid
		a.Text = []string{"no answer: no interval could be computed; see the table"}
		if len(fs) > 0 && len(fs[0].heads) > 0 {
			a.Verdict, a.Text = assay.Unclear, []string{undecidedText(fs[0].heads[0].Variant, fs[0].heads[0])}
		}
		return
	}
	if single := provedSingly(r); single != "" {
		a.Text = append(a.Text, "although the code is the same, "+single)
	}
}

// possible is "−3.6 % to +3.8 %".
func possible(v view) string {
	half := v.Interval.Half()
	return v.Interval.Lo.Format(half) + " to " + v.Interval.Hi.Format(half)
}

// metricsOf is "p50, p90 latency and tx/s".
func metricsOf(vs []view) string {
	var out []assay.Metric
	for _, v := range vs {
		if !slices.Contains(out, v.metric) {
			out = append(out, v.metric)
		}
	}
	return joinAnd(nounList(out))
}

func variantsIn(vs []view) (out []string) {
	for _, v := range vs {
		if !slices.Contains(out, v.Variant) {
			out = append(out, v.Variant)
		}
	}
	return out
}
