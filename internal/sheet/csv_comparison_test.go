package sheet

import (
	"encoding/csv"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// written are the lines of a result's CSV below the head, and their fields by column.
func written(t *testing.T, r *assay.Result) (lines []map[string]string) {
	t.Helper()
	var b strings.Builder
	if err := WriteCSV(&b, r); err != nil {
		t.Fatal(err)
	}
	all, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, fields := range all[1:] {
		line := map[string]string{}
		for i, name := range all[0] {
			line[name] = fields[i]
		}
		lines = append(lines, line)
	}
	return lines
}

// holds compares some fields of a line.
func holds(t *testing.T, what string, line, want map[string]string) {
	t.Helper()
	for column, w := range want {
		if got, ok := line[column]; !ok || got != w {
			t.Errorf("%s: column %s: got %q, want %q", what, column, got, w)
		}
	}
}

// Every comparison has a line with its figures in full: benchmarks first, then the
// geomean, which has no benchmark.
func TestCSVLines(t *testing.T) {
	encode, skip := assay.Benchmark{Package: "example.com/m", Name: "Encode"}, assay.Benchmark{Package: "example.com/m", Name: "Skip"}
	tab := assay.Table{Metric: assay.Metric{Name: assay.MetricTime, Better: assay.BetterLower}, GeomeanBase: 4e-6,
		Rows: []assay.Row{
			{Benchmark: encode, Base: 2e-6, Cells: []assay.Comparison{{Variant: "new", Benchmark: encode, Value: 1e-6, Change: -0.5,
				Interval: &assay.Interval{Lo: -0.6, Hi: -0.4}, E: 40.5, N: 12, Verdict: assay.Faster}}},
			{Benchmark: skip, Base: 3e-6, Cells: []assay.Comparison{{Variant: "new", Benchmark: skip, Verdict: assay.Invalid, N: 12, Reason: "=it failed"}}},
		},
		Geomean: []assay.Comparison{{Variant: "new", Value: 3e-6, Change: -0.25, N: 10, Verdict: assay.Unclear}}}
	lines := written(t, &assay.Result{Base: "old", Tables: []assay.Table{tab}})
	if len(lines) != 3 {
		t.Fatalf("got %d lines, want 3", len(lines))
	}
	holds(t, "a benchmark", lines[0], map[string]string{"metric": "sec/op", "unit": "s", "package": "example.com/m",
		"benchmark": "Encode", "variant": "new", "base": "old", "against": "old",
		"base_value": "2e-06", "value": "1e-06", "change": "-0.5", "lo": "-0.6", "hi": "-0.4", "verdict": "faster", "n": "12", "e": "40.5", "exact": "false", "reason": ""})
	holds(t, "one that failed", lines[1], map[string]string{"benchmark": "Skip", "base_value": "3e-06",
		"value": "", "change": "", "lo": "", "hi": "", "verdict": "invalid", "e": "", "reason": "'=it failed"})
	holds(t, "the geomean", lines[2], map[string]string{"package": "", "benchmark": "", "against": "old",
		"base_value": "4e-06", "value": "3e-06", "change": "-0.25", "n": "10", "verdict": "unclear"})
}

// A step has a line against the base and one against the step before it, whose value
// follows from the change.
func TestCSVSteps(t *testing.T) {
	b := assay.Benchmark{Name: "X"}
	at := func(variant string, value float64, change assay.Change) assay.Comparison {
		return assay.Comparison{Variant: variant, Benchmark: b, Value: value, Change: change, N: 9, Verdict: assay.Slower}
	}
	tab := assay.Table{Metric: assay.Metric{Name: assay.MetricTime},
		Rows: []assay.Row{{Benchmark: b, Base: 1, Cells: []assay.Comparison{at("one", 2, 1), at("two", 8, 7)}}},
		Steps: []assay.StepChange{{Variant: "one", Previous: "base", Cells: []assay.Comparison{at("one", 2, 1)}},
			{Variant: "two", Previous: "one", Cells: []assay.Comparison{at("two", 8, 3)}}}}
	lines := written(t, &assay.Result{Base: "base", Tables: []assay.Table{tab}})
	var got []string
	for _, l := range lines {
		got = append(got, strings.Join([]string{l["variant"], l["against"], l["base_value"], l["value"], l["change"]}, " "))
	}
	if want := []string{"one base 1 2 1", "two base 1 8 7", "one base 1 2 1", "two one 2 8 3"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Of what was not measured there is no value, and a zero is one without a sign.
func TestFigures(t *testing.T) {
	for _, x := range []struct {
		what string
		c    assay.Comparison
		want []string // value, change, lo, hi, verdict, n, e
	}{
		{"measured", assay.Comparison{Value: 0.1, Change: 0.25, Interval: &assay.Interval{Lo: 0.2, Hi: 0.3}, E: 7, N: 5, Verdict: assay.Slower},
			[]string{"0.1", "0.25", "0.2", "0.3", "slower", "5", "7"}},
		{"no interval yet", assay.Comparison{Value: 3, Change: 0.5, N: 2, Verdict: assay.Unclear}, []string{"3", "0.5", "", "", "unclear", "2", ""}},
		{"equal", assay.Comparison{Value: 4, Change: assay.Change(math.Copysign(0, -1)), N: 5, Exact: true, Verdict: assay.Same}, []string{"4", "0", "", "", "same", "5", ""}},
		{"not measured", assay.Comparison{Verdict: assay.SameCoded}, []string{"", "", "", "", "same code", "0", ""}},
		{"not comparable", assay.Comparison{Value: 4, Change: 1, N: 5, Verdict: assay.Invalid}, []string{"", "", "", "", "invalid", "5", ""}},
		{"no ratio", assay.Comparison{Value: 4, Change: assay.Change(math.Inf(1)), N: 5, Verdict: assay.More}, []string{"4", "", "", "", "more", "5", ""}},
	} {
		if got := CSVFigures(x.c); !slices.Equal(got, x.want) {
			t.Errorf("%s: got %q, want %q", x.what, got, x.want)
		}
	}
}
