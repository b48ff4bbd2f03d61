// Package gc compares the work of the garbage collector in the traced trials of two
// variants. It parses no trace (collect/gctrace) and ranks no causes (explain).
package gc

import (
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/stats"
)

// gcRows are the compared metrics, in the order of the rows.
var gcRows = []string{
	assay.MetricGCCyclesOp, assay.MetricGCMarkOp, assay.MetricGCMarkCPU, assay.MetricGCMarkMB, assay.MetricGCAssistCPU,
	assay.MetricGCWorkerCPU, assay.MetricGCIdleCPU, assay.MetricGCSweepPause, assay.MetricGCMarkPause, assay.MetricGCShare, assay.MetricGCLive,
}

// Compare compares the collector's work in traced trials. A row has the medians over the
// trials of each side. Its change is the mean of ln(variant/base) over the blocks that
// have both, with Student's interval at the given confidence (0.95, say); fewer than two
// blocks have no interval.
//
// In a trial without a cycle ratios mean nothing: then the change is that of the medians,
// and 0 if the base's is 0. Cycles are whole, and one more or less may be chance: it
// widens the intervals of cycles per operation and of what depends on them.
//
// Compare returns nil if no trial of either side had a cycle. It skips trials that failed
// or are of another kind.
func Compare(base, variant []assay.EvidenceTrial, confidence float64) *assay.GCChange {
	base, variant = traced(base), traced(variant)
	cycled, n := false, 0
	for _, t := range slices.Concat(base, variant) {
		cycled, n = cycled || t.Values[assay.MetricGCCyclesOp] > 0, max(n, t.N)
	}
	if !cycled {
		return nil
	}
	g := &assay.GCChange{Trials: min(len(base), len(variant)), N: n}
	for _, metric := range gcRows {
		if row, ok := gcRow(metric, base, variant, confidence); ok {
			g.Rows = append(g.Rows, row)
		}
	}
	return g
}

func traced(trials []assay.EvidenceTrial) []assay.EvidenceTrial {
	return slices.DeleteFunc(slices.Clone(trials), func(t assay.EvidenceTrial) bool {
		return t.Kind != assay.CollectGC || t.Status != assay.StatusOK
	})
}

// gcValue is a trial's value of a metric. A trial without a cycle has marked nothing.
func gcValue(metric string, t assay.EvidenceTrial) (float64, bool) {
	v, ok := t.Values[metric]
	if metric == assay.MetricGCMarkOp {
		v, ok = t.Values[assay.MetricGCCyclesOp]
		v *= t.Values[assay.MetricGCMarkCPU]
	}
	return v, ok && v >= 0 && !math.IsInf(v, 1)
}

// gcRow compares one metric; ok is false if a side has no values.
func gcRow(metric string, base, variant []assay.EvidenceTrial, confidence float64) (row assay.GCChangeRow, ok bool) {
	b, v := gcValues(metric, base), gcValues(metric, variant)
	if len(b) == 0 || len(v) == 0 {
		return row, false
	}
	row = assay.GCChangeRow{Metric: metric, Base: stats.Median(b), Variant: stats.Median(v)}
	if row.Base > 0 {
		row.Change = assay.Change(row.Variant/row.Base - 1)
	}
	d := logRatios(metric, base, variant)
	if len(d) == 0 {
		return row, row.Base > 0 || row.Variant > 0
	}
	mean := stats.Mean(d)
	row.Change = assay.ChangeOfLog(mean)
	if len(d) >= 2 {
		half := stats.StudentHalfWidth(d, confidence)
		if metric == assay.MetricGCCyclesOp || metric == assay.MetricGCMarkOp {
			half += math.Log1p(1 / fewestCycles(base, variant))
		}
		row.Interval = &assay.Interval{Lo: assay.ChangeOfLog(mean - half), Hi: assay.ChangeOfLog(mean + half)}
	}
	return row, true
}

func gcValues(metric string, trials []assay.EvidenceTrial) []float64 {
	var list []float64
	for _, t := range trials {
		if v, ok := gcValue(metric, t); ok {
			list = append(list, v)
		}
	}
	return list
}

// logRatios are ln(variant/base) of the blocks that have both. There are none if one of
// the values is 0: to leave out only those blocks would favour the others.
func logRatios(metric string, base, variant []assay.EvidenceTrial) []float64 {
	blocks := map[[2]int]float64{}
	for _, t := range base {
		if v, ok := gcValue(metric, t); ok {
			blocks[[2]int{t.Inquiry, t.Block}] = v
		}
	}
	var d []float64
	for _, t := range variant {
		v, ok := gcValue(metric, t)
		b, both := blocks[[2]int{t.Inquiry, t.Block}]
		if !ok || !both {
			continue
		}
		if v == 0 || b == 0 {
			return nil
		}
		d = append(d, math.Log(v/b))
	}
	return d
}

// fewestCycles is the smaller side's median number of cycles in a trial, at least 1.
func fewestCycles(sides ...[]assay.EvidenceTrial) float64 {
	fewest := math.Inf(1)
	for _, side := range sides {
		var n []float64
		for _, t := range side {
			n = append(n, t.Values[assay.MetricGCCyclesOp]*float64(t.N))
		}
		fewest = min(fewest, stats.Median(n))
	}
	return max(fewest, 1)
}
