package search

import (
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
)

// Answer returns the answer of a race: which variant to use, instead of how each differs
// from the base. The winner is within the margin of the best. To recommend it over the
// base, its own comparison with the base, in the tables of the same result, must claim a
// change for the better. The basis stays that of the result.
func (r *Race) Answer(res *assay.Result) assay.Answer {
	race := r.Result()
	a := res.Answer
	base := r.plan.Study.Base
	a.Use, a.Decided, a.Verdict, a.Cost, a.Undecided = "", race.Sure, assay.Unclear, nil, ""
	margin := fmt.Sprintf("%.2g %%", 100*race.Margin)
	best := fmt.Sprintf("none of the other %d variants is better by more than %s", len(race.Runners), margin)
	c, ok := answer.Headline(res, race.Winner)
	if ok {
		a.Verdict = c.Verdict
	}
	switch {
	case !race.Sure:
		a.Text = []string{fmt.Sprintf("not decided: %s leads, but others may be better by more than %s", race.Winner, margin)}
	case race.Winner == base:
		a.Use, a.Verdict = base, assay.Same
		a.Text = []string{fmt.Sprintf("use %s: %s", base, best)}
		return a
	case c.Verdict.Good():
		a.Use = race.Winner
		a.Text = []string{fmt.Sprintf("use %s: %s", race.Winner, answer.Amount(r.metric, c, base)), best}
		answer.NameCosts(&a, res)
		return a
	case c.Verdict == assay.Same:
		a.Text = []string{fmt.Sprintf("keep %s: %s, and the best, %s, is the same within ±%s", base, best, race.Winner, margin)}
		return a
	default:
		a.Text = []string{fmt.Sprintf("no clear winner: %s is within %s of the best, but could not be distinguished from %s", race.Winner, margin, base)}
	}
	switch {
	case c.Verdict.Differs():
		a.Text = append(a.Text, fmt.Sprintf("%s takes %s", race.Winner, answer.Amount(r.metric, c, base)))
	case ok && c.Interval != nil:
		a.Text = append(a.Text, fmt.Sprintf("%s against %s: %s %s %s, not proved", race.Winner, base, r.metric.Name, c.Change.Format(c.Interval.Half()), c.Interval))
	}
	return a
}
