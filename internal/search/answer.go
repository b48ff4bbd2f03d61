package search

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
)

// Answer returns the answer of a race: which variant to use, instead of how each differs
// from the base. The winner is within the margin of the best; one that beats it in the
// trade-off of the result is recommended in its place. To recommend a variant over the
// base, its own comparison with the base, in the tables of the same result, must claim a
// change for the better. The basis stays that of the result.
func (r *Race) Answer(res *assay.Result) assay.Answer {
	a := r.answer(res)
	if covered := answer.Coverage(res); covered != "" {
		a.Text = append(a.Text, covered)
	}
	return a
}

func (r *Race) answer(res *assay.Result) assay.Answer {
	race := r.Result()
	a := res.Answer
	base, winner := answer.Subject(r.plan.Study.Base), answer.Subject(race.Winner)
	a.Use, a.Decided, a.Verdict, a.Cost, a.Undecided = "", race.Sure, assay.Unclear, nil, ""
	margin := fmt.Sprintf("%.2g %%", 100*race.Margin)
	best := fmt.Sprintf("none of the other %d variants is better by more than %s", len(race.Runners), margin)
	c, ok := answer.Headline(res, race.Winner)
	if ok {
		a.Verdict = c.Verdict
	}
	switch {
	case !race.Sure:
		a.Text = []string{fmt.Sprintf("not decided: %s leads, but others may be better by more than %s", winner, margin)}
	case race.Winner == r.plan.Study.Base:
		a.Use, a.Verdict = race.Winner, assay.Same
		a.Text = []string{fmt.Sprintf("use %s: %s", base, best)}
		return a
	case c.Verdict.Good():
		a.Use = race.Winner
		if by, ok := unbeaten(res, race); ok {
			c, _ = answer.Headline(res, by)
			m := res.Tradeoff.Metrics
			a.Use, best = by, fmt.Sprintf("%s leads by less than %s, but is beaten by it in %s and %s", winner, margin, m[0].Name, m[1].Name)
		}
		a.Verdict = c.Verdict
		a.Text = []string{fmt.Sprintf("use %s: %s", answer.Subject(a.Use), answer.WholeAmount(res.Tables[0], c, base)), best}
		answer.NameCosts(&a, res)
		return a
	case c.Verdict == assay.Same:
		a.Text = []string{fmt.Sprintf("keep %s: %s, and the best, %s, is the same within ±%s", base, best, winner, margin)}
		return a
	default:
		a.Text = []string{fmt.Sprintf("no clear winner: %s is within %s of the best, but could not be distinguished from %s", winner, margin, base)}
	}
	switch {
	case c.Verdict.Differs():
		a.Text = append(a.Text, winner+" "+answer.Takes(res.Tables[0], c, base))
	case ok && c.Interval != nil:
		a.Text = append(a.Text, fmt.Sprintf("%s against %s: %s %s, not proved", winner, base, r.metric.Name, answer.Interval(c)))
	}
	return a
}

// unbeaten returns the variant that beats the winner in the trade-off: it is proved better
// on one metric, and no worse than the margin on the other. Of what beats that in turn, or
// in a trade-off that is not about the metric of the race, it takes what the race proved to
// be near the winner. ok is false if nothing does, or if it is not proved better than the
// base.
func unbeaten(res *assay.Result, race *assay.Race) (use string, ok bool) {
	use = race.Winner
	proved := res.Tradeoff != nil && slices.ContainsFunc(res.Tradeoff.Metrics[:], func(m assay.Metric) bool { return m.Name == race.Metric })
	for next := beatenBy(res, use); next != ""; next = beatenBy(res, next) {
		near := slices.ContainsFunc(race.Runners, func(x assay.Runner) bool {
			return x.Variant == next && x.Interval != nil && max(math.Abs(float64(x.Interval.Lo)), math.Abs(float64(x.Interval.Hi))) <= race.Margin
		})
		if !near && (use != race.Winner || !proved) {
			break
		}
		if c, measured := answer.Headline(res, next); !measured || !c.Verdict.Good() {
			break
		}
		use = next
	}
	return use, use != race.Winner
}

// beatenBy returns what beats a variant in the trade-off, "" for nothing.
func beatenBy(res *assay.Result, variant string) string {
	if res.Tradeoff == nil {
		return ""
	}
	for _, p := range res.Tradeoff.Points {
		if p.Variant == variant {
			return p.Beaten
		}
	}
	return ""
}
