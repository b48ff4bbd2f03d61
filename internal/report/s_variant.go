package report

import (
	"math"

	"github.com/seed-1318a441/assay"
)

// sameText says what a variant is the same code as, and how much the control
// differed, which is noise.
func (s *Sheet) sameText(v assay.VariantResult) string {
	text := string(assay.SameCoded) + " as " + v.SameAs.As
	if !v.SameAs.Control && s.r.Noise.Control != v.Name {
		return text
	}
	text += ", used as control"
	var worst assay.Comparison
	for _, c := range s.r.Noise.Cells {
		if c.Interval != nil && math.Abs(c.Change.Log()) >= math.Abs(worst.Change.Log()) {
			worst = c
		}
	}
	if worst.Interval == nil {
		return text
	}
	return text + ": " + unsigned(percent(worst.Change, worst.Interval.Half())) + " % off at most"
}

// suite is the entry that stands for the whole suite: the geomean of the first
// table, or its only row.
func (s *Sheet) suite() (entry, string) {
	t := s.r.Tables[0]
	if len(t.Geomean) > 0 {
		e := s.geomean(t)
		return e, e.label
	}
	if len(t.Rows) == 1 {
		return s.entry(t, t.Rows[0]), t.Rows[0].Benchmark.Name
	}
	return entry{metric: t.Metric, base: math.NaN()}, ""
}

// countHeads are the heads over the counts of better, same, worse and unclear
// rows, in the words of the verdicts or their marks.
func countHeads(m assay.Metric, marks bool) []string {
	sign := -1.0
	if m.Better == assay.BetterHigher {
		sign = 1
	}
	better, worse := assay.Differing(m, sign), assay.Differing(m, -sign)
	heads := []string{string(better), string(assay.Same), string(worse), string(assay.Unclear)}
	switch {
	case better == assay.Changed:
		heads[0], heads[2] = "better", "worse"
	case marks:
		heads = []string{mark(assay.Comparison{Verdict: better}), "=", mark(assay.Comparison{Verdict: worse}), "?"}
	}
	return heads
}
