package bisect

import (
	"math/bits"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/stats"
)

// The kinds of measurements in a knob's bisection: nowhere against everywhere, a build
// for cmd/bisect, and at the end the places found.
const (
	KnobEnds  = "ends"
	KnobProbe = "probe"
	KnobFinal = "final"
)

// The findings of a knob's probe, besides PlaceUndecided, PlaceChanged and PlaceSame.
const (
	PlaceOff Place = "off"
	PlaceOn  Place = "on"
)

// KnobMetricAuto lets the ends choose the deciding metric: allocs/op or B/op if they
// differ exactly, else the study's own metric.
const KnobMetricAuto = "auto"

// A KnobAsk is a measurement of a knob's bisection.
type KnobAsk struct {
	Kind string
	// Metric is the deciding metric; for the ends KnobMetricAuto or a name.
	Metric string
	// Alpha is the error rate of a decision by time.
	Alpha float64
	// Ends is the finding of the ends; nil while they are measured.
	Ends *KnobFinding
}

// KnobAlpha returns the error rate of the k-th measurement, from 0, of a search among a
// number of places, decided or not: the first S = 2 ceil(log2 places) + 4 of them share
// half of alpha, the next S a quarter, and so on.
func KnobAlpha(alpha float64, places, k int) float64 {
	s := 2*log2(places) + 4
	return alpha / float64(s) / float64(uint64(2)<<min(k/s, bits.UintSize-4))
}

// Study returns the study of a measurement: that of the base, with other variants.
func (a KnobAsk) Study(s *assay.Study, variants []assay.Variant) *assay.Study {
	out := *s
	out.Variants, out.Base = variants, VariantOff
	out.Measure.NoControl = a.Kind != KnobFinal
	if a.Kind == KnobFinal {
		return &out
	}
	out.Decide.Confidence = 1 - a.Alpha
	if a.Kind == KnobProbe && a.exact() {
		// Counts are the same in every layout: one link is enough, and as many blocks as
		// make a count exact.
		out.Measure.Layouts = 1
		out.Decide.MinBlocks, out.Decide.MaxBlocks = 1, countBlocks
	}
	return &out
}

func (a KnobAsk) exact() bool { return assay.IsCount(a.Metric) }

// countBlocks is the number of blocks after which a count that never varied is exact without
// a control (sample.Sample.Exact), however small the error rates of the search by time.
const countBlocks = 8

// A KnobRule is the stop rule of a measurement of a knob's bisection (lab.StopRule).
type KnobRule struct {
	ask    KnobAsk
	test   *placement // decides by time and keeps the place
	by     string
	values map[countKey][]float64
}

// A countKey identifies the values of a metric.
type countKey struct {
	metric    string
	benchmark assay.Benchmark
	variant   string
}

// NewKnobRule returns the rule of a plan whose study comes from KnobAsk.Study. t follows
// the blocks and has seen none yet.
func NewKnobRule(ask KnobAsk, p *assay.Plan, t *analysis.Tracker) *KnobRule {
	sign := 0.0
	if ask.Ends != nil {
		sign = signOf(ask.Ends.Whole)
	}
	return &KnobRule{ask: ask, test: newPlacement(p, t, ask.Alpha, sign), by: p.Study.Decide.Metrics[0], values: map[countKey][]float64{}}
}

// Add takes the next complete block and checks whether it decides.
func (k *KnobRule) Add(block []assay.Trial) {
	if !k.test.add(block) {
		return
	}
	for _, t := range block {
		for _, metric := range []string{assay.MetricAllocs, assay.MetricBytes} {
			if x, ok := t.Observations[metric]; ok && t.Status == assay.StatusOK && !t.Traced {
				at := countKey{metric, t.Benchmark, t.Variant}
				k.values[at] = append(k.values[at], x)
			}
		}
	}
	switch k.ask.Kind {
	case KnobEnds:
		k.ends()
	case KnobProbe:
		k.decide()
	}
}

// Next says what the coming block runs, or why there is none.
func (k *KnobRule) Next() assay.NextBlock {
	if k.ask.Kind == KnobFinal {
		return k.test.tracker.Next()
	}
	next := k.test.next()
	if next.Stop == assay.StopBudget && k.nearlyExact() {
		// A few more blocks save the whole search by time.
		return assay.NextBlock{Turns: k.test.tracker.Turns()}
	}
	return next
}

// nearlyExact reports whether the counts so far will decide after a few more blocks.
func (k *KnobRule) nearlyExact() bool {
	if k.ask.Kind == KnobProbe {
		return k.ask.exact() && k.test.blocks < countBlocks
	}
	for _, metric := range []string{assay.MetricAllocs, assay.MetricBytes} {
		if k.wants(metric) && k.test.blocks < countBlocks && (k.test.blocks == 0 || k.ask.exact() || len(k.exact(metric)) > 0) {
			return true
		}
	}
	return false
}

// wants reports whether an exact metric may decide the ends.
func (k *KnobRule) wants(metric string) bool {
	return k.ask.Metric == metric || k.ask.Metric == KnobMetricAuto
}

// ends decides whether nowhere and everywhere differ: exactly in a count, or in time by
// more than the minimum effect.
func (k *KnobRule) ends() {
	p := k.test
	for _, metric := range []string{assay.MetricAllocs, assay.MetricBytes} {
		if k.wants(metric) && p.blocks >= countBlocks && len(k.exact(metric)) > 0 {
			p.place, k.by = PlaceChanged, metric
			return
		}
	}
	switch {
	case k.ask.exact():
		if k.by = k.ask.Metric; p.blocks >= countBlocks {
			p.place = PlaceSame
		}
	case p.enough() && !k.nearlyExact():
		p.place = p.differs(p.series(VariantOn))
	}
}

// exact returns the benchmarks where off and on each have a single value of a metric, and
// the two differ.
func (k *KnobRule) exact(metric string) (out []ExactChange) {
	for at, off := range k.values {
		on := k.values[countKey{metric, at.benchmark, VariantOn}]
		if at.metric == metric && at.variant == VariantOff && constant(off) && constant(on) && off[0] != on[0] {
			out = append(out, ExactChange{Benchmark: at.benchmark, Off: off[0], On: on[0]})
		}
	}
	slices.SortFunc(out, func(x, y ExactChange) int {
		if x.Benchmark.Less(y.Benchmark) {
			return -1
		}
		return 1
	})
	return out
}

func constant(xs []float64) bool {
	return len(xs) > 0 && !slices.ContainsFunc(xs, func(x float64) bool { return x != xs[0] })
}

// decide decides whether a probe behaves like off or like on.
func (k *KnobRule) decide() {
	p := k.test
	if k.ask.exact() {
		if k.by = k.ask.Metric; p.blocks >= countBlocks {
			p.place = k.counted()
		}
		return
	}
	if !p.enough() {
		return
	}
	x, w := p.series(VariantSome), p.series(VariantOn)
	switch place := p.between(x, w); place {
	case PlaceGood:
		p.place = PlaceOff
	case PlaceBad:
		p.place = PlaceOn
	case PlaceBetween: // proved to be in the middle: the nearer end
		p.place = PlaceOff
		if share(p.estimate(x), p.estimate(w)) >= 0.5 {
			p.place = PlaceOn
		}
	}
}

// counted compares the counts with the ends. In allocs/op any difference means on. In
// B/op, which a garbage collection at another moment may change a little, half of the
// difference does.
func (k *KnobRule) counted() Place {
	place := PlaceUndecided // until there is a count
	for _, e := range k.ask.Ends.Exact {
		some := k.values[countKey{k.ask.Metric, e.Benchmark, VariantSome}]
		if len(some) == 0 {
			continue
		}
		place = PlaceOff
		moved := k.ask.Metric == assay.MetricAllocs && constant(some) && some[0] != e.Off
		if moved || (stats.Median(some)-e.Off)/(e.On-e.Off) >= 0.5 {
			return PlaceOn
		}
	}
	return place
}

// Finding returns what was measured. The caller adds pattern, run and times.
func (k *KnobRule) Finding() KnobFinding {
	p := k.test
	f := KnobFinding{Kind: k.ask.Kind, Place: p.place, By: k.by, Blocks: p.blocks}
	switch k.ask.Kind {
	case KnobEnds:
		f.Whole = p.measured(VariantOn)
		f.Change = f.Whole
		if f.By != p.metric {
			f.Exact = k.exact(f.By)
		}
		return f
	case KnobFinal:
		f.Place = ""
		f.Rest = p.estimate(p.series(VariantOn).Minus(p.series(VariantSome), 1))
		f.Exact = k.final()
	}
	f.Change, f.Whole = p.measured(VariantSome), p.measured(VariantOn)
	return f
}

// final returns the exact changes of the ends, with the counts of the found places alone.
func (k *KnobRule) final() (out []ExactChange) {
	if k.ask.Ends == nil || !assay.IsCount(k.ask.Ends.By) {
		return nil
	}
	for _, e := range k.ask.Ends.Exact {
		if some := k.values[countKey{k.ask.Ends.By, e.Benchmark, VariantSome}]; len(some) > 0 {
			e.Some = &some[0]
		}
		out = append(out, e)
	}
	return out
}
