package analysis

import (
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
)

// An Interim is where a comparison stands while the run goes on.
type Interim struct {
	// Metric is the name of the metric.
	Metric string `json:"metric"`
	// Base is the median of the base.
	Base float64 `json:"base"`
	// Decided is true where the stop rule asks for no more blocks. Only then there
	// is a verdict: to look at an open comparison decides nothing.
	Decided bool `json:"decided"`
	assay.Comparison
}

// Interim lists comparisons of the metrics that decide, at most most of them, those
// that are open first. It changes nothing that Next or Result goes by. Like
// Standing it is for between two blocks, not for between two trials.
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

// Turned lists the comparisons that are decided and were not when it was last
// called with the same map, and those that are open again, and notes them in it.
func (t *Tracker) Turned(told map[Cell]bool) []Interim {
	var turned []stand
	for _, s := range t.standing() {
		c := Cell{s.metric, s.variant, s.b.Plan.Benchmark}
		if told[c] != s.decided {
			told[c] = s.decided
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

// A stand is a comparison and whether the stop rule is done with it.
type stand struct {
	b       *sample.Benchmark
	metric  string
	variant string
	decided bool
}

// standing lists all comparisons with the base, as Standing counts them.
func (t *Tracker) standing() (out []stand) {
	for _, m := range t.plan.Study.Decide.Metrics {
		for _, b := range t.set.Active() {
			for _, v := range t.set.Others() {
				if b.Lacks(v) {
					continue
				}
				x := b.Samples[m][v]
				done := x != nil && (x.Left || x.Exact(t.set.From) || b.Saturated(m, v) != "") && !b.TooFew(v)
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
		out.MoreTime = t.rule.rounds.Blocks(out.MoreBlocks, s.b.Plan)
	}
	return out
}

// maxEstimated is the longest list of open comparisons whose end is estimated.
const maxEstimated = 40

// Remaining is about how much longer the run will measure, at most what is left of
// the budget. It is 0 and false while nobody knows: before anything can be decided,
// where a comparison is far from it, and for steps, whose blocks take turns.
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
	return min(t.rule.rounds.Until(need, t.plan.Study.Decide.MinBlocks-t.set.Blocks), left), true
}
