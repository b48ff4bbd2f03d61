package analysis

import (
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/schedule"
)

// Next says what the coming block runs, or why there is none: the stop rule
// "decided, or the budget is spent". It may be called once after every block;
// choosing what runs from the data is allowed, because the order inside a
// block stays random.
func (t *Tracker) Next() assay.NextBlock {
	active := t.active()
	if len(active) == 0 || len(t.plan.Variants) < 2 {
		return assay.NextBlock{Stop: "nothing left"}
	}
	if t.rounds.WantsPilot() && t.pilots < schedule.PilotBlocks {
		return t.rounds.Pilot(planned(active))
	}
	open, geomeanOnly := t.undecided(active)
	decide := t.plan.Study.Decide
	switch {
	case !slices.ContainsFunc(active, func(b *benchmark) bool { return !t.allSaturated(b) }):
		return assay.NextBlock{Stop: "decided"} // no number of blocks heals that
	case t.blocks < decide.MinBlocks:
		// Somebody asked for at least this many: nothing leaves before.
		open, geomeanOnly = active, nil
	case len(open) == 0:
		return assay.NextBlock{Stop: "decided"}
	case t.AtLimit(t.blocks):
		return assay.NextBlock{Stop: "blocks"}
	}
	next := assay.NextBlock{Turns: t.rounds.Turns(planned(open), geomeanOnly), Variants: t.inQuestion(open)}
	if t.OverBudget(next.Turns, schedule.Width(t.plan, next.Variants)) {
		return assay.NextBlock{Stop: "budget"}
	}
	return next
}

// AtLimit reports whether a run of so many blocks is at its end, decided or not.
func (t *Tracker) AtLimit(blocks int) bool {
	last := schedule.Last(t.plan, t.earlier)
	return last > 0 && blocks >= last
}

// undecided lists the benchmarks that must run on, and which of them only for
// the sake of the geomean.
func (t *Tracker) undecided(active []*benchmark) (open []*benchmark, geomeanOnly map[assay.Benchmark]bool) {
	if t.blocks < t.from {
		return slices.DeleteFunc(slices.Clone(active), t.allSaturated), nil
	}
	geomeanOnly = map[assay.Benchmark]bool{}
	needed := map[*benchmark]bool{}
	for _, m := range t.plan.Study.Decide.Metrics {
		for _, b := range t.leave(active, m) {
			needed[b] = true
		}
		for _, b := range t.leaveSteps(active, m) {
			needed[b] = true
		}
	}
	whole := len(active) > 1 && t.geomeanUndecided() || t.effectsUndecided()
	for _, b := range active {
		if needed[b] || whole && !t.allSaturated(b) && t.everywhere(b) {
			open = append(open, b)
			geomeanOnly[b.plan.Benchmark] = !needed[b]
		}
	}
	return open, geomeanOnly
}

// leave updates which cells of a metric have left the schedule and returns the
// benchmarks that still have an undecided one.
func (t *Tracker) leave(active []*benchmark, metric string) (open []*benchmark) {
	cells := t.cells(active, metric)
	t.updateE(cells, metric)
	need := t.schedulingClaim(cells, metric)
	isOpen := map[*benchmark]bool{}
	for _, c := range cells {
		if !t.decided(c, metric, need) {
			isOpen[c.b] = true
		}
	}
	for _, b := range active {
		isOpen[b] = isOpen[b] || slices.ContainsFunc(t.variants, func(v string) bool { return t.tooFew(b, v) })
	}
	for _, b := range active {
		if isOpen[b] {
			open = append(open, b)
		}
	}
	return open
}

// A cell is a sample with where it stands.
type cell struct {
	*sample
	b       *benchmark
	variant string
}

// cells are the samples of a metric that count as comparisons: not the
// control's, and not those that equality decides or that are saturated.
func (t *Tracker) cells(active []*benchmark, metric string) []cell {
	var out []cell
	for _, b := range active {
		for _, v := range t.variants {
			s := b.samples[metric][v]
			if v != t.control && s != nil && !s.exact(t.from) && !t.isSaturated(b, metric, v) {
				out = append(out, cell{s, b, v})
			}
		}
	}
	return out
}

// updateE brings the e-values of the cells that are in the schedule up to
// date; those that left keep the one with which they left.
func (t *Tracker) updateE(cells []cell, metric string) {
	limit := t.gateLimit(metric)
	for _, c := range cells {
		if c.left {
			continue
		}
		c.e, c.top = c.evalues(0)
		if limit != 0 {
			c.gate = c.evidence(limit)
		}
	}
}

// gateLimit is the change in ln units that the gate allows, towards the worse;
// 0 without a gate.
func (t *Tracker) gateLimit(metric string) float64 {
	limit := math.Log1p(t.plan.Study.Decide.Gate)
	if t.plan.Metric(metric).Better == assay.BetterHigher {
		return -limit
	}
	return limit
}

// decided reports whether a cell needs no more blocks, and lets it leave.
func (t *Tracker) decided(c cell, metric string, need claim) bool {
	if c.left && need.at > 0 && t.evident(c, metric, need) {
		return true
	}
	lo, hi, ok := c.interval(1 / t.plan.Study.Decide.Alpha())
	margin := t.margin(metric)
	limit := t.gateLimit(metric)
	switch {
	case !ok, limit != 0 && c.zero: // drift, or no ratio: more blocks cannot heal it
		c.left = true
	case limit > 0:
		c.left = hi < limit || lo > limit && t.evident(c, metric, need)
	case limit < 0:
		c.left = lo > limit || hi < limit && t.evident(c, metric, need)
	case !c.zero && lo >= -margin && hi <= margin:
		c.left = true
	default:
		// A cell that e-BH gave up again comes back into the schedule.
		c.left = t.evident(c, metric, need) && (lo > 0 || hi < 0)
	}
	return c.left
}

// evident reports whether a cell has the evidence that a claim takes: of a change, or
// with a gate of its failure.
func (t *Tracker) evident(c cell, metric string, need claim) bool {
	if t.gateLimit(metric) != 0 {
		return c.gate >= need.at
	}
	return need.holds(c.sample)
}

// geomeanUndecided reports whether the answer line still needs blocks.
func (t *Tracker) geomeanUndecided() bool {
	if t.plan.Study.Decide.Gate > 0 {
		return false
	}
	if t.plan.Study.ComparesSteps() {
		return t.arcUndecided()
	}
	return slices.ContainsFunc(t.others(), t.wholeUndecided)
}

// wholeUndecided reports whether a variant's geomean needs more blocks.
func (t *Tracker) wholeUndecided(variant string) bool {
	metric := t.plan.Study.Decide.Metrics[0]
	g := t.geomean(metric, variant)
	if g == nil {
		return false
	}
	return len(g.d) < t.from || !g.exact(t.from) && t.open(g, metric, t.headClaim(metric))
}

// margin is the smallest effect that matters, in ln units.
func (t *Tracker) margin(metric string) float64 { return math.Log1p(t.plan.Metric(metric).MinEffect) }
