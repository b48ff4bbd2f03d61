package answer

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// An answered is what an answer must say.
type answered struct {
	verdict         assay.Verdict
	use, text, open string // lines of the text separated by " / "
}

func (want answered) check(t *testing.T, name string, a assay.Answer) {
	t.Helper()
	got := answered{a.Verdict, a.Use, strings.Join(a.Text, " / "), a.Undecided}
	if got != want {
		t.Errorf("%s:\ngot  %+v\nwant %+v", name, got, want)
	}
}

// one is a list of a single comparison.
func one(c assay.Comparison) []assay.Comparison { return []assay.Comparison{c} }

// An answer is decided if nothing is open that it is about, however the run stopped: single
// benchmarks are counted as open, and a gate has its own say.
func TestDecided(t *testing.T) {
	slower, same, open := claimed("b", assay.Slower, 20, 18, 22), claimed("b", assay.Same, 0.2, -0.5, 1), claimed("b", assay.Unclear, 1, -3, 5)
	for _, test := range []struct {
		name    string
		table   assay.Table
		gate    float64
		decided bool
		open    string
	}{
		{"a change", made(assay.MetricTime, true, slower), 0, true, ""},
		{"the same", made(assay.MetricTime, true, same), 0, true, ""},
		{"open", made(assay.MetricTime, true, open), 0, false, "b +1.0 % [−3.0, +5.0] against a; needs about 20 min more"},
		{"a benchmark of a suite is open", suite(assay.MetricTime, one(slower), one(slower), one(open)), 0, true, "1 of 2 comparisons by benchmark"},
		{"with a gate that holds", made(assay.MetricTime, true, open), 0.05, true, ""},
	} {
		a := answerTo(assay.Study{Variants: variants("a", "b")}, assay.Result{Tables: []assay.Table{test.table}, Spent: assay.Spent{Stop: assay.StopBudget}, Rule: assay.Rule{Gate: test.gate}})
		if a.Decided != test.decided || !strings.HasPrefix(a.Undecided, test.open) || test.open == "" && a.Undecided != "" {
			t.Errorf("%s: decided %t, open %q", test.name, a.Decided, a.Undecided)
		}
		if want := "not decided after "; strings.HasPrefix(a.Basis, want) == a.Decided {
			t.Errorf("%s: decided %t, and the basis is %q", test.name, a.Decided, a.Basis)
		}
	}
}

// The sentence about one variant names the verdict, the change and what to use.
func TestPairOnOneBenchmark(t *testing.T) {
	invalid := assay.Comparison{Variant: "b", Verdict: assay.Invalid, Reason: "it failed"}
	early := assay.Comparison{Variant: "b", Verdict: assay.Unclear, N: 3, Reason: "3 of 9 blocks", MoreBlocks: 6}
	equal := assay.Comparison{Variant: "b", Verdict: assay.Same, N: 12, Exact: true, Value: 2}
	fewer := assay.Comparison{Variant: "b", Verdict: assay.Less, N: 12, Exact: true, Value: 1, Difference: -1, Change: -0.5}
	for _, test := range []struct {
		name   string
		tables []assay.Table
		want   answered
	}{
		{"slower", []assay.Table{made(assay.MetricTime, true, claimed("b", assay.Slower, 20, 18, 22))},
			answered{assay.Slower, "a", "use a: b takes 20.0 % more time [+18.0, +22.0] than a", ""}},
		{"same", []assay.Table{made(assay.MetricTime, true, claimed("b", assay.Same, 0.2, -0.5, 1))},
			answered{assay.Same, "", "keep a: b is the same within ±2 %", ""}},
		{"exactly the same", []assay.Table{made(assay.MetricAllocs, true, equal)},
			answered{assay.Same, "", "keep a: b is the same (exact)", ""}},
		{"a unit without a direction", []assay.Table{made("things", true, claimed("b", assay.Changed, 5, 4, 6))},
			answered{assay.Changed, "", "b changes things by +5.0 % [+4.0, +6.0]; say which direction is better with a Unit line", ""}},
		{"invalid", []assay.Table{made(assay.MetricTime, true, invalid)}, answered{assay.Invalid, "", "no answer: it failed", ""}},
		{"open", []assay.Table{made(assay.MetricTime, true, claimed("b", assay.Unclear, 0.4, -0.5, 1.3))},
			answered{assay.Unclear, "", "no change beyond ±1.3 %", "b +0.4 % [−0.5, +1.3] against a; needs about 20 min more"}},
		{"too early", []assay.Table{made(assay.MetricTime, true, early)},
			answered{assay.Unclear, "", "not decided: 3 of 9 blocks", "b against a; needs about 10 more blocks"}},
		{"a gain on two metrics", []assay.Table{made(assay.MetricTime, true, claimed("b", assay.Faster, -10, -11, -9)), made(assay.MetricAllocs, true, fewer)},
			answered{assay.Faster, "b", "use b: 10.0 % less time [−11.0, −9.0] than a, 50.0 % fewer allocs/op (exact)", ""}},
		{"a gain on a metric that does not decide",
			[]assay.Table{made(assay.MetricTime, true, claimed("b", assay.Faster, -10, -11, -9)), made(assay.MetricAllocs, false, fewer)},
			answered{assay.Faster, "b", "use b: 10.0 % less time [−11.0, −9.0] than a", ""}},
		{"fewer allocations beside an open time",
			[]assay.Table{made(assay.MetricTime, true, claimed("b", assay.Unclear, 0.4, -0.5, 1.3)), made(assay.MetricAllocs, false, fewer)},
			answered{assay.Unclear, "", "no change beyond ±1.3 % / proved: allocs/op of b −50.0 % (exact)", "b +0.4 % [−0.5, +1.3] against a; needs about 20 min more"}},
	} {
		test.want.check(t, test.name, answerTo(assay.Study{Variants: variants("a", "b")}, assay.Result{Tables: test.tables}))
	}
}

// The answer over a suite names the benchmarks that contradict it.
func TestPairOnASuite(t *testing.T) {
	same, open := claimed("b", assay.Same, 0, -1, 1), claimed("b", assay.Unclear, 0.5, -3, 3)
	better, worse := claimed("b", assay.Faster, -5, -6, -4), claimed("b", assay.Slower, 3, 2, 4)
	failed := assay.Comparison{Variant: "b", Verdict: assay.Invalid, Reason: "it failed"}
	for _, test := range []struct {
		name  string
		table assay.Table
		want  answered
	}{
		{"both ways, the same on the whole", suite(assay.MetricTime, one(same), one(worse), one(better)),
			answered{assay.Mixed, "", "it depends on the benchmark: on the whole the same within ±2 % / " +
				"1 for the better, 1 for the worse: B −5.0 % [−6.0, −4.0], A +3.0 % [+2.0, +4.0]", ""}},
		{"both ways, open on the whole", suite(assay.MetricTime, one(open), one(worse), one(better)),
			answered{assay.Mixed, "", "no change beyond ±3.0 % on the whole / " +
				"1 for the better, 1 for the worse: B −5.0 % [−6.0, −4.0], A +3.0 % [+2.0, +4.0]", "b +0.5 % [−3.0, +3.0] against a; needs about 20 min more"}},
		{"all open", suite(assay.MetricTime, one(open), one(open), one(claimed("b", assay.Unclear, 1, -2, 6))),
			answered{assay.Unclear, "", "no change beyond ±3.0 % on the whole, beyond ±6.0 % in any benchmark", "b +0.5 % [−3.0, +3.0] against a; needs about 1 h more"}},
		{"all open but one", suite(assay.MetricTime, one(open), one(open), one(better)),
			answered{assay.Unclear, "", "no change beyond ±3.0 % on the whole, beyond ±3.0 % in any other benchmark / " +
				"1 for the better, 0 for the worse: B −5.0 % [−6.0, −4.0]", "b +0.5 % [−3.0, +3.0] against a; needs about 20 min more"}},
		{"better but for one", many(better, worse, better, better),
			answered{assay.Faster, "b", "use b: 5.0 % less time [−6.0, −4.0] than a / except 1: A +3.0 % [+2.0, +4.0]", ""}},
		{"worse but for one", many(worse, worse, better, worse),
			answered{assay.Slower, "a", "use a: b takes 3.0 % more time [+2.0, +4.0] than a / except 1: B −5.0 % [−6.0, −4.0]", ""}},
		{"better, one open", many(better, better, open, better),
			answered{assay.Faster, "b", "use b: 5.0 % less time [−6.0, −4.0] than a", "1 of 3 comparisons by benchmark; needs about 20 min more"}},
		{"one benchmark is left", suite(assay.MetricTime, nil, one(failed), one(better)),
			answered{assay.Faster, "b", "use b: 5.0 % less time [−6.0, −4.0] than a on B", ""}},
		{"none is common", suite(assay.MetricTime, nil, one(better), one(better)),
			answered{assay.Invalid, "", "no benchmark is common to all variants: see the table / proved: time of b differs in 2 of 2 benchmarks: A −5.0 % [−6.0, −4.0], B −5.0 % [−6.0, −4.0]", ""}},
	} {
		test.want.check(t, test.name, answerTo(assay.Study{Variants: variants("a", "b")}, assay.Result{Tables: []assay.Table{test.table}}))
	}
}

// Where time is open, what is proved of allocations on a few benchmarks is said.
func TestProvedOfAllocations(t *testing.T) {
	open := func() []assay.Comparison { return one(claimed("b", assay.Unclear, 0.5, -3, 3)) }
	exact := func(v assay.Verdict, change float64) []assay.Comparison {
		return []assay.Comparison{{Variant: "b", Verdict: v, N: 12, Exact: true, Change: assay.Change(change)}}
	}
	allocs := suite(assay.MetricAllocs, nil, exact(assay.Less, -0.5), exact(assay.Same, 0))
	allocs.Decides = false
	a := answerTo(assay.Study{Variants: variants("a", "b")}, assay.Result{Tables: []assay.Table{suite(assay.MetricTime, open(), open(), open()), allocs}})
	if got, want := a.Text[len(a.Text)-1], "proved: allocs/op of b differs in 1 of 2 benchmarks: A −50.0 % (exact)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	allocs.Geomean, allocs.Common = one(claimed("b", assay.Less, -30, -31, -29)), 2
	a = answerTo(assay.Study{Variants: variants("a", "b")}, assay.Result{Tables: []assay.Table{suite(assay.MetricTime, open(), open(), open()), allocs}})
	if got, want := a.Text[len(a.Text)-1], "proved: allocs/op of b differs in 1 of 2 benchmarks: A −50.0 % (exact)"; got != want {
		t.Errorf("not typical: got %q, want %q", got, want)
	}
	allocs.Rows[1].Cells = exact(assay.Less, -0.2)
	a = answerTo(assay.Study{Variants: variants("a", "b")}, assay.Result{Tables: []assay.Table{suite(assay.MetricTime, open(), open(), open()), allocs}})
	if got, want := a.Text[len(a.Text)-1], "proved: allocs/op of b −30.0 % [−31.0, −29.0], exact in 2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	allocs.Rows[1].Cells = exact(assay.Same, 0)
	allocs.Geomean = nil
	faster := func() []assay.Comparison { return one(claimed("b", assay.Faster, -5, -6, -4)) }
	a = answerTo(assay.Study{Variants: variants("a", "b")}, assay.Result{Tables: []assay.Table{suite(assay.MetricTime, faster(), faster(), faster()), allocs}})
	if got := strings.Join(a.Text, " / "); strings.Contains(got, "proved: ") {
		t.Errorf("the answer on time is clear, but it goes on: %s", got)
	}
}

// Before a verdict the answer has the counts that differ in every trial, of each variant.
func TestCountsSoFar(t *testing.T) {
	early := func(variant string) assay.Comparison {
		return assay.Comparison{Variant: variant, Verdict: assay.Unclear, N: 1, Reason: "1 of 5 blocks"}
	}
	is := func(variant string, base, value float64) assay.Comparison {
		c := early(variant)
		c.Exact, c.Value, c.Difference, c.Change = true, value, value-base, assay.Change(value/base-1)
		return c
	}
	cells := func(b, c assay.Comparison) []assay.Comparison { return []assay.Comparison{b, c} }
	allocs := suite(assay.MetricAllocs, nil, cells(is("b", 1, 2), is("c", 1, 1)), cells(is("b", 4, 5), early("c")))
	allocs.Decides = false
	time := suite(assay.MetricTime, cells(early("b"), early("c")), cells(early("b"), early("c")), cells(early("b"), early("c")))
	a := answerTo(assay.Study{Variants: variants("a", "b", "c")}, assay.Result{Tables: []assay.Table{time, allocs}})
	answered{assay.Unclear, "", "not decided: 1 of 5 blocks / so far: allocs/op of b differs in every trial of 2 of 2 benchmarks: A 1 → 2, B 4 → 5",
		"b, c against a"}.check(t, "a suite", a)
	a = answerTo(assay.Study{Variants: variants("a", "b")}, assay.Result{Tables: []assay.Table{made(assay.MetricAllocs, true, is("b", 1, 2))}})
	answered{assay.Unclear, "", "not decided: 1 of 5 blocks / so far: allocs/op of b 1 → 2 in every trial", "b against a"}.check(t, "one benchmark", a)
}

// Of a run without a comparison only the same code is an answer.
func TestNothingMeasured(t *testing.T) {
	e := Evidence{Plan: &assay.Plan{Study: assay.Study{Variants: variants("a", "b")}}}
	equal := assay.VariantResult{Name: "b", SameAs: &assay.SameCode{Variant: "b", As: "a", Functions: 812}}
	const text = `"b" and "a" are the same code: all 812 functions are equal, so there is nothing to measure`
	for _, test := range []struct {
		name    string
		result  assay.Result
		decided bool
		want    answered
	}{
		{"the same code", assay.Result{Base: "a", Variants: []assay.VariantResult{{Name: "a"}, equal}},
			true, answered{assay.SameCoded, "", text, ""}},
		{"the same code holds a gate", assay.Result{Base: "a", Variants: []assay.VariantResult{{Name: "a"}, equal}, Rule: assay.Rule{Gate: 0.05}},
			true, answered{assay.SameCoded, "", "gate held: no comparison is more than 5 % worse / " + text, ""}},
		{"the same code, and another", assay.Result{Base: "a", Variants: []assay.VariantResult{{Name: "a"}, equal, {Name: "c"}}}, false,
			answered{assay.Invalid, "", "nothing could be measured: see the warnings", ""}},
		{"no table", assay.Result{Spent: assay.Spent{Stop: assay.StopDecided}}, false,
			answered{assay.Invalid, "", "nothing could be measured: see the warnings", ""}},
		{"a table without rows", assay.Result{Tables: []assay.Table{{Metric: assay.Metric{Name: assay.MetricTime}, Decides: true}}}, false,
			answered{assay.Invalid, "", "nothing could be measured: see the warnings", ""}},
		{"a first table that does not decide", assay.Result{Rule: assay.Rule{Metrics: []string{assay.MetricTime}},
			Tables: []assay.Table{made(assay.MetricAllocs, false, claimed("b", assay.Faster, -5, -6, -4))}}, false,
			answered{assay.Invalid, "", "no metric decides: time was not measured", ""}},
		{"a metric of the benchmark's own", assay.Result{Rule: assay.Rule{Metrics: []string{assay.MetricTime}},
			Tables: []assay.Table{made("sums/s", false, claimed("b", assay.Lower, -5, -6, -4))}}, false,
			answered{assay.Invalid, "", "no metric decides: time was not measured, and sums/s does not decide", ""}},
		{"several", assay.Result{Rule: assay.Rule{Metrics: []string{assay.MetricTime, assay.MetricAllocs}},
			Tables: []assay.Table{made("x/s", false, claimed("b", assay.Lower, -5, -6, -4)), made("y", false, claimed("b", assay.Lower, -5, -6, -4))}}, false,
			answered{assay.Invalid, "", "no metric decides: time, allocs/op were not measured, and x/s, y do not decide", ""}},
	} {
		a := Of(&test.result, e)
		test.want.check(t, test.name, a)
		if a.Decided != test.decided {
			t.Errorf("%s: decided is %v, want %v", test.name, a.Decided, test.decided)
		}
	}
}

// A result is found only for a variant that ran.
func TestHeadlineOfAVariant(t *testing.T) {
	never := assay.Comparison{Variant: "c", Verdict: assay.Invalid}
	r := &assay.Result{Tables: []assay.Table{made(assay.MetricTime, true, claimed("b", assay.Faster, -5, -6, -4), never)}}
	if c, ok := Headline(r, "b"); !ok || c.Verdict != assay.Faster {
		t.Errorf("got %v, %v, want b faster", c.Verdict, ok)
	}
	for _, name := range []string{"c", "d"} {
		if c, ok := Headline(r, name); ok {
			t.Errorf("%s did not run, but got %+v", name, c)
		}
	}
	if _, ok := Headline(&assay.Result{}, "b"); ok {
		t.Error("a result without tables has a headline")
	}
}

// Of many benchmarks that moved the three with the largest changes are named, and a
// withheld verdict counts nowhere.
func TestMovers(t *testing.T) {
	tab := assay.Table{Metric: assay.Metric{Name: assay.MetricTime, Better: assay.BetterLower, MinEffect: 0.02}}
	for i, name := range []string{"A", "B", "C", "D", "E"} {
		c := claimed("b", assay.Slower, float64(3+i), float64(2+i), float64(4+i))
		c.Benchmark.Name = name
		if name == "E" {
			c.Verdict = assay.Withheld
		}
		tab.Rows = append(tab.Rows, assay.Row{Benchmark: c.Benchmark, Cells: one(c)})
	}
	if got, want := movers(tab, "b", assay.Verdict.Bad), "D +6.0 % [+5.0, +7.0], C +5.0 % [+4.0, +6.0], B +4.0 % [+3.0, +5.0], …"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if n := tally(tab, "b"); n.Worse != 4 || n.Better+n.Same+n.Unclear != 0 {
		t.Errorf("got %+v, want 4 worse", n)
	}
	if got := movers(tab, "b", assay.Verdict.Good); got != "" {
		t.Errorf("got %q, want none", got)
	}
}
