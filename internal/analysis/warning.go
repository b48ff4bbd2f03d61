package analysis

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
)

// closingWarnings are those that need the whole result.
func (t *Tracker) closingWarnings(r *assay.Result) []assay.Warning {
	return slices.Concat(t.set.FailedStarts(), answer.StepWarnings(r), uneven(t.set, r), answer.PrecisionWarnings(r, t.plan.Study.ComparesSteps()))
}
