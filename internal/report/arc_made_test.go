package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
)

// arcSteps are the steps of case 004 with what each does to the time, as ln, and to
// the allocations, in ten thousandths; some are of trouble.
var arcSteps = []struct {
	name, phase, aside string
	time               float64
	allocs             float64
	story              string
}{
	{"new scanner", "A", "", -0.050, 0, "Reads the text once, without copying."},
	{"parser skeleton", "A", "", 0.002, 0, ""},
	{"decoder, un-tuned", "A", "intended spike", 0.950, 0.476, ""},
	{"encoder, un-tuned", "A", "intended spike", 0.100, 0.039, ""},
	{"pool buffers", "A", "", -0.430, -0.35, ""},
	{"cache type info", "A", "", -0.290, -0.12, ""},
	{"avoid reflect.New", "A", "", -0.200, -0.16, ""},
	{"ASCII fast path", "A", "", -0.060, 0, ""},
	{"integer fast path", "A", "", -0.031, 0, ""},
	{"intern short keys", "A", "", -0.110, -0.22, ""},
	{"one-pass strings", "A", "", -0.160, -0.05, ""},
	{"lazy positions", "A", "", -0.023, 0, ""},
	{"decode into map", "B", "", -0.140, -0.128, ""},
	{"field index", "B", "", -0.055, 0, ""},
	{"grow slices once", "B", "", -0.012, -0.101, ""},
	{"skip comments", "B", "", -0.040, 0, ""},
	{"date fast path", "B", "", 0, 0, ""},
	{"float fast path", "B", "", -0.150, 0, ""},
	{"cheap key check for duplicates in inline tables, too", "B", "", 0.002, 0, ""},
	{"final tidy", "B", "", -0.015, -0.021, ""},
}

var arcBenches = []string{"Unmarshal/config", "Unmarshal/canada", "Unmarshal/citm_catalog", "Unmarshal/twitter", "Unmarshal/code",
	"Unmarshal/example", "Unmarshal/Simple/struct", "Unmarshal/ReferenceFile/map", "Marshal/Simple/struct", "Marshal/HugoFrontMatter"}

// The steps of trouble: the skeleton does not build, the index lacks two benchmarks,
// dates are the same code as comments, and the last eight fail old tests.
const (
	arcGap     = 2
	arcMissing = 14
	arcSame    = 17
	arcFails   = 13
)

// arcOn is case 004 on a machine that knows its changes to half.
func arcOn(half float64) *assay.Result {
	allocs := assay.Metric{Name: assay.MetricAllocs, Better: assay.BetterLower, MinEffect: 0.01}
	tables := []assay.Table{{Metric: timeMetric, Decides: true}, {Metric: allocs, Decides: true}}
	r := &assay.Arc{Phases: []assay.Phase{{ID: "A", Name: "rewrite from scratch"}, {ID: "B", Name: "faster decoding"}},
		Gates: assay.Gates{API: assay.GateSame, Tests: assay.GatePass, Unsafe: assay.GateNone}}
	for i := range tables {
		for _, b := range arcBenches {
			tables[i].Rows = append(tables[i].Rows, assay.Row{Benchmark: assay.Benchmark{Name: b}, Base: []float64{21.8e-3, 5120}[i]})
		}
		tables[i].Common = len(arcBenches) - 2
	}
	variants, before := []string{"v2"}, "v2"
	var sums, last [2]float64
	for i, s := range arcSteps {
		n := i + 1
		variants = append(variants, s.name)
		step := assay.StepResult{Step: assay.Step{Variant: s.name, Phase: s.phase, Aside: s.aside, Story: s.story}, Number: n, Previous: before,
			Commit: fmt.Sprintf("%02da1b2c3d4e5f6a7b8c9", n)}
		sums[0], sums[1] = sums[0]+s.time, sums[1]+s.allocs
		if n == arcGap {
			step.Gap = &assay.Gap{Variant: s.name, Reason: "parser.go:41: undefined: newTree", Facts: []string{"./parser.go:41:9: undefined: newTree"}}
			tables[0].Steps = append(tables[0].Steps, assay.StepChange{Variant: s.name, Previous: before})
			r.Steps = append(r.Steps, step)
			continue
		}
		for j := range tables {
			addStep(&tables[j], step, sums[j], sums[j]-last[j], []float64{half, 0}[j])
		}
		arcTrouble(&step)
		if c := tables[0].Steps[len(tables[0].Steps)-1]; n == 13 {
			step.Movers = c.Cells[:3]
		}
		before, last = s.name, sums
		r.Steps = append(r.Steps, step)
	}
	res := resultOf("toml-arc", variants, tables...)
	for i := range res.Variants {
		res.Variants[i].GoVersion = "go1.26.4"
		if i == arcSame {
			res.Variants[i].SameAs = &assay.SameCode{Variant: arcSteps[16].name, As: arcSteps[15].name, Functions: 4021}
		}
	}
	res.Question = "What did each of the 20 optimizations do to go-toml?"
	res.Run, res.Arc = "7k2m", r
	res.Noise.Floor = assay.Change(half * 1.2)
	res.Answer.Verdict, res.Answer.Use = assay.Faster, "final tidy"
	res.Answer.Text = []string{"step 20, final tidy, is 2.1× as fast as v2: −51.3 % time; all 10 benchmarks faster", "slower: step 3, decoder, un-tuned"}
	return res
}

// addStep adds a step to a table: its cells against the base and the previous step.
func addStep(t *assay.Table, s assay.StepResult, sum, step, half float64) {
	exact := half == 0
	at := func(b string, ln, half float64) assay.Comparison {
		c := compared(t.Metric, s.Variant, b, 1, math.Exp(ln), half)
		c.Change, c.Exact = assay.ChangeOfLog(ln), exact
		if exact {
			c.Interval, c.MayBeSmall, c.Reason, c.MoreBlocks = nil, false, "", 0
			c.Verdict = assay.Same
			if ln != 0 {
				c.Verdict = assay.Differing(t.Metric, ln)
			}
		}
		return c
	}
	same := s.Number == arcSame
	blank := func(c assay.Comparison) assay.Comparison {
		if same {
			return assay.Comparison{Variant: c.Variant, Benchmark: c.Benchmark, Verdict: assay.SameCoded}
		}
		return c
	}
	whole := blank(at("", step, half))
	change := assay.StepChange{Variant: s.Variant, Previous: s.Previous, Whole: &whole}
	for i := range t.Rows {
		b := t.Rows[i].Benchmark.Name
		if s.Number == arcMissing && i >= len(t.Rows)-2 {
			t.Rows[i].Cells = append(t.Rows[i].Cells, assay.Comparison{Variant: s.Variant, Benchmark: t.Rows[i].Benchmark, Reason: "not in this step"})
			continue
		}
		c := at(b, sum*(1+0.02*float64(i-4)), half)
		c.Value = t.Rows[i].Base * (1 + float64(c.Change))
		t.Rows[i].Cells = append(t.Rows[i].Cells, blank(c))
		change.Cells = append(change.Cells, blank(at(b, step*(1+0.02*float64(i-4)), half*1.5)))
	}
	suite := at("", sum, half)
	suite.Value = t.Rows[0].Base * (1 + float64(suite.Change))
	t.Geomean = append(t.Geomean, blank(suite))
	switch {
	case same:
		change.Text = "same code as " + s.Previous
	case whole.Verdict == assay.Same || whole.Verdict == assay.Unclear:
		change.Text = fmt.Sprintf("the same: −%.1f %% to +%[1]v %%", math.Round(1000*max(half, 0.001))/10)
	}
	t.Steps = append(t.Steps, change)
}

// arcTrouble adds gates and what else is wrong with a step.
func arcTrouble(s *assay.StepResult) {
	held := func(gate, against string) assay.GateResult {
		return assay.GateResult{Variant: s.Variant, Gate: gate, Status: assay.GateHeld, Against: against}
	}
	s.Gates = []assay.GateResult{held(assay.GateAPI, "v2"), held(assay.GateTests, ""), held(assay.GateOldTests, "v2"), held(assay.GateUnsafe, "")}
	if s.Number >= arcFails {
		g := &s.Gates[2]
		g.Status, g.Text, g.Log = assay.GateFailed, "14 tests fail", fmt.Sprintf("gates/%02d-old-tests.txt", s.Number)
		for i := range 14 {
			g.Evidence = append(g.Evidence, fmt.Sprintf("toml.TestInvalidDatetime/NoSecs-%d", i+1))
		}
	}
	if s.Number == 5 {
		g := &s.Gates[0]
		g.Status, g.Text = assay.GateUnknown, "package unstable does not load: undefined: Kind"
	}
	if s.Number == arcMissing {
		for _, b := range arcBenches[len(arcBenches)-2:] {
			s.Missing = append(s.Missing, assay.Benchmark{Name: b})
		}
	}
	if s.Number == arcSame {
		s.SameAs = &assay.SameCode{Variant: s.Variant, As: arcSteps[arcSame-2].name, Functions: 4021}
	}
}

func arcMade() *assay.Result { return arcOn(0.005) }

// arcHostile is a chain whose author and commits mean no good.
func arcHostile() *assay.Result {
	r := arcMade()
	evil := "\x1b[31mred\x07 \u202e漢字漢字 " + "very long subject of a commit that goes on and on "
	for i := range r.Arc.Steps {
		s := &r.Arc.Steps[i]
		s.Aside, s.Phase = evil, "\x1b]0;title\x07"+s.Phase
		if s.Gap != nil {
			s.Gap.Reason = evil + "\n\n" + evil
		}
		for j := range s.Gates {
			s.Gates[j].Text, s.Gates[j].Evidence = evil, []string{evil, "", "\t" + evil, "\r\n"}
		}
	}
	r.Arc.Phases[0].Name = evil
	r.Arc.Steps[4].SameAs = &assay.SameCode{Variant: r.Arc.Steps[4].Variant, As: r.Arc.Steps[5].Variant}
	r.Arc.Steps[5].SameAs = &assay.SameCode{Variant: r.Arc.Steps[5].Variant, As: r.Arc.Steps[4].Variant}
	r.Tables[0].Steps[7].Whole.Change = assay.Change(1e300)
	r.Tables[0].Steps[8].Whole.Interval = nil
	r.Tables[0].Steps[9].Text = evil
	r.Tables[0].Geomean = slices.Delete(r.Tables[0].Geomean, 3, 6)
	return r
}

func init() {
	made["arc"], made["arc-hostile"] = arcMade, arcHostile
}
