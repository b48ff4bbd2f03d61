package sheet

import (
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/printable"
)

// found reports whether a comparison says more than that it is unclear or the same.
func found(c assay.Comparison) bool {
	return c.Verdict.Differs() || c.Verdict == assay.Saturated || c.Verdict == assay.Invalid
}

// decides reports whether a metric decides the run.
func (s *Sheet) decides(metric string) bool { return slices.Contains(s.Result.Rule.Metrics, metric) }

// NoEffect reports whether no effect in a table is decided.
func NoEffect(t assay.Table) bool {
	none := []assay.Verdict{assay.Unclear, assay.SameCoded, assay.Invalid}
	return !slices.ContainsFunc(t.Effects, func(e assay.Effect) bool { return !slices.Contains(none, e.Whole.Verdict) })
}

// EffectStanding says in one line how the effects of switches came out in some tables, ""
// where there are none.
func EffectStanding(tables []assay.Table) string {
	var names []string
	var list []assay.Comparison
	for _, t := range tables {
		for _, e := range t.Effects {
			list = append(list, e.Whole)
			var factors []string
			for _, x := range e.Switches {
				factors = append(factors, x.Factor)
			}
			if name := strings.Join(factors, " × "); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(list) == 0 {
		return ""
	}
	return printable.Few(names, MaxNotes) + " on " + printable.Count(len(tables), "metric") + ": " + answer.Counts(list)
}
