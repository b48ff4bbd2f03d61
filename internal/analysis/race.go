package analysis

import (
	"time"

	"github.com/seed-1318a441/assay"
)

// What a stop rule of its own, such as that of a race, needs to know of a
// Tracker.

// Whole is a variant against the base on the whole suite, or on its only
// benchmark: the numbers of the blocks in which it ran completely, ascending,
// and for each ln(variant/base). floor is the resolution of one datum in ln
// units. Nil of the base, of a variant that has not run, and where no ratio
// exists. Two variants are compared in the blocks that both have: the
// difference of their d.
func (t *Tracker) Whole(metric, variant string) (blocks []int, d []float64, floor float64) {
	s := t.whole(metric, variant)
	if s == nil || s.zero || len(s.d) == 0 {
		return nil, nil, 0
	}
	return s.blocks, s.d, s.floor()
}

// Turns gives every benchmark that is not excluded its rounds.
func (t *Tracker) Turns() []assay.Turn { return t.turns(t.active(), nil) }

// OverBudget reports whether a block of these turns and so many variants, the
// base and the control counted, would not fit into what is left of the budget.
// The first block always fits.
func (t *Tracker) OverBudget(turns []assay.Turn, variants int) bool {
	return t.blocks > 0 && t.spent+t.priceOf(turns, variants) > t.budget
}

// priceOf is the expected time of a block of so many variants.
func (t *Tracker) priceOf(turns []assay.Turn, variants int) time.Duration {
	sum := t.linkOf(variants)
	for _, turn := range turns {
		b := t.index[turn.Benchmark]
		sum += time.Duration(variants) * (time.Duration(turn.Inner)*t.trialTime(b) + t.tracingTime(b))
	}
	return sum
}

// trialTime is the expected wall time of one trial of a benchmark.
func (t *Tracker) trialTime(b *benchmark) time.Duration {
	if b.trials > 0 {
		return b.wall / time.Duration(b.trials)
	}
	return b.plan.Trial
}

// tracingTime is the expected wall time of the traced trials of a variant in a
// block, which are run beside the rounds; those of a service are its rounds.
func (t *Tracker) tracingTime(b *benchmark) time.Duration {
	switch {
	case b.traced.trials > 0:
		return b.traced.wall / time.Duration(max(b.traced.turns, 1))
	case b.trials > 0 || serves(t.plan, b.plan) || !t.plan.Study.Measure.Collects(assay.CollectGC):
		return 0
	}
	return b.plan.Trial
}

// linkOf is the expected time that a block of so many variants spends linking.
func (t *Tracker) linkOf(variants int) time.Duration {
	if t.linked > 0 {
		return t.links * time.Duration(variants) / time.Duration(t.linked)
	}
	return t.plan.Link * time.Duration(variants) / time.Duration(max(len(t.plan.Variants), 1))
}

// Amount is a change in the words of an answer: "18.6 % less time
// [−19.8, −17.3] than BASE".
func Amount(m assay.Metric, c assay.Comparison, base string) string { return amount(m, c, base) }
