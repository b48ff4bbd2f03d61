package analysis

import (
	"slices"

	"github.com/seed-1318a441/assay/internal/analysis/sample"
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
func (q *questions) inQuestion(open []*sample.Benchmark) []string {
	if !schedule.Partial(q.rule.plan) || q.set.Blocks < max(q.set.From, q.rule.plan.Study.Decide.MinBlocks) || q.effects.undecided() {
		return nil
	}
	if q.rule.plan.Study.ComparesSteps() {
		return q.stepsInQuestion(open)
	}
	var out []string
	contenders := q.contenders()
	for _, v := range q.set.Others() {
		if slices.Contains(contenders, v) || slices.ContainsFunc(q.rule.plan.Study.Decide.Metrics, func(m string) bool { return q.variantOpen(open, m, v) }) ||
			len(q.set.Active()) > 1 && q.rule.plan.Study.Decide.Gate == 0 && q.wholeUndecided(v) {
			out = append(out, v)
		}
	}
	if len(out) == 0 || len(out) == len(q.set.Others()) {
		return nil
	}
	return out
}

// contenders are the best variant so far on the suite and those that it does not
// beat; none when it beats all. Nothing runs for their sake alone, or two that
// are as good as one another would never end.
func (q *questions) contenders() []string {
	metric := q.rule.plan.Metric(q.rule.plan.Study.Decide.Metrics[0])
	best, least := q.rule.plan.Study.Base, 0.0
	for _, v := range q.set.Others() {
		s := q.set.Suite(metric.Name, v)
		if s == nil || s.Zero || len(s.D) == 0 {
			continue
		}
		if x := metric.Loss() * stats.Median(s.D); x < least {
			best, least = v, x
		}
	}
	ties := q.rule.ties(metric, best, append([]string{q.rule.plan.Study.Base}, q.set.Others()...))
	if len(ties) == 0 {
		return nil
	}
	return append(ties, best)
}

// variantOpen reports whether a variant has an open cell among benchmarks.
func (q *questions) variantOpen(bs []*sample.Benchmark, metric, variant string) bool {
	return slices.ContainsFunc(bs, func(b *sample.Benchmark) bool {
		s := b.Samples[metric][variant]
		return q.set.TooFew(b, variant) || s != nil && !s.Left && !s.Exact(q.set.From) && !q.set.IsSaturated(b, metric, variant)
	})
}
