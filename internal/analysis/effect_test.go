package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
)

// factorStudy crosses three factors of two levels, the base being the first of
// each, over the benchmarks.
func factorStudy(t *testing.T) *assay.Study {
	t.Helper()
	s := &assay.Study{Name: "factors", Workloads: []assay.Workload{{Kind: assay.KindGoTest}}}
	for _, f := range []string{"gc", "slices", "malloc"} {
		s.Factors = append(s.Factors, assay.Factor{Name: f, Levels: []assay.Level{
			{Name: f + "-on"}, {Name: f + "-off", Setting: assay.Variant{Tags: []string{f}}}}})
	}
	s.SetDefaults()
	if err := design.Cross(s); err != nil {
		t.Fatal(err)
	}
	return s
}

// factorWorld is a world of sec/op with 1 % noise in which the truth adds up
// per level, and the pair of gc-off and malloc-off takes both more.
func factorWorld(seed uint64, s *assay.Study, truth map[string]float64, both float64, benchmarks ...string) *world {
	var names []string
	for _, v := range s.Variants {
		names = append(names, v.Name)
	}
	w := newWorld(benchmarks, append(names, assay.ControlName)...)
	w.plan.Study.Variants, w.plan.Study.Factors, w.plan.Study.Base = s.Variants, s.Factors, s.Base
	w.plan.Seed = seed
	r := rand.New(rand.NewPCG(seed, 1))
	w.f = func(v, _ string, _ int) map[string]float64 {
		ln := 0.01 * r.NormFloat64()
		for l, x := range truth {
			if strings.Contains(v, l) {
				ln += x
			}
		}
		if strings.Contains(v, "gc-off") && strings.Contains(v, "malloc-off") {
			ln += both
		}
		return map[string]float64{assay.MetricTime: 1e-3 * math.Exp(ln)}
	}
	return w
}

func factorEffectNames(effects []assay.Effect) map[string]assay.Effect {
	out := map[string]assay.Effect{}
	for _, e := range effects {
		var to []string
		for _, s := range e.Switches {
			to = append(to, s.To)
		}
		out[strings.Join(to, "*")] = e
	}
	return out
}

// Main effects are means over the other factors, so that half of the
// interaction of gc and malloc is in both.
var factorTruth = map[string]float64{
	"gc-off": 0.05 + 0.02, "slices-off": -0.03, "malloc-off": 0.02,
	"gc-off*slices-off": 0, "gc-off*malloc-off": 0.04, "slices-off*malloc-off": 0,
}

func TestFactorialEffectsAreFound(t *testing.T) {
	missed, held := 0, 0
	for seed := range uint64(12) {
		w := factorWorld(seed, factorStudy(t), map[string]float64{"gc-off": 0.05, "slices-off": -0.03}, 0.04, "A", "B", "C", "D")
		tr := NewTracker(w.plan, w.plan.Study.Decide.Budget)
		stop := w.run(tr)
		effects := factorEffectNames(tr.Result(assay.Platform{}, stop).Tables[0].Effects)
		if stop != "decided" || len(effects) != len(factorTruth) {
			t.Fatalf("stopped by %q with %d effects, want decided and %d", stop, len(effects), len(factorTruth))
		}
		for name, truth := range factorTruth {
			e := effects[name]
			for _, c := range append(e.Cells, e.Whole) {
				if c.Interval == nil {
					continue
				}
				held++
				if !c.Interval.Covers(assay.ChangeOfLog(truth)) {
					missed++
				}
			}
			if len(e.Cells) != 4 {
				t.Errorf("%s has %d cells, want 4", name, len(e.Cells))
			}
			if want := factorVerdict(truth); len(e.Switches) == 1 && e.Whole.Verdict != want {
				t.Errorf("seed %d: %s is %s, want %s", seed, name, e.Whole.Verdict, want)
			}
		}
		if v := effects["gc-off*malloc-off"].Whole.Verdict; v != assay.More {
			t.Errorf("seed %d: the interaction is %s, want more", seed, v)
		}
	}
	if held < 300 || missed > held/50 {
		t.Errorf("%d of %d intervals miss the truth, want 1 %%", missed, held)
	}
}

func factorVerdict(truth float64) assay.Verdict {
	switch {
	case truth > 0:
		return assay.Slower
	case truth < 0:
		return assay.Faster
	}
	return assay.Same
}

// With nothing to be found, hardly a run may claim an effect: e-BH allows one
// run in twenty any, the engine less. Nor where blocks hold a choice of the
// variants, and a tenth of the trials is a spike.
func TestNullFactorialClaimsNothing(t *testing.T) {
	const runs = 60
	for _, together := range []int{0, 6} {
		wrong, wrongCells, seen := 0, 0, 0
		for seed := range uint64(runs) {
			w := factorWorld(1000+seed, factorStudy(t), nil, 0, "A", "B", "C")
			w.plan.Together = together
			w.spike(seed)
			effects := w.effectsAfter(20 + 4*together)
			wrong += btoi(slices.ContainsFunc(effects, func(e assay.Effect) bool { return e.Whole.Verdict.Differs() }))
			wrongCells += btoi(slices.ContainsFunc(effects, func(e assay.Effect) bool {
				return slices.ContainsFunc(e.Cells, func(c assay.Comparison) bool { return c.Verdict.Differs() })
			}))
			seen += effects[0].Whole.N
		}
		if wrong > 6 || wrongCells > 6 || seen < 20*runs { // at 5 % each, seven of 60 have probability .03
			t.Errorf("%d together: of %d runs without any effect %d claim one on the suite, %d on a benchmark, from %d data", together, runs, wrong, wrongCells, seen)
		}
	}
}

// spike slows a tenth of the trials by 5 to 15 sd.
func (w *world) spike(seed uint64) {
	f, r := w.f, rand.New(rand.NewPCG(seed, 2))
	w.f = func(v, b string, block int) map[string]float64 {
		m := f(v, b, block)
		if r.IntN(10) == 0 {
			m[assay.MetricTime] *= 1.05 + 0.1*r.Float64()
		}
		return m
	}
}

// effectsAfter are the effects after so many blocks of everything.
func (w *world) effectsAfter(blocks int) []assay.Effect {
	tr := NewTracker(w.plan, 0) // nothing to buy: prices take most of the time
	for range blocks {
		tr.Add(w.next(tr.Turns()))
	}
	return tr.Result(assay.Platform{}, "").Tables[0].Effects
}

// A switch that changes no code has no effect, and no interaction; one that
// changes the code in half of the variants has half an effect.
func TestSameCodeIsAnExactZero(t *testing.T) {
	s := factorStudy(t)
	w := factorWorld(4, s, map[string]float64{"gc-off": 0.08}, 0, "A")
	for _, v := range s.Variants { // malloc does nothing; gc does nothing where slices are off
		as := strings.ReplaceAll(v.Name, "malloc-off", "malloc-on")
		if strings.Contains(v.Name, "slices-off") {
			as = strings.ReplaceAll(as, "gc-off", "gc-on")
		}
		if as != v.Name {
			w.plan.Same = append(w.plan.Same, assay.SameCode{Variant: v.Name, As: as})
			w.plan.Variants = slices.DeleteFunc(w.plan.Variants, func(x assay.Variant) bool { return x.Name == v.Name })
		}
	}
	tr := NewTracker(w.plan, w.plan.Study.Decide.Budget)
	effects := factorEffectNames(tr.Result(assay.Platform{}, w.run(tr)).Tables[0].Effects)
	if e := effects["malloc-off"]; e.Whole.Verdict != assay.SameCoded || e.Whole.Reason == "" {
		t.Errorf("malloc is %+v, want same code with the reason", e.Whole)
	}
	if _, ok := effects["gc-off*malloc-off"]; ok {
		t.Error("a switch that does nothing has an interaction")
	}
	if c := effects["gc-off"].Whole; c.Verdict != assay.Slower || !c.Interval.Covers(assay.ChangeOfLog(0.04)) || c.Interval.Covers(assay.ChangeOfLog(0.08)) {
		t.Errorf("gc is %s %v, want slower by half of 8 %%", c.Verdict, c.Interval)
	}
	if len(effects) != 4 {
		t.Errorf("%d effects, want three and one interaction: %v", len(effects), effects)
	}
}

// A block that holds a choice of the variants tells main effects all the same.
func TestEffectsOfSubsets(t *testing.T) {
	w := factorWorld(5, factorStudy(t), map[string]float64{"gc-off": 0.05, "slices-off": -0.03}, 0, "A", "B")
	w.plan.Together = 6
	tr := NewTracker(w.plan, w.plan.Study.Decide.Budget)
	stop := w.run(tr)
	effects := factorEffectNames(tr.Result(assay.Platform{}, stop).Tables[0].Effects)
	for name, truth := range map[string]float64{"gc-off": 0.05, "slices-off": -0.03, "malloc-off": 0} {
		if c := effects[name].Whole; c.Verdict != factorVerdict(truth) || !c.Interval.Covers(assay.ChangeOfLog(truth)) {
			t.Errorf("%s is %s %v, want %g", name, c.Verdict, c.Interval, truth)
		}
	}
	if stop != "decided" {
		t.Errorf("stopped by %q", stop)
	}
}

func TestListedSwitchIsJudged(t *testing.T) {
	effects := map[string]float64{"new": 0.10, "new-x": 0.05}
	w := noisyWorld(6, []string{"A", "B"}, effects, "old", "new", "new-x", assay.ControlName)
	w.plan.Study.Variants[1].Go, w.plan.Study.Variants[2].Go = "go1.26.8", "go1.26.8"
	w.plan.Study.Variants[2].Tags = []string{"x"}
	tr := NewTracker(w.plan, w.plan.Study.Decide.Budget)
	r := tr.Result(assay.Platform{}, w.run(tr))
	if len(r.Tables[0].Effects) != 1 {
		t.Fatalf("effects %+v, want one", r.Tables[0].Effects)
	}
	e := r.Tables[0].Effects[0]
	if e.Held != "new" || e.Whole.Verdict != assay.Faster || !e.Whole.Interval.Covers(assay.ChangeOfLog(-0.05)) || len(e.Cells) != 2 {
		t.Errorf("got %+v, want x 5 %% faster, others as in new", e)
	}
}
