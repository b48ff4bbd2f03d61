package analysis

import (
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/schedule"
)

// A Tracker follows a run block by block. It keeps the samples, and stops the run once
// the question is answered or the budget is spent. It is not safe for concurrent use.
type Tracker struct {
	plan      *assay.Plan
	budget    schedule.Budget
	costs     *schedule.Costs
	set       *sample.Set
	rule      *rule
	steps     *steps
	questions *questions
	tables    *tables
}

// NewTracker follows a run of the plan. budget is the time after which Next stops: the
// plan's, unless the user gave more. It counts trials and links, unless TimedBy sets
// another clock.
func NewTracker(p *assay.Plan, budget time.Duration) *Tracker {
	costs := schedule.NewCosts(p)
	t := &Tracker{budget: schedule.Budget{Limit: budget, Elapsed: costs.Spent}, costs: costs}
	set := sample.NewSet(p)
	t.follow(&rule{plan: set.Plan, set: set, costs: costs, priced: budget > 0})
	return t
}

// follow makes the tracker decide by a rule.
func (t *Tracker) follow(r *rule) {
	es := &effects{r, sample.Effects(r.plan)}
	t.plan, t.set, t.rule = r.plan, r.set, r
	t.steps = &steps{r}
	t.questions = &questions{r, es}
	t.tables = &tables{r, es, t.steps}
}

// TimedBy makes the budget count another clock, such as the time since the command
// started.
func (t *Tracker) TimedBy(elapsed func() time.Duration) { t.budget.Elapsed = elapsed }

// Add adds the next complete block.
func (t *Tracker) Add(block []assay.Trial) {
	t.costs.Add(block)
	t.set.Add(block)
}

// Next returns the coming block, or why there is none: the stop rule "decided, or the
// budget is spent". Call it at most once after every block. Data may choose what runs,
// since the order inside a block stays random.
func (t *Tracker) Next() assay.NextBlock {
	active := t.set.Active()
	if len(active) == 0 || len(t.plan.Variants) < 2 {
		return assay.NextBlock{Stop: "nothing left"}
	}
	open := t.questions.undecided(active)
	decide := t.plan.Study.Decide
	switch {
	case !slices.ContainsFunc(active, func(b *sample.Benchmark) bool { return !b.AllSaturated() }):
		return assay.NextBlock{Stop: "decided"} // no number of blocks heals that
	case t.set.Blocks < decide.MinBlocks:
		// The user asked for at least this many: nothing leaves before.
		open = active
	case len(open) == 0:
		return assay.NextBlock{Stop: "decided"}
	case t.AtLimit(t.set.Blocks):
		return assay.NextBlock{Stop: "blocks"}
	}
	next := assay.NextBlock{Turns: schedule.Turns(sample.Planned(open)), Variants: t.questions.inQuestion(open)}
	if next.Turns = t.fitting(next); len(next.Turns) == 0 {
		return assay.NextBlock{Stop: "budget"}
	}
	return next
}

// fitting returns the turns of a coming block that the remaining budget holds: all of them,
// or, at the end, as many as fit, in an order that is drawn. What is left then is half a
// block on average, which is one block of sixteen in a short run of many benchmarks.
func (t *Tracker) fitting(next assay.NextBlock) (turns []assay.Turn) {
	block := t.set.Blocks + 1
	present := float64(len(design.Present(t.plan, next, block)))
	if !t.OverBudget(next.Turns, present) {
		return next.Turns
	}
	for _, i := range design.Rand(t.plan.Seed, "last block", block).Perm(len(next.Turns)) {
		if more := append(slices.Clip(turns), next.Turns[i]); t.budget.Holds(t.costs.Block(more, present)) {
			turns = more
		}
	}
	return turns
}

// AtLimit reports whether a run with so many blocks must end, decided or not.
func (t *Tracker) AtLimit(blocks int) bool {
	last := schedule.Last(t.plan, t.set.Earlier)
	return last > 0 && blocks >= last
}

// OverBudget reports whether a block of these turns and so many variants, including the
// base and the control, exceeds the remaining budget. The first block always fits. So
// does one on the way to the first verdict, if a little more than the budget is enough
// for that (schedule.Budget.Reaches).
func (t *Tracker) OverBudget(turns []assay.Turn, variants float64) bool {
	cost := t.costs.Block(turns, variants)
	if t.set.Blocks == 0 || t.budget.Holds(cost) {
		return false
	}
	short := schedule.FirstVerdict(t.plan) - t.set.Blocks
	return short <= 0 || !t.budget.Reaches(time.Duration(short)*cost)
}
