package analysis

import (
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
)

// A chain of steps: each is compared with the one before it, in the blocks that
// hold both. A block has the base, so that what two steps are to each other is
// the difference of what each is to the base of that very block; the base
// cancels out of it.

// A link of the chain is a step and what it is compared with.
type link struct {
	step, previous string
	// now and before are the variants whose figures stand for them, see measured.
	now, before string
	// gap is a step without figures.
	gap bool
}

// same reports whether both ends are the same code.
func (l link) same() bool { return !l.gap && l.now == l.before }

// chainOf lists the links of a plan's steps: a step after a gap is compared with
// the last one before it.
func chainOf(p *assay.Plan) (chain []link) {
	if p.Study.Steps == nil {
		return nil
	}
	previous := p.Study.Base
	for _, s := range p.Study.Steps.List {
		l := link{step: s.Variant, previous: previous, now: measured(p, s.Variant), before: measured(p, previous)}
		_, planned := p.Variant(l.now)
		l.gap = !planned || gapOf(p, s.Variant) != nil
		if !l.gap {
			previous = s.Variant
		}
		chain = append(chain, l)
	}
	return chain
}

// gapOf is what is known of a step that could not be measured; nil of others.
func gapOf(p *assay.Plan, variant string) *assay.Gap {
	for _, g := range p.Gaps {
		if g.Variant == variant {
			return &g
		}
	}
	return nil
}

// A chain holds the samples of the steps of a study, each against the one before it.
type chain struct {
	set    *Set
	links  []link
	pairs  map[stepKey]*stepSample
	wholes memo[string, []*sample] // by metric, in the order of links
}

// steps are the links that have figures.
func (chain *chain) steps() []link {
	return slices.DeleteFunc(slices.Clone(chain.links), func(l link) bool { return l.gap })
}

// A stepSample is a step against the previous one. It is kept from block to
// block, because a cell that leaves the schedule keeps the e-value with which it
// left.
type stepSample struct {
	sample
	now, before int // how many blocks of each side were looked at
}

type stepKey struct {
	metric, step string
	b            *benchmark
}

// stepCell is a link on one benchmark; nil where one side has no figures at all.
func (chain *chain) stepCell(b *benchmark, metric string, l link) *sample {
	now, ok := chain.side(b, metric, l.now)
	before, ok2 := chain.side(b, metric, l.before)
	if !ok || !ok2 || l.gap || l.same() {
		return nil
	}
	key := stepKey{metric, l.step, b}
	s := chain.pairs[key]
	if s == nil {
		s = &stepSample{sample: sample{e: 1}}
		chain.pairs[key] = s
	}
	s.extend(now, before)
	for _, x := range []*sample{now, before} {
		if x == nil {
			continue
		}
		s.varied = s.varied || x.varied
		if x.step > 0 && (s.step == 0 || x.step < s.step) {
			s.step = x.step
		}
	}
	return &s.sample
}

// side is one side of a comparison of steps: its sample against the base, nil of
// the base itself. ok is false where it has no figures.
func (chain *chain) side(b *benchmark, metric, variant string) (s *sample, ok bool) {
	switch {
	case b.lacks(variant) || chain.set.isSaturated(b, metric, variant):
		return nil, false
	case variant == chain.set.plan.Study.Base:
		return nil, true
	}
	s = b.samples[metric][variant]
	return s, s != nil
}

// extend goes on with the blocks that both sides have. A nil side is the base.
func (s *stepSample) extend(now, before *sample) {
	switch {
	case now == nil:
		for ; s.before < len(before.blocks); s.before++ {
			s.join(before.blocks[s.before], before.value[s.before], before.base[s.before], nil)
		}
		return
	case before == nil:
		for ; s.now < len(now.blocks); s.now++ {
			s.join(now.blocks[s.now], now.base[s.now], now.value[s.now], now.again)
		}
		return
	}
	for s.now < len(now.blocks) && s.before < len(before.blocks) {
		switch x, y := now.blocks[s.now], before.blocks[s.before]; {
		case x < y:
			s.now++
		case y < x:
			s.before++
		default:
			s.join(x, before.value[s.before], now.value[s.now], nil)
			s.now++
			s.before++
		}
	}
}

// join takes one block. The control is the base once more, so that it stands beside a
// step only where the base is the previous one.
func (s *stepSample) join(block int, before, now float64, control []float64) {
	var beside []float64
	if control != nil && !math.IsNaN(control[s.now]) {
		beside = control[s.now : s.now+1]
	}
	s.add(block, []float64{before}, []float64{now}, beside)
}

// stepWhole is a link on the suite's geomean, or on its only benchmark; nil where
// there is no such thing.
func (chain *chain) stepWhole(metric string, l link) *sample {
	if l.gap || l.same() {
		return nil
	}
	now, before := chain.set.whole(metric, l.now), chain.set.whole(metric, l.before)
	base := chain.set.plan.Study.Base
	if now == nil && l.now != base || before == nil && l.before != base || now != nil && now.zero || before != nil && before.zero {
		return nil
	}
	s := &stepSample{sample: sample{e: 1}}
	s.extend(now, before)
	if len(s.d) == 0 {
		return &s.sample
	}
	floor := 0.0
	for _, x := range []*sample{now, before} {
		if x != nil {
			floor = max(floor, x.floor())
			s.varied = s.varied || x.varied
		}
	}
	s.step = 1
	s.step = floor / s.floor()
	s.e = s.evalue(0)
	return &s.sample
}

// stepWholes are the links on the whole suite, nil for those without, kept until
// the next trials come.
func (chain *chain) stepWholes(metric string) []*sample {
	return chain.wholes.get(chain.set.trials, metric, func() (out []*sample) {
		for _, l := range chain.links {
			out = append(out, chain.stepWhole(metric, l))
		}
		return out
	})
}
