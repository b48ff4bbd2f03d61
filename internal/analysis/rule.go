package analysis

import (
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/memo"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/stats"
)

// A rule decides comparisons as the study asks: which are claimed, which need more
// blocks, and how many.
type rule struct {
	plan   *assay.Plan
	set    *sample.Set
	costs  *schedule.Costs
	priced bool                      // more blocks can be bought: there is a budget
	claims memo.Epoch[string, claim] // of the whole suite, by metric
	// lists returns the claims of a metric on benchmarks and on the whole suite where the
	// comparisons are part of a longer list, as those of a pair are; nil if the rule's own
	// are all there are.
	lists func(metric string) (cells, whole claim)
}

// cells returns the samples of a metric that count as comparisons, with their e-values up
// to date: not the control's, not the saturated ones, and not those that equality decides.
func (rule *rule) cells(active []*sample.Benchmark, metric string) (out []cell) {
	for _, b := range active {
		for _, v := range rule.set.Others() {
			if s := b.Unsaturated(metric, v); s != nil && !s.Exact(rule.set.From) {
				out = append(out, rule.cell(s, b, metric, v))
			}
		}
	}
	return out
}

// cell returns a sample as a cell. Its e-values are brought up to date while it is in the
// schedule; a sample that left keeps those with which it left.
func (rule *rule) cell(s *sample.Sample, b *sample.Benchmark, metric, variant string) cell {
	c := cell{s, b, variant}
	if s.Left {
		return c
	}
	s.E, s.Top = s.EValues(0)
	if limit := rule.gateLimit(metric); limit != 0 {
		s.Gate = c.evidence(limit)
	}
	return c
}

// gateLimit returns the worst change that the gate allows, in ln units; 0 without a gate.
func (rule *rule) gateLimit(metric string) float64 {
	return rule.plan.Metric(metric).Loss() * math.Log1p(rule.plan.Study.Decide.Gate)
}

// closed reports whether a cell needs no more blocks.
func (rule *rule) closed(c cell, metric string, need claim) bool {
	if c.Left && need.at > 0 && rule.evident(c, metric, need) {
		return true
	}
	if c.Early(rule.set.From) {
		return false
	}
	lo, hi, ok := c.Interval(1 / rule.plan.Study.Decide.Alpha())
	margin := rule.margin(metric)
	limit := rule.gateLimit(metric)
	switch {
	case !ok, limit != 0 && c.Zero: // drift, or no ratio: more blocks cannot heal it
		return true
	case limit > 0:
		return hi < limit || lo > limit && rule.evident(c, metric, need)
	case limit < 0:
		return lo > limit || hi < limit && rule.evident(c, metric, need)
	case !c.Zero && lo >= -margin && hi <= margin:
		return true
	}
	// A cell that e-BH no longer claims returns to the schedule.
	return rule.evident(c, metric, need) && (lo > 0 || hi < 0)
}

// evident reports whether a cell has the evidence of a claim: of a change, or with a gate
// of failure.
func (rule *rule) evident(c cell, metric string, need claim) bool {
	if rule.gateLimit(metric) != 0 {
		return c.Gate >= need.at
	}
	return need.holds(c.Sample)
}

// margin returns the minimum effect in ln units.
func (rule *rule) margin(metric string) float64 {
	return math.Log1p(rule.plan.Metric(metric).MinEffect)
}

// open reports whether a sample outside the schedule's list needs more blocks: it is
// neither the same nor claimed.
func (rule *rule) open(s *sample.Sample, metric string, need claim) bool {
	lo, hi, ok := s.Interval(1 / rule.plan.Study.Decide.Alpha())
	margin := rule.margin(metric)
	switch {
	case !ok: // drift: more blocks cannot heal it
		return false
	case lo >= -margin && hi <= margin:
		return false
	}
	return !(need.holds(s) && (lo > 0 || hi < 0))
}

// settled reports whether a variant on the whole suite needs no more blocks.
func (rule *rule) settled(s *sample.Sample, metric string) bool {
	return s.Exact(rule.set.From) || !s.Early(rule.set.From) && !rule.open(s, metric, rule.headClaim(metric))
}

// more estimates the number of blocks until a comparison is decided before the budget ends;
// 0 and false if that is unknown.
func (rule *rule) more(x *sample.Sample, metric string) (int, bool) {
	if x.Zero || len(x.D) < rule.set.From {
		return 0, false
	}
	n := x.MoreEarly(rule.plan.Study.Decide.Alpha(), rule.plan.Metric(metric).MinEffect, maxPrice)
	return n * schedule.Scale(rule.plan), n > 0
}

// counted returns the samples of a list that can be claimed: those that exist and that
// equality does not decide.
func (rule *rule) counted(list []*sample.Sample) (out []cell) {
	for _, s := range list {
		if s != nil && !s.Exact(rule.set.From) {
			out = append(out, cell{Sample: s})
		}
	}
	return out
}

// stepCells is cells for the comparisons of steps.
func (rule *rule) stepCells(bs []*sample.Benchmark, metric string) (out []cell) {
	for _, b := range bs {
		for _, l := range rule.set.Chain.Links {
			if s := rule.set.Chain.Cell(b, metric, l); s != nil && !s.Exact(rule.set.From) {
				out = append(out, rule.cell(s, b, metric, l.Step))
			}
		}
	}
	return out
}

// judge returns the judge of a metric, with e-values and claims up to date.
func (rule *rule) judge(metric string) judge {
	cells := rule.cells(rule.set.Active(), metric)
	j := judge{metric: rule.plan.Metric(metric), alpha: rule.plan.Study.Decide.Alpha(), from: rule.set.From,
		priced: rule.priced && len(cells) <= maxPriced, scale: float64(schedule.Scale(rule.plan))}
	return j.of(rule.cellClaim(cells, metric))
}

// atLevel returns the claim that needs the study's level too.
func (rule *rule) atLevel(c claim) claim {
	if c.list > 1 {
		c.at = max(c.at, 1/rule.plan.Study.Decide.Alpha())
	}
	return c
}

// cellClaim returns the claim of a metric's cells: all benchmarks and variants. The cells
// of a single benchmark are what the answer rests on.
func (rule *rule) cellClaim(cells []cell, metric string) claim {
	if rule.lists != nil {
		c, _ := rule.lists(metric)
		return c
	}
	if rule.set.Suite(metric).Only() != nil && len(rule.set.Chain.Links) == 0 {
		return rule.headClaim(metric)
	}
	return eBH(cells, verdictE)
}

// schedulingClaim returns what a cell needs to leave the schedule. With a gate the
// question is the gate's.
func (rule *rule) schedulingClaim(cells []cell, metric string) claim {
	if rule.gateLimit(metric) != 0 {
		return rule.atLevel(eBH(couldFail(cells), gateE))
	}
	return rule.atLevel(rule.cellClaim(cells, metric))
}

// heads returns the comparisons on the whole suite from which an answer chooses: all
// variants on one metric. For services, whose answer uses all metrics that decide, it is
// all variants on these and on errors. Cells decided by equality, and saturated ones, do
// not count.
func (rule *rule) heads(metric string) (out []*sample.Sample) {
	metrics := []string{metric}
	if decide := rule.answering(); rule.plan.Study.Serves() && slices.Contains(decide, metric) {
		metrics = decide
	}
	others := rule.set.Others()
	for _, m := range metrics {
		suite := rule.set.Suite(m)
		if !slices.ContainsFunc(others, func(v string) bool { return suite.Sample(v) != nil }) {
			continue // a quantile that the runs are too short for, say
		}
		b := suite.Only()
		for _, v := range others {
			s := suite.Sample(v)
			if exact := s != nil && s.Exact(rule.set.From); !exact && (b == nil || b.Saturated(m, v) == "") {
				out = append(out, s)
			}
		}
	}
	return out
}

// answering returns the metrics that the answer for services uses.
func (rule *rule) answering() []string {
	out := slices.Clone(rule.plan.Study.Decide.Metrics)
	if slices.Contains(rule.set.Metrics, assay.MetricErrors) && !slices.Contains(out, assay.MetricErrors) {
		out = append(out, assay.MetricErrors)
	}
	return out
}

// headClaim returns the claim of Holm (1979) over the heads, at the study's level. With p
// = 1/largest evidence, the k-th smallest of m is claimed if it and all before it are at most
// alpha/(m-k+1); the last one claimed sets what all need. A chain has no such list: its
// answer is about the last step alone. In a group of machines the list is that of all
// machines, of which the others count as not claimed: what is claimed here Merge confirms.
func (rule *rule) headClaim(metric string) claim {
	if rule.lists != nil {
		_, c := rule.lists(metric)
		return c
	}
	return rule.claims.Get(rule.set.Epoch(), metric, func() claim { return rule.makeHeadClaim(metric) })
}

func (rule *rule) makeHeadClaim(metric string) claim {
	list, machines := rule.heads(metric), max(rule.plan.Machines, 1)
	if len(rule.set.Chain.Links) > 0 {
		list = make([]*sample.Sample, 1)
	}
	n := len(list) * machines
	if n < 2 {
		return alone
	}
	alpha := rule.plan.Study.Decide.Alpha()
	p := make([]float64, n)
	for i := range p {
		p[i] = 1
		if i < len(list) && list[i] != nil {
			h := list[i]
			h.E, h.Top = h.EValues(0)
			p[i] = min(1, 1/h.Top)
		}
	}
	k := 0
	for _, adjusted := range stats.Holm(p) {
		k += btoi(adjusted <= alpha)
	}
	return claim{at: float64(n-max(k, 1)+1) / alpha, ever: true, list: n}
}

// couldFail returns the cells in which a gate looks for failures: those with ratios.
func couldFail(cells []cell) []cell {
	return slices.DeleteFunc(slices.Clone(cells), func(c cell) bool { return c.Zero })
}

// wholeValue returns the value of a variant on the whole suite, as in the table; ok is
// false if there is none.
func (rule *rule) wholeValue(tab assay.Table, variant string) (x float64, ok bool) {
	heads, base := tab.Geomean, tab.GeomeanBase
	if b := rule.set.Suite(tab.Metric.Name).Only(); len(heads) == 0 && b != nil {
		for _, row := range tab.Rows {
			if row.Benchmark == b.Plan.Benchmark {
				heads, base = row.Cells, row.Base
			}
		}
	}
	return valueIn(heads, base, rule.plan.Study.Base, variant)
}

// valueIn returns the value of a variant among comparisons with a base of that value.
func valueIn(cells []assay.Comparison, base float64, baseName, variant string) (x float64, ok bool) {
	if variant == baseName {
		return base, base != 0
	}
	c, ok := answer.Find(cells, variant)
	return c.Value, ok && c.N > 0
}
