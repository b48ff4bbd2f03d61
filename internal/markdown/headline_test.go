package markdown

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// cell compares "new" with "old" on a benchmark, with the interval in percent.
func cell(bench string, v assay.Verdict, lo, hi float64) assay.Comparison {
	change := assay.Change((lo + hi) / 200)
	return assay.Comparison{Variant: "new", Benchmark: assay.Benchmark{Name: bench}, N: 12, Verdict: v, Change: change,
		Value: 1e-6 * (1 + float64(change)), Interval: &assay.Interval{Lo: assay.Change(lo / 100), Hi: assay.Change(hi / 100)}}
}

// count compares exact counts of a benchmark.
func count(bench string, v assay.Verdict, base, value float64) assay.Row {
	c := assay.Comparison{Variant: "new", Benchmark: assay.Benchmark{Name: bench}, N: 12, Verdict: v, Exact: true, Value: value, Difference: value - base}
	if base != 0 {
		c.Change = assay.Change(value/base - 1)
	}
	return assay.Row{Benchmark: c.Benchmark, Base: base, Cells: []assay.Comparison{c}}
}

// table has a row for each comparison.
func table(metric string, decides bool, cells ...assay.Comparison) assay.Table {
	t := assay.Table{Metric: assay.Metric{Name: metric, Better: assay.KnownBetter(metric), MinEffect: 0.01}, Decides: decides}
	for _, c := range cells {
		t.Rows = append(t.Rows, assay.Row{Benchmark: c.Benchmark, Base: 1e-6, Cells: []assay.Comparison{c}})
	}
	return t
}

// timed is a table of times, which decide.
func timed(cells ...assay.Comparison) assay.Table { return table(assay.MetricTime, true, cells...) }

// countedIn is a table of counts.
func countedIn(metric string, decides bool, rows ...assay.Row) assay.Table {
	t := table(metric, decides)
	t.Rows = rows
	return t
}

// result compares "new" with "old".
func result(v assay.Verdict, tables ...assay.Table) *assay.Result {
	return &assay.Result{Schema: assay.ResultSchema, Study: "codec", Base: "old", Variants: []assay.VariantResult{{Name: "old"}, {Name: "new"}}, Tables: tables,
		Spent: assay.Spent{Blocks: 12, Trials: 36}, Rule: assay.Rule{Metrics: []string{assay.MetricTime}, Confidence: 0.99},
		Answer: assay.Answer{Verdict: v, Text: []string{"the answer"}}}
}

// with is a result after a change.
func with(r *assay.Result, change func(*assay.Result)) *assay.Result {
	change(r)
	return r
}

var (
	slower  = cell("Encode", assay.Slower, 7.3, 8.9)
	faster  = cell("Decode", assay.Faster, -8.8, -7.2)
	same    = cell("Skip", assay.Same, -0.4, 0.6)
	unclear = cell("Parse", assay.Unclear, -2, 4)
	noisy   = assay.Warning{Code: assay.CodeNoisy, Text: "noise on this machine is ±4.2 %"}
)

// The heading counts what changed, the worst first; where that is no answer it has the
// first line of the answer.
func TestVerdictOfHeading(t *testing.T) {
	loud := func(r *assay.Result) { r.Warnings, r.Noise.Floor = []assay.Warning{noisy}, 0.042 }
	for _, x := range []struct {
		what       string
		r          *assay.Result
		want, push string // in the heading, and as later comments remember it
	}{
		{"several benchmarks", result(assay.Mixed, timed(faster, same, slower, unclear)), "1 slower, 1 faster, 1 within ±4.0 %, 1 same", "1 slower, 1 faster, 1 within ±4.0 %, 1 same"},
		{"one benchmark", result(assay.Faster, timed(faster)), "`Decode` faster −8.0 % [−8.8, −7.2]", "1 faster"},
		{"nothing changed", result(assay.Same, timed(same, same, same)), "no change in 3 benchmarks", "same"},
		{"the same code", result(assay.SameCoded, timed()), "same code", "same code"},
		{"a noisy runner", with(result(assay.Unclear, timed(unclear, same)), loud), "cannot tell on this runner (±4.2 %)", "cannot tell"},
		{"a change proved on a noisy runner", with(result(assay.Mixed, timed(unclear, slower)), loud), "1 slower, 1 within ±4.0 %", "1 slower, 1 within ±4.0 %"},
		{"a noisy runner that was quiet enough", with(result(assay.Same, timed(same, same)), loud), "no change in 2 benchmarks", "same"},
		{"another metric that decides", result(assay.Mixed, timed(same, same), countedIn(assay.MetricAllocs, true, count("A", assay.More, 1, 2), count("B", assay.Same, 1, 1))),
			"2 same; allocs/op: 1 more", "2 same"},
		{"another metric that does not", result(assay.Mixed, timed(same, same), countedIn(assay.MetricAllocs, false, count("A", assay.More, 1, 2))), "2 same", "2 same"},
		{"a rate", result(assay.Mixed, table(assay.MetricRate, true, cell("A", assay.Higher, 4, 6), cell("B", assay.Lower, -6, -4))),
			"1 lower, worse, 1 higher, better", "1 lower, worse, 1 higher, better"},
		{"two variants", with(result(assay.Faster, timed(faster)), func(r *assay.Result) { r.Variants = append(r.Variants, assay.VariantResult{Name: "other"}) }),
			"the answer", "faster"},
		{"a race", with(result(assay.Faster, timed(faster)), func(r *assay.Result) { r.Race = &assay.Race{} }), "the answer", "faster"},
		{"steps", with(result(assay.Faster, timed(faster)), func(r *assay.Result) { r.Arc = &assay.Arc{} }), "the answer", "faster"},
		{"no words", with(result(assay.Mixed), func(r *assay.Result) { r.Answer.Text = nil }), "mixed", "mixed"},
	} {
		m := newMarkdown(x.r, Options{})
		if got := m.head.verdict(); got != x.want {
			t.Errorf("%s: got %q, want %q", x.what, got, x.want)
		}
		if got := m.head.pushVerdict(); got != x.push {
			t.Errorf("%s: a later comment has %q, want %q", x.what, got, x.push)
		}
		if p := (Push{"1234567", x.push}); p.line() == "" {
			t.Errorf("%s: a comment cannot remember %q", x.what, x.push)
		}
	}
}

// A comment is short only where nothing changed that anybody looks at, and nothing is left
// to say.
func TestQuiet(t *testing.T) {
	sames := timed(same, same)
	for _, x := range []struct {
		what string
		r    *assay.Result
		want bool
	}{
		{"the same", result(assay.Same, sames), true},
		{"the same code", result(assay.SameCoded, timed(cell("A", assay.SameCoded, 0, 0))), true},
		{"an answer that is another", result(assay.Mixed, sames), false},
		{"a failed gate", with(result(assay.Same, sames), func(r *assay.Result) { r.Answer.Gate = "failed" }), false},
		{"an undecided gate", with(result(assay.Same, sames), func(r *assay.Result) { r.Answer.Gate = "undecided" }), false},
		{"a gate that held", with(result(assay.Same, sames), func(r *assay.Result) { r.Answer.Gate = "held" }), true},
		{"steps", with(result(assay.Same, sames), func(r *assay.Result) { r.Arc = &assay.Arc{} }), false},
		{"an unclear benchmark", result(assay.Same, timed(same, unclear)), false},
		{"more allocations", result(assay.Same, sames, countedIn(assay.MetricAllocs, false, count("A", assay.More, 1, 2))), false},
		{"as many allocations", result(assay.Same, sames, countedIn(assay.MetricAllocs, false, count("A", assay.Same, 1, 1))), true},
		{"more CPU time", result(assay.Same, sames, table(assay.MetricUser, false, slower)), true},
		{"more collections", result(assay.Same, sames, table(assay.MetricGCCyclesOp, false, slower)), true},
		{"a warning", with(result(assay.Same, sames), func(r *assay.Result) { r.Warnings = []assay.Warning{{Code: assay.CodeBenchFailed}} }), false},
		{"a remark on how it was measured", with(result(assay.Same, sames), func(r *assay.Result) { r.Warnings = []assay.Warning{{Code: assay.CodePair}, noisy} }), true},
	} {
		if got := newMarkdown(x.r, Options{}).head.quiet(); got != x.want {
			t.Errorf("%s: got %t, want %t", x.what, got, x.want)
		}
	}
}

// The answer stands below the heading, less the line that the heading has.
func TestTextsBelowHeading(t *testing.T) {
	r := result(assay.Faster, timed(faster))
	r.Race = &assay.Race{}
	r.Answer = assay.Answer{Verdict: assay.Faster, Text: []string{"use new: 8 % less", "a|b"}, Cost: []string{"2 % more memory"}, Undecided: "one of 4"}
	m := newMarkdown(r, Options{})
	if got := m.head.verdict(); got != "use new: 8 % less" {
		t.Fatalf("got the heading %q", got)
	}
	got, want := m.head.texts(), []string{"a&#124;b", "cost: 2 % more memory", "undecided: one of 4"}
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("line %d: got %q, want %q", i, got[i], want[i])
		}
	}
}

// The heading says how many of the benchmarks were measured, and the lines below it do not
// say it again.
func TestCoverageInTheHeading(t *testing.T) {
	r := result(assay.Faster, timed(faster))
	r.Wanted = 95
	r.Answer.Text = append(r.Answer.Text, "1 of 95 benchmarks measured")
	var b strings.Builder
	if err := Write(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	heading, rest, _ := strings.Cut(b.String(), "\n")
	if !strings.HasSuffix(heading, " · 1 of 95 benchmarks measured") || strings.Contains(rest, "of 95 benchmarks") {
		t.Errorf("got %q and\n%s", heading, rest)
	}
}
