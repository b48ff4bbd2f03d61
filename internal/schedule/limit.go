package schedule

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
)

// First is the number of blocks before which nothing is decided: what the engine takes
// at least (design.LeastBlocks), or what the study asks for.
func First(p *assay.Plan) int { return max(p.Study.Decide.MinBlocks, design.LeastBlocks(p)) }

// FirstVerdict is the number of blocks of a plan with which every variant can have a
// verdict: First, times the blocks in which each has its turn.
func FirstVerdict(p *assay.Plan) int { return First(p) * Cycle(p) }

// Last is the number of blocks after which a run ends whatever is undecided, 0
// where only the budget ends it. It comes from blocks = MIN-MAX, or from layouts = K,
// which gives one value a link. A chain of steps asks for MAX blocks a pair of
// neighbours; earlier is the number of blocks that it has from an earlier run.
func Last(p *assay.Plan, earlier int) int {
	limit := p.Study.Decide.MaxBlocks
	if p.Study.Steps != nil && limit > 0 {
		limit = limit*Cycle(p) + earlier
	}
	if k := p.Study.Measure.Layouts; k > 1 && design.Pool(p) == 0 && (limit == 0 || k < limit) {
		return k
	}
	return limit
}

// Unlimited is a plan that only a budget ends: somebody asked for more blocks than
// its study did. The layouts of its first blocks stay the same.
func Unlimited(p *assay.Plan) *assay.Plan {
	q := *p
	q.Study.Decide.MaxBlocks = 0
	if q.Study.Measure.Layouts > 1 && design.Pool(p) == 0 {
		q.Study.Measure.Layouts = 0
	}
	return &q
}

// Cycle is the number of blocks in which each variant has its turn.
func Cycle(p *assay.Plan) int { return design.CycleLength(p, others(p)) }

// others counts the variants beside the base and the control.
func others(p *assay.Plan) (n int) {
	for _, v := range p.Variants {
		if !v.Control && v.Name != p.Study.Base {
			n++
		}
	}
	return n
}
