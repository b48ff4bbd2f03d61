package analysis

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/schedule"
)

// sameCodeReason is the reason of the verdict "same code" of an effect.
const sameCodeReason = "no effect possible: the code is the same"

// An effects judges the effects of switches.
type effects struct {
	*rule
	list []sample.Effect // what the variants can tell of single switches
}

// of judges the effects on a metric. Those on the whole suite are one list of claims, the
// cells of all benchmarks another.
func (es *effects) of(metric string) []assay.Effect {
	var wholes, cells []judged
	active, suite := es.set.Active(), sample.Geomean
	if len(active) == 1 {
		suite = active[0].Plan.Benchmark
	}
	for i, e := range es.list {
		wholes = append(wholes, judged{effect: i, Sample: es.set.Suite(metric).Contrast(e.Contrast), name: suite})
		if len(active) < 2 {
			continue
		}
		for _, b := range active {
			cells = append(cells, judged{effect: i, Sample: b.Contrast(metric, e.Contrast), name: b.Plan.Benchmark, b: b})
		}
	}
	out := make([]assay.Effect, len(es.list))
	for i, e := range es.list {
		out[i] = e.Effect
	}
	for i, c := range es.judgeEffects(metric, cells) {
		if x := cells[i]; x.Sample != nil {
			out[x.effect].Cells = append(out[x.effect].Cells, c)
		}
	}
	m := middleOf(es.set.Suite(metric))
	for i, c := range es.judgeEffects(metric, wholes) {
		e := &out[wholes[i].effect]
		c.Change = m.change(c, slices.Values(e.Cells))
		e.Whole = c
	}
	return slices.DeleteFunc(out, func(e assay.Effect) bool { return len(e.Cells) == 0 && e.Whole.Verdict == assay.Invalid })
}

// A judged is one comparison of a list of effects.
type judged struct {
	*sample.Sample // nil where no ratio exists
	effect         int
	name           assay.Benchmark
	b              *sample.Benchmark // nil of the whole suite
}

// judgeEffects judges a list whose differences are claimed together.
func (es *effects) judgeEffects(metric string, list []judged) []assay.Comparison {
	j := es.judge(metric)
	// Only the suite gets prices: those of hundreds of cells would take seconds.
	j.priced = es.priced && len(list) <= maxPricedEffects && (len(list) == 0 || list[0].b == nil)
	var counted []cell
	for _, x := range list {
		if x.Sample != nil && !es.list[x.effect].Contrast.Null() {
			x.E = x.EValue(0)
			if !x.Exact(es.set.From) {
				counted = append(counted, cell{Sample: x.Sample})
			}
		}
	}
	j.claim = eBH(counted, verdictE)
	out := make([]assay.Comparison, len(list))
	for i, x := range list {
		out[i] = es.judgeEffect(j, x)
	}
	return out
}

func (es *effects) judgeEffect(j judge, x judged) (c assay.Comparison) {
	e := es.list[x.effect]
	switch {
	case e.Contrast.Null():
		c = assay.Comparison{Verdict: assay.SameCoded, Reason: sameCodeReason}
	case x.Sample == nil:
		c = assay.Comparison{Verdict: assay.Invalid, Reason: "no ratio: values are 0, or no two benchmarks are common"}
	default:
		if e.Interaction() {
			// Together they take less or more than expected from each alone: nothing that
			// was measured is faster or slower.
			j.metric.Name, j.metric.Better = "", assay.BetterLower
		}
		j.scale = 1
		if len(x.D) > 0 && schedule.Subsets(es.plan) {
			j.scale = float64(es.set.Blocks) / float64(len(x.D)) // blocks that it took for one value
		}
		c = j.compare(x.Sample, 1)
		c.Value, c.Difference = 0, 0
		if len(x.D) == 0 && schedule.Subsets(es.plan) {
			c.Reason, c.MoreBlocks = "the variants that it compares have not all run", 0
		}
	}
	c.Variant, c.Benchmark = e.Title(), x.name
	running := es.set.Active()
	if x.b != nil {
		running = []*sample.Benchmark{x.b}
	}
	c.MoreTime = es.costs.Blocks(c.MoreBlocks, sample.Planned(running)...)
	return c
}

// maxPricedEffects is the longest list of effects that get a price each.
const maxPricedEffects = 100

// patience is how many times the minimum of blocks may pass without a value for an effect
// before the run stops waiting for it: some variant never yields the metric.
const patience = 3

// undecided reports whether a main effect on the whole suite needs more blocks. A run
// does not wait for interactions, for benchmarks, or for switches of listed variants,
// which are by-products.
func (es *effects) undecided() bool {
	if len(es.plan.Study.Factors) == 0 || es.plan.Study.Decide.Gate > 0 {
		return false
	}
	metric := es.plan.Study.Decide.Metrics[0]
	var main, all []cell
	for _, e := range es.list {
		if e.Contrast.Null() {
			continue
		}
		s := es.set.Suite(metric).Contrast(e.Contrast)
		if s == nil || s.Exact(es.set.From) || len(s.D) == 0 && es.set.Blocks >= patience*es.set.From*schedule.Scale(es.plan) {
			continue
		}
		s.E = s.EValue(0)
		all = append(all, cell{Sample: s})
		if !e.Interaction() {
			main = append(main, cell{Sample: s})
		}
	}
	need := es.atLevel(eBH(all, verdictE))
	return slices.ContainsFunc(main, func(c cell) bool { return es.open(c.Sample, metric, need) })
}
