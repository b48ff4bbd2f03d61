package answer

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
)

// chained is the answer to a chain from a over the steps of the changes, s1 first, and of
// the last one against a, which is nil if they have no benchmark in common.
func chained(direct *assay.Comparison, changes ...assay.Comparison) assay.Answer {
	r := &assay.Result{Base: "a", Arc: &assay.Arc{}}
	s := assay.Study{Base: "a", Variants: variants("a"), Steps: &assay.Steps{}}
	tab := made(assay.MetricTime, true)
	previous := "a"
	for i, c := range changes {
		step := assay.Step{Variant: c.Variant}
		s.Steps.List = append(s.Steps.List, step)
		r.Arc.Steps = append(r.Arc.Steps, assay.StepResult{Step: step, Number: i + 1, Previous: previous})
		tab.Steps = append(tab.Steps, assay.StepChange{Variant: c.Variant, Previous: previous, Whole: &changes[i], Cells: one(c)})
		previous = c.Variant
	}
	if direct != nil {
		tab.Rows[0].Cells = one(*direct)
	}
	r.Tables = []assay.Table{tab}
	return Of(r, Evidence{Plan: &assay.Plan{Study: s}, Last: &sample.Link{Step: previous, Now: previous}, Direct: direct})
}

// A chain is answered from end to end: how far its steps came, which did most of it, which
// cost, and of how many nothing is known.
func TestChain(t *testing.T) {
	faster := func(v string, by float64) assay.Comparison { return claimed(v, assay.Faster, -by, -by-0.5, 0.5-by) }
	slower := func(v string, by float64) assay.Comparison { return claimed(v, assay.Slower, by, by-0.5, by+0.5) }
	open := func(v string) assay.Comparison {
		c := claimed(v, assay.Unclear, 0.1, -0.7, 0.9)
		c.MoreTime = 4 * time.Minute
		return c
	}
	for _, test := range []struct {
		name    string
		changes []assay.Comparison
		direct  assay.Comparison
		want    answered
	}{
		{"most by one", []assay.Comparison{faster("s1", 58), open("s2"), slower("s3", 3)}, faster("s3", 61.5),
			answered{assay.Faster, "s3", "step 3, s3, is 2.6× as fast as a: −61.5 % [−62.0, −61.0] time; 2 of 3 steps are proved changes / " +
				"most of it by step 1, s1: −58.0 %; slower: step 3, s3: +3.0 %", "1 of 3 steps: no change proved; needs about 5 min more"}},
		{"by several", []assay.Comparison{faster("s1", 10), faster("s2", 12), faster("s3", 11)}, faster("s3", 29.5),
			answered{assay.Faster, "s3", "step 3, s3, takes 29.5 % less time [−30.0, −29.0] than a; 3 of 3 steps are proved changes / largest: step 2, s2: −12.0 %", ""}},
		{"a loss", []assay.Comparison{slower("s1", 100), {Variant: "s2", Verdict: assay.SameCoded}}, slower("s2", 100),
			answered{assay.Slower, "a", "step 2, s2, takes 2.0× the time of a: +100.0 % [+99.5, +100.5] time; 1 of 2 steps is a proved change / " +
				"slower: step 1, s1: +100.0 %", ""}},
		{"nothing", []assay.Comparison{open("s1"), open("s2"), {Variant: "s3", Verdict: assay.SameCoded}}, open("s3"),
			answered{assay.Unclear, "", "step 3, s3 against a: no change beyond ±0.9 %; none of 3 steps could be distinguished from the one before it",
				"step 3, s3 against a; 2 of 3 steps: no change proved; 1 is the same code as before; needs about 5 min more"}},
		{"a single step", []assay.Comparison{faster("s1", 10)}, faster("s1", 10),
			answered{assay.Faster, "s1", "step 1, s1, takes 10.0 % less time [−10.5, −9.5] than a", ""}},
	} {
		test.want.check(t, test.name, chained(&test.direct, test.changes...))
	}
	answered{assay.Invalid, "", "no benchmark is common to all steps: see the table", "1 of 1 comparison by benchmark; needs about 5 min more"}.check(
		t, "nothing in common", chained(nil, open("s1"), open("s2")))
}

// The end of a chain is put as its verdict allows.
func TestEndToEnd(t *testing.T) {
	last := assay.StepResult{Step: assay.Step{Variant: "tidy"}, Number: 20}
	unknown := assay.Metric{Name: "things", MinEffect: 0.02}
	for _, test := range []struct {
		metric assay.Metric
		c      assay.Comparison
		want   string
	}{
		{made(assay.MetricTime, true).Metric, assay.Comparison{Verdict: assay.SameCoded}, "step 20, tidy, is the same code as v1"},
		{made(assay.MetricTime, true).Metric, claimed("", assay.Same, 0, -1, 1), "step 20, tidy, and v1 are the same within ±2 % on A"},
		{made(assay.MetricTime, true).Metric, assay.Comparison{Verdict: assay.Invalid, Reason: "it failed"}, "no answer: it failed"},
		{unknown, claimed("", assay.Changed, 5, 4, 6), "step 20, tidy, changes things by +5.0 % [+4.0, +6.0] on A; say which direction is better with a Unit line"},
		{made(assay.MetricRSS, true).Metric, claimed("", assay.More, 210, 205, 215),
			"step 20, tidy, takes 210.0 % more peak memory [+205.0, +215.0] than v1, 3.1× as much on A"},
	} {
		if got := endToEnd(test.metric, test.c, last, "v1", " on A"); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

// Benchmarks are counted where there are several and some moved.
func TestBenchTally(t *testing.T) {
	rows := func(n int) assay.Table {
		tab := made(assay.MetricTime, true)
		tab.Rows = make([]assay.Row, n)
		return tab
	}
	for _, test := range []struct {
		n    assay.VariantResult
		want string
	}{
		{assay.VariantResult{Better: 4}, "all 4 benchmarks faster"},
		{assay.VariantResult{Worse: 4}, "all 4 benchmarks slower"},
		{assay.VariantResult{Better: 2, Same: 1, Unclear: 1}, "2 of 4 benchmarks faster"},
		{assay.VariantResult{Worse: 1, Same: 3}, "1 of 4 benchmarks slower"},
		{assay.VariantResult{Better: 2, Worse: 1, Unclear: 1}, "2 of 4 benchmarks faster, 1 slower"},
		{assay.VariantResult{Same: 3, Unclear: 1}, ""},
	} {
		if got := benchTally(rows(4), test.n); got != test.want {
			t.Errorf("%+v: got %q, want %q", test.n, got, test.want)
		}
	}
	if got := benchTally(rows(1), assay.VariantResult{Better: 1}); got != "" {
		t.Errorf("one benchmark: got %q", got)
	}
}

// The movers of a step are the three largest proved changes, the watched benchmarks first.
func TestStepMovers(t *testing.T) {
	var c assay.StepChange
	for name, by := range map[string]float64{"Decode": 5, "Encode": 9, "Open": 7, "Close": 8, "Walk": 6} {
		x := claimed("s1", assay.Slower, by, by-1, by+1)
		x.Benchmark.Name = name
		c.Cells = append(c.Cells, x)
	}
	quiet := claimed("s1", assay.Unclear, 40, -10, 90)
	quiet.Benchmark.Name = "Decode/noisy"
	c.Cells = append(c.Cells, quiet)
	for _, test := range []struct {
		watch []string
		want  string
	}{
		{nil, "Encode Close Open"},
		{[]string{"Decode", ""}, "Decode Encode Close"},
		{[]string{"Walk", "Open"}, "Open Walk Encode"},
	} {
		var got []string
		for _, x := range Movers(c, test.watch) {
			got = append(got, x.Benchmark.Name)
		}
		if !slices.Equal(got, strings.Fields(test.want)) {
			t.Errorf("watching %q: got %v, want %s", test.watch, got, test.want)
		}
	}
}

// The line of a step says why it has no figures, which gates it fails, and what moved.
func TestStepText(t *testing.T) {
	tab := assay.Table{Metric: made(assay.MetricTime, true).Metric, Rows: []assay.Row{
		{Benchmark: assay.Benchmark{Package: "io/tengo", Name: "Sum"}}, {Benchmark: assay.Benchmark{Package: "io/glua", Name: "Sum"}}}}
	link := sample.Link{Step: "s2", Previous: "s1", Now: "s2", Before: "s1"}
	whole := func(c assay.Comparison) assay.StepChange {
		return assay.StepChange{Whole: &c, Cells: []assay.Comparison{c, c}}
	}
	single := func(c assay.Comparison) assay.StepChange { return assay.StepChange{Whole: &c, Cells: one(c)} }
	moved := claimed("s2", assay.Faster, -9, -10, -8)
	moved.Benchmark.Name = "Decode"
	appeared := assay.Comparison{Benchmark: assay.Benchmark{Name: "Open"}, Verdict: assay.More, Exact: true, Value: 3, Difference: 3}
	two := claimed("s2", assay.Slower, 4, 3, 5)
	two.Benchmark = assay.Benchmark{Package: "io/tengo", Name: "Sum"}
	gates := []assay.GateResult{{Gate: "vet", Status: assay.GateHeld},
		{Gate: "tests", Status: assay.GateFailed, Text: "10 tests fail"}, {Gate: "race", Status: assay.GateFailed}}
	for _, test := range []struct {
		step assay.StepResult
		link sample.Link
		c    assay.StepChange
		want string
	}{
		{assay.StepResult{Gap: &assay.Gap{Reason: "did not build: x.go:1: undefined"}}, link, assay.StepChange{}, "did not build: x.go:1: undefined"},
		{assay.StepResult{Gap: &assay.Gap{Reason: "no such module"}}, link, assay.StepChange{}, "did not build: no such module"},
		{assay.StepResult{}, sample.Link{Gap: true}, assay.StepChange{}, "not measured"},
		{assay.StepResult{}, sample.Link{Previous: "s1", Now: "s1", Before: "s1"}, assay.StepChange{}, "same code as s1: nothing to measure"},
		{assay.StepResult{Gates: gates}, link, single(claimed("s2", assay.Same, 0, -1, 1)),
			"fails the gate tests: 10 tests fail; fails the gate race; the same: −1.0 % to +1.0 %"},
		{assay.StepResult{SameAs: &assay.SameCode{As: "s9"}}, link, single(moved), "same code as s9, and has its figures; sec/op −9.0 % [−10.0, −8.0]"},
		{assay.StepResult{Movers: []assay.Comparison{moved, appeared}}, link, whole(claimed("s2", assay.Unclear, 0, -3, 3)),
			"no change proved: −3.0 % to +3.0 %; largest movers: Decode −9.0 %, Open 0 → 3"},
		{assay.StepResult{Movers: []assay.Comparison{two}}, link, assay.StepChange{}, "largest movers: tengo.Sum +4.0 %"},
		{assay.StepResult{}, link, whole(moved), "sec/op −9.0 % [−10.0, −8.0] on the whole, no benchmark alone is proved"},
		{assay.StepResult{}, link, assay.StepChange{}, "no benchmark is proved to have changed"},
		{assay.StepResult{}, link, whole(claimed("s2", assay.Unclear, 0, -3, 3)), "no change proved: −3.0 % to +3.0 %"},
	} {
		if got := StepText(test.step, test.link, test.c, tab); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

// A change of a step has a word where its figure is not enough.
func TestChangeText(t *testing.T) {
	link := sample.Link{Step: "s2", Previous: "s1", Now: "s9", Before: "s1"}
	doubtful := claimed("s2", assay.Unclear, 2, 1, 3)
	doubtful.Reason = "its blocks disagree"
	for _, test := range []struct {
		c    *assay.Comparison
		link sample.Link
		as   string
		want string
	}{
		{nil, sample.Link{Previous: "s1", Now: "s1", Before: "s1"}, "s1", "same code as s1"},
		{nil, link, "s9", "same code as s9"},
		{nil, link, "s2", ""},
		{&doubtful, link, "s2", "+1.0 % to +3.0 %, its blocks disagree"},
		{&assay.Comparison{Verdict: assay.Same, Exact: true}, link, "s9", "same code as s9; exactly the same"},
		{&assay.Comparison{Verdict: assay.Unclear, Reason: "3 of 9 blocks"}, link, "s2", "3 of 9 blocks"},
		{&assay.Comparison{Verdict: assay.Faster, Exact: true, Change: -0.5}, link, "s2", ""},
	} {
		if got := ChangeText(assay.StepChange{Whole: test.c}, test.link, test.as); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// The warnings about a chain name the gates that failed, the gaps, and the metrics whose
// steps do not multiply to the whole.
func TestStepWarnings(t *testing.T) {
	step := func(n int, v string) assay.StepResult {
		return assay.StepResult{Number: n, Step: assay.Step{Variant: v}}
	}
	s1, s2, s3 := step(1, "one"), step(2, "two"), step(3, "three")
	if got := StepWarnings(&assay.Result{Arc: &assay.Arc{Steps: []assay.StepResult{s1, s2, s3}}}); len(got) != 0 {
		t.Errorf("got %v of a chain without a fault", got)
	}
	s1.Gates = []assay.GateResult{{Gate: "tests", Status: assay.GateFailed, Text: "10 tests fail", Against: "v1"}, {Gate: "vet", Status: assay.GateFailed}}
	s2.Gap = &assay.Gap{Reason: "did not build"}
	product := assay.Compound{Metric: assay.MetricTime, Product: -0.2, Interval: assay.Interval{Lo: -0.21, Hi: -0.19},
		Direct: claimed("three", assay.Faster, -10, -11, -9)}
	agreed := product
	agreed.Agree = true
	got := StepWarnings(&assay.Result{Arc: &assay.Arc{Steps: []assay.StepResult{s1, s2, s3}, Compound: []assay.Compound{agreed, product}}})
	want := []struct {
		code        assay.Code
		text, facts string
	}{
		{assay.CodeGateFailed, "1 step of 3 fails a gate; its figures stand, marked", "step 1, one: tests against v1: 10 tests fail / step 1, one: vet"},
		{assay.CodeStepsGap, "1 step of 3 could not be measured; what follows each is compared with the last step before it", "step 2, two: did not build"},
		{assay.CodeCompound, "the steps' changes of sec/op do not multiply to the change from end to end",
			"all steps together: −20.0 % [−21.0, −19.0] / three against the base: −10.0 % [−11.0, −9.0] / " +
				"the machine was not the same for all blocks, or a step's change depends on what runs beside it"},
	}
	if len(got) != len(want) {
		t.Fatalf("got %d warnings, want %d: %v", len(got), len(want), got)
	}
	for i, w := range want {
		if facts := strings.Join(got[i].Facts, " / "); got[i].Code != w.code || got[i].Text != w.text || facts != w.facts {
			t.Errorf("got %s: %s\n%s\nwant %s: %s\n%s", got[i].Code, got[i].Text, facts, w.code, w.text, w.facts)
		}
	}
	s3.Gates = s1.Gates[1:]
	got = StepWarnings(&assay.Result{Arc: &assay.Arc{Steps: []assay.StepResult{s1, s3}}})
	if got, want := got[0].Text, "2 steps of 2 fail a gate; their figures stand, marked"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
