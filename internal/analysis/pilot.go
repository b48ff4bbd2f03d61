package analysis

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
	// pilotBlocks and pilotInner size the pilot (docs/methodology.md): enough to
	// see costs and the rough share of layout in the variance, no more.
	pilotBlocks = 3
	pilotInner  = 3
	// maxInner bounds the rounds that the variance shares may ask for. Where
	// trials scatter much more than layouts the formula asks for dozens, but past
	// three or four the variance bought per second hardly falls, while the ten
	// blocks that a verdict needs at least take ever longer.
	maxInner = 3
	// maxPairRounds bounds the rounds of a pair of pooled links.
	maxPairRounds = 9
	// cheapLink is how many times longer than a block's links a round must be to
	// need no pilot.
	cheapLink = 8
	// linkShare is the largest share of a block that linking may take.
	linkShare = 1.0 / 3
)

// odd is the largest odd number up to n, and at least 1; odd(n+1) is the smallest
// from n on. A block's value is the median of its rounds, and an even number of
// rounds has no middle one: the mean of two lets a spike in either through.
func odd(n int) int { return max((n-1)|1, 1) }

// addPilot keeps the ln ratios of a pilot block on the time metric, every
// variant against the base.
func (b *benchmark) addPilot(r rounds, base string, variants []string) {
	times := r[assay.MetricTime]
	for _, v := range variants {
		if logs := logRatios(times[base], times[v]); logs != nil {
			b.pilot = append(b.pilot, logs)
		}
	}
}

// logRatios is ln(value/base) round by round, nil where one does not exist.
func logRatios(base, value []float64) []float64 {
	if len(base) == 0 || len(base) != len(value) || slices.Min(base) <= 0 || slices.Min(value) <= 0 {
		return nil
	}
	out := make([]float64, len(base))
	for i := range out {
		out[i] = math.Log(value[i] / base[i])
	}
	return out
}

// sizeBlocks chooses each benchmark's rounds from the pilot: the number of
// repetitions that is cheapest for the variance shares seen (Kalibera and
// Jones 2013: sqrt of the cost ratio times the variance ratio).
func (t *Tracker) sizeBlocks() {
	// A block's links are shared by its benchmarks.
	link := t.costs.Links(t.width()) / time.Duration(max(len(t.active()), 1))
	for _, b := range t.bench {
		b.inner = 1
		if len(b.pilot) < 2 || link == 0 {
			continue
		}
		between, within := stats.Components(b.pilot)
		if between <= 0 {
			b.inner = maxInner
			continue
		}
		b.inner = min(odd(stats.Repeats(float64(link), float64(t.cost(b)), between, within)+1), maxInner)
	}
}

// turns gives each active benchmark its rounds: those that the pilot chose,
// more of them where linking would outweigh measuring.
func (t *Tracker) turns(active []*benchmark, geomeanOnly map[*benchmark]bool) []assay.Turn {
	var out []assay.Turn
	var measured time.Duration
	for _, b := range active {
		inner := b.inner
		if geomeanOnly[b] {
			inner = 1
		}
		out = append(out, assay.Turn{Benchmark: b.plan.Benchmark, Inner: inner})
		measured += time.Duration(inner) * t.cost(b)
	}
	switch m := t.plan.Study.Measure; {
	case m.Inner > 0 || measured == 0:
	case m.Layouts == 0:
		t.outweighLinks(out, measured)
		t.fitBudget(out)
	case design.Pool(t.plan) == 0:
		t.fillPairs(out, measured)
	}
	for i, b := range active {
		out[i].Inner = b.plan.Rounds(out[i].Inner)
	}
	return out
}

// outweighLinks adds rounds until linking is at most its share of the block.
func (t *Tracker) outweighLinks(turns []assay.Turn, measured time.Duration) {
	want := float64(t.costs.Links(t.width())) * (1 - linkShare) / linkShare
	if scale := int(math.Ceil(want / float64(measured))); scale > 1 {
		for i := range turns {
			turns[i].Inner = odd(turns[i].Inner*scale + 1)
		}
	}
}

// fillPairs spends the budget on the pairs of a pool: each is measured once, so
// the only way to more certainty about it is more rounds.
func (t *Tracker) fillPairs(turns []assay.Turn, round time.Duration) {
	rounds := int(t.measuring() / time.Duration(t.plan.Study.Measure.Layouts) / round)
	for i := range turns {
		turns[i].Inner = odd(turns[i].Inner * min(rounds, maxPairRounds))
	}
}

// fitBudget cuts rounds until the blocks that a verdict needs, and half as
// many again, fit into the budget: many short blocks beat few long ones.
func (t *Tracker) fitBudget(turns []assay.Turn) {
	scale := t.scale()
	if t.comparesSteps() {
		scale = t.pairScale()
	}
	limit := t.measuring() / time.Duration(scale*(t.from+(t.from+1)/2))
	share := float64(limit) / float64(max(t.price(turns), 1))
	if limit == 0 || share >= 1 {
		return
	}
	for i := range turns {
		turns[i].Inner = odd(int(float64(turns[i].Inner) * share))
	}
}

// measuring is the part of the study's budget that is for blocks.
func (t *Tracker) measuring() time.Duration {
	return cmp.Or(t.plan.Left, t.plan.Study.Decide.Budget)
}

// active are the benchmarks that are not excluded.
func (t *Tracker) active() []*benchmark {
	return slices.DeleteFunc(slices.Clone(t.bench), func(b *benchmark) bool { return b.failed != "" })
}
