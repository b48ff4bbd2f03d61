package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
)

// Limits compares a finished result with limits, from its intervals and verdicts. A cell
// fails if its whole interval is beyond the limit and the result claims a change for the
// worse, so that the false claims of the list stay bounded. It holds if its whole
// interval is within. A count without variance is compared directly. The worst cells come
// first, because outputs list only a few. Errors are of type *assay.Error [gate-metric].
//
// Where nothing was measured there are no cells, unless all variants are the same code: then
// every limit holds, on any metric.
func Limits(r *assay.Result, limits []assay.Limit) ([]assay.LimitCell, error) {
	if !Measured(r) {
		return sameCodeCells(r, limits), nil
	}
	var out []assay.LimitCell
	for _, l := range limits {
		i := slices.IndexFunc(r.Tables, func(t assay.Table) bool { return t.Metric.Name == l.Metric })
		if i < 0 {
			return nil, assay.UsageError(assay.CodeGateMetric, fmt.Sprintf("there is no metric %q in this result", l.Metric), "")
		}
		t := r.Tables[i]
		if t.Metric.Better == assay.BetterUnknown {
			return nil, assay.UsageError(assay.CodeGateMetric, fmt.Sprintf("it is unknown whether less or more of %s is better", l.Metric),
				fmt.Sprintf("fmt.Println(%q) (or lower) in the benchmark, then measure again", "Unit "+l.Metric+" better=higher"))
		}
		for _, row := range t.Rows {
			for _, c := range row.Cells {
				status := limitStatus(t.Metric, row.Base, c, l.Limit)
				out = append(out, assay.LimitCell{Status: status, Metric: t.Metric, Limit: l.Limit, Base: row.Base, Comparison: c})
			}
		}
	}
	slices.SortStableFunc(out, byLoss)
	return out, nil
}

// Measured reports whether a result compares anything.
func Measured(r *assay.Result) bool {
	return slices.ContainsFunc(r.Tables, func(t assay.Table) bool { return len(t.Rows) > 0 })
}

// sameCodeCells has a cell for each limit and variant, of no benchmark.
func sameCodeCells(r *assay.Result, limits []assay.Limit) (out []assay.LimitCell) {
	for _, l := range limits {
		for _, v := range answer.SameCode(r) {
			out = append(out, assay.LimitCell{Status: assay.LimitHeld, Metric: assay.Metric{Name: l.Metric, Better: assay.KnownBetter(l.Metric)}, Limit: l.Limit,
				Comparison: assay.Comparison{Variant: v.Name, Verdict: assay.SameCoded, Reason: sameCodeReason}})
		}
	}
	return out
}

// byLoss orders cells by status, then proved changes for the worse before others, then the
// largest possible loss first.
func byLoss(a, b assay.LimitCell) int {
	unproved := func(c assay.LimitCell) int {
		if c.Verdict.Bad() {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(slices.Index(assay.LimitStatuses, a.Status), slices.Index(assay.LimitStatuses, b.Status)),
		cmp.Compare(unproved(a), unproved(b)), cmp.Compare(possibleLoss(b), possibleLoss(a)))
}

// possibleLoss is the end of the cell's interval that is worse, in ln units. Cells without
// an interval come last: nothing says that they are worse.
func possibleLoss(c assay.LimitCell) float64 {
	switch {
	case c.Exact:
		return exactLoss(c.Metric, c.Base, c.Value)
	case c.Interval == nil || c.Base == 0:
		return math.Inf(-1)
	case c.Metric.Loss() < 0:
		return -c.Interval.Lo.Log()
	}
	return c.Interval.Hi.Log()
}

// limitStatus is rule.gate for a recorded cell.
func limitStatus(m assay.Metric, base float64, c assay.Comparison, most float64) assay.LimitStatus {
	limit := math.Log1p(most)
	switch {
	case c.Verdict == assay.SameCoded || c.Never():
		return assay.LimitHeld
	case c.N == 0 || c.Verdict == assay.Invalid || c.Verdict == assay.Saturated || c.Verdict == assay.Withheld:
		return assay.LimitUndecided
	case c.Exact:
		if exactLoss(m, base, c.Value) > limit {
			return assay.LimitFailed
		}
		return assay.LimitHeld
	case c.Interval == nil || base == 0:
		return assay.LimitUndecided
	}
	lo, hi := c.Interval.Lo.Log(), c.Interval.Hi.Log()
	if m.Loss() < 0 {
		lo, hi = -hi, -lo
	}
	return assay.LimitStatus(gateStatus(lo, hi, limit, c.Verdict.Bad()))
}

// exactLoss returns by how much a value without variance is worse, in ln units: 0 if both
// are 0, infinite if only one is.
func exactLoss(m assay.Metric, base, value float64) float64 {
	if base == value {
		return 0
	}
	return m.Loss() * math.Log(value/base)
}
