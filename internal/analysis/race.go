package analysis

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/stats"
)

// What another stop rule, such as that of a race, needs of a Tracker.

// Whole returns the numbers of the blocks in which a variant ran the whole suite,
// ascending, and their series against the base. Both are empty for the base, for a
// variant that has not run, and if a ratio does not exist. To compare two variants,
// subtract their D in common blocks.
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
