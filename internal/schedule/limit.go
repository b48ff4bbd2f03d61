package schedule

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
)

// First returns the number of blocks before the first decision: the engine's minimum
// (design.LeastBlocks), or the study's.
func First(p *assay.Plan) int { return max(p.Study.Decide.MinBlocks, design.LeastBlocks(p)) }

// FirstVerdict returns the number of blocks of a plan with which every variant can have a
// verdict: First, times the blocks in which each has a turn.
func FirstVerdict(p *assay.Plan) int { return First(p) * Cycle(p) }

// Last returns the number of blocks after which a run ends even if undecided, 0 if only
// the budget ends it. It comes from blocks = MIN-MAX. In a chain of steps MAX is per pair
// of neighbours; earlier is the number of blocks from an earlier run.
func Last(p *assay.Plan, earlier int) int {
	limit := p.Study.Decide.MaxBlocks
	if p.Study.Steps != nil && limit > 0 {
		limit = limit*Cycle(p) + earlier
	}
	return limit
}

// Unlimited returns a copy of the plan that only a budget ends, for users who want more
// blocks than the study. A warning that the study's own budget is short does not hold any
// more.
func Unlimited(p *assay.Plan) *assay.Plan {
	q := *p
	q.Study.Decide.MaxBlocks = 0
	q.Warnings = slices.DeleteFunc(slices.Clone(p.Warnings), func(w assay.Warning) bool { return w.Code == assay.CodeShortBudget })
	return &q
}

// Cycle returns the number of blocks in which each variant has a turn.
func Cycle(p *assay.Plan) int { return design.CycleLength(p, others(p)) }

// others counts the variants besides the base and the control.
func others(p *assay.Plan) (n int) {
	for _, v := range p.Variants {
		if !v.Control && v.Name != p.Study.Base {
			n++
		}
	}
	return n
}
