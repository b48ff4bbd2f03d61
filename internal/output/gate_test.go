package output

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
)

// row is a benchmark of which "new" was compared with "old", with the interval in percent.
func row(bench string, v assay.Verdict, lo, hi float64) assay.Row {
	change := assay.Change((lo + hi) / 200)
	c := assay.Comparison{Variant: "new", Benchmark: assay.Benchmark{Name: bench}, N: 12, Verdict: v, Change: change,
		Value: 1e-6 * (1 + float64(change)), Interval: &assay.Interval{Lo: assay.Change(lo / 100), Hi: assay.Change(hi / 100)}}
	return assay.Row{Benchmark: c.Benchmark, Base: 1e-6, Cells: []assay.Comparison{c}}
}

// bare is a benchmark of which no interval is known, after n blocks.
func bare(v assay.Verdict, n int) assay.Row {
	c := assay.Comparison{Variant: "new", Benchmark: assay.Benchmark{Name: "B"}, N: n, Verdict: v, Value: 1e-6}
	return assay.Row{Benchmark: c.Benchmark, Base: 1e-6, Cells: []assay.Comparison{c}}
}

// exact is a benchmark with counts that never varied.
func exact(v assay.Verdict, base, value float64) assay.Row {
	c := assay.Comparison{Variant: "new", Benchmark: assay.Benchmark{Name: "B"}, N: 12, Verdict: v, Value: value, Exact: true}
	return assay.Row{Benchmark: c.Benchmark, Base: base, Cells: []assay.Comparison{c}}
}

func table(metric string, decides bool, rows ...assay.Row) assay.Table {
	return assay.Table{Metric: assay.Metric{Name: metric, Better: assay.KnownBetter(metric), MinEffect: 0.01}, Decides: decides, Rows: rows}
}

func result(tables ...assay.Table) *assay.Result {
	return &assay.Result{Run: "7k2m", Base: "old", Variants: []assay.VariantResult{{Name: "old"}, {Name: "new"}}, Tables: tables}
}

// A comparison fails where all of its interval is beyond the limit and a loss is claimed,
// holds where all of it is within, and is undecided otherwise.
func TestComparisonIsHeldAgainstLimit(t *testing.T) {
	const held, failed, undecided = "held", "failed", "undecided"
	for _, x := range []struct {
		what, metric string
		row          assay.Row
		most, want   string
	}{
		{"slower, beyond the limit", assay.MetricTime, row("B", assay.Slower, 4, 6), "3%", failed},
		{"slower, within the limit", assay.MetricTime, row("B", assay.Slower, 1, 2), "3%", held},
		{"slower, on both sides of the limit", assay.MetricTime, row("B", assay.Slower, 2, 4), "3%", undecided},
		{"faster", assay.MetricTime, row("B", assay.Faster, -9, -7), "0%", held},
		{"unclear, and may be beyond", assay.MetricTime, row("B", assay.Unclear, -1, 5), "3%", undecided},
		{"unclear, and cannot be beyond", assay.MetricTime, row("B", assay.Unclear, -1, 2), "3%", held},
		{"beyond, and not claimed", assay.MetricTime, row("B", assay.Unclear, 4, 6), "3%", undecided},
		{"less throughput", assay.MetricRate, row("B", assay.Lower, -6, -4), "3%", failed},
		{"more throughput", assay.MetricRate, row("B", assay.Higher, 4, 6), "3%", held},
		{"the same code", assay.MetricTime, bare(assay.SameCoded, 0), "0%", held},
		{"no interval yet", assay.MetricTime, bare(assay.Unclear, 3), "3%", undecided},
		{"not measured", assay.MetricTime, bare(assay.Unclear, 0), "3%", undecided},
		{"not comparable", assay.MetricTime, bare(assay.Invalid, 12), "3%", undecided},
		{"saturated", assay.MetricTime, row("B", assay.Saturated, -1, 1), "3%", undecided},
		{"more allocations than allowed", assay.MetricAllocs, exact(assay.More, 10, 11), "5%", failed},
		{"more allocations, as many as allowed", assay.MetricAllocs, exact(assay.More, 10, 11), "20%", held},
		{"allocations where there were none", assay.MetricAllocs, exact(assay.More, 0, 1), "20%", failed},
		{"none before and none now", assay.MetricAllocs, exact(assay.Same, 0, 0), "0%", held},
		{"fewer allocations", assay.MetricAllocs, exact(assay.Less, 3, 2), "0%", held},
	} {
		o, err := JudgeGate(result(table(x.metric, true, x.row)), GateQuestion{Run: "7k2m", Max: x.most})
		if err != nil {
			t.Errorf("%s: %v", x.what, err)
			continue
		}
		got := held
		switch {
		case o.Failed == 1 && o.Undecided == 0:
			got = failed
		case o.Undecided == 1 && o.Failed == 0:
			got = undecided
		}
		if last := o.Lines[len(o.Lines)-1]; got != x.want || !strings.HasPrefix(last, "gate "+x.want+": of 1 comparison ") {
			t.Errorf("%s: got %s, %q, want %s", x.what, got, last, x.want)
		}
	}
}

// Failures come first, of what is undecided a few are listed, and the last line counts
// all and names the limits.
func TestOutcomeLines(t *testing.T) {
	rows := []assay.Row{row("Held", assay.Same, -1, 1)}
	for i := range 10 {
		rows = append(rows, row(fmt.Sprint("Open", i), assay.Unclear, -1, 5))
	}
	rows = append(rows, row("Slow", assay.Slower, 6.9, 9.3))
	o, err := JudgeGate(result(table(assay.MetricTime, true, rows...)), GateQuestion{Run: "7k2m", Max: "3%"})
	if err != nil {
		t.Fatal(err)
	}
	if o.Failed != 1 || o.Undecided != 10 || len(o.Lines) != 11 {
		t.Fatalf("got %d failed, %d undecided and lines\n%s", o.Failed, o.Undecided, strings.Join(o.Lines, "\n"))
	}
	for i, want := range map[int]string{
		0:  "failed     Slow sec/op: +8.1 % [+6.9, +9.3], slower; limit 3 %",
		9:  "… 2 more undecided (assay show 7k2m --all)",
		10: "gate failed: of 12 comparisons 1 failed, 10 undecided, 1 held (sec/op 3 %)",
	} {
		if o.Lines[i] != want {
			t.Errorf("line %d: got %q, want %q", i, o.Lines[i], want)
		}
	}
	for i, line := range o.Lines[1:9] {
		if want := fmt.Sprintf("undecided  Open%d sec/op: ", i); !strings.HasPrefix(line, want) {
			t.Errorf("got %q, want it to begin with %q", line, want)
		}
	}
}

// A line says of which variant it is where there are several, and not where there is one.
func TestOutcomeNamesVariant(t *testing.T) {
	r := result(table(assay.MetricTime, true, row("B", assay.Slower, 4, 6)))
	for variants, want := range map[int]string{2: "failed     B sec/op: ", 3: "failed     B in new sec/op: "} {
		r.Variants = make([]assay.VariantResult, variants)
		o, err := JudgeGate(r, GateQuestion{Max: "3%"})
		if err != nil || !strings.HasPrefix(o.Lines[0], want) {
			t.Errorf("%d variants: got %+v, %v, want a line with %q", variants, o, err, want)
		}
	}
}

// Limits are those that were typed, else the study's, on the metrics that decide.
func TestWhichLimits(t *testing.T) {
	const kind = "kind=a/op" // a unit may have the sign that stands before a limit
	for _, x := range []struct {
		what string
		gate float64
		q    GateQuestion
		want string
	}{
		{"one for all that decide", 0, GateQuestion{Max: "3%"}, "(sec/op 3 %, allocs/op 3 %)"},
		{"of a metric alone", 0, GateQuestion{Metrics: []string{"B/op=2.5%"}}, "(B/op 2.5 %)"},
		{"of a metric, and one for the others", 0, GateQuestion{Max: "3%", Metrics: []string{"allocs/op=0%"}}, "(allocs/op 0 %, sec/op 3 %)"},
		{"of the study", 0.05, GateQuestion{}, "(sec/op 5 %, allocs/op 5 %)"},
		{"in place of the study's", 0.05, GateQuestion{Max: "1%"}, "(sec/op 1 %, allocs/op 1 %)"},
		{"of a metric alone, though the study has one", 0.05, GateQuestion{Metrics: []string{"B/op=0%"}}, "(B/op 0 %)"},
		{"of a metric with a sign in its name", 0, GateQuestion{Metrics: []string{kind + "=7%"}}, "(" + kind + " 7 %)"},
	} {
		r := result(table(assay.MetricTime, true, row("B", assay.Same, -1, 1)), table(assay.MetricAllocs, true, exact(assay.Same, 1, 1)),
			table(assay.MetricBytes, false, exact(assay.Same, 8, 8)), table(kind, false, exact(assay.Same, 8, 8)))
		r.Tables[3].Metric.Better = assay.BetterLower
		r.Rule.Gate = x.gate
		o, err := JudgeGate(r, x.q)
		if err != nil {
			t.Errorf("%s: %v", x.what, err)
			continue
		}
		if last := o.Lines[len(o.Lines)-1]; !strings.HasSuffix(last, " "+x.want) {
			t.Errorf("%s: got %q, want limits %s", x.what, last, x.want)
		}
	}
}

// A limit that cannot be held against the result is an error, which says what to type.
func TestBadLimits(t *testing.T) {
	r := result(table(assay.MetricTime, true, row("B", assay.Same, -1, 1)), table("widgets", false, exact(assay.Same, 1, 1)), table(assay.MetricAllocs, true))
	none := result(table(assay.MetricTime, true))
	for _, x := range []struct {
		what  string
		r     *assay.Result
		q     GateQuestion
		code  assay.Code
		exit  int
		words []string
	}{
		{"no limit at all", r, GateQuestion{Run: "7k2m"}, assay.CodeFlags, assay.ExitUsage, []string{"assay gate 7k2m --max 3%"}},
		{"no unit", r, GateQuestion{Max: "3"}, assay.CodeFlags, assay.ExitUsage, []string{"--max", `"3%"`}},
		{"a metric without a limit", r, GateQuestion{Metrics: []string{"sec/op"}}, assay.CodeFlags, assay.ExitUsage, []string{"--metric sec/op", "takes a metric and its limit"}},
		{"a limit without a metric", r, GateQuestion{Metrics: []string{"=3%"}}, assay.CodeFlags, assay.ExitUsage, []string{"takes a metric and its limit"}},
		{"a metric with a bad limit", r, GateQuestion{Metrics: []string{"sec/op=lots"}}, assay.CodeFlags, assay.ExitUsage, []string{"--metric sec/op", "lots"}},
		{"an unknown metric", r, GateQuestion{Metrics: []string{"ns/op=3%"}}, assay.CodeGateMetric, assay.ExitUsage,
			[]string{`"ns/op"`, "there are: sec/op, widgets", "--metric sec/op=0%"}},
		{"a metric without values", r, GateQuestion{Metrics: []string{"allocs/op=3%"}}, assay.CodeGateMetric, assay.ExitUsage, []string{"there are: sec/op, widgets"}},
		{"a metric of unknown direction", r, GateQuestion{Run: "7k2m", Metrics: []string{"widgets=3%"}}, assay.CodeGateMetric, assay.ExitUsage,
			[]string{"widgets", "assay gate 7k2m --metric sec/op=0%"}},
		{"nothing was measured", none, GateQuestion{Run: "7k2m", Max: "3%"}, assay.CodeGateNothing, assay.ExitBuild, []string{"assay show 7k2m"}},
		{"nothing was measured of a metric", none, GateQuestion{Metrics: []string{"B/op=3%"}}, assay.CodeGateMetric, assay.ExitUsage, []string{"there are: sec/op"}},
	} {
		o, err := JudgeGate(x.r, x.q)
		if err == nil {
			t.Errorf("%s: got %+v, want an error", x.what, o)
			continue
		}
		text := errortest.Want(t, err, x.code, x.exit)
		for _, w := range x.words {
			if !strings.Contains(text, w) {
				t.Errorf("%s: got %q, want %q in it", x.what, text, w)
			}
		}
	}
}

// A failed limit always fails, a broken benchmark never passes, and what an undecided
// limit means is the user's choice.
func TestExit(t *testing.T) {
	for _, x := range []struct {
		failed, undecided int
		broken            bool
		as                string
		want              int
	}{
		{0, 0, false, "fail", assay.ExitOK},
		{1, 0, false, "pass", assay.ExitGate},
		{1, 1, true, "3", assay.ExitGate},
		{0, 1, false, "pass", assay.ExitOK},
		{0, 1, false, "fail", assay.ExitGate},
		{0, 1, false, "3", assay.ExitUndecided},
		{0, 0, true, "pass", assay.ExitBuild},
		{0, 1, true, "3", assay.ExitBuild},
		{0, 1, true, "fail", assay.ExitGate},
	} {
		o := &GateOutcome{Failed: x.failed, Undecided: x.undecided, broken: x.broken}
		if got := o.Exit(x.as); got != x.want {
			t.Errorf("%+v: got %d, want %d", x, got, x.want)
		}
	}
}

// A benchmark that failed, or printed something else, is in no comparison and does not
// pass for one that held.
func TestFailedBenchmarkDoesNotPass(t *testing.T) {
	for code, want := range map[assay.Code]int{assay.CodeBenchFailed: assay.ExitBuild, assay.CodeWrongOutput: assay.ExitBuild, assay.CodeNoisy: assay.ExitOK} {
		r := result(table(assay.MetricTime, true, row("B", assay.Same, -1, 1)))
		r.Warnings = []assay.Warning{{Code: assay.CodePair}, {Code: code}}
		o, err := JudgeGate(r, GateQuestion{Max: "3%"})
		if err != nil {
			t.Fatal(err)
		}
		if got := o.Exit("pass"); got != want {
			t.Errorf("%s: got exit %d, want %d", code, got, want)
		}
	}
}
