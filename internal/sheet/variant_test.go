package sheet

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// variantResult has a base, a variant that is worse, the base's own code, and one that was
// not measured on the suite.
func variantResult() *assay.Result {
	table := assay.Table{Metric: timeMetric, Decides: true, Common: 2, GeomeanBase: 2,
		Rows:    []assay.Row{benchRow("A", 1, changeOf("b", assay.Slower, 0.1, 0.01)), benchRow("B", 4, changeOf("b", assay.Slower, 0.3, 0.02))},
		Geomean: []assay.Comparison{changeOf("b", assay.Slower, 0.2, 0.01)}}
	r := resultOf([]string{"a", "b", "c", "d"}, table)
	r.Variants[1].Worse, r.Variants[1].Unclear, r.Variants[1].Worst = 2, 1, &table.Rows[1].Cells[0]
	r.Variants[2].SameAs = &assay.SameCode{As: "a"}
	return r
}

// The table of variants has a row for each: what it does to the suite, how many benchmarks
// have which verdict, and the worst of them.
func TestVariantTable(t *testing.T) {
	s := New(variantResult(), false, false)
	sameLines(t, "variants", linesOf(s.VariantTable(Layout{Worst: true})),
		"# variant|sec/op, geomean of 2 vs base|faster|same|slower|unclear|worst benchmark",
		"a|base|2.00 s", "b|+20.0 %|[+19.0, +21.0]|slower|–|–|2|1|B +30.0 % ±2.0", "c: ≡ same code as a", "d|–||–|–|–|–|–")
	sameLines(t, "in short", linesOf(s.VariantTable(Layout{MarkHeads: true, Zeros: true, Bare: true}))[:3],
		"# variant|sec/op, geomean of 2 vs base|▼|=|▲|?", "a|base|2.00 s", "b|+20.0 %|slower|0|0|2|1")
}

// Of one benchmark the table of variants is about that one, and of several without a
// geomean about none.
func TestSuite(t *testing.T) {
	r := variantResult()
	r.Tables[0].Rows, r.Tables[0].Geomean = r.Tables[0].Rows[:1], nil
	s := New(r, false, false)
	if e, name := s.Suite(); name != "A" || e.Base != 1 || len(e.Cells) != 1 {
		t.Errorf("of one benchmark: got %q and %+v", name, e)
	}
	r.Tables[0].Rows = append(r.Tables[0].Rows, benchRow("B", 1))
	if e, name := s.Suite(); name != "" || len(e.Cells) != 0 || e.Base == e.Base {
		t.Errorf("of several without a geomean: got %q and %+v", name, e)
	}
}

// The counts are under the words of the verdicts, or under their marks, in one order:
// better, same, worse, unclear.
func TestCountHeads(t *testing.T) {
	for _, c := range []struct {
		metric string
		want   string
		marked string
	}{
		{assay.MetricTime, "faster same slower unclear", "▼ = ▲ ?"},
		{assay.MetricRSS, "less same more unclear", "▼ = ▲ ?"},
		{assay.MetricRequests, "higher same lower unclear", "▲ = ▼ ?"},
		{"widgets/op", "better same worse unclear", "better same worse unclear"},
	} {
		m := assay.Metric{Name: c.metric, Better: assay.KnownBetter(c.metric)}
		for marks, want := range map[bool]string{false: c.want, true: c.marked} {
			if got := strings.Join(CountHeads(m, marks), " "); got != want {
				t.Errorf("%s: got %q, want %q", c.metric, got, want)
			}
		}
	}
	v := assay.VariantResult{Better: 1, Worse: 2, Same: 3}
	if got, want := Counts(timeMetric, v), "2 slower · 3 same · 1 faster"; got != want {
		t.Errorf("the worst first: got %q, want %q", got, want)
	}
}

// A variant with the code of another says of which, and as a control how far it was off.
func TestSameText(t *testing.T) {
	far, near := changeOf("c", assay.Same, -0.04, 0.01), changeOf("c", assay.Same, 0.03, 0.01)
	open := assay.Comparison{Variant: "c", Change: 0.5}
	for _, c := range []struct {
		same  assay.SameCode
		noise assay.Noise
		want  string
	}{
		{assay.SameCode{As: "a"}, assay.Noise{Control: "control"}, "same code as a"},
		{assay.SameCode{As: "a", Control: true}, assay.Noise{}, "same code as a, used as control"},
		{assay.SameCode{As: "a"}, assay.Noise{Control: "c", Cells: []assay.Comparison{near, far, open}}, "same code as a, used as control: 4.0 % off at most"},
	} {
		s := New(&assay.Result{Noise: c.noise}, false, false)
		if got := s.SameText(assay.VariantResult{Name: "c", SameAs: &c.same}); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// The lines of an answer name a cost once, and what is undecided.
func TestAnswerLines(t *testing.T) {
	for _, c := range []struct {
		a    assay.Answer
		want []string
	}{
		{assay.Answer{Text: []string{"use b"}}, []string{"use b"}},
		{assay.Answer{Text: []string{"use b, with 3 % more memory"}, Cost: []string{"3 % more memory"}}, []string{"use b, with 3 % more memory"}},
		{assay.Answer{Text: []string{"use b"}, Cost: []string{"3 % more memory", "1 more allocation"}, Undecided: "time"},
			[]string{"use b", "cost: 3 % more memory, 1 more allocation", "undecided: time"}},
	} {
		sameLines(t, "answer", AnswerLines(c.a), c.want...)
	}
}

// That nothing is proved to be a cost is said only of a variant that an answer recommends,
// where there was another metric to cost anything.
func TestCostText(t *testing.T) {
	two := []assay.Table{{}, {}}
	for _, c := range []struct {
		a      assay.Answer
		tables []assay.Table
		want   string
	}{
		{assay.Answer{Use: "b"}, two, "none proved"}, {assay.Answer{Use: "b"}, two[:1], ""}, {assay.Answer{Use: "a"}, two, ""}, {assay.Answer{}, two, ""},
		{assay.Answer{Use: "b", Cost: []string{"x", "y"}}, two, "x, y"},
	} {
		if got := costText(&assay.Result{Base: "a", Answer: c.a, Tables: c.tables}); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.a, got, c.want)
		}
	}
}

// How much of the variance lies between links is the median over the benchmarks, with the
// range where there are several.
func TestLayouts(t *testing.T) {
	row := func(name string, share float64) assay.Row {
		return benchRow(name, 1, assay.Comparison{Variant: "b", LayoutShare: share})
	}
	for _, c := range []struct {
		rows []assay.Row
		want string
	}{
		{[]assay.Row{row("A", 0)}, ""},
		{[]assay.Row{row("A", 0.6)}, "60 % of the variance of b vs a lies between layouts of the code"},
		{[]assay.Row{row("A", 0.9), row("B", 0.1), row("C", 0), row("D", 0.3)}, "30 % of the variance of b vs a lies between layouts of the code (10 to 90 % by benchmark)"},
	} {
		if got := Layouts(resultOf([]string{"a", "b"}, assay.Table{Metric: timeMetric, Decides: true, Rows: c.rows}), "b"); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// The conditions of a machine leave out what its noise does not depend on, and say where
// the governor is not known. Its parts leave out what its name says.
func TestMachineFacts(t *testing.T) {
	p := assay.Platform{GOOS: "linux", GOARCH: "arm64", CPU: "X", CPUs: 4, Cores: 4, Memory: 1 << 30, Procs: 2, Virtual: "virtual machine", Emulated: "qemu",
		Power: "battery", Load: 0.25}
	sameLines(t, "conditions", facts(Conditions(p)), "system: linux/arm64", "emulator: qemu", "processor: X", "virtual machine: yes", "power: battery",
		"CPU used by others: 25 %", "governor: unknown")
	r := &assay.Result{Platform: p, Spent: assay.Spent{Blocks: 1}, Noise: assay.Noise{Control: "control", Floor: 0.02}}
	for name, want := range map[string]string{
		"box":         "X, 4 CPUs · linux/arm64 · emulated by qemu · virtual machine · GOMAXPROCS=2 · on battery · 1 block · noise ±2.0 % (A/A)",
		"linux/arm64": "X, 4 CPUs · emulated by qemu · virtual machine · GOMAXPROCS=2 · on battery · 1 block · noise ±2.0 % (A/A)",
	} {
		if got := JoinWords(" · ", New(r, false, false).MachineParts(name)...); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// Variants that were built with the same profile share a line; others have none.
func TestProfiles(t *testing.T) {
	r := resultOf([]string{"a", "b", "c", "d"})
	for _, i := range []int{1, 3} {
		r.Variants[i].Profile = &assay.ProfileInfo{Path: "auto", Samples: 1246, Match: 0.96}
	}
	r.Variants[2].Profile = &assay.ProfileInfo{Path: "cpu.pprof", Samples: 1, Match: 1}
	sameLines(t, "profiles", Profiles(r), "built with a profile of the base; 96 % of 1,246 samples match its code: b, d",
		"c: built with the profile cpu.pprof; 100 % of 1 sample match its code")
}

// The reasons why cells have no verdict stand once each; those of steps without a block
// are said by the table of steps.
func TestWithheld(t *testing.T) {
	cell := func(reason string, n int) assay.Comparison {
		return assay.Comparison{Variant: "b", Reason: reason, N: n}
	}
	slower := changeOf("b", assay.Slower, 0.1, 0.01)
	slower.Reason = "something else"
	r := resultOf([]string{"a", "b"}, assay.Table{Rows: []assay.Row{benchRow("A", 1, cell("not measured together", 3)), benchRow("B", 1, cell("not measured together", 3)),
		benchRow("C", 1, cell("the step lacks it", 0)), benchRow("D", 1, slower)}, Geomean: []assay.Comparison{cell("no pairs", 1)}})
	sameLines(t, "withheld", Withheld(r), "– no verdict: not measured together", "– no verdict: the step lacks it", "– no verdict: no pairs")
	r.Arc = &assay.Arc{}
	sameLines(t, "withheld of steps", Withheld(r), "– no verdict: not measured together", "– no verdict: no pairs")
}
