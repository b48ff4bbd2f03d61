package sample

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
)

// reused simulates identical code whose blocks use links again: links and blocks scatter
// by these standard deviations. It reports whether the interval missed 0 after any block
// from the first verdict on, and its half-width after the last.
func reused(rnd *rand.Rand, p *assay.Plan, link, noise float64, blocks int) (missed bool, half float64) {
	var s, c Sample
	own := map[uint64]float64{}
	value := func(variant string, block int) (float64, uint64) {
		layout := design.Layout(p, variant, block)
		if _, ok := own[layout]; !ok {
			own[layout] = link * rnd.NormFloat64()
		}
		return math.Exp(own[layout] + noise*rnd.NormFloat64()), layout
	}
	for block := 1; block <= blocks; block++ {
		base, _ := value("old", block)
		v, vLink := value("new", block)
		again, cLink := value(assay.ControlName, block)
		s.Add(block, []float64{base}, []float64{v}, nil)
		c.Add(block, []float64{base}, []float64{again}, nil)
		c.linkedBy(p.Study.Decide.Alpha(), &c, cLink)
		s.linkedBy(p.Study.Decide.Alpha(), &c, vLink)
		if block >= 10 {
			lo, hi, ok := s.Interval(1 / p.Study.Decide.Alpha())
			missed = missed || ok && (lo > 0 || hi < 0)
			half = (hi - lo) / 2
		}
	}
	return missed, half
}

// The interval of few links covers the truth over all layouts at every look: 10 links of 1
// % scatter, of which three exist at the first verdict, would be differences for the
// engine alone.
func TestReusedLinks(t *testing.T) {
	p := &assay.Plan{Relink: 4, Seed: 1, Variants: []assay.Variant{{Name: "old"}, {Name: "new"}, {Name: assay.ControlName, Control: true}},
		Study: assay.Study{Base: "old", Variants: []assay.Variant{{Name: "old"}, {Name: "new"}}, Decide: assay.Decide{Confidence: 0.99}}}
	for _, test := range []struct{ link, noise, widest float64 }{
		{0, 0.01, 0.013},
		{0.01, 0.01, 0.03},
		{0.01, 0.003, 0.025},
	} {
		rnd := rand.New(rand.NewPCG(7, 7))
		missed, width := 0, 0.0
		const runs = 150
		for run := range runs {
			p.Seed = uint64(run + 1)
			m, half := reused(rnd, p, test.link, test.noise, 40)
			if m {
				missed++
			}
			width += half / runs
		}
		rate := float64(missed) / runs
		t.Logf("links %.3f, noise %.3f: missed %.1f %%, half-width %.2f %%", test.link, test.noise, 100*rate, 100*width)
		if rate > 0.03 || width > test.widest {
			t.Errorf("links scatter by %.3f, blocks by %.3f: missed %.3f, mean half-width %.4f; want at most 0.03 and %.4f", test.link, test.noise, rate, width, test.widest)
		}
	}
}
