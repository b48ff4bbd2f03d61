package analysis

import (
	"slices"

	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/stats"
)

// A questions knows which benchmarks and variants need more blocks.
type questions struct {
	rule    *rule
	effects *effects
}

// undecided lists the benchmarks that must run on.
func (q *questions) undecided(active []*sample.Benchmark) (open []*sample.Benchmark) {
	if q.rule.set.Blocks < q.rule.set.From {
		return slices.DeleteFunc(slices.Clone(active), (*sample.Benchmark).AllSaturated)
	}
	needed := map[*sample.Benchmark]bool{}
	for _, m := range q.rule.plan.Study.Decide.Metrics {
		cells := q.rule.cells(active, m)
		q.leave(cells, m, q.rule.schedulingClaim(cells, m), needed)
		if q.rule.plan.Study.ComparesSteps() {
			cells := q.rule.stepCells(active, m)
			q.leave(cells, m, q.rule.atLevel(eBH(cells, verdictE)), needed) // with a gate no steps are compared
		}
	}
	whole := len(active) > 1 && q.geomeanUndecided() || q.effects.undecided()
	for _, b := range active {
		needed[b] = needed[b] || slices.ContainsFunc(q.rule.set.Variants, b.TooFew)
		if needed[b] || whole && !b.AllSaturated() && b.Everywhere() {
			open = append(open, b)
		}
	}
	return open
}

// leave lets the decided cells of a metric leave the schedule, and adds the benchmarks with
// an undecided one to open.
func (q *questions) leave(cells []cell, metric string, need claim, open map[*sample.Benchmark]bool) {
	for _, c := range cells {
		c.Left = q.rule.closed(c, metric, need)
		open[c.b] = open[c.b] || !c.Left
	}
}

// geomeanUndecided reports whether the answer needs more blocks.
func (q *questions) geomeanUndecided() bool {
	if q.rule.plan.Study.Decide.Gate > 0 {
		return false
	}
	if q.rule.plan.Study.ComparesSteps() {
		return q.arcUndecided()
	}
	return slices.ContainsFunc(q.rule.set.Others(), q.wholeUndecided)
}

// wholeUndecided reports whether a variant's geomean needs more blocks.
func (q *questions) wholeUndecided(variant string) bool {
	metric := q.rule.plan.Study.Decide.Metrics[0]
	g := q.rule.set.Suite(metric).Geomean(variant)
	return g != nil && !q.rule.settled(g, metric)
}

// stepOpen reports whether a link has an open comparison among benchmarks, as of the last
// call of leave.
func (q *questions) stepOpen(bs []*sample.Benchmark, metric string, l sample.Link) bool {
	return slices.ContainsFunc(bs, func(b *sample.Benchmark) bool {
		s := q.rule.set.Chain.Cell(b, metric, l)
		return s != nil && !s.Left && !s.Exact(q.rule.set.From)
	})
}

// wholesOpen says for each link whether the whole suite's change needs more blocks.
func (q *questions) wholesOpen() []bool {
	metric := q.rule.plan.Study.Decide.Metrics[0]
	wholes := q.rule.set.Chain.Wholes(metric)
	need := q.rule.atLevel(eBH(q.rule.counted(wholes), verdictE))
	out := make([]bool, len(wholes))
	for i, s := range wholes {
		out[i] = s != nil && !s.Exact(q.rule.set.From) && (s.Early(q.rule.set.From) || q.rule.open(s, metric, need))
	}
	return out
}

// arcUndecided is geomeanUndecided for a chain: every step against the previous one, and
// the last against the base. The steps between need no verdict against the base.
func (q *questions) arcUndecided() bool {
	steps := q.rule.set.Chain.Steps()
	return len(steps) > 0 && q.wholeUndecided(steps[len(steps)-1].Now) ||
		slices.Contains(q.wholesOpen(), true)
}

// stepsInQuestion lists the variants about which a chain has something to decide: those
// open against the base, and both ends of every open link, since it needs blocks with
// both. Nil means all.
func (q *questions) stepsInQuestion(open []*sample.Benchmark) []string {
	want := map[string]bool{}
	metrics := q.rule.plan.Study.Decide.Metrics
	for _, v := range q.rule.set.Others() {
		want[v] = q.variantOpen(open, v)
	}
	if steps := q.rule.set.Chain.Steps(); len(q.rule.set.Active()) > 1 && len(steps) > 0 {
		last := steps[len(steps)-1].Now
		want[last] = want[last] || q.wholeUndecided(last)
	}
	wholes := q.wholesOpen()
	for i, l := range q.rule.set.Chain.Links {
		if l.Gap || l.Same() || len(q.rule.set.Active()) < 2 {
			wholes[i] = false
		}
		if wholes[i] || slices.ContainsFunc(metrics, func(m string) bool { return q.stepOpen(open, m, l) }) {
			want[l.Now], want[l.Before] = true, true
		}
	}
	return q.choice(func(v string) bool { return want[v] })
}

// choice returns the wanted variants; nil, which means all, for all or none.
func (q *questions) choice(want func(variant string) bool) []string {
	out := slices.DeleteFunc(q.rule.set.Others(), func(v string) bool { return !want(v) })
	if len(out) == 0 || len(out) == len(q.rule.set.Others()) {
		return nil
	}
	return out
}

// inQuestion lists the variants about which something is open, if a block has room for
// some only; nil means all. A decided variant returns when the list's claims change.
// Variants that may be the answer stay until the end. If blocks run for main effects, all
// take part.
func (q *questions) inQuestion(open []*sample.Benchmark) []string {
	if !schedule.Partial(q.rule.plan) || q.rule.set.Blocks < max(q.rule.set.From, q.rule.plan.Study.Decide.MinBlocks) || q.effects.undecided() {
		return nil
	}
	if q.rule.plan.Study.ComparesSteps() {
		return q.stepsInQuestion(open)
	}
	contenders := q.contenders()
	return q.choice(func(v string) bool {
		return slices.Contains(contenders, v) || q.variantOpen(open, v) ||
			len(q.rule.set.Active()) > 1 && q.rule.plan.Study.Decide.Gate == 0 && q.wholeUndecided(v)
	})
}

// contenders returns the variant that is best so far on the suite and those that it does
// not beat; none if it beats all. Nothing runs for them alone: with two equally good ones
// a run would never end.
func (q *questions) contenders() []string {
	metric := q.rule.plan.Metric(q.rule.plan.Study.Decide.Metrics[0])
	best, least := q.rule.plan.Study.Base, 0.0
	for _, v := range q.rule.set.Others() {
		s := q.rule.set.Suite(metric.Name).Sample(v)
		if s == nil || s.Zero || len(s.D) == 0 {
			continue
		}
		if x := metric.Loss() * stats.Median(s.D); x < least {
			best, least = v, x
		}
	}
	ties := q.rule.ties(metric, best, append([]string{q.rule.plan.Study.Base}, q.rule.set.Others()...))
	if len(ties) == 0 {
		return nil
	}
	return append(ties, best)
}

// variantOpen reports whether a variant has an open cell among benchmarks.
func (q *questions) variantOpen(bs []*sample.Benchmark, variant string) bool {
	return slices.ContainsFunc(q.rule.plan.Study.Decide.Metrics, func(metric string) bool {
		return slices.ContainsFunc(bs, func(b *sample.Benchmark) bool {
			s := b.Unsaturated(metric, variant)
			return b.TooFew(variant) || s != nil && !s.Left && !s.Exact(q.rule.set.From)
		})
	})
}
