package analysis

import (
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/schedule"
)

// sameCodeReason says why an effect has the verdict "same code".
const sameCodeReason = "no effect possible: the code is the same"

// An effect is what a switch does, or what two do beyond what each does alone,
// before any figures.
type effect struct {
	assay.Effect
	contrast contrast
}

func (e effect) interaction() bool { return len(e.Switches) > 1 }

// findEffects lists what the plan's variants can tell of single switches.
func findEffects(p *assay.Plan) []effect {
	if len(p.Study.Factors) > 0 {
		return factorEffects(p)
	}
	return listedSwitches(p)
}

// An effects judges the effects of switches.
type effects struct {
	rule *rule
	set  *Set
	list []effect // what the variants can tell of single switches
}

// of judges the effects on a metric. The whole-suite effects are one
// list of claims, the cells of all benchmarks another.
func (es *effects) of(metric string) []assay.Effect {
	var wholes, cells []judged
	for i, e := range es.list {
		wholes = append(wholes, judged{effect: i, sample: es.set.contrastWhole(metric, e.contrast), name: wholeName(es.set.active())})
		if len(es.set.active()) < 2 {
			continue
		}
		for _, b := range es.set.active() {
			cells = append(cells, judged{effect: i, sample: es.set.contrast(b, metric, e.contrast), name: b.plan.Benchmark, b: b})
		}
	}
	out := make([]assay.Effect, len(es.list))
	for i, e := range es.list {
		out[i] = e.Effect
	}
	for i, c := range es.judgeEffects(metric, wholes) {
		out[wholes[i].effect].Whole = c
	}
	for i, c := range es.judgeEffects(metric, cells) {
		if x := cells[i]; x.sample != nil {
			out[x.effect].Cells = append(out[x.effect].Cells, c)
		}
	}
	return slices.DeleteFunc(out, func(e assay.Effect) bool { return len(e.Cells) == 0 && e.Whole.Verdict == assay.Invalid })
}

// A judged is one comparison of a list of effects.
type judged struct {
	*sample // nil where no ratio exists
	effect  int
	name    assay.Benchmark
	b       *benchmark // nil of the whole suite
}

// wholeName is what stands for the benchmark of a whole-suite comparison.
func wholeName(active []*benchmark) assay.Benchmark {
	if len(active) == 1 {
		return active[0].plan.Benchmark
	}
	return assay.Benchmark{Name: "geomean"}
}

// judgeEffects judges a list in which differences are claimed together.
func (es *effects) judgeEffects(metric string, list []judged) []assay.Comparison {
	j := es.rule.judge(metric)
	// The price of a decision is looked at for the suite; that of hundreds of cells
	// would take seconds to work out.
	j.priced = es.rule.priced && len(list) <= maxPricedEffects && (len(list) == 0 || list[0].b == nil)
	var counted []cell
	for _, x := range list {
		if x.sample != nil && len(es.list[x.effect].contrast.groups) > 0 {
			x.e = x.evalue(0)
			if !x.exact(es.set.from) {
				counted = append(counted, cell{sample: x.sample})
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
	case len(e.contrast.groups) == 0:
		c = assay.Comparison{Verdict: assay.SameCoded, Reason: sameCodeReason}
	case x.sample == nil:
		c = assay.Comparison{Verdict: assay.Invalid, Reason: "no ratio: values are 0, or no two benchmarks are common"}
	default:
		if e.interaction() {
			// Together they take less or more than each alone would make one expect:
			// neither is faster or slower than anything that was measured.
			j.metric.Name, j.metric.Better = "", assay.BetterLower
		}
		j.scale = es.rate(x.sample)
		c = j.compare(x.sample, 1)
		c.Value, c.Difference = 0, 0
		if len(x.d) == 0 && schedule.Subsets(es.rule.plan) {
			c.Reason, c.MoreBlocks = "the variants that it compares have not all run", 0
		}
	}
	c.Variant, c.Benchmark = e.title(), x.name
	if x.b != nil {
		c.MoreTime = es.rule.rounds.Blocks(c.MoreBlocks, x.b.plan)
	} else {
		c.MoreTime = es.rule.rounds.Blocks(c.MoreBlocks, planned(es.set.active())...)
	}
	return c
}

// rate is the number of blocks that it took to get one datum.
func (es *effects) rate(s *sample) float64 {
	if len(s.d) == 0 || !schedule.Subsets(es.rule.plan) {
		return 1
	}
	return float64(es.set.blocks) / float64(len(s.d))
}

// title names an effect where a comparison names its variant.
func (e effect) title() string {
	var parts []string
	for _, s := range e.Switches {
		parts = append(parts, s.String())
	}
	return strings.Join(parts, " × ")
}

// maxPricedEffects is the longest list of effects that are priced one by one.
const maxPricedEffects = 100

// patience is how many times the minimum of data may pass without any about an
// effect before the run no longer waits for it: some variant never yields the
// metric.
const patience = 3

// effectsUndecided reports whether a main effect on the whole suite still needs
// blocks. Interactions and benchmarks do not hold a run up, nor do switches of
// variants that a study lists one by one: those are by-products.
func (es *effects) undecided() bool {
	if len(es.rule.plan.Study.Factors) == 0 || es.rule.plan.Study.Decide.Gate > 0 {
		return false
	}
	metric := es.rule.plan.Study.Decide.Metrics[0]
	var main, all []cell
	for _, e := range es.list {
		if len(e.contrast.groups) == 0 {
			continue
		}
		s := es.set.contrastWhole(metric, e.contrast)
		if s == nil || s.exact(es.set.from) || len(s.d) == 0 && es.set.blocks >= patience*es.set.from*schedule.Scale(es.rule.plan) {
			continue
		}
		s.e = s.evalue(0)
		all = append(all, cell{sample: s})
		if !e.interaction() {
			main = append(main, cell{sample: s})
		}
	}
	need := es.rule.atLevel(eBH(all, verdictE))
	return slices.ContainsFunc(main, func(c cell) bool { return es.rule.open(c.sample, metric, need) })
}

// open reports whether a sample that is outside the schedule's own list needs
// more blocks: it is neither the same nor can be claimed.
func (rule *rule) open(s *sample, metric string, need claim) bool {
	lo, hi, ok := s.interval(1 / rule.plan.Study.Decide.Alpha())
	margin := rule.margin(metric)
	switch {
	case !ok: // drift: more blocks cannot heal it
		return false
	case lo >= -margin && hi <= margin:
		return false
	}
	return !(need.holds(s) && (lo > 0 || hi < 0))
}
