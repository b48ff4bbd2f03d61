package analysis

import (
	"slices"

	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/stats"
)

// With many variants a block holds the base, the control and a random choice of
// the others, so that each variant has data for some blocks only.

// inQuestion lists the variants that still have something to decide, where a
// block has room for a choice only; nil means all. A variant that has nothing
// comes back when the list's claims change. Those that may be the answer stay
// while there is a block at all. Where blocks run for the sake of the main
// effects, every variant has its part in them.
func (t *Tracker) inQuestion(open []*benchmark) []string {
	if !schedule.Partial(t.plan) || t.blocks < max(t.from, t.plan.Study.Decide.MinBlocks) || t.effectsUndecided() {
		return nil
	}
	if t.plan.Study.ComparesSteps() {
		return t.stepsInQuestion(open)
	}
	var out []string
	contenders := t.contenders()
	for _, v := range t.others() {
		if slices.Contains(contenders, v) || slices.ContainsFunc(t.plan.Study.Decide.Metrics, func(m string) bool { return t.variantOpen(open, m, v) }) ||
			len(t.active()) > 1 && t.plan.Study.Decide.Gate == 0 && t.wholeUndecided(v) {
			out = append(out, v)
		}
	}
	if len(out) == 0 || len(out) == len(t.others()) {
		return nil
	}
	return out
}

// contenders are the best variant so far on the suite and those that it does not
// beat; none when it beats all. Nothing runs for their sake alone, or two that
// are as good as one another would never end.
func (t *Tracker) contenders() []string {
	metric := t.plan.Metric(t.plan.Study.Decide.Metrics[0])
	best, least := t.plan.Study.Base, 0.0
	for _, v := range t.others() {
		if _, s := t.Whole(metric.Name, v); s.D != nil {
			if x := loss(metric) * stats.Median(s.D); x < least {
				best, least = v, x
			}
		}
	}
	ties := t.ties(metric, best, append([]string{t.plan.Study.Base}, t.others()...))
	if len(ties) == 0 {
		return nil
	}
	return append(ties, best)
}

// variantOpen reports whether a variant has an open cell among benchmarks.
func (t *Tracker) variantOpen(bs []*benchmark, metric, variant string) bool {
	return slices.ContainsFunc(bs, func(b *benchmark) bool {
		s := b.samples[metric][variant]
		return t.tooFew(b, variant) || s != nil && !s.left && !s.exact(t.from) && !t.isSaturated(b, metric, variant)
	})
}

// tooFew reports whether a variant has not yet had the blocks before which
// nothing is decided, because they held others.
func (t *Tracker) tooFew(b *benchmark, variant string) bool {
	return schedule.Partial(t.plan) && !b.lacks(variant) && b.ran[variant] < t.least()
}

// least is the number of blocks that every variant must have had; of a chain it
// is what the study asks for, if that is more.
func (t *Tracker) least() int {
	if len(t.chain) > 0 {
		return max(t.from, t.plan.Study.Decide.MinBlocks)
	}
	return t.from
}

// notYet reports whether a variant had no block of a benchmark so far.
func (t *Tracker) notYet(b *benchmark, variant string) bool {
	return schedule.Partial(t.plan) && b.ran[variant] == 0
}
