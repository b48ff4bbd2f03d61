package answer

import (
	"slices"

	"github.com/seed-1318a441/assay"
)

// asked returns the question that the answer is to: what the study asks, if the result
// can answer that, else what follows from its variants and decision rule.
func asked(r *assay.Result, s *assay.Study) assay.Ask {
	ask := s.Asks
	switch {
	case ask.Kind() == assay.AskArc && r.Arc == nil,
		ask.Kind() == assay.AskTradeoff && r.Tradeoff == nil,
		ask.Kind() == assay.AskFactor && len(mainEffects(r, ask)) == 0:
		return assay.AskOf(assay.AskVariant)
	case ask != "":
		return ask
	case r.Arc != nil:
		return assay.AskOf(assay.AskArc)
	case s.Decide.Gate > 0, s.Decide.Race:
		return assay.AskOf(assay.AskVariant)
	case r.Tradeoff != nil && (len(s.Decide.Tradeoff) == 2 || len(s.Factors) == 1):
		return assay.AskOf(assay.AskTradeoff, r.Tradeoff.Metrics[0].Name, r.Tradeoff.Metrics[1].Name)
	case againstItself(s):
		return assay.AskOf(assay.AskSame)
	case len(s.Factors) > 1 && !slices.ContainsFunc(s.Variants, func(v assay.Variant) bool { return v.Levels == nil }) && len(mainEffects(r, ask)) > 0:
		return assay.AskOf(assay.AskFactor)
	}
	return assay.AskOf(assay.AskVariant)
}

// againstItself reports whether a study measures the same build under several names, which
// assay does only if it is forced to.
func againstItself(s *assay.Study) bool {
	return s.Measure.Force && len(s.Variants) > 1 && s.By == nil &&
		!slices.ContainsFunc(s.Variants, func(v assay.Variant) bool { return !v.SameBuild(s.Variants[0]) })
}
