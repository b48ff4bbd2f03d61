package analysis

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
)

// closingWarnings are those that need the whole result.
func (t *Tracker) closingWarnings(r *assay.Result) []assay.Warning {
	out := append(t.set.FailedStarts(), answer.StepWarnings(r)...)
	if w, ok := uneven(t.set, r); ok {
		out = append(out, w)
	}
	return append(out, answer.PrecisionWarnings(r, t.plan.Study.ComparesSteps())...)
}
