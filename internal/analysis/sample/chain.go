package sample

import (
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/memo"
)

// Each step of a chain is compared with the one before it, in the blocks with both. Every
// block has the base, so the difference of two steps is the difference of their changes
// against the base of that block, which cancels out.

// A Link of the chain is a step and the step before it.
type Link struct {
	// Step and Previous are variants of the study.
	Step, Previous string
	// Now and Before are the variants that stand for the two, see Measured.
	Now, Before string
	// Gap is true for a step without figures.
	Gap bool
}

// Same reports whether both ends are the same code.
func (l Link) Same() bool { return !l.Gap && l.Now == l.Before }

// chainOf lists the links of a plan's steps. A step after a gap is compared with the last
// one before it.
func chainOf(p *assay.Plan) (chain []Link) {
	if p.Study.Steps == nil {
		return nil
	}
	previous := p.Study.Base
	for _, s := range p.Study.Steps.List {
		l := Link{Step: s.Variant, Previous: previous, Now: Measured(p, s.Variant), Before: Measured(p, previous)}
		_, planned := p.Variant(l.Now)
		l.Gap = !planned || GapOf(p, s.Variant) != nil
		if !l.Gap {
			previous = s.Variant
		}
		chain = append(chain, l)
	}
	return chain
}

// GapOf returns the gap of a step that could not be measured; nil for others.
func GapOf(p *assay.Plan, variant string) *assay.Gap {
	for _, g := range p.Gaps {
		if g.Variant == variant {
			return &g
		}
	}
	return nil
}

// A Chain holds the samples of the steps of a study, each against the one before it.
type Chain struct {
	set    *Set
	Links  []Link
	pairs  map[stepKey]*stepSample
	wholes memo.Epoch[string, []*Sample] // by metric, in the order of links
}

// Steps returns the links with figures.
func (chain *Chain) Steps() []Link {
	return slices.DeleteFunc(slices.Clone(chain.Links), func(l Link) bool { return l.Gap })
}

// A stepSample is a step against the previous one. It stays from block to block, since a
// cell that leaves the schedule keeps its e-value.
type stepSample struct {
	Sample
	now, before int // how many blocks of each side were looked at
}

type stepKey struct {
	metric, step string
	b            *Benchmark
}

// Cell returns a link on one benchmark; nil if one side has no figures at all.
func (chain *Chain) Cell(b *Benchmark, metric string, l Link) *Sample {
	now, ok := chain.side(b, metric, l.Now)
	before, ok2 := chain.side(b, metric, l.Before)
	if !ok || !ok2 || l.Gap || l.Same() {
		return nil
	}
	key := stepKey{metric, l.Step, b}
	s := chain.pairs[key]
	if s == nil {
		s = &stepSample{Sample: Sample{E: 1, looks: chain.set.looks, precision: precisionOf(metric, b.isGoTest())}}
		chain.pairs[key] = s
	}
	s.extend(now, before)
	for _, x := range []*Sample{now, before} {
		if x == nil {
			continue
		}
		s.Varied = s.Varied || x.Varied
		if x.step > 0 && (s.step == 0 || x.step < s.step) {
			s.step = x.step
		}
	}
	return &s.Sample
}

// side returns one side of a comparison of steps: its sample against the base, nil for
// the base itself. ok is false if it has no figures.
func (chain *Chain) side(b *Benchmark, metric, variant string) (s *Sample, ok bool) {
	switch {
	case b.Lacks(variant) || b.Saturated(metric, variant) != "":
		return nil, false
	case variant == chain.set.Plan.Study.Base:
		return nil, true
	}
	s = b.Samples[metric][variant]
	return s, s != nil
}

// extend adds the new blocks that both sides have. A nil side is the base, whose values
// stand beside those of the other.
func (s *stepSample) extend(now, before *Sample) {
	var values, previous, control []float64
	switch {
	case now == nil:
		now, values, previous = before, before.Base, before.Value
	case before == nil:
		// The control is a second base, so it runs beside a step only if the base is the
		// previous one.
		before, values, previous, control = now, now.Value, now.Base, now.again
	default:
		values, previous = now.Value, before.Value
	}
	for s.now < len(now.Blocks) && s.before < len(before.Blocks) {
		switch x, y := now.Blocks[s.now], before.Blocks[s.before]; {
		case x < y:
			s.now++
		case y < x:
			s.before++
		default:
			var beside []float64
			if control != nil && !math.IsNaN(control[s.now]) {
				beside = control[s.now : s.now+1]
			}
			s.Add(x, previous[s.before:s.before+1], values[s.now:s.now+1], beside)
			s.now++
			s.before++
		}
	}
}

// Whole returns a link on the suite's geomean, or on its only benchmark; nil if there is
// neither.
func (chain *Chain) Whole(metric string, l Link) *Sample {
	if l.Gap || l.Same() {
		return nil
	}
	suite := chain.set.Suite(metric)
	now, before := suite.Sample(l.Now), suite.Sample(l.Before)
	base := chain.set.Plan.Study.Base
	if now == nil && l.Now != base || before == nil && l.Before != base || now != nil && now.Zero || before != nil && before.Zero {
		return nil
	}
	s := &stepSample{Sample: Sample{E: 1, looks: chain.set.looks, precision: precision{counted: assay.IsCount(metric)}}}
	s.extend(now, before)
	if len(s.D) == 0 {
		return &s.Sample
	}
	floor := 0.0
	for _, x := range []*Sample{now, before} {
		if x != nil {
			floor = max(floor, x.Floor())
			s.Varied = s.Varied || x.Varied
			s.blur = max(s.blur, x.roundingWidth())
		}
	}
	s.step = 1
	s.step = floor / s.Floor()
	s.E = s.EValue(0)
	return &s.Sample
}

// Wholes returns the links on the whole suite, nil for those without. It keeps them until
// the next trials come, or the run ends.
func (chain *Chain) Wholes(metric string) []*Sample {
	return chain.wholes.Get(chain.set.Epoch(), metric, func() (out []*Sample) {
		for _, l := range chain.Links {
			out = append(out, chain.Whole(metric, l))
		}
		return out
	})
}

// Missing lists the benchmarks that the base has and the step lacks.
func (chain *Chain) Missing(l Link) (out []assay.Benchmark) {
	for _, b := range chain.set.Benchmarks {
		if !l.Gap && !b.Lacks(chain.set.Plan.Study.Base) && (b.Lacks(l.Step) || b.Lacks(l.Now)) {
			out = append(out, b.Plan.Benchmark)
		}
	}
	return out
}
