package analysis

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/stats"
)

// ties returns the variants of a list that best is not proved to beat on the suite.
func (rule *rule) ties(m assay.Metric, best string, others []string) []string {
	return slices.DeleteFunc(slices.Clone(others), func(v string) bool { return v == best || rule.beats(m, best, v) })
}

// ranked splits the ties of the best variant: early have fewer blocks than any proof
// needs, however different the variants are; tied has the others.
func (rule *rule) ranked(m assay.Metric, best string, others []string) (tied, early []string) {
	for _, v := range rule.ties(m, best, others) {
		if s := rule.set.Suite(m.Name).Contrast(sample.Against(rule.plan, best, v)); s != nil && !s.Exact(rule.set.From) && len(s.D) < rule.duelBlocks() {
			early = append(early, v)
		} else {
			tied = append(tied, v)
		}
	}
	return tied, early
}

// duelBlocks returns the number of blocks before which no variant is proved to beat
// another besides the base: the control stands beside the base alone. A look needs no more
// than any verdict.
func (rule *rule) duelBlocks() int {
	if rule.set.Looked() {
		return rule.set.From
	}
	return stats.FirstBlocks(rule.set.Early()/rule.duelNeed(), false)
}

// duelNeed returns the e-value of such a proof.
func (rule *rule) duelNeed() float64 {
	return float64(max(len(rule.set.Others()), 1)) / rule.plan.Study.Decide.Alpha()
}

// beats reports whether a variant is proved to be better than another on the suite, from
// the blocks in which both ran. The level is the study's divided by the number of
// variants but one. Whichever variant the measurements select, only one of so many pairs
// compares it with the truly best one (Bonferroni, as in a race).
func (rule *rule) beats(m assay.Metric, best, other string) bool {
	s := rule.set.Suite(m.Name).Contrast(sample.Against(rule.plan, best, other))
	switch {
	case s == nil || len(s.D) < rule.set.From:
		return false
	case s.Exact(rule.set.From):
		return m.Loss()*s.D[0] < 0
	}
	need := rule.duelNeed()
	if _, top := s.EValues(0); top < need {
		return false
	}
	lo, hi, ok := s.Interval(need)
	return ok && (m.Loss() > 0 && hi < 0 || m.Loss() < 0 && lo > 0)
}
