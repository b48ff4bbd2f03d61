package analysis

import (
	"math"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
)

// compounds compares the product of all steps with the last one against the base, for
// each metric that decides and has both.
func (st *steps) compounds(r *assay.Result) (out []assay.Compound) {
	for _, tab := range r.Tables {
		direct, ok := st.direct(tab)
		if !tab.Decides || !ok {
			continue
		}
		if c, ok := compound(tab, direct); ok {
			out = append(out, c)
		}
	}
	return out
}

// direct returns the last measured step against the base on the whole suite; ok is false
// if there is no such step, or no suite.
func (st *steps) direct(tab assay.Table) (c assay.Comparison, ok bool) {
	steps := st.rule.set.Chain.Steps()
	if len(steps) == 0 {
		return c, false
	}
	last := steps[len(steps)-1]
	if last.Now == st.rule.plan.Study.Base {
		c = st.sameChange(nil)
		c.Variant, c.Benchmark = last.Step, st.rule.set.Suite(tab.Metric.Name).Name()
		return c, len(tab.Rows) > 0
	}
	c, ok = answer.Find(answer.Headlines(tab), last.Now)
	c.Variant = last.Step
	return c, ok
}

// compound multiplies the steps' changes. The interval has the arms
//
//	sqrt(sum over the steps of arm²), arm = the distance in ln units from a step's
//	change to the end of its interval
//
// as for independent normal errors. It is no confidence interval. The ends of a
// confidence sequence are no multiples of a standard deviation, and neighbours share the
// step between them, partly in the same blocks: its error cancels in the product, so that
// the arms are too long rather than too short. It is a check with rare false alarms
// (simulated in TestCompoundAgrees): beyond it the machine was not the same for all
// blocks. ok is false while a step or the end-to-end change has no interval.
func compound(tab assay.Table, direct assay.Comparison) (c assay.Compound, ok bool) {
	sum, below, above := 0.0, 0.0, 0.0
	for _, s := range tab.Steps {
		if s.Whole == nil { // a gap has none
			continue
		}
		mid, lo, hi, ok := reach(*s.Whole)
		if !ok {
			return c, false
		}
		sum += mid
		below, above = math.Hypot(below, mid-lo), math.Hypot(above, hi-mid)
	}
	_, lo, hi, ok := reach(direct)
	if !ok || math.IsInf(sum, 0) || math.IsNaN(sum) {
		return c, false
	}
	const rounding = 1e-9 // of sums of logarithms, where all is exact
	return assay.Compound{Metric: tab.Metric.Name, Product: assay.ChangeOfLog(sum), Direct: direct,
		Interval: assay.Interval{Lo: assay.ChangeOfLog(sum - below), Hi: assay.ChangeOfLog(sum + above)},
		Agree:    sum-below <= hi+rounding && lo <= sum+above+rounding}, true
}

// reach returns a change and its interval in ln units, a point if equality decided or the
// code is the same.
func reach(c assay.Comparison) (mid, lo, hi float64, ok bool) {
	mid = c.Change.Log()
	switch {
	case c.Verdict == assay.SameCoded:
		return 0, 0, 0, true
	case c.Interval != nil && c.Verdict != assay.Invalid:
		return mid, c.Interval.Lo.Log(), c.Interval.Hi.Log(), true
	}
	return mid, mid, mid, c.Exact && !c.SoFar()
}
