package analysis

import "github.com/seed-1318a441/assay"

// closingWarnings are those that need the whole result.
func (t *Tracker) closingWarnings(r *assay.Result) []assay.Warning {
	out := append(t.set.FailedStarts(), arcWarnings(r)...)
	if w, ok := uneven(t.set, r); ok {
		out = append(out, w)
	}
	return append(out, precisionWarnings(r, t.plan.Study.ComparesSteps())...)
}
