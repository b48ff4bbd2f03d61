package analysis

import (
	"math"

	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
)

func (rule *rule) gate(c cell, metric string, need claim) string {
	lo, hi, ok := c.Interval(1 / rule.plan.Study.Decide.Alpha())
	limit := rule.gateLimit(metric)
	if limit < 0 {
		lo, hi, limit = -hi, -lo, -limit
	}
	if !ok || c.Zero {
		return answer.GateOpen
	}
	return gateStatus(lo, hi, limit, c.Gate >= need.at)
}

// gateStatus says where a change in the interval lo..hi lies: within a limit, or evidently
// beyond it. It is open if either is NaN.
func gateStatus(lo, hi, limit float64, evident bool) string {
	switch {
	case hi < limit:
		return answer.GateHeld
	case lo > limit && evident:
		return answer.GateFailed
	}
	return answer.GateOpen
}

// exactlyWorse reports whether a cell without variance is beyond the gate. A count of
// allocations is so from the first block.
func (rule *rule) exactlyWorse(s *sample.Sample, metric string) bool {
	limit := rule.gateLimit(metric)
	return (s.Exact(rule.set.From) || s.Constant()) && math.Log(s.Value[0]/s.Base[0])*math.Copysign(1, limit) > math.Abs(limit)
}

// beyond lists the comparisons that are proved worse than the gate allows, and those that
// may be.
func (rule *rule) beyond() (failed, open []answer.GateCell) {
	for _, metric := range rule.plan.Study.Decide.Metrics {
		cells := rule.cells(rule.set.Active(), metric)
		need := rule.schedulingClaim(cells, metric)
		for _, c := range cells {
			if c.Constant() {
				continue // exactlyWorse has it
			}
			switch rule.gate(c, metric, need) {
			case answer.GateFailed:
				failed = append(failed, answer.GateCell{Metric: metric, Variant: c.variant, Benchmark: c.b.Plan.Benchmark})
			case answer.GateOpen:
				open = append(open, answer.GateCell{Metric: metric, Variant: c.variant, Benchmark: c.b.Plan.Benchmark})
			}
		}
		for _, b := range rule.set.Active() {
			for _, v := range rule.set.Others() {
				name := answer.GateCell{Metric: metric, Variant: v, Benchmark: b.Plan.Benchmark}
				if s := b.Unsaturated(metric, v); s != nil && rule.exactlyWorse(s, metric) {
					failed = append(failed, name)
				}
				if b.Saturated(metric, v) != "" {
					open = append(open, name)
				}
			}
		}
	}
	return failed, open
}
