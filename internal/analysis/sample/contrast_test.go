package sample

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
)

// crossed is a plan that crosses factors of the levels off and on, off being the base.
// A variant is named by its levels: "on/off".
func crossed(t *testing.T, factors ...string) *assay.Plan {
	t.Helper()
	s := assay.Study{Workloads: []assay.Workload{{Kind: assay.KindGoTest}}}
	for _, f := range factors {
		s.Factors = append(s.Factors, assay.Factor{Name: f, Levels: []assay.Level{{Name: "off"}, {Name: "on", Setting: assay.Variant{Tags: []string{f}}}}})
	}
	s.SetDefaults()
	if err := design.Cross(&s); err != nil {
		t.Fatal(err)
	}
	p := planOf([]string{"X"}, s.Variants[0].Name)
	p.Variants, p.Study.Variants, p.Study.Factors, p.Study.Base = s.Variants, s.Variants, s.Factors, s.Base
	return p
}

// additive is a block in which the levels that are on add to the logarithm of the time,
// and pairs of them, named "a b", add more.
func additive(p *assay.Plan, adds map[string]float64) row {
	out := row{}
	for _, v := range p.Variants {
		ln := 0.0
		for name, x := range adds {
			on := true
			for f := range strings.FieldsSeq(name) {
				on = on && v.Levels[f] == "on"
			}
			if on {
				ln += x
			}
		}
		out[v.Name] = 3 * math.Exp(ln)
	}
	return out
}

// titles are the names of effects with their values in the first block.
func titles(set *Set, effects []Effect) string {
	var out []string
	for _, e := range effects {
		s := set.Benchmarks[0].Contrast(assay.MetricTime, e.Contrast)
		text := "none"
		if len(s.D) > 0 {
			text = fmt.Sprintf("%+.4f", s.D[0])
		}
		out = append(out, e.Title()+" = "+text)
	}
	return strings.Join(out, "\n")
}

// The effect of a switch is the mean over the settings of the others, so that half of an
// interaction is in it. An interaction is what two do beyond what each does alone.
func TestEffectsOfFactors(t *testing.T) {
	p := crossed(t, "gc", "go")
	set := filled(p, additive(p, map[string]float64{"gc": 0.1, "go": -0.2, "gc go": 0.05}))
	const want = "gc: off to on = +0.1250\ngo: off to on = -0.1750\ngc: off to on × go: off to on = +0.0500"
	if got := titles(set, Effects(p)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for i, e := range Effects(p) {
		if e.Interaction() != (i == 2) {
			t.Errorf("%s: an interaction is %v", e.Title(), e.Interaction())
		}
	}
	p = crossed(t, "gc", "go", "pgo")
	set = filled(p, additive(p, map[string]float64{"gc": 0.1, "go": -0.2, "pgo": 0.4, "go pgo": 0.08}))
	if got, want := strings.Count(titles(set, Effects(p)), "\n"), 5; got != want {
		t.Errorf("got %d effects of three factors, want three and three pairs", got+1)
	}
	if got := titles(set, Effects(p)[1:]); !strings.HasPrefix(got, "go: off to on = -0.1600\npgo: off to on = +0.4400\n") ||
		!strings.HasSuffix(got, "go: off to on × pgo: off to on = +0.0800") {
		t.Errorf("got\n%s", got)
	}
}

// Where a switch changes the code only together with another, the pairs of the same code
// count as no effect; a switch that never changes it is exactly 0.
func TestEffectsOfTheSameCode(t *testing.T) {
	p := crossed(t, "gc", "go")
	name := func(gc, goes string) string {
		for _, v := range p.Study.Variants {
			if v.Levels["gc"] == gc && v.Levels["go"] == goes {
				return v.Name
			}
		}
		return ""
	}
	p.Same = []assay.SameCode{{Variant: name("on", "off"), As: name("off", "off")}}
	set := filled(p, additive(p, map[string]float64{"go": -0.2, "gc go": 0.08}))
	const want = "gc: off to on = +0.0400\ngo: off to on = -0.1600\ngc: off to on × go: off to on = +0.0800"
	if got := titles(set, Effects(p)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	p.Same = append(p.Same, assay.SameCode{Variant: name("on", "on"), As: name("off", "on")})
	effects := Effects(p)
	if len(effects) != 2 || !effects[0].Contrast.Null() || effects[1].Contrast.Null() {
		t.Errorf("got %d effects, gc is nothing: %v, want gc to be, and no interaction", len(effects), effects[0].Contrast.Null())
	}
}

// One variant against another is the difference of both against the base of their block. A
// block needs both, and the other way around the control has the other sign.
func TestContrastOfTwoVariants(t *testing.T) {
	p := planOf([]string{"X"}, "a", "b", "c", assay.ControlName)
	set := filled(p, row{"a": 10, "b": 20, "c": 80, assay.ControlName: 30}, row{"a": 10, "b": 20}, row{"a": 7, "b": 70, "c": 35, assay.ControlName: 7})
	x := set.Benchmarks[0]
	s := x.Contrast(assay.MetricTime, Against(p, "c", "b"))
	expect(t, "c against b", s.D, lns(4, 0.5)...)
	if fmt.Sprint(s.Blocks) != "[1 3]" || s.Control != nil {
		t.Errorf("got blocks %v with the control %v, want [1 3] without", s.Blocks, s.Control)
	}
	s = x.Contrast(assay.MetricTime, Against(p, "b", "a"))
	expect(t, "b against a", s.D, lns(2, 2, 10)...)
	expect(t, "its control", s.Control, math.Log(3), math.NaN(), 0)
	s = x.Contrast(assay.MetricTime, Against(p, "a", "c"))
	expect(t, "a against c", s.D, lns(1./8, 1./5)...)
	expect(t, "its control", s.Control, -math.Log(3), 0)
	expect(t, "its values", s.Value, 1./8, 1./5)
	if s := x.Contrast(assay.MetricTime, Against(p, "b", "d")); len(s.D) != 0 {
		t.Errorf("got %v against a variant that does not exist", s.D)
	}
	suite := set.Suite(assay.MetricTime).Contrast(Against(p, "c", "b"))
	expect(t, "on the whole", suite.D, lns(4, 0.5)...)
}

// A value without a logarithm leaves no contrast.
func TestContrastWithZero(t *testing.T) {
	p := planOf([]string{"X"}, "a", "b", "c")
	set := filled(p, row{"a": 10, "b": 20, "c": 0})
	if s := set.Benchmarks[0].Contrast(assay.MetricTime, Against(p, "c", "b")); s != nil {
		t.Errorf("got %v of a zero", s.D)
	}
}

// If blocks hold only some variants, the values of several blocks make one as soon as each
// has had its turn; a variant with two turns counts with its first.
func TestGather(t *testing.T) {
	none := math.NaN()
	known := map[string][]float64{
		"b": {none, 1, none, 3, 4, none, 6},
		"c": {none, none, 20, none, 40, 50, none},
		"d": {none, none, none, 300, 400, none, none},
	}
	gather(known)
	expect(t, "b", known["b"], none, none, none, 1, 4, none, none)
	expect(t, "c", known["c"], none, none, none, 20, 40, none, none)
	expect(t, "d", known["d"], none, none, none, 300, 400, none, none)
}

// Same code stands for same code over several links.
func TestMeasured(t *testing.T) {
	p := &assay.Plan{Same: []assay.SameCode{{Variant: "c", As: "b"}, {Variant: "d", As: "c"}}}
	for name, want := range map[string]string{"a": "a", "b": "b", "c": "b", "d": "b"} {
		if got := Measured(p, name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	if !Against(p, "d", "b").Null() || Against(p, "d", "a").Null() {
		t.Error("d is to be no different from b, and different from a")
	}
}
