package answer

import (
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// StepWarnings are those of a chain of steps.
func StepWarnings(r *assay.Result) (out []assay.Warning) {
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
	w := assay.Warning{Code: assay.CodeGateFailed}
	failed := 0
	for _, s := range a.Steps {
		if s.Failed() {
			failed++
		}
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
	w := assay.Warning{Code: assay.CodeStepsGap}
	for _, s := range a.Steps {
		if s.Gap != nil {
			w.Facts = append(w.Facts, stepName(s)+": "+s.Gap.Reason)
		}
	}
	w.Text = fmt.Sprintf("%s of %d could not be measured; what follows each is compared with the last step before it", printable.Count(len(w.Facts), "step"), len(a.Steps))
	return w, len(w.Facts) > 0
}

// compoundWarnings tell of the metrics whose steps do not make the whole.
func compoundWarnings(a *assay.Arc) (out []assay.Warning) {
	for _, c := range a.Compound {
		if c.Agree {
			continue
		}
		last := a.Steps[len(a.Steps)-1].Variant
		if c.Direct.Variant != "" {
			last = c.Direct.Variant
		}
		out = append(out, assay.Warning{Code: assay.CodeCompound,
			Text: fmt.Sprintf("the steps' changes of %s do not multiply to the change from end to end", c.Metric),
			Facts: []string{
				fmt.Sprintf("all steps together: %s %s", c.Product.Format(c.Interval.Half()), c.Interval),
				fmt.Sprintf("%s against the base: %s", last, Interval(c.Direct)),
				"the machine was not the same for all blocks, or a step's change depends on what runs beside it",
			},
			Try: "assay doctor, then a run of its own for the steps in doubt"})
	}
	return out
}
