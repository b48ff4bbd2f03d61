package output

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/runs"
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

// judge compares one result with limits.
func judge(r *assay.Result, q GateQuestion) (*assay.LimitReport, []string, error) {
	g, err := JudgeGate([]runs.Source{{Result: r}}, q)
	if err != nil {
		return nil, nil, err
	}
	return g, GateLines(g, q.Run), nil
}

// A comparison fails where all of its interval is beyond the limit and a loss is claimed,
// holds where all of it is within, and is undecided otherwise.
func TestComparisonIsHeldAgainstLimit(t *testing.T) {
	const held, failed, undecided = assay.LimitHeld, assay.LimitFailed, assay.LimitUndecided
	for _, x := range []struct {
		what, metric string
		row          assay.Row
		most         string
		want         assay.LimitStatus
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
		g, lines, err := judge(result(table(x.metric, true, x.row)), GateQuestion{Run: "7k2m", Max: x.most})
		if err != nil {
			t.Errorf("%s: %v", x.what, err)
			continue
		}
		if last := lines[len(lines)-1]; g.Status != x.want || g.Runs[0].Cells[0].Status != x.want || !strings.HasPrefix(last, "gate "+string(x.want)+": of 1 comparison ") {
			t.Errorf("%s: got %s, %q, want %s", x.what, g.Status, last, x.want)
		}
	}
}

// Failures come first, of what is undecided a few are listed, and the last line counts
// all and names the limits.
func TestOutcomeLines(t *testing.T) {
	rows := []assay.Row{row("Held", assay.Same, -1, 1)}
	for i := range 10 { // the worst last
		rows = append(rows, row(fmt.Sprint("Open", 9-i), assay.Unclear, -1, 5+float64(i)))
	}
	rows = append(rows, row("Slow", assay.Slower, 6.9, 9.3))
	_, lines, err := judge(result(table(assay.MetricTime, true, rows...)), GateQuestion{Run: "my run", Max: "3%"})
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) != 11 {
		t.Fatalf("got the lines\n%s", strings.Join(lines, "\n"))
	}
	for i, want := range map[int]string{
		0:  "failed     Slow sec/op: +8.1 % [+6.9, +9.3], slower; limit 3 %",
		9:  "… 2 more undecided (assay show 'my run' --all)",
		10: "gate failed: of 12 comparisons 1 failed, 10 undecided, 1 held (sec/op 3 %)",
	} {
		if lines[i] != want {
			t.Errorf("line %d: got %q, want %q", i, lines[i], want)
		}
	}
	for i, line := range lines[1:9] {
		if want := fmt.Sprintf("undecided  Open%d sec/op: ", i); !strings.HasPrefix(line, want) {
			t.Errorf("got %q, want it to begin with %q", line, want)
		}
	}
}

// A line says of which variant it is where there are several, and not where there is one.
func TestOutcomeNamesVariant(t *testing.T) {
	r := result(table(assay.MetricTime, true, row("B", assay.Slower, 4, 6)))
	for _, want := range []string{"failed     B sec/op: ", "failed     B in new sec/op: "} {
		_, lines, err := judge(r, GateQuestion{Max: "3%"})
		if err != nil || !strings.HasPrefix(lines[0], want) {
			t.Errorf("got %q, %v, want a line with %q", lines, err, want)
		}
		cells := &r.Tables[0].Rows[0].Cells
		*cells = append(*cells, (*cells)[0])
		(*cells)[1].Variant = "newer"
	}
}

// Of a group the worst machine counts, and lines name the machine.
func TestGateOfGroup(t *testing.T) {
	good, bad, open := result(table(assay.MetricTime, true, row("B", assay.Same, -1, 1))), result(table(assay.MetricTime, true, row("B", assay.Slower, 4, 6))),
		result(table(assay.MetricTime, true, row("B", assay.Unclear, -1, 5)))
	for _, x := range []struct {
		runs   []*assay.Result
		status assay.LimitStatus
		exit   int
	}{
		{[]*assay.Result{good, good}, assay.LimitHeld, assay.ExitOK},
		{[]*assay.Result{good, open}, assay.LimitUndecided, assay.ExitUndecided},
		{[]*assay.Result{open, bad, good}, assay.LimitFailed, assay.ExitGate},
	} {
		var list []runs.Source
		for i, r := range x.runs {
			list = append(list, runs.Source{Result: r, Machine: fmt.Sprint("m", i)})
		}
		g, err := JudgeGate(list, GateQuestion{Max: "3%", Undecided: "3"})
		if err != nil {
			t.Fatal(err)
		}
		lines := GateLines(g, "last")
		if last := lines[len(lines)-1]; g.Status != x.status || g.Exit != x.exit || len(g.Runs) != len(list) || !strings.HasPrefix(last, fmt.Sprintf("m%d: gate ", len(list)-1)) {
			t.Errorf("got %s, exit %d, %q, want %s and %d", g.Status, g.Exit, last, x.status, x.exit)
		}
	}
}

// JSON has each comparison with its limit and status, and no character that moves a cursor.
func TestGateAsJSON(t *testing.T) {
	r := result(table(assay.MetricTime, true, row("Slow\u009b", assay.Slower, 6.9, 9.3), row("Open", assay.Unclear, -1, 5)), table(assay.MetricAllocs, false, exact(assay.More, 0, 1)))
	r.Warnings = []assay.Warning{{Code: assay.CodeBenchFailed, Text: "BenchmarkLost failed"}}
	g, _, err := judge(r, GateQuestion{Max: "3%", Metrics: []string{"allocs/op=5%"}, Undecided: "3"})
	if err != nil {
		t.Fatal(err)
	}
	b, err := EncodeGate(g)
	if err != nil || bytes.Contains(b, []byte("\u009b")) || !bytes.HasSuffix(b, []byte("\n}\n")) {
		t.Errorf("got %v and\n%s", err, b)
	}
	var back assay.LimitReport
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range back.Runs[0].Cells {
		got = append(got, fmt.Sprintf("%s %q %s %s %.3f %.2f", c.Status, c.Benchmark.Name, c.Variant, c.Metric.Name, float64(c.Change), c.Limit))
	}
	want := []string{`failed "B" new allocs/op 0.000 0.05`, `failed "Slow\u009b" new sec/op 0.081 0.03`, `undecided "Open" new sec/op 0.020 0.03`}
	if run := back.Runs[0]; back.Status != assay.LimitFailed || back.Exit != assay.ExitGate || run.Run != "7k2m" || !slices.Equal(run.Missing, []string{"BenchmarkLost failed"}) || !slices.Equal(got, want) {
		t.Errorf("got %q of\n%s", got, b)
	}
}

// The same code holds every limit, also on metrics that nothing was measured of. A variant of
// other code, of which nothing was measured, does not.
func TestSameCodeHoldsEveryLimit(t *testing.T) {
	r := result(table(assay.MetricTime, true))
	r.Variants[1].SameAs = &assay.SameCode{Variant: "new", As: "old", Functions: 812}
	for _, q := range []GateQuestion{{Max: "0%"}, {Metrics: []string{"allocs/op=0%"}, Undecided: "fail"}, {Max: "5%", Metrics: []string{"allocs/op=0%"}, Undecided: "3"}} {
		g, lines, err := judge(r, q)
		if err != nil {
			t.Errorf("%+v: %v", q, err)
			continue
		}
		run, last := g.Runs[0], lines[len(lines)-1]
		if g.Status != assay.LimitHeld || g.Exit != assay.ExitOK || len(run.Cells) != len(run.Limits) || run.Cells[0].Verdict != assay.SameCoded || !strings.HasPrefix(last, "gate held: the same code, so nothing was measured (") {
			t.Errorf("%+v: got %+v, %q", q, g, last)
		}
	}
	r.Variants = append(r.Variants, assay.VariantResult{Name: "newer"})
	if g, _, err := judge(r, GateQuestion{Max: "5%"}); err == nil {
		t.Errorf("got %+v, want that nothing was measured", g)
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
		_, lines, err := judge(r, x.q)
		if err != nil {
			t.Errorf("%s: %v", x.what, err)
			continue
		}
		if last := lines[len(lines)-1]; !strings.HasSuffix(last, " "+x.want) {
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
		{"no limit at all", r, GateQuestion{Run: "my run"}, assay.CodeFlags, assay.ExitUsage, []string{"try: assay gate --max=3% 'my run'"}},
		{"no unit", r, GateQuestion{Run: "7k2m", Max: "3", Metrics: []string{"sec/op=0%"}, Flags: []string{"--json"}}, assay.CodeFlags, assay.ExitUsage,
			[]string{"--max", "try: assay gate --max=3% --metric=sec/op=0% --json 7k2m"}},
		{"no percentage", r, GateQuestion{Max: "-1%"}, assay.CodeFlags, assay.ExitUsage, []string{"--max", "try: assay gate --help"}},
		{"a metric without a limit", r, GateQuestion{Run: "7k2m", Metrics: []string{"sec/op"}}, assay.CodeFlags, assay.ExitUsage,
			[]string{"--metric sec/op", "takes a metric and its limit", "try: assay gate --metric=sec/op=3% 7k2m"}},
		{"a word without a limit", r, GateQuestion{Metrics: []string{"lots"}}, assay.CodeFlags, assay.ExitUsage, []string{"--metric lots", "such as sec/op=3%"}},
		{"a limit without a metric", r, GateQuestion{Metrics: []string{"=3%"}}, assay.CodeFlags, assay.ExitUsage, []string{"takes a metric and its limit"}},
		{"a metric with a bad limit", r, GateQuestion{Metrics: []string{"sec/op=lots"}}, assay.CodeFlags, assay.ExitUsage, []string{"--metric sec/op", "lots"}},
		{"a metric whose limit has no unit", r, GateQuestion{Run: "7k2m", Max: "1%", Metrics: []string{"widgets=3", "sec/op=5"}}, assay.CodeFlags, assay.ExitUsage,
			[]string{"--metric widgets", "try: assay gate --max=1% --metric=widgets=3% --metric=sec/op=5 7k2m"}},
		{"the unit of go test", r, GateQuestion{Run: "7k2m", Metrics: []string{"ns/op=3%"}}, assay.CodeGateMetric, assay.ExitUsage,
			[]string{`"ns/op"`, "there are: sec/op, widgets", "try: assay gate --metric=sec/op=3% 7k2m"}},
		{"a metric without values", r, GateQuestion{Metrics: []string{"allocs/op=3%"}}, assay.CodeGateMetric, assay.ExitUsage, []string{"there are: sec/op, widgets"}},
		{"a metric of unknown direction", r, GateQuestion{Run: "7k2m", Metrics: []string{"widgets=3%"}}, assay.CodeGateMetric, assay.ExitUsage, []string{"widgets"}},
		{"nothing was measured", none, GateQuestion{Run: "7k2m", Max: "3%"}, assay.CodeGateNothing, assay.ExitBuild, []string{"assay show 7k2m"}},
		{"nothing was measured of a metric", none, GateQuestion{Metrics: []string{"B/op=3%"}}, assay.CodeGateNothing, assay.ExitBuild, nil},
	} {
		g, _, err := judge(x.r, x.q)
		if err == nil {
			t.Errorf("%s: got %+v, want an error", x.what, g)
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

// A command to try keeps the limit and names the metric that was meant, or none.
func TestMeantMetric(t *testing.T) {
	known := []string{assay.MetricTime, assay.MetricBytes, assay.MetricAllocs, assay.MetricRate, assay.MetricRSS, "widgets/op"}
	for word, want := range map[string]string{"allocs": assay.MetricAllocs, "time": assay.MetricTime, "ns/op": assay.MetricTime, "sec": assay.MetricTime, "b": assay.MetricBytes,
		"bytes": assay.MetricBytes, "MB/s": assay.MetricRate, "throughput": assay.MetricRate, "peak memory": assay.MetricRSS, "alocs/op": assay.MetricAllocs, "Widgets": "widgets/op", "nonsense": ""} {
		if got := meantMetric(word, known); got != want {
			t.Errorf("%s: got %q, want %q", word, got, want)
		}
	}
}

// A failed limit always fails, a benchmark that failed never passes, and what an undecided
// limit means is the user's choice.
func TestExit(t *testing.T) {
	failed, open, held := row("Slow", assay.Slower, 4, 6), row("Open", assay.Unclear, -1, 5), row("Held", assay.Same, -1, 1)
	for _, x := range []struct {
		rows   []assay.Row
		broken bool
		as     string
		want   int
	}{
		{[]assay.Row{held}, false, "fail", assay.ExitOK},
		{[]assay.Row{held, failed}, false, "pass", assay.ExitGate},
		{[]assay.Row{open, failed}, true, "3", assay.ExitGate},
		{[]assay.Row{open}, false, "pass", assay.ExitOK},
		{[]assay.Row{open}, false, "fail", assay.ExitGate},
		{[]assay.Row{open}, false, "3", assay.ExitUndecided},
		{[]assay.Row{held}, true, "pass", assay.ExitBuild},
		{[]assay.Row{open}, true, "3", assay.ExitBuild},
		{[]assay.Row{open}, true, "fail", assay.ExitGate},
	} {
		r := result(table(assay.MetricTime, true, x.rows...))
		if x.broken {
			r.Warnings = []assay.Warning{{Code: assay.CodeBenchFailed}}
		}
		g, _, err := judge(r, GateQuestion{Max: "3%", Undecided: x.as})
		if err != nil || g.Exit != x.want {
			t.Errorf("%+v: got %+v, %v, want exit %d", x, g, err, x.want)
		}
	}
}

// A benchmark that failed, or printed something else, is in no comparison. It does not pass
// for one that held, and the lines name it.
func TestFailedBenchmarkDoesNotPass(t *testing.T) {
	for code, want := range map[assay.Code]int{assay.CodeBenchFailed: assay.ExitBuild, assay.CodeWrongOutput: assay.ExitBuild, assay.CodeNoisy: assay.ExitOK} {
		r := result(table(assay.MetricTime, true, row("B", assay.Same, -1, 1)))
		r.Warnings = []assay.Warning{{Code: assay.CodePair}, {Code: code, Text: "A failed"}}
		g, lines, err := judge(r, GateQuestion{Max: "3%", Undecided: "pass"})
		if err != nil {
			t.Fatal(err)
		}
		if incomplete := slices.Contains(lines, "missing    A failed") && strings.HasPrefix(lines[1], "gate incomplete: of 1 comparison "); g.Exit != want || incomplete != (want != assay.ExitOK) {
			t.Errorf("%s: got exit %d and %q, want exit %d", code, g.Exit, lines, want)
		}
	}
}
