package schedule

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/stats"
)

const (
	// PilotBlocks is the number of blocks of the pilot (docs/methodology.md), pilotInner
	// that of its rounds: just enough to see costs and the rough share of layout in the
	// variance.
	PilotBlocks = 3
	pilotInner  = 3
	// maxInner is the maximum number of rounds from the variance shares. If trials
	// scatter much more than layouts the formula yields dozens, but past three or four
	// the variance per second hardly falls, while a verdict's ten blocks take ever
	// longer.
	maxInner = 3
	// maxPairRounds is the maximum number of rounds of a pair of pooled links.
	maxPairRounds = 9
	// cheapLink is how many times a block's links a round must take to need no pilot.
	cheapLink = 8
	// linkShare is the largest share of a block that linking may take.
	linkShare = 1.0 / 3
)

// A Rounds computes the rounds of each benchmark in a block, and the time of such blocks.
type Rounds struct {
	plan  *assay.Plan
	costs *Costs
	inner map[assay.Benchmark]int
}

// NewRounds starts with the rounds in the study.
func NewRounds(p *assay.Plan, costs *Costs) *Rounds {
	r := &Rounds{plan: p, costs: costs, inner: map[assay.Benchmark]int{}}
	for _, b := range p.Benchmarks {
		r.inner[b.Benchmark] = max(p.Study.Measure.Inner, 1)
	}
	return r
}

// WantsPilot reports whether a pilot must choose the rounds of a block. One round is best
// if blocks do not link, or if linking is cheap beside a round: the formula adds a second
// one only if trials scatter eight times as much as layouts, and then it gains little. A
// pilot must not take more than a fifth of the budget either. Starting a service is
// expensive, and one round of it is enough.
func (r *Rounds) WantsPilot() bool {
	p := r.plan
	if p.Study.Serves() || !slices.ContainsFunc(p.Benchmarks, func(b assay.PlannedBenchmark) bool { return !b.Gear.SideBySide() }) {
		return false
	}
	var round time.Duration // of all benchmarks, as calibrated
	for _, b := range p.Benchmarks {
		round += b.Trial * time.Duration(Width(p, nil))
	}
	m := p.Study.Measure
	cost := PilotBlocks * (p.Link + pilotInner*round)
	return m.Inner == 0 && m.Layouts == 0 && cheapLink*p.Link > round && cost < r.measuring()/5
}

// Pilot returns a block of the pilot.
func (r *Rounds) Pilot(active []assay.PlannedBenchmark) assay.NextBlock {
	next := assay.NextBlock{Pilot: true}
	for _, b := range active {
		next.Turns = append(next.Turns, assay.Turn{Benchmark: b.Benchmark, Inner: b.Rounds(pilotInner)})
	}
	return next
}

// Size chooses each benchmark's rounds from the pilot: the cheapest number of repetitions
// for the observed variance shares (Kalibera and Jones 2013: sqrt of the cost ratio times
// the variance ratio). pilot has ln ratios, a list for each block and variant. active is
// the number of benchmarks that continue.
func (r *Rounds) Size(pilot map[assay.Benchmark][][]float64, active int) {
	// A block's links are shared by its benchmarks.
	link := r.costs.Links(Width(r.plan, nil)) / time.Duration(max(active, 1))
	for b := range r.inner {
		r.inner[b] = 1
		if len(pilot[b]) < 2 || link == 0 {
			continue
		}
		between, within := stats.Components(pilot[b])
		if between <= 0 {
			r.inner[b] = maxInner
			continue
		}
		r.inner[b] = min(odd(stats.Repeats(float64(link), float64(r.RoundTime(b)), between, within)+1), maxInner)
	}
}

// odd returns the largest odd number up to n, and at least 1; odd(n+1) is the smallest
// from n on. A block's value is the median of its rounds. An even number has no middle
// one: with the mean of two, a spike in either would matter.
func odd(n int) int { return max((n-1)|1, 1) }

// RoundTime returns the expected time of one round of a benchmark over the variants of a block.
func (r *Rounds) RoundTime(b assay.Benchmark) time.Duration {
	return r.costs.Trial(b) * time.Duration(Width(r.plan, nil))
}

// Turns gives each active benchmark its rounds: those from the pilot, or more if linking
// would take longer than measuring. A benchmark in once has one.
func (r *Rounds) Turns(active []assay.PlannedBenchmark, once map[assay.Benchmark]bool) []assay.Turn {
	var out []assay.Turn
	var measured time.Duration
	for _, b := range active {
		inner := r.inner[b.Benchmark]
		if once[b.Benchmark] {
			inner = 1
		}
		out = append(out, assay.Turn{Benchmark: b.Benchmark, Inner: inner})
		measured += time.Duration(inner) * r.RoundTime(b.Benchmark)
	}
	switch m := r.plan.Study.Measure; {
	case m.Inner > 0 || measured == 0:
	case m.Layouts == 0:
		r.outweighLinks(out, measured)
		r.fitBudget(out)
	case design.Pool(r.plan) == 0:
		r.fillPairs(out, measured)
	}
	for i, b := range active {
		out[i].Inner = b.Rounds(out[i].Inner)
	}
	return out
}

// outweighLinks adds rounds until linking is at most linkShare of the block.
func (r *Rounds) outweighLinks(turns []assay.Turn, measured time.Duration) {
	want := float64(r.costs.Links(Width(r.plan, nil))) * (1 - linkShare) / linkShare
	if scale := int(math.Ceil(want / float64(measured))); scale > 1 {
		for i := range turns {
			turns[i].Inner = odd(turns[i].Inner*scale + 1)
		}
	}
}

// fillPairs spends the budget on the pairs of a pool. Only rounds make them more certain.
func (r *Rounds) fillPairs(turns []assay.Turn, round time.Duration) {
	rounds := int(r.measuring() / time.Duration(r.plan.Study.Measure.Layouts) / round)
	for i := range turns {
		turns[i].Inner = odd(turns[i].Inner * min(rounds, maxPairRounds))
	}
}

// fitBudget reduces rounds until one and a half times the blocks for a verdict fit into
// the budget: many short blocks are better than few long ones.
func (r *Rounds) fitBudget(turns []assay.Turn) {
	scale, least := Scale(r.plan), design.LeastBlocks(r.plan)
	if r.plan.Study.ComparesSteps() {
		scale = Cycle(r.plan)
	}
	limit := r.measuring() / time.Duration(scale*(least+(least+1)/2))
	share := float64(limit) / float64(max(r.block(turns), 1))
	if limit == 0 || share >= 1 {
		return
	}
	for i := range turns {
		turns[i].Inner = odd(int(float64(turns[i].Inner) * share))
	}
}

// measuring returns the part of the study's budget for blocks.
func (r *Rounds) measuring() time.Duration { return cmp.Or(r.plan.Left, r.plan.Study.Decide.Budget) }

// block returns the expected time of a block with these turns.
func (r *Rounds) block(turns []assay.Turn) time.Duration {
	return r.costs.Block(turns, Width(r.plan, nil))
}

// Blocks returns the expected time of n blocks that run these benchmarks.
func (r *Rounds) Blocks(n int, benchmarks ...assay.PlannedBenchmark) time.Duration {
	if n == 0 {
		return 0
	}
	return time.Duration(n) * r.block(r.Turns(benchmarks, nil))
}

// Until returns the expected time until each benchmark has the blocks that it needs.
func (r *Rounds) Until(need map[assay.Benchmark]int, least int) time.Duration {
	var sum time.Duration
	longest := max(least, 0)
	for b, n := range need {
		n = max(n, least, 0)
		sum += time.Duration(n*r.inner[b]) * r.RoundTime(b)
		longest = max(longest, n)
	}
	return sum + time.Duration(longest)*r.costs.Links(Width(r.plan, nil))
}
