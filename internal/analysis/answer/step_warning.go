package answer

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// StepWarnings returns the warnings about a chain of steps.
func StepWarnings(r *assay.Result) []assay.Warning {
	if r.Arc == nil {
		return nil
	}
	return slices.Concat(gateWarning(r.Arc), gapWarning(r.Arc), compoundWarnings(r.Arc))
}

// gateWarning lists the gates that failed.
func gateWarning(a *assay.Arc) []assay.Warning {
	w := assay.Warning{Code: assay.CodeGateFailed, Advice: "--gates=stop, to measure only what passes"}
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
			w.Facts = append(w.Facts, because(fact, g.Text))
		}
	}
	if failed == 0 {
		return nil
	}
	w.Text = fmt.Sprintf("%s of %d fail a gate; their figures stand, marked", printable.Count(failed, "step"), len(a.Steps))
	if failed == 1 {
		w.Text = fmt.Sprintf("1 step of %d fails a gate; its figures stand, marked", len(a.Steps))
	}
	return []assay.Warning{w}
}

// gapWarning lists the steps that could not be measured.
func gapWarning(a *assay.Arc) []assay.Warning {
	var gaps []string
	for _, s := range a.Steps {
		if s.Gap != nil {
			gaps = append(gaps, stepName(s)+": "+s.Gap.Reason)
		}
	}
	if gaps == nil {
		return nil
	}
	return []assay.Warning{{Code: assay.CodeStepsGap, Facts: gaps,
		Text: fmt.Sprintf("%s of %d could not be measured; what follows each is compared with the last step before it", printable.Count(len(gaps), "step"), len(a.Steps))}}
}

// compoundWarnings lists the metrics whose steps do not multiply to the whole.
func compoundWarnings(a *assay.Arc) (out []assay.Warning) {
	for _, c := range a.Compound {
		if c.Agree {
			continue
		}
		last := cmp.Or(c.Direct.Variant, a.Steps[len(a.Steps)-1].Variant)
		out = append(out, assay.Warning{Code: assay.CodeCompound,
			Text: fmt.Sprintf("the steps' changes of %s do not multiply to the change from end to end", c.Metric),
			Facts: []string{
				fmt.Sprintf("all steps together: %s %s", c.Product.Format(c.Interval.Half()), c.Interval),
				fmt.Sprintf("%s against the base: %s", last, Interval(c.Direct)),
				"the machine was not the same for all blocks, or a step's change depends on what runs beside it",
			},
			Advice: "assay doctor, then a run of its own for the steps in doubt"})
	}
	return out
}
