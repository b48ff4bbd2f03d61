package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
)

// A Limit is how much worse a metric may become: 0.03 is 3 %.
type Limit struct {
	Metric string
	Most   float64
}

// What a limit says of a cell, and all limits of a result.
const (
	LimitHeld      = answer.GateHeld
	LimitFailed    = answer.GateFailed
	LimitUndecided = answer.GateOpen
)

// A LimitCell is what a limit says of one comparison.
type LimitCell struct {
	Limit  Limit
	Metric assay.Metric
	Base   float64
	Cell   assay.Comparison
	Status string
}

// Limits compares a finished result with limits, from its intervals and verdicts. A cell
// fails if its whole interval is beyond the limit and the result claims a change for the
// worse, so that the false claims of the list stay bounded. It holds if its whole
// interval is within. A count without variance is compared directly.
func Limits(r *assay.Result, limits []Limit) ([]LimitCell, error) {
	var out []LimitCell
	for _, l := range limits {
		i := slices.IndexFunc(r.Tables, func(t assay.Table) bool { return t.Metric.Name == l.Metric })
		if i < 0 {
			return nil, fmt.Errorf("there is no metric %q in this result", l.Metric)
		}
		t := r.Tables[i]
		if t.Metric.Better == assay.BetterUnknown {
			return nil, fmt.Errorf("it is unknown whether less or more of %s is better", l.Metric)
		}
		for _, row := range t.Rows {
			for _, c := range row.Cells {
				out = append(out, LimitCell{l, t.Metric, row.Base, c, limitStatus(t.Metric, row.Base, c, l.Most)})
			}
		}
	}
	slices.SortStableFunc(out, byLoss)
	return out, nil
}

// byLoss orders cells by status, then proved changes for the worse before others, then the
// largest possible loss first.
func byLoss(a, b LimitCell) int {
	order := []string{LimitFailed, LimitUndecided, LimitHeld}
	first := func(yes bool) int {
		if yes {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(slices.Index(order, a.Status), slices.Index(order, b.Status)),
		cmp.Compare(first(a.Cell.Verdict.Bad()), first(b.Cell.Verdict.Bad())),
		cmp.Compare(b.possibleLoss(), a.possibleLoss()))
}

// possibleLoss is the end of the cell's interval that is worse, in ln units. Cells without
// an interval come last: nothing says that they are worse.
func (c LimitCell) possibleLoss() float64 {
	switch {
	case c.Cell.Exact:
		return exactLoss(c.Metric, c.Base, c.Cell.Value)
	case c.Cell.Interval == nil || c.Base == 0:
		return math.Inf(-1)
	case c.Metric.Loss() < 0:
		return -c.Cell.Interval.Lo.Log()
	}
	return c.Cell.Interval.Hi.Log()
}

// limitStatus is rule.gate for a recorded cell.
func limitStatus(m assay.Metric, base float64, c assay.Comparison, most float64) string {
	limit := math.Log1p(most)
	switch {
	case c.Verdict == assay.SameCoded:
		return answer.GateHeld
	case c.N == 0 || c.Verdict == assay.Invalid || c.Verdict == assay.Saturated || c.Verdict == assay.Withheld:
		return answer.GateOpen
	case c.Exact:
		if exactLoss(m, base, c.Value) > limit {
			return answer.GateFailed
		}
		return answer.GateHeld
	case c.Interval == nil || base == 0:
		return answer.GateOpen
	}
	lo, hi := c.Interval.Lo.Log(), c.Interval.Hi.Log()
	if m.Loss() < 0 {
		lo, hi = -hi, -lo
	}
	return gateStatus(lo, hi, limit, c.Verdict.Bad())
}

// exactLoss returns by how much a value without variance is worse, in ln units: 0 if both
// are 0, infinite if only one is.
func exactLoss(m assay.Metric, base, value float64) float64 {
	if base == value {
		return 0
	}
	return m.Loss() * math.Log(value/base)
}
