package answer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
)

// tradeoffAnswer names the variants that no other is proved to beat, with what each gains
// in the one metric for what it costs in the other. It recommends none of them: what the
// one metric is worth in the other is the reader's to say. Only a variant that all others
// are proved to lose to is recommended.
func tradeoffAnswer(a *assay.Answer, r *assay.Result) {
	t := r.Tradeoff
	var front, beaten []string
	for _, p := range t.Points {
		if p.Beaten != "" {
			beaten = append(beaten, p.Variant+" by "+p.Beaten)
		} else {
			front = append(front, p.Variant)
		}
	}
	what := noun(t.Metrics[0]) + " and " + noun(t.Metrics[1])
	switch list := trades(r); {
	case len(front) == 1 && front[0] != r.Base:
		a.Use = front[0]
		a.Text = []string{fmt.Sprintf("use %s: best in %s: %s, %s", a.Use, what, pointAmount(r, t.Metrics[0], a.Use), pointAmount(r, t.Metrics[1], a.Use))}
		a.Undecided = ""
		return
	case len(front) == 1:
		a.Use = r.Base
		a.Text = []string{fmt.Sprintf("use %s: every other variant is beaten in %s", r.Base, what)}
	case len(list) == 0:
		a.Use, a.Verdict = "", assay.Unclear
		a.Text = []string{fmt.Sprintf("no change of %s is proved among %s", what, joinAnd(front))}
		if single := provedSingly(tradedTables(r)); single != "" {
			a.Text = []string{fmt.Sprintf("no change of %s is proved on the whole among %s; %s", what, joinAnd(front), single)}
		}
	default:
		a.Use, a.Verdict = "", assay.Mixed
		a.Text = []string{tradesText(list, r.Base)}
	}
	if len(beaten) > 0 {
		a.Text = append(a.Text, "beaten in both: "+Few(beaten))
	}
	a.Undecided = openPoints(r, t)
}

// tradedTables are the tables of the two metrics.
func tradedTables(r *assay.Result) (tabs []assay.Table) {
	for _, tab := range r.Tables {
		if slices.ContainsFunc(r.Tradeoff.Metrics[:], func(m assay.Metric) bool { return m.Name == tab.Metric.Name }) {
			tabs = append(tabs, tab)
		}
	}
	return tabs
}

// maxPoints is the number of variants of a trade-off in a sentence.
const maxPoints = 5

// A trade is what a variant on the front is proved to gain, and for what.
type trade struct {
	variant            string
	gains, costs, same []view
}

// trades returns the variants on the front that are proved to change either metric, the best
// trade first: that with the most of the first metric for the other. Variants that gain
// on the second metric come next, and then those of which only a cost is proved.
func trades(r *assay.Result) (out []trade) {
	for _, p := range r.Tradeoff.Points {
		if p.Beaten != "" || p.Variant == r.Base {
			continue
		}
		x := trade{variant: p.Variant}
		for _, m := range r.Tradeoff.Metrics {
			v := pointOf(r, m, p.Variant)
			switch {
			case v.Verdict.Good():
				x.gains = append(x.gains, v)
			case v.Verdict.Bad():
				x.costs = append(x.costs, v)
			case v.Verdict == assay.Same:
				x.same = append(x.same, v)
			}
		}
		if len(x.gains)+len(x.costs) > 0 {
			out = append(out, x)
		}
	}
	first := r.Tradeoff.Metrics[0].Name
	slices.SortStableFunc(out, func(a, b trade) int {
		return cmp.Or(a.place(first)-b.place(first), cmp.Compare(b.worth(), a.worth()))
	})
	return out
}

// place orders kinds of trades.
func (x trade) place(first string) int {
	switch {
	case len(x.gains) == 2, len(x.gains)+len(x.same) == 2:
		return 0
	case len(x.gains) == 0:
		return 4
	}
	return 1 + 2*btoi(x.gains[0].metric.Name != first) + btoi(len(x.costs) == 0)
}

// worth is how large the gain is for the cost, if both are proved.
func (x trade) worth() float64 {
	if len(x.gains) == 1 && len(x.costs) == 1 {
		return math.Abs(x.gains[0].Change.Log()) / math.Abs(x.costs[0].Change.Log())
	}
	return 0
}

// tradesText is "b: 13.0 % less time for 30 % more peak memory, against a; c: 20.0 % less for
// 108 % more".
func tradesText(list []trade, base string) string {
	var parts []string
	for i, x := range list[:min(len(list), maxPoints)] {
		text := x.text()
		switch {
		case i == 0:
			text += ", against " + base
		case x.like(list[0]): // the metrics are said already
			text = strings.ReplaceAll(text, " "+noun(x.gains[0].metric), "")
			text = strings.ReplaceAll(text, " "+noun(x.costs[0].metric), "")
		}
		parts = append(parts, x.variant+": "+text)
	}
	if n := len(list) - len(parts); n > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(parts, "; ")
}

// like reports whether both trade one metric for the other in the same direction.
func (x trade) like(y trade) bool {
	return x.worth() > 0 && y.worth() > 0 && x.gains[0].metric.Name == y.gains[0].metric.Name
}

// text is "13.0 % less time for 30 % more peak memory", without intervals, which the table
// has.
func (x trade) text() string {
	gains, costs := joinAnd(plainAmounts(x.gains)), joinAnd(plainAmounts(x.costs))
	switch {
	case gains == "":
		return costs
	case costs != "":
		return gains + " for " + costs
	case len(x.same) > 0:
		return gains + " for the same " + noun(x.same[0].metric)
	}
	return gains
}

func plainAmounts(vs []view) (out []string) {
	for _, v := range vs {
		text, _, _ := strings.Cut(amount(v.metric, v.Comparison), " [")
		out = append(out, strings.TrimSuffix(text, " (exact)")+v.rare.few())
	}
	return out
}

// notProved stands for the figure of a change that is not claimed.
const notProved = "not proved"

func pointAmount(r *assay.Result, m assay.Metric, variant string) string {
	switch v := pointOf(r, m, variant); {
	case v.Verdict.Differs():
		return v.amount()
	case v.Verdict == assay.Same:
		return "the same " + noun(m)
	}
	return noun(m) + " " + notProved
}

func pointOf(r *assay.Result, m assay.Metric, variant string) view {
	i := slices.IndexFunc(r.Tables, func(tab assay.Table) bool { return tab.Metric.Name == m.Name })
	if i < 0 {
		return view{metric: m}
	}
	c, _ := Find(Headlines(r.Tables[i]), variant)
	return viewOf(r.Tables[i], c)
}

// openPoints lists the changes that are not proved.
func openPoints(r *assay.Result, t *assay.Tradeoff) string {
	var open []string
	for _, p := range t.Points {
		for _, m := range t.Metrics {
			if c := pointOf(r, m, p.Variant); c.Verdict == assay.Unclear {
				open = append(open, fmt.Sprintf("%s of %s %s", noun(m), p.Variant, Interval(c.Comparison)))
			}
		}
	}
	if len(open) == 0 {
		return ""
	}
	return Few(open)
}
