package analysis

import (
	"math"
	"slices"
)

// With many variants a block holds the base, the control and a random choice of
// the others, so that each variant has data for some blocks only.

// subsets reports whether a block holds only a choice of the variants.
func (t *Tracker) subsets() bool { return t.choice() < len(t.others()) }

// choice is the number of variants beside the base and the control that a block
// holds.
func (t *Tracker) choice() int {
	others := len(t.others())
	if t.plan.Together < 2 {
		return others
	}
	return min(others, t.plan.Together-1)
}

// width is the number of variants that a block holds, the base and the control
// counted.
func (t *Tracker) width() int { return len(t.plan.Variants) - len(t.others()) + t.choice() }

// widthOf is the width of a block that chooses among these variants; nil means
// all.
func (t *Tracker) widthOf(variants []string) int {
	if variants == nil {
		return t.width()
	}
	return len(t.plan.Variants) - len(t.others()) + min(len(variants), t.choice())
}

// inQuestion lists the variants that still have something to decide, where a
// block has room for a choice only; nil means all. A variant that has nothing
// comes back when the list's claims change. Where all benchmarks run for the
// sake of the main effects, every variant has its part in them.
func (t *Tracker) inQuestion(open []*benchmark) []string {
	if !t.subsets() || t.blocks < max(t.from, t.plan.Study.Decide.MinBlocks) || t.effectsUndecided() {
		return nil
	}
	var out []string
	for _, v := range t.others() {
		if slices.ContainsFunc(t.plan.Study.Decide.Metrics, func(m string) bool { return t.variantOpen(open, m, v) }) ||
			len(t.active()) > 1 && t.plan.Study.Decide.Gate == 0 && t.wholeUndecided(v) {
			out = append(out, v)
		}
	}
	if len(out) == 0 || len(out) == len(t.others()) {
		return nil
	}
	return out
}

// variantOpen reports whether a variant has an open cell among benchmarks.
func (t *Tracker) variantOpen(bs []*benchmark, metric, variant string) bool {
	return slices.ContainsFunc(bs, func(b *benchmark) bool {
		s := b.samples[metric][variant]
		return t.tooFew(b, variant) || s != nil && !s.left && !s.constant()
	})
}

// tooFew reports whether a variant has not yet had the blocks before which
// nothing is decided, because they held others.
func (t *Tracker) tooFew(b *benchmark, variant string) bool {
	return t.subsets() && b.ran[variant] < t.from
}

// notYet reports whether a variant had no block of a benchmark so far.
func (t *Tracker) notYet(b *benchmark, variant string) bool {
	return t.subsets() && b.ran[variant] == 0
}

// scale is the number of blocks that give a variant one datum on average.
func (t *Tracker) scale() float64 {
	if !t.subsets() {
		return 1
	}
	return float64(len(t.others())) / float64(t.choice())
}

// blocksFor is the number of blocks that give a variant n data on average.
func (t *Tracker) blocksFor(n int) int { return int(math.Ceil(float64(n) * t.scale())) }
