// Package search finds the best of many variants faster than by measuring all of them to
// the end: a Race is a stop rule that drops losers from its blocks. It runs nothing
// (package lab does), pairs no trials (package analysis does) and draws no order (package
// design does).
//
// # The race
//
// V variants race, including the base but not the control, on one metric over the whole
// suite. After every block the leader is the variant with the best mean so far. For each
// other variant the engine has a confidence sequence of
//
//	d = ln(variant/leader), above 0 if the variant is worse
//
// over the blocks in which both ran, at level alpha/(V-1), with the control if one of the
// two is the base. A variant leaves when its interval lies above ln(1+margin): it is
// worse by more than the margin. The race is decided when the interval of every remaining
// variant lies above -ln(1+margin): none is better than the leader by more than the
// margin. The interval need not lie below +ln(1+margin) as well, so that the two tie:
// that would cost blocks and add nothing to the claim about the winner.
//
// # What is proved
//
// The winner is within the margin of the best of all V variants, with probability at
// least 1 - alpha, whenever one looks at the race and however often the leader changed.
//
// Let B be the true best variant, and W the winner. The claim is wrong when B is better
// than W by more than the margin, and then one of two things has happened. Either B was
// in the race at the end, and its interval against W lay above -ln(1+margin), although
// the true value is below. Or B left because its interval against some leader A lay above
// ln(1+margin), although the true value is at most 0. In both cases the confidence
// sequence of a pair (B, X) has missed the truth at some time. There are V-1 such pairs,
// since B is one variant and no choice of the data's: by Bonferroni one of them misses
// with probability at most (V-1) * alpha/(V-1) = alpha. Pairs without B do not count.
//
// So it does no harm that the leader is chosen from the data, that A may be overtaken or
// leave after B left, or that A is not W: nothing is derived from "worse than A" by way
// of A's later fate. A variant that left stays out. Choosing from the data which variants
// a block holds does no harm either, since the choice is made before the block, whose
// order is random (docs/methodology.md).
//
// The interval of a runner against the winner is at the same level. So it holds for this
// runner with probability 1 - alpha whoever won: V-1 winners are possible.
package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/stats"
)

// A Race is the stop rule of a race (lab.StopRule). It passes the blocks to a Tracker,
// whose Result describes the same run. It is not safe for concurrent use.
type Race struct {
	plan    *assay.Plan
	tracker *analysis.Tracker

	metric assay.Metric
	margin float64 // ln(1+margin)
	alpha  float64 // for one interval
	names  []string

	blocks int            // with verdicts
	left   map[string]int // the block after which a variant left
	leader string
	sure   bool
	times  times
}

// NewRace returns a race of the plan's variants on its first deciding metric. t follows
// its blocks and has seen none yet.
func NewRace(p *assay.Plan, t *analysis.Tracker) *Race {
	r := &Race{plan: p, tracker: t, metric: p.Metric(p.Study.Decide.Metrics[0]), leader: p.Study.Base,
		left: map[string]int{}, times: times{}}
	r.margin = math.Log1p(r.metric.MinEffect)
	for _, v := range p.Variants {
		if !v.Control {
			r.names = append(r.names, v.Name)
		}
	}
	r.alpha = p.Study.Decide.Alpha() / float64(max(len(r.names)-1, 1))
	return r
}

// Add takes the next complete block, and drops variants.
func (r *Race) Add(block []assay.Trial) {
	r.tracker.Add(block)
	r.times.add(block)
	if len(block) == 0 || block[0].Pilot {
		return
	}
	r.blocks++
	d := r.data()
	r.leader = r.best(d)
	r.sure = true
	for _, v := range r.In() {
		if v == r.leader {
			continue
		}
		switch worse, noBetter := r.proved(r.against(d, v, r.leader)); {
		case r.blocks < r.plan.Study.Decide.MinBlocks:
			r.sure = false // the study requires at least this many of each variant
		case worse:
			r.left[v] = block[0].Block
		case !noBetter:
			r.sure = false
		}
	}
}

// Next says what the coming block runs, or why there is none: "decided",
// "blocks", "budget" or "nothing left".
func (r *Race) Next() assay.NextBlock {
	turns := r.tracker.Turns()
	next := assay.NextBlock{Turns: turns, Variants: r.chosen()}
	switch {
	case len(turns) == 0 || len(r.names) < 2:
		return assay.NextBlock{Stop: assay.StopNothingLeft}
	case r.sure:
		return assay.NextBlock{Stop: assay.StopDecided}
	case r.tracker.AtLimit(r.blocks):
		return assay.NextBlock{Stop: assay.StopBlocks}
	case r.tracker.OverBudget(turns, float64(len(design.Present(r.plan, next, r.blocks+1)))):
		return assay.NextBlock{Stop: assay.StopBudget}
	}
	return next
}

// In lists the remaining variants, in the order of the plan.
func (r *Race) In() []string {
	return slices.DeleteFunc(slices.Clone(r.names), func(v string) bool { return r.left[v] > 0 })
}

// chosen lists the variants of the coming block: all remaining ones, or, if they are more
// than Plan.Together, the leader and those with the fewest blocks beside it. A random
// draw would seldom include the leader, and blocks without the leader are of no use.
func (r *Race) chosen() []string {
	in := r.In()
	others := slices.DeleteFunc(slices.Clone(in), func(v string) bool { return v == r.plan.Study.Base || v == r.leader })
	room := r.plan.Together - 1 // one place is the base's
	if r.leader != r.plan.Study.Base {
		room--
	}
	if r.plan.Together == 0 || len(others) <= max(room, 1) {
		return in
	}
	d := r.data()
	met := map[string]int{}
	for _, v := range others {
		met[v] = len(r.against(d, v, r.leader).D)
	}
	design.Rand(r.plan.Seed, "race", r.blocks).Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	slices.SortStableFunc(others, func(a, b string) int { return cmp.Compare(met[a], met[b]) })
	return append(others[:max(room, 1)], r.leader)
}

// proved reports whether a variant is worse than the leader by more than the margin, and
// whether it is not better by more than the margin.
func (r *Race) proved(p stats.Series) (worse, noBetter bool) {
	// Both require that -margin is rejected. That is one pass, not a search.
	if _, top := p.EAt(-r.margin); top < 1/r.alpha {
		return false, false
	}
	lo, _, ok := p.Interval(1 / r.alpha)
	return ok && lo > r.margin, ok && lo > -r.margin
}
