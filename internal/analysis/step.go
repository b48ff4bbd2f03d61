package analysis

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/stats"
)

// A steps judges each step of a chain against the previous one.
type steps struct{ rule *rule }

// stepChanges judges every step against the previous one. The cells of a metric are one
// list of claims, the whole suite's changes another; both use e-BH.
func (st *steps) stepChanges(tab assay.Table) (out []assay.StepChange) {
	if len(st.rule.set.Chain.Links) == 0 {
		return nil
	}
	metric := tab.Metric.Name
	wholes := st.rule.set.Chain.Wholes(metric)
	whole := st.stepJudge(metric, st.rule.counted(wholes))
	each := st.stepJudge(metric, st.rule.stepCells(st.rule.set.Active(), metric))
	m := middleOf(st.rule.set.Suite(metric))
	for i, l := range st.rule.set.Chain.Links {
		c := assay.StepChange{Variant: l.Step, Previous: l.Previous}
		if !l.Gap {
			c.Cells = st.cellChanges(each, tab, l)
			if c.Whole = st.wholeChange(whole, tab, l, wholes[i]); c.Whole != nil {
				c.Whole.Change = m.change(*c.Whole, slices.Values(c.Cells))
			}
		}
		c.Text = answer.ChangeText(c, l, sample.Measured(st.rule.plan, l.Step))
		out = append(out, c)
	}
	return out
}

// stepJudge returns the judge of a list of step changes.
func (st *steps) stepJudge(metric string, list []cell) judge {
	j := st.rule.judge(metric).of(eBH(list, verdictE))
	j.priced = st.rule.priced && len(list) <= maxPriced && st.rule.plan.Study.ComparesSteps()
	j.scale = float64(schedule.Cycle(st.rule.plan))
	return j
}

func (st *steps) wholeChange(j judge, tab assay.Table, l sample.Link, s *sample.Sample) *assay.Comparison {
	metric := tab.Metric.Name
	var c assay.Comparison
	switch {
	case l.Same():
		c = st.sameChange(st.rule.set.Suite(metric).Sample(l.Now))
	case s == nil:
		return nil
	default:
		c = j.compare(s, 1)
		c.MoreTime = st.rule.costs.Blocks(c.MoreBlocks, sample.Planned(st.rule.set.Active())...)
	}
	c.Difference = 0
	c.Value, _ = st.rule.wholeValue(tab, l.Now)
	c.Variant, c.Benchmark = l.Step, st.rule.set.Suite(metric).Name()
	return &c
}

// sameChange returns the comparison of a step with the same code as the previous one. s
// has the figures of both, or is nil.
func (st *steps) sameChange(s *sample.Sample) assay.Comparison {
	c := assay.Comparison{Verdict: assay.SameCoded, Reason: sameCodeReason}
	if s != nil && len(s.Value) > 0 {
		c.N, c.Value = len(s.Value), stats.Median(s.Value)
	}
	return c
}

// cellChanges returns a step's changes by benchmark. Values are those of the rows, which
// compare with the base; a difference from the previous step's row would belong to
// neither.
func (st *steps) cellChanges(j judge, tab assay.Table, l sample.Link) (out []assay.Comparison) {
	metric := tab.Metric.Name
	rows := map[assay.Benchmark]assay.Row{}
	for _, row := range tab.Rows {
		rows[row.Benchmark] = row
	}
	for _, b := range st.rule.set.Active() {
		if b.Samples[metric] == nil || b.Lacks(l.Now) || b.Lacks(l.Before) {
			continue
		}
		c, ok := st.cellChange(j, b, metric, l)
		if !ok {
			continue
		}
		row := rows[b.Plan.Benchmark]
		c.Difference = 0
		c.Value, _ = valueIn(row.Cells, row.Base, st.rule.plan.Study.Base, l.Now)
		c.Variant, c.Benchmark = l.Step, b.Plan.Benchmark
		out = append(out, c)
	}
	return out
}

// cellChange judges a link on one benchmark; ok is false if the metric was never seen.
func (st *steps) cellChange(j judge, b *sample.Benchmark, metric string, l sample.Link) (c assay.Comparison, ok bool) {
	for _, v := range []string{l.Now, l.Before} {
		if reason := b.Saturated(metric, v); reason != "" {
			return saturate(c, reason), true
		}
	}
	if l.Same() {
		return st.sameChange(b.Samples[metric][l.Now]), true
	}
	s := st.rule.set.Chain.Cell(b, metric, l)
	switch {
	case s != nil:
		c = j.compare(s, 1)
	case b.NotYet(l.Now) || b.NotYet(l.Before):
		c = j.compare(&sample.Sample{E: 1}, 1)
	default:
		return c, false
	}
	c.MoreTime = st.rule.costs.Blocks(c.MoreBlocks, b.Plan)
	return c, true
}
