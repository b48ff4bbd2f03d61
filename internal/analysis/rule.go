package analysis

import (
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/memo"
	"github.com/seed-1318a441/assay/internal/schedule"
)

// Next says what the coming block runs, or why there is none: the stop rule
// "decided, or the budget is spent". It may be called once after every block;
// choosing what runs from the data is allowed, because the order inside a
// block stays random.
func (t *Tracker) Next() assay.NextBlock {
	active := t.set.Active()
	if len(active) == 0 || len(t.plan.Variants) < 2 {
		return assay.NextBlock{Stop: "nothing left"}
	}
	if t.rule.rounds.WantsPilot() && t.set.Pilots < schedule.PilotBlocks {
		return t.rule.rounds.Pilot(sample.Planned(active))
	}
	open, geomeanOnly := t.questions.undecided(active)
	decide := t.plan.Study.Decide
	switch {
	case !slices.ContainsFunc(active, func(b *sample.Benchmark) bool { return !t.set.AllSaturated(b) }):
		return assay.NextBlock{Stop: "decided"} // no number of blocks heals that
	case t.set.Blocks < decide.MinBlocks:
		// Somebody asked for at least this many: nothing leaves before.
		open, geomeanOnly = active, nil
	case len(open) == 0:
		return assay.NextBlock{Stop: "decided"}
	case t.AtLimit(t.set.Blocks):
		return assay.NextBlock{Stop: "blocks"}
	}
	next := assay.NextBlock{Turns: t.rule.rounds.Turns(sample.Planned(open), geomeanOnly), Variants: t.questions.inQuestion(open)}
	if t.OverBudget(next.Turns, schedule.Width(t.plan, next.Variants)) {
		return assay.NextBlock{Stop: "budget"}
	}
	return next
}

// AtLimit reports whether a run of so many blocks is at its end, decided or not.
func (t *Tracker) AtLimit(blocks int) bool {
	last := schedule.Last(t.plan, t.set.Earlier)
	return last > 0 && blocks >= last
}

// A questions knows what is still open: which benchmarks and variants need more blocks.
type questions struct {
	rule    *rule
	set     *sample.Set
	effects *effects
}

// undecided lists the benchmarks that must run on, and which of them only for
// the sake of the geomean.
func (q *questions) undecided(active []*sample.Benchmark) (open []*sample.Benchmark, geomeanOnly map[assay.Benchmark]bool) {
	if q.set.Blocks < q.set.From {
		return slices.DeleteFunc(slices.Clone(active), q.set.AllSaturated), nil
	}
	geomeanOnly = map[assay.Benchmark]bool{}
	needed := map[*sample.Benchmark]bool{}
	for _, m := range q.rule.plan.Study.Decide.Metrics {
		for _, b := range q.leave(active, m) {
			needed[b] = true
		}
		for _, b := range q.leaveSteps(active, m) {
			needed[b] = true
		}
	}
	whole := len(active) > 1 && q.geomeanUndecided() || q.effects.undecided()
	for _, b := range active {
		if needed[b] || whole && !q.set.AllSaturated(b) && q.set.Everywhere(b) {
			open = append(open, b)
			geomeanOnly[b.Plan.Benchmark] = !needed[b]
		}
	}
	return open, geomeanOnly
}

// leave updates which cells of a metric have left the schedule and returns the
// benchmarks that still have an undecided one.
func (q *questions) leave(active []*sample.Benchmark, metric string) (open []*sample.Benchmark) {
	cells := q.rule.cells(active, metric)
	q.rule.updateE(cells, metric)
	need := q.rule.schedulingClaim(cells, metric)
	isOpen := map[*sample.Benchmark]bool{}
	for _, c := range cells {
		if !q.rule.decided(c, metric, need) {
			isOpen[c.b] = true
		}
	}
	for _, b := range active {
		isOpen[b] = isOpen[b] || slices.ContainsFunc(q.set.Variants, func(v string) bool { return q.set.TooFew(b, v) })
	}
	for _, b := range active {
		if isOpen[b] {
			open = append(open, b)
		}
	}
	return open
}

// A rule decides comparisons as the study asks: which are claimed, which need more
// blocks, and what these would take.
type rule struct {
	plan   *assay.Plan
	set    *sample.Set
	rounds *schedule.Rounds
	priced bool                      // more blocks can be bought: there is a budget
	claims memo.Epoch[string, claim] // of the whole suite, by metric
}

// A cell is a sample with where it stands.
type cell struct {
	*sample.Sample
	b       *sample.Benchmark
	variant string
}

// cells are the samples of a metric that count as comparisons: not the
// control's, and not those that equality decides or that are saturated.
func (rule *rule) cells(active []*sample.Benchmark, metric string) []cell {
	var out []cell
	for _, b := range active {
		for _, v := range rule.set.Variants {
			s := b.Samples[metric][v]
			if v != rule.set.Control && s != nil && !s.Exact(rule.set.From) && !rule.set.IsSaturated(b, metric, v) {
				out = append(out, cell{s, b, v})
			}
		}
	}
	return out
}

// updateE brings the e-values of the cells that are in the schedule up to
// date; those that left keep the one with which they left.
func (rule *rule) updateE(cells []cell, metric string) {
	limit := rule.gateLimit(metric)
	for _, c := range cells {
		if c.Left {
			continue
		}
		c.E, c.Top = c.EValues(0)
		if limit != 0 {
			c.Gate = c.evidence(limit)
		}
	}
}

// gateLimit is the change in ln units that the gate allows, towards the worse;
// 0 without a gate.
func (rule *rule) gateLimit(metric string) float64 {
	return rule.plan.Metric(metric).Loss() * math.Log1p(rule.plan.Study.Decide.Gate)
}

// decided reports whether a cell needs no more blocks, and lets it leave.
func (rule *rule) decided(c cell, metric string, need claim) bool {
	if c.Left && need.at > 0 && rule.evident(c, metric, need) {
		return true
	}
	lo, hi, ok := c.Interval(1 / rule.plan.Study.Decide.Alpha())
	margin := rule.margin(metric)
	limit := rule.gateLimit(metric)
	switch {
	case !ok, limit != 0 && c.Zero: // drift, or no ratio: more blocks cannot heal it
		c.Left = true
	case limit > 0:
		c.Left = hi < limit || lo > limit && rule.evident(c, metric, need)
	case limit < 0:
		c.Left = lo > limit || hi < limit && rule.evident(c, metric, need)
	case !c.Zero && lo >= -margin && hi <= margin:
		c.Left = true
	default:
		// A cell that e-BH gave up again comes back into the schedule.
		c.Left = rule.evident(c, metric, need) && (lo > 0 || hi < 0)
	}
	return c.Left
}

// evident reports whether a cell has the evidence that a claim takes: of a change, or
// with a gate of its failure.
func (rule *rule) evident(c cell, metric string, need claim) bool {
	if rule.gateLimit(metric) != 0 {
		return c.Gate >= need.at
	}
	return need.holds(c.Sample)
}

// geomeanUndecided reports whether the answer line still needs blocks.
func (q *questions) geomeanUndecided() bool {
	if q.rule.plan.Study.Decide.Gate > 0 {
		return false
	}
	if q.rule.plan.Study.ComparesSteps() {
		return q.arcUndecided()
	}
	return slices.ContainsFunc(q.set.Others(), q.wholeUndecided)
}

// wholeUndecided reports whether a variant's geomean needs more blocks.
func (q *questions) wholeUndecided(variant string) bool {
	metric := q.rule.plan.Study.Decide.Metrics[0]
	g := q.set.Geomean(metric, variant)
	if g == nil {
		return false
	}
	return len(g.D) < q.set.From || !g.Exact(q.set.From) && q.rule.open(g, metric, q.rule.headClaim(metric))
}

// margin is the smallest effect that matters, in ln units.
func (rule *rule) margin(metric string) float64 {
	return math.Log1p(rule.plan.Metric(metric).MinEffect)
}

// counted are the samples of a list in which differences are claimed together:
// not those that do not exist, and not those that equality decides.
func (rule *rule) counted(list []*sample.Sample) (out []cell) {
	for _, s := range list {
		if s != nil && !s.Exact(rule.set.From) {
			out = append(out, cell{Sample: s})
		}
	}
	return out
}

// stepCells are the comparisons of steps that count, as cells are those with the
// base.
func (rule *rule) stepCells(bs []*sample.Benchmark, metric string) (out []cell) {
	for _, b := range bs {
		for _, l := range rule.set.Chain.Links {
			if s := rule.set.Chain.Cell(b, metric, l); s != nil && !s.Exact(rule.set.From) {
				out = append(out, cell{s, b, l.Step})
			}
		}
	}
	return out
}
