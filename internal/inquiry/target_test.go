package inquiry

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
)

// cell is a measured comparison of a variant.
func cell(benchmark, variant string, change assay.Change, v assay.Verdict) assay.Comparison {
	return assay.Comparison{Variant: variant, Benchmark: assay.Benchmark{Package: "p", Name: benchmark}, Change: change, N: 10, Verdict: v}
}

// row is the row of a benchmark with these cells.
func row(cells ...assay.Comparison) assay.Row {
	return assay.Row{Benchmark: cells[0].Benchmark, Base: 1e-6, Cells: cells}
}

// aResult has a base, two variants, and a table for each metric.
func aResult(tables ...assay.Table) *assay.Result {
	return &assay.Result{Run: "7k2m", Base: "old", Variants: []assay.VariantResult{{Name: "old"}, {Name: "new"}, {Name: "other"}}, Tables: tables}
}

// inTime is a table of times, which decide.
func inTime(rows ...assay.Row) assay.Table {
	return assay.Table{Metric: assay.Metric{Name: assay.MetricTime}, Decides: true, Rows: rows}
}

// names lists the benchmarks of targets with their variants: "Sum new other".
func names(targets []target) (out []string) {
	for _, t := range targets {
		var line strings.Builder
		line.WriteString(t.row.Benchmark.Name)
		for _, c := range t.cells {
			line.WriteString(" " + c.Variant)
		}
		out = append(out, line.String())
	}
	return out
}

// Without a name the largest changes are explained, in either direction; with one all
// benchmarks with that part in their name, or the one that has the whole name.
func TestTargets(t *testing.T) {
	unmeasured := cell("Lost", "new", 0.9, assay.Slower)
	unmeasured.N = 0
	r := aResult(inTime(
		row(cell("Sum", "new", 0.05, assay.Slower), cell("Sum", "other", 0, assay.Same)),
		row(cell("Sum/large", "new", -0.5, assay.Faster), cell("Sum/large", "other", 0.3, assay.Slower)),
		row(cell("Quiet", "new", 0.4, assay.Unclear), cell("Quiet", "other", 0, assay.Same)),
		row(unmeasured),
		row(cell("Lean", "new", 0, assay.Same), cell("Lean", "other", 0, assay.Same)),
	), assay.Table{Metric: assay.Metric{Name: assay.MetricAllocs}, Rows: []assay.Row{row(cell("Lean", "new", -0.5, assay.Less), cell("Lean", "other", 0, assay.Same))}})
	for _, c := range []struct {
		name, variant string
		want          []string
	}{
		{"", "", []string{"Sum/large new other", "Sum new", "Lean new"}},
		{"", "other", []string{"Sum/large other"}},
		{"Sum", "", []string{"Sum new"}},
		{"um", "", []string{"Sum/large new other", "Sum new"}},
		{"p.Sum/", "", []string{"Sum/large new other"}},
		{"Quiet", "", []string{"Quiet new other"}}, // one that is named, whatever its verdict
		{"Quiet", "other", []string{"Quiet other"}},
	} {
		got, err := targetsOf(r, &assay.Plan{}, c.name, c.variant)
		if err != nil || !slices.Equal(names(got), c.want) {
			t.Errorf("%q, %q: got %q, %v, want %q", c.name, c.variant, names(got), err, c.want)
		}
	}
}

// No more benchmarks are explained than a reader reads, the largest changes of all.
func TestTargetsAreFew(t *testing.T) {
	var rows []assay.Row
	for i := range 9 {
		rows = append(rows, row(cell(fmt.Sprint("B", i), "new", assay.Change(i+1)/100, assay.Slower)))
	}
	got, err := targetsOf(aResult(inTime(rows...)), &assay.Plan{}, "", "")
	if want := []string{"B8 new", "B7 new", "B6 new", "B5 new", "B4 new"}; err != nil || !slices.Equal(names(got), want) {
		t.Errorf("got %q, %v, want %q", names(got), err, want)
	}
	many := target{cells: []assay.Comparison{cell("X", "a", 0.1, assay.Slower), cell("X", "b", -0.2, assay.Faster), cell("X", "c", 0.11, assay.Slower)}}
	many.keepLargest(2)
	if got, want := names([]target{many}), []string{" b c"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q: -20 %% is more than +11 %%", got, want)
	}
}

// Time is explained if it was measured, else the first metric that decides.
func TestExplainedTable(t *testing.T) {
	requests := assay.Table{Metric: assay.Metric{Name: assay.MetricRequests}, Decides: true}
	memory := assay.Table{Metric: assay.Metric{Name: assay.MetricRSS}}
	for _, c := range []struct {
		tables []assay.Table
		want   string
	}{
		{[]assay.Table{memory, requests, inTime()}, assay.MetricTime},
		{[]assay.Table{memory, requests}, assay.MetricRequests},
		{[]assay.Table{memory}, ""},
	} {
		got := ""
		if t := explained(aResult(c.tables...)); t != nil {
			got = t.Metric.Name
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// The error says what is missing, and offers what can be explained.
func TestNoTarget(t *testing.T) {
	same := aResult(inTime(row(cell("Sum", "new", 0, assay.Same))))
	plan := &assay.Plan{Benchmarks: []assay.PlannedBenchmark{{Benchmark: assay.Benchmark{Package: "p", Name: "Gone"}, Missing: []string{"new", "other"}}}}
	for _, c := range []struct {
		r             *assay.Result
		name, variant string
		code          assay.Code
		want          []string
	}{
		{aResult(), "", "", assay.CodeNothingToExplain, []string{"7k2m has no measured comparison", "assay show 7k2m"}},
		{same, "", "newer", assay.CodeNothingToExplain, []string{`no variant "newer" beside the base`}},
		{same, "", "old", assay.CodeNothingToExplain, []string{`no variant "old" beside the base`}},
		{same, "", "", assay.CodeNothingToExplain, []string{"no benchmark of run 7k2m has changed", "assay explain 7k2m Sum"}},
		{same, "Gone", "", assay.CodeNoBenchmarks, []string{"Gone is not in new, other: renamed there?"}},
		{same, "Product", "", assay.CodeNoBenchmarks, []string{"it has Sum"}},
	} {
		_, err := targetsOf(c.r, plan, c.name, c.variant)
		text := errortest.Want(t, err, c.code, assay.ExitUsage)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%q, %q: got %s\nwant %s", c.name, c.variant, text, want)
			}
		}
	}
}
