package analysis

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/stats"
)

// confirm adds to a merged result what holds over its machines: the heads, confirmed by
// Holm over machines and variants at the study's level, the interactions of machines with
// heads, by Holm over all of these, or where opposite heads imply them, and the answer.
func confirm(m *assay.Merged, parts []Part) {
	if len(parts) < 2 {
		return
	}
	c := &confirmation{m: m, alpha: max(1-parts[0].Result.Rule.Confidence, 1e-9)}
	for _, p := range parts {
		var set *sample.Set
		if p.Plan != nil {
			set = sample.NewSet(p.Plan)
			for _, b := range p.Blocks {
				set.Add(b)
			}
			set.End(p.Result.Spent.Stop)
		}
		c.sets = append(c.sets, set)
	}
	c.heads()
	if len(m.Heads) == 0 {
		return
	}
	c.confirmHeads()
	c.interactions()
	a := answer.Over(m)
	m.Answer = &a
}

// A confirmation works out what holds over the machines of a merged result.
type confirmation struct {
	m     *assay.Merged
	alpha float64
	sets  []*sample.Set // by machine; nil without a record
}

// heads adds the comparisons that the answers of the machines rest on: of every variant,
// or of the last step of a chain, on the first metric that decides, or on all that decide
// if the study is of services.
func (c *confirmation) heads() {
	seen := map[[2]string]bool{}
	for i := range c.m.Machines {
		r := &c.m.Machines[i].Result
		for _, tab := range answer.Answering(r) {
			for _, x := range answer.Headlines(tab) {
				key := [2]string{tab.Metric.Name, x.Variant}
				if !seen[key] && !leftOut(r, x) {
					seen[key] = true
					c.m.Heads = append(c.m.Heads, c.head(tab.Metric, x.Variant))
				}
			}
		}
	}
}

// leftOut reports whether a comparison is none that an answer rests on: the control's, an
// earlier step's, one without a verdict.
func leftOut(r *assay.Result, x assay.Comparison) bool {
	if r.Arc != nil {
		last := ""
		for _, s := range r.Arc.Steps {
			if s.Gap == nil {
				last = s.Variant
			}
		}
		if x.Variant != last {
			return true
		}
	}
	return x.Variant == r.Noise.Control || x.N == 0 || answer.NoFigure(x.Verdict)
}

// head collects a variant's comparisons on all machines.
func (c *confirmation) head(metric assay.Metric, variant string) assay.MergedHead {
	h := assay.MergedHead{Variant: variant, Metric: metric, On: make([]assay.HeadOn, len(c.m.Machines))}
	for i := range c.m.Machines {
		r := &c.m.Machines[i].Result
		for _, tab := range r.Tables {
			if x, ok := answer.Find(answer.Headlines(tab), variant); ok && tab.Metric.Name == metric.Name && !leftOut(r, x) {
				h.On[i].Comparison = x
				if r.Platform.Emulated == "" {
					h.Of++
				}
			}
		}
	}
	return h
}

// confirmHeads confirms differences. A machine with a head missing counts in the list as
// one without evidence; an emulated one has no say.
func (c *confirmation) confirmHeads() {
	var list []*assay.HeadOn
	var p []float64
	for i := range c.m.Heads {
		h := &c.m.Heads[i]
		for j := range h.On {
			x := &h.On[j]
			switch {
			case c.m.Machines[j].Result.Platform.Emulated != "":
			case x.Exact || x.Never(): // equality decides, without statistics
				x.Confirmed = x.Verdict.Differs()
			default:
				list, p = append(list, x), append(p, c.p(j, h, x))
			}
		}
	}
	c.m.Claims = len(list)
	for i, adjusted := range stats.Holm(p) {
		list[i].Confirmed = adjusted <= c.alpha && list[i].Verdict.Differs()
	}
	for i := range c.m.Heads {
		h := &c.m.Heads[i]
		for j, x := range h.On {
			counts := c.m.Machines[j].Result.Platform.Emulated == ""
			h.Better += btoi(x.Confirmed && x.Verdict.Good())
			h.Worse += btoi(x.Confirmed && x.Verdict.Bad())
			h.Same += btoi(counts && (x.Verdict == assay.Same || x.Verdict == assay.SameCoded) && x.N > 0)
		}
	}
}

// p returns a p-value for "no change" on a machine: 1/largest evidence so far, as in the
// run's own list. A result without a record has its last evidence, or the level that its verdict
// was claimed at.
func (c *confirmation) p(machine int, h *assay.MergedHead, x *assay.HeadOn) float64 {
	if s := c.sample(machine, h); s != nil {
		_, top := s.EValues(0)
		return min(1, 1/top)
	}
	p := 1.0
	if x.E > 1 {
		p = 1 / x.E
	}
	if x.Verdict.Differs() {
		p = min(p, c.alpha)
	}
	return p
}

// sample returns the blocks behind a head on a machine, nil if there are none.
func (c *confirmation) sample(machine int, h *assay.MergedHead) *sample.Sample {
	set := c.sets[machine]
	if set == nil || h.On[machine].N == 0 {
		return nil
	}
	return set.Suite(h.Metric.Name).Sample(h.Variant)
}

// maxIntervals is the largest number of interactions of which each gets an interval, which
// takes time; of more only those claimed get one.
const maxIntervals = 60

// interactions compares every head's changes between the machines, two at a time.
func (c *confirmation) interactions() {
	var list []assay.Interaction
	var of []difference
	var implied []bool
	var p []float64
	for i := range c.m.Heads {
		h := &c.m.Heads[i]
		for b := range h.On {
			for a := range b {
				x, y := c.series(a, h), c.series(b, h)
				if x == nil || y == nil {
					continue
				}
				d := difference{stats.Difference{A: x.Series(), B: y.Series()}, x.LinkWidth() + y.LinkWidth()}
				e := d.againstNone()
				list = append(list, assay.Interaction{Variant: h.Variant, Metric: h.Metric.Name, Machines: [2]int{a, b}, E: e,
					Change: assay.Change(math.Exp(h.On[b].Change.Log()-h.On[a].Change.Log()) - 1), Verdict: assay.Unclear})
				of, p, implied = append(of, d), append(p, min(1, 1/e)), append(implied, opposite(h.On[a], h.On[b]))
			}
		}
	}
	for i, adjusted := range stats.Holm(p) {
		if claimed := adjusted <= c.alpha || implied[i]; claimed || len(list) <= maxIntervals {
			c.judge(&list[i], of[i], claimed)
		}
	}
	slices.SortStableFunc(list, func(x, y assay.Interaction) int {
		return cmp.Or(-cmp.Compare(btoi(x.Verdict == assay.Changed), btoi(y.Verdict == assay.Changed)), -cmp.Compare(math.Abs(x.Change.Log()), math.Abs(y.Change.Log())))
	})
	c.m.Interactions = list
}

// A difference of a variant between two machines, and how far the links in use may move it
// from that over all layouts, in ln units: 0 if every block has links of its own.
type difference struct {
	stats.Difference
	links float64
}

// againstNone returns the e-value against everything that the links leave possible around
// no difference, as sample.Sample.EValues does for one machine.
func (d difference) againstNone() float64 {
	middle := stats.Median(d.B.D) - stats.Median(d.A.D)
	return d.E(min(max(middle, -d.links), d.links))
}

// opposite reports whether opposite directions are confirmed on two machines. That the
// changes differ then follows from the list of the heads.
func opposite(a, b assay.HeadOn) bool {
	return a.Confirmed && b.Confirmed && (a.Change < 0) != (b.Change < 0)
}

// series returns the blocks of a head with ratios that vary, on a machine whose processor
// is not emulated; else nil.
func (c *confirmation) series(machine int, h *assay.MergedHead) *sample.Sample {
	s := c.sample(machine, h)
	if s == nil || s.Zero || h.On[machine].Exact || len(s.D) == 0 || c.m.Machines[machine].Result.Platform.Emulated != "" {
		return nil
	}
	return s
}

// judge gives an interaction its interval and its verdict, in the order of the verdicts on
// variants.
func (c *confirmation) judge(x *assay.Interaction, d difference, claimed bool) {
	lo, hi, ok := d.Interval(1 / c.alpha)
	lo, hi = lo-d.links, hi+d.links
	if !ok {
		x.Verdict = assay.Invalid
		return
	}
	if hi-lo > Unbounded {
		return
	}
	x.Interval = &assay.Interval{Lo: assay.ChangeOfLog(lo), Hi: assay.ChangeOfLog(hi)}
	x.Change = assay.ChangeOfLog(min(max(x.Change.Log(), lo), hi))
	margin := math.Log1p(c.margin(x.Metric))
	switch {
	case lo >= -margin && hi <= margin:
		x.Verdict = assay.Same
	case claimed && (lo > 0 || hi < 0):
		x.Verdict, x.MayBeSmall = assay.Changed, lo < margin && hi > -margin
	}
}

func (c *confirmation) margin(metric string) float64 {
	i := slices.IndexFunc(c.m.Heads, func(h assay.MergedHead) bool { return h.Metric.Name == metric })
	return c.m.Heads[i].Metric.MinEffect
}
