package analysis

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/stats"
)

// What a stop rule of its own, such as that of a race, needs to know of a
// Tracker.

// Whole is a variant against the base on the whole suite, or on its only
// benchmark: the numbers of the blocks in which it ran completely, ascending,
// and their series. Empty of the base, of a variant that has not run, and where no ratio
// exists. Two variants are compared in the blocks that both have: the
// difference of their D.
func (t *Tracker) Whole(metric, variant string) (blocks []int, s stats.Series) {
	x := t.set.Suite(metric).Sample(variant)
	if x == nil || x.Zero || len(x.D) == 0 {
		return nil, s
	}
	return x.Blocks, x.Series()
}

// Turns gives every benchmark that is not excluded its rounds.
func (t *Tracker) Turns() []assay.Turn {
	return t.rule.rounds.Turns(sample.Planned(t.set.Active()), nil)
}
