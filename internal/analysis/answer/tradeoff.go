package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
)

// tradeoffAnswer names the variants that no other is proved to beat, with their changes in
// both metrics. It recommends none of them: what the one metric is worth in the other is
// the reader's to say. Only a variant that all others are proved to lose to is recommended.
func tradeoffAnswer(a *assay.Answer, r *assay.Result) {
	t := r.Tradeoff
	var front, beaten []string
	var parts []string
	proved := false
	for _, p := range t.Points {
		if p.Beaten != "" {
			beaten = append(beaten, p.Variant+" by "+p.Beaten)
			continue
		}
		front = append(front, p.Variant)
		if p.Variant == r.Base {
			continue
		}
		x, y := pointFigure(r, t.Metrics[0], p.Variant), pointFigure(r, t.Metrics[1], p.Variant)
		proved = proved || x != notProved || y != notProved
		if len(parts) < maxPoints {
			parts = append(parts, fmt.Sprintf("%s %s, %s", p.Variant, x, y))
		}
	}
	what := noun(t.Metrics[0]) + " and " + noun(t.Metrics[1])
	switch {
	case len(front) == 1 && front[0] != r.Base:
		a.Use = front[0]
		a.Text = []string{fmt.Sprintf("use %s: best in %s: %s, %s", a.Use, what, pointAmount(r, t.Metrics[0], a.Use), pointAmount(r, t.Metrics[1], a.Use))}
		a.Undecided = ""
		return
	case len(front) == 1:
		a.Use = r.Base
		a.Text = []string{fmt.Sprintf("use %s: every other variant is beaten in %s", r.Base, what)}
	case !proved:
		a.Use, a.Verdict = "", assay.Unclear
		a.Text = []string{fmt.Sprintf("no change of %s is proved among %s", what, joinAnd(front))}
	default:
		a.Use, a.Verdict = "", assay.Mixed
		if n := len(front) - len(parts) - btoi(slices.Contains(front, r.Base)); n > 0 {
			parts = append(parts, fmt.Sprintf("and %d more", n))
		}
		a.Text = []string{fmt.Sprintf("%s trade off; against %s: %s", what, r.Base, strings.Join(parts, "; "))}
	}
	if len(beaten) > 0 {
		a.Text = append(a.Text, "beaten in both: "+Few(beaten))
	}
	a.Undecided = openPoints(r, t)
}

// maxPoints is the number of variants of a trade-off in a sentence.
const maxPoints = 5

// notProved stands for the figure of a change that is not claimed.
const notProved = "not proved"

// pointFigure is a variant's change in one of the two metrics, without its interval, which
// the table has.
func pointFigure(r *assay.Result, m assay.Metric, variant string) string {
	switch c := pointOf(r, m, variant); {
	case c.Verdict.Differs():
		return figure(c)
	case c.Verdict == assay.Same:
		return "the same"
	}
	return notProved
}

func pointAmount(r *assay.Result, m assay.Metric, variant string) string {
	switch c := pointOf(r, m, variant); {
	case c.Verdict.Differs():
		return amount(m, c)
	case c.Verdict == assay.Same:
		return "the same " + noun(m)
	}
	return noun(m) + " " + notProved
}

func pointOf(r *assay.Result, m assay.Metric, variant string) assay.Comparison {
	i := slices.IndexFunc(r.Tables, func(tab assay.Table) bool { return tab.Metric.Name == m.Name })
	if i < 0 {
		return assay.Comparison{}
	}
	c, _ := Find(Headlines(r.Tables[i]), variant)
	return c
}

// openPoints lists the changes that are not proved, and what deciding them takes.
func openPoints(r *assay.Result, t *assay.Tradeoff) string {
	var open []string
	var dearest assay.Comparison
	for _, p := range t.Points {
		for _, m := range t.Metrics {
			if c := pointOf(r, m, p.Variant); c.Verdict == assay.Unclear {
				open = append(open, fmt.Sprintf("%s %s %s", noun(m), p.Variant, Interval(c)))
				if c.MoreTime >= dearest.MoreTime {
					dearest = c
				}
			}
		}
	}
	if len(open) == 0 {
		return ""
	}
	return Few(open) + price(dearest)
}
