package analysis

import (
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/schedule"
)

// A Tracker follows a run block by block: it keeps its samples and stops it once the
// study's question is answered or the budget is spent. It is not safe for concurrent
// use.
type Tracker struct {
	plan      *assay.Plan
	budget    schedule.Budget
	costs     *schedule.Costs
	set       *sample.Set
	rule      *rule
	effects   *effects
	steps     *steps
	questions *questions
	tables    *tables
}

// NewTracker follows a run of the plan. budget is the time after which Next
// stops, the plan's own unless the run was given more; it is counted in the time
// of trials and links unless TimedBy names another clock.
func NewTracker(p *assay.Plan, budget time.Duration) *Tracker {
	costs := schedule.NewCosts(p)
	t := &Tracker{plan: p, budget: schedule.Budget{Limit: budget, Elapsed: costs.Spent}, costs: costs, set: sample.NewSet(p)}
	t.rule = &rule{plan: p, set: t.set, rounds: schedule.NewRounds(p, costs), priced: budget > 0}
	t.effects = &effects{rule: t.rule, set: t.set, list: sample.Effects(p)}
	t.steps = &steps{rule: t.rule, set: t.set}
	t.questions = &questions{rule: t.rule, set: t.set, effects: t.effects}
	t.tables = &tables{rule: t.rule, set: t.set, effects: t.effects, steps: t.steps}
	return t
}

// TimedBy has the budget count what a clock tells, such as the time since the
// command was started.
func (t *Tracker) TimedBy(elapsed func() time.Duration) { t.budget.Elapsed = elapsed }

// Add takes the next complete block.
func (t *Tracker) Add(block []assay.Trial) {
	t.costs.Add(block)
	t.set.Add(block)
	if t.set.Pilots == schedule.PilotBlocks && len(block) > 0 && block[0].Pilot {
		t.rule.rounds.Size(t.set.PilotRatios(), len(t.set.Active()))
	}
}
