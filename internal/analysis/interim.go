package analysis

import (
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/stats"
)

// An Interim is the state of a comparison during the run.
type Interim struct {
	// Metric is the name of the metric.
	Metric string `json:"metric"`
	// Base is the median of the base.
	Base float64 `json:"base"`
	// Decided means that the stop rule needs no more blocks. Only then there is a
	// verdict: looking at an open comparison decides nothing.
	Decided bool `json:"decided"`
	assay.Comparison
}

// Interim lists comparisons of the deciding metrics, at most most, the open ones first.
// It does not influence Next or Result. Like Standing it is slow: call it between blocks,
// not between trials.
func (t *Tracker) Interim(most int) []Interim {
	all := t.standing()
	slices.SortStableFunc(all, func(a, b stand) int { return btoi(a.decided) - btoi(b.decided) })
	return t.interims(all[:min(most, len(all))])
}

// A Cell names a comparison.
type Cell struct {
	Metric, Variant string
	Benchmark       assay.Benchmark
}

// Turned lists the comparisons that became decided, or open again, since the last call
// with the same map, and updates the map.
func (t *Tracker) Turned(known map[Cell]bool) []Interim {
	var turned []stand
	for _, s := range t.standing() {
		c := Cell{s.metric, s.variant, s.b.Plan.Benchmark}
		if known[c] != s.decided {
			known[c] = s.decided
			turned = append(turned, s)
		}
	}
	return t.interims(turned)
}

func (t *Tracker) interims(list []stand) (out []Interim) {
	judges := map[string]judge{}
	for _, s := range list {
		if _, ok := judges[s.metric]; !ok {
			j := t.rule.judge(s.metric)
			j.priced = false
			judges[s.metric] = j
		}
		out = append(out, t.interim(judges[s.metric], s))
	}
	return out
}

// A stand says whether the stop rule is done with a comparison.
type stand struct {
	b       *sample.Benchmark
	metric  string
	variant string
	decided bool
}

// standing lists all comparisons with the base.
func (t *Tracker) standing() (out []stand) {
	for _, m := range t.plan.Study.Decide.Metrics {
		var need claim
		if t.set.Ended() {
			need = t.rule.schedulingClaim(t.rule.cells(t.set.Active(), m), m)
		}
		for _, b := range t.set.Active() {
			for _, v := range t.set.Others() {
				if b.Lacks(v) {
					continue
				}
				x := b.Samples[m][v]
				done := x != nil && (x.Left || x.Exact(t.set.From) || b.Saturated(m, v) != "" ||
					t.set.Ended() && t.rule.closed(cell{x, b, v}, m, need)) && !b.TooFew(v)
				out = append(out, stand{b, m, v, done})
			}
		}
	}
	return out
}

func (t *Tracker) interim(j judge, s stand) Interim {
	base := s.b.Base(s.metric)
	out := Interim{Metric: s.metric, Base: base, Decided: s.decided,
		Comparison: assay.Comparison{Variant: s.variant, Benchmark: s.b.Plan.Benchmark}}
	x := s.b.Samples[s.metric][s.variant]
	if x == nil {
		return out
	}
	c, ok := t.tables.cellComparison(j, s.b, base, s.metric, s.variant)
	if !ok {
		return out
	}
	out.Comparison = c
	if !s.decided {
		out.Verdict = assay.Withheld
		out.MoreBlocks, _ = t.rule.more(x, s.metric)
		out.MoreTime = t.rule.costs.Blocks(out.MoreBlocks, s.b.Plan)
	}
	return out
}

// maxEstimated is the longest list of open comparisons with an estimate of the end.
const maxEstimated = 40

// Remaining estimates how much longer the run will measure, at most the remaining budget.
// It is 0 and false if that is unknown: before the first decision, for a comparison far
// from one, and for steps, whose blocks take turns.
func (t *Tracker) Remaining() (time.Duration, bool) {
	left := t.budget.Left()
	if t.set.Blocks < t.set.From || t.plan.Study.ComparesSteps() || left <= 0 {
		return 0, false
	}
	need := map[assay.Benchmark]int{}
	for _, b := range t.set.Active() {
		need[b.Plan.Benchmark] = 0
	}
	open := 0
	for _, s := range t.standing() {
		if s.decided {
			continue
		}
		x := s.b.Samples[s.metric][s.variant]
		if open++; open > maxEstimated || x == nil {
			return 0, false
		}
		n, ok := t.rule.more(x, s.metric)
		if !ok {
			return 0, false
		}
		need[s.b.Plan.Benchmark] = max(need[s.b.Plan.Benchmark], n)
	}
	return min(t.rule.costs.Until(need, t.plan.Study.Decide.MinBlocks-t.set.Blocks), left), true
}

// A Standing is the progress of a run.
type Standing struct {
	// Decided of Cells comparisons need no more blocks.
	Decided, Cells int
	// Noise is the A/A floor, 0 while unknown.
	Noise assay.Change
	// Now is the median half-width of the comparisons that need more blocks, as it would be if
	// the budget ended here, and End what it will be at its end; 0 while unknown.
	Now, End assay.Change
}

// Standing returns the progress as of the last call of Next. In a long list it takes
// milliseconds: call it once a block, not once a trial.
func (t *Tracker) Standing() Standing {
	var s Standing
	for _, x := range t.standing() {
		s.Cells++
		s.Decided += btoi(x.decided)
	}
	for _, m := range t.plan.Study.Decide.Metrics {
		t.standSteps(&s, m)
	}
	if t.set.Blocks >= t.set.From {
		if n := t.tables.noise(); n.Known() {
			s.Noise = n.Floor
		}
		s.Now, s.End = halfWidths(t)
	}
	return s
}

// halfWidths returns Standing.Now and Standing.End.
func halfWidths(t *Tracker) (now, end assay.Change) {
	cost := t.costs.Block(schedule.Turns(sample.Planned(t.set.Active())), schedule.Width(t.plan, nil))
	if cost <= 0 || t.budget.Limit <= 0 {
		return 0, 0
	}
	further := int(t.budget.Left()/cost) / schedule.Cycle(t.plan)
	alpha := t.plan.Study.Decide.Alpha()
	var nows, ends []float64
	for _, s := range t.standing() {
		if x := s.b.Samples[s.metric][s.variant]; !s.decided && x != nil && !x.Zero && len(x.D) > 1 && len(nows) < maxEstimated {
			nows, ends = append(nows, x.HalfWidth(len(x.D), alpha)), append(ends, x.HalfWidth(len(x.D)+further, alpha))
		}
	}
	if len(nows) == 0 {
		return 0, 0
	}
	return assay.ChangeOfLog(stats.Median(nows)), assay.ChangeOfLog(stats.Median(ends))
}

// standSteps adds the comparisons from step to step, if they must be decided.
func (t *Tracker) standSteps(s *Standing, metric string) {
	if !t.plan.Study.ComparesSteps() {
		return
	}
	for _, b := range t.set.Active() {
		for _, l := range t.set.Chain.Links {
			if l.Before == t.plan.Study.Base {
				continue // counted with the base
			}
			if x := t.set.Chain.Cell(b, metric, l); x != nil {
				s.Cells++
				s.Decided += btoi(x.Left || x.Exact(t.set.From))
			}
		}
	}
}

// From returns the number of blocks before the first decision.
func (t *Tracker) From() int { return t.set.From }

// Spent returns the measuring time of this run so far.
func (t *Tracker) Spent() time.Duration { return t.costs.Spent() }
