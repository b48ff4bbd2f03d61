package chain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
)

var (
	benchA = assay.Benchmark{Name: "A"}
	benchB = assay.Benchmark{Name: "B"}
	suite  = assay.Benchmark{Name: "geomean"}
)

// moved is a comparison of a variant on a benchmark, known to a hundredth.
func moved(variant string, b assay.Benchmark, v assay.Verdict, change assay.Change) assay.Comparison {
	return assay.Comparison{Variant: variant, Benchmark: b, Verdict: v, N: 12, Value: 1 + float64(change), Change: change,
		Interval: &assay.Interval{Lo: change - 0.01, Hi: change + 0.01}}
}

// madeResult is a chain of the steps one to four: one is faster on A, two has the code of
// one, three did not build, and four is slower than one.
func madeResult() *assay.Result {
	step := func(name, phase, previous string) assay.StepResult {
		return assay.StepResult{Step: assay.Step{Variant: name, Phase: phase}, Previous: previous}
	}
	steps := []assay.StepResult{step("one", "a", "base"), step("two", "a", "one"), step("three", "b", "two"), step("four", "b", "two")}
	steps[1].SameAs = &assay.SameCode{As: "one"}
	steps[2].Gap = &assay.Gap{Variant: "three", Reason: "x.go:1: no such name"}
	for i := range steps {
		steps[i].Number = i + 1
	}
	whole := func(c assay.Comparison) *assay.Comparison { return &c }
	four := moved("four", suite, assay.Slower, 0.1)
	four.MayBeSmall = true
	table := assay.Table{Metric: assay.Metric{Name: assay.MetricTime, Better: assay.BetterLower, MinEffect: 0.02}, Decides: true, Common: 2, GeomeanBase: 1,
		Rows: []assay.Row{{Benchmark: benchA, Base: 1, Cells: []assay.Comparison{moved("one", benchA, assay.Faster, -0.4), moved("four", benchA, assay.Faster, -0.3)}},
			{Benchmark: benchB, Base: 1, Cells: []assay.Comparison{moved("one", benchB, assay.Same, 0), moved("four", benchB, assay.Slower, 0.05)}}},
		Geomean: []assay.Comparison{moved("one", suite, assay.Faster, -0.2), moved("four", suite, assay.Faster, -0.12)},
		Steps: []assay.StepChange{
			{Variant: "one", Previous: "base", Whole: whole(moved("one", suite, assay.Faster, -0.2)),
				Cells: []assay.Comparison{moved("one", benchA, assay.Faster, -0.4), moved("one", benchB, assay.Same, 0)}},
			{Variant: "two", Previous: "one", Whole: whole(assay.Comparison{Variant: "two", Benchmark: suite, Verdict: assay.SameCoded}), Text: "same code as one"},
			{Variant: "four", Previous: "two", Whole: &four, Cells: []assay.Comparison{moved("four", benchA, assay.Slower, 0.16), moved("four", benchB, assay.Slower, 0.05)}},
		}}
	r := &assay.Result{Run: "r1", Base: "base", Tables: []assay.Table{table}, Spent: assay.Spent{Blocks: 12}, Rule: assay.Rule{Metrics: []string{assay.MetricTime}},
		Arc: &assay.Arc{Phases: []assay.Phase{{ID: "a", Name: "tuning"}, {ID: "b", Name: "b"}}, Steps: steps}}
	for _, v := range []string{"base", "one", "two", "three", "four"} {
		r.Variants = append(r.Variants, assay.VariantResult{Name: v})
	}
	return r
}

// allocsTable is a table of another metric of the made chain.
func allocsTable() assay.Table {
	less := assay.Comparison{Variant: "one", Benchmark: benchA, Verdict: assay.Less, N: 12, Exact: true, Value: 1, Change: -0.5, Difference: -1}
	more := assay.Comparison{Variant: "four", Benchmark: benchA, Verdict: assay.Unclear, N: 12, Value: 1, Change: 0.25, Interval: &assay.Interval{Lo: -0.1, Hi: 0.6}}
	return assay.Table{Metric: assay.Metric{Name: assay.MetricAllocs, Better: assay.BetterLower}, Rows: []assay.Row{{Benchmark: benchA, Base: 2,
		Cells: []assay.Comparison{less, more}}},
		Steps: []assay.StepChange{{Variant: "one", Previous: "base", Cells: []assay.Comparison{less}, Whole: &less},
			{Variant: "two", Previous: "one", Whole: &assay.Comparison{Variant: "two", Verdict: assay.SameCoded}},
			{Variant: "four", Previous: "two", Cells: []assay.Comparison{more}, Whole: &more}}}
}

// chainOf is a chain of machines, which have names where there are several.
func chainOf(all bool, results ...*assay.Result) *Chain {
	var panels []Panel
	for i, r := range results {
		name := ""
		if len(results) > 1 {
			name = fmt.Sprint("m", i+1)
		}
		panels = append(panels, Panel{Name: name, Result: r})
	}
	return New(panels, all, "block")
}

// linesOf are the lines of a table: cells between bars, headings behind "#", and texts.
func linesOf(t *sheet.Table) (out []string) {
	for _, r := range t.Rows {
		var parts []string
		for _, h := range r.Heads {
			parts = append(parts, h.Text)
		}
		for _, c := range r.Cells {
			parts = append(parts, c.Joined())
		}
		switch line := strings.TrimRight(strings.Join(parts, "|"), "|"); {
		case r.Heads != nil:
			out = append(out, "# "+line)
		case r.Cells != nil:
			out = append(out, line)
		default:
			out = append(out, r.Lead+r.Text)
		}
	}
	return out
}

// sameLines compares lines with those wanted.
func sameLines(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("%s: got\n%s\nwant\n%s", what, g, w)
	}
}
