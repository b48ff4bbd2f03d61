package analysis

import (
	"math"

	"github.com/seed-1318a441/assay/internal/analysis/answer"
)

func (rule *rule) gate(c cell, metric string, need claim) string {
	lo, hi, ok := c.Interval(1 / rule.plan.Study.Decide.Alpha())
	limit := rule.gateLimit(metric)
	if limit < 0 {
		lo, hi, limit = -hi, -lo, -limit
	}
	switch {
	case !ok || c.Zero:
		return answer.GateOpen
	case hi < limit:
		return answer.GateHeld
	case lo > limit && c.Gate >= need.at:
		return answer.GateFailed
	}
	return answer.GateOpen
}

// exactlyWorse lists the cells without variance that are beyond the gate.
func (rule *rule) exactlyWorse(metric string) (names []string) {
	limit := rule.gateLimit(metric)
	for _, b := range rule.set.Active() {
		for _, v := range rule.set.Others() {
			s := b.Samples[metric][v]
			if s == nil || !s.Exact(rule.set.From) || b.Saturated(metric, v) != "" {
				continue
			}
			l := math.Log(s.Value[0] / s.Base[0])
			if s.Base[0] == 0 && s.Value[0] == 0 {
				continue
			}
			if l*math.Copysign(1, limit) > math.Abs(limit) {
				names = append(names, b.Plan.Name+" "+metric)
			}
		}
	}
	return names
}

// saturatedCells lists the cells of a metric that no gate can pass.
func (rule *rule) saturatedCells(metric string) (names []string) {
	for _, b := range rule.set.Active() {
		for _, v := range rule.set.Others() {
			if b.Saturated(metric, v) != "" {
				names = append(names, b.Plan.Name+" "+metric)
			}
		}
	}
	return names
}

// beyond lists the comparisons that are proved worse than the gate allows, and those that
// may be.
func (rule *rule) beyond() (failed, open []string) {
	for _, metric := range rule.plan.Study.Decide.Metrics {
		cells := rule.cells(rule.set.Active(), metric)
		rule.updateE(cells, metric)
		need := rule.schedulingClaim(cells, metric)
		for _, c := range cells {
			switch rule.gate(c, metric, need) {
			case answer.GateFailed:
				failed = append(failed, c.b.Plan.Name+" "+metric)
			case answer.GateOpen:
				open = append(open, c.b.Plan.Name+" "+metric)
			}
		}
		failed = append(failed, rule.exactlyWorse(metric)...)
		open = append(open, rule.saturatedCells(metric)...)
	}
	return failed, open
}
