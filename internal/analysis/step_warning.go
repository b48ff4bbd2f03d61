package analysis

import (
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// arcWarnings are those of a chain of steps.
func arcWarnings(r *assay.Result) (out []assay.Warning) {
	if r.Arc == nil {
		return nil
	}
	if w, ok := gateWarning(r.Arc); ok {
		out = append(out, w)
	}
	if w, ok := gapWarning(r.Arc); ok {
		out = append(out, w)
	}
	return append(out, compoundWarnings(r.Arc)...)
}

// gateWarning lists the gates that failed.
func gateWarning(a *assay.Arc) (assay.Warning, bool) {
	w := assay.Warning{Code: "gate-failed"}
	failed := 0
	for _, s := range a.Steps {
		failed += btoi(s.Failed())
		for _, g := range s.Gates {
			if g.Status != assay.GateFailed {
				continue
			}
			fact := stepName(s) + ": " + g.Gate
			if g.Against != "" {
				fact += " against " + g.Against
			}
			if g.Text != "" {
				fact += ": " + g.Text
			}
			w.Facts = append(w.Facts, fact)
		}
	}
	w.Text = fmt.Sprintf("%s of %d fail a gate; their figures stand, marked", printable.Count(failed, "step"), len(a.Steps))
	if failed == 1 {
		w.Text = fmt.Sprintf("1 step of %d fails a gate; its figures stand, marked", len(a.Steps))
	}
	w.Try = "--gates=stop, to measure only what passes"
	return w, failed > 0
}

// gapWarning lists the steps that could not be measured.
func gapWarning(a *assay.Arc) (assay.Warning, bool) {
	w := assay.Warning{Code: "steps-gap"}
	for _, s := range a.Steps {
		if s.Gap != nil {
			w.Facts = append(w.Facts, stepName(s)+": "+s.Gap.Reason)
		}
	}
	w.Text = fmt.Sprintf("%s of %d could not be measured; what follows each is compared with the last step before it", printable.Count(len(w.Facts), "step"), len(a.Steps))
	return w, len(w.Facts) > 0
}

// stepName is "step 20, final tidy".
func stepName(s assay.StepResult) string { return fmt.Sprintf("step %d, %s", s.Number, s.Variant) }
