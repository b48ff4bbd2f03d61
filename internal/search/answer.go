package search

import (
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
)

// Answer is what a race answers: which variant to use, instead of how each
// differs from the base. The basis stays that of the result.
func (r *Race) Answer(res *assay.Result) assay.Answer {
	race := r.Result()
	a := res.Answer
	base := r.plan.Study.Base
	a.Use, a.Decided, a.Verdict = race.Winner, race.Sure, r.verdict(race, base)
	margin := fmt.Sprintf("%.2g %%", 100*race.Margin)
	if race.Sure {
		a.Text = []string{fmt.Sprintf("use %s: none of the other %d variants is better by more than %s", race.Winner, len(race.Runners), margin)}
	} else {
		a.Text = []string{fmt.Sprintf("not decided: %s leads, but others may be better by more than %s", race.Winner, margin)}
	}
	if c, ok := headline(res, race.Winner); ok {
		a.Text = append(a.Text, fmt.Sprintf("%s takes %s", race.Winner, analysis.Amount(r.metric, c, base)))
	}
	return a
}

// verdict is the winner against the base. That a race is decided does not say
// that they differ: the winner may be as good as the base.
func (r *Race) verdict(race *assay.Race, base string) assay.Verdict {
	for _, runner := range race.Runners {
		if runner.Variant != base {
			continue
		}
		switch i := runner.Interval; {
		case runner.Left > 0, i != nil && !i.Covers(0):
			return assay.Differing(r.metric, r.toBetter())
		case i != nil && i.Within(race.Margin):
			return assay.Same
		}
		return assay.Unclear
	}
	return assay.Same // the base won
}

// toBetter is the sign of a change for the better.
func (r *Race) toBetter() float64 {
	if r.metric.Better == assay.BetterHigher {
		return 1
	}
	return -1
}

// headline is the comparison that stands for the whole suite.
func headline(res *assay.Result, variant string) (assay.Comparison, bool) {
	if len(res.Tables) == 0 {
		return assay.Comparison{}, false
	}
	heads := res.Tables[0].Geomean
	if len(heads) == 0 && len(res.Tables[0].Rows) == 1 {
		heads = res.Tables[0].Rows[0].Cells
	}
	for _, c := range heads {
		if c.Variant == variant && c.Interval != nil {
			return c, true
		}
	}
	return assay.Comparison{}, false
}
