package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// texts are the parts of a comment, without those that fill room.
func texts(m *comment) (out []string) {
	for _, b := range m.blocks {
		out = append(out, b.text)
	}
	return out
}

// isLines compares lines.
func isLines(t *testing.T, what, got string, want ...string) {
	t.Helper()
	if got != strings.Join(want, "\n") {
		t.Errorf("%s: got\n%s\nwant\n%s", what, got, strings.Join(want, "\n"))
	}
}

// A table of changes has the benchmarks that changed, the worse first, with values, the
// proved change in bold, its interval and the verdict.
func TestChangedTables(t *testing.T) {
	r := result(assay.Mixed, timed(same, faster, slower), countedIn(assay.MetricAllocs, true, count("a|b", assay.More, 4, 5)),
		countedIn(assay.MetricBytes, false, count("Encode", assay.More, 4, 5)))
	m := newMarkdown(r, Options{})
	m.changedTables()
	got := texts(m)
	if len(got) != 2 {
		t.Fatalf("got %d tables, want one for each metric that decides:\n%s", len(got), strings.Join(got, "\n"))
	}
	isLines(t, "times", got[0], "| sec/op | `old` | `new` | change (99 %) |  |", "| :-- | --: | --: | :-- | :-- |",
		"| `Encode` | 1.000 µs | 1.081 µs | **+8.1 %** [+7.3, +8.9] | ▲ slower |", "| `Decode` | 1.000 µs | 0.920 µs | **−8.0 %** [−8.8, −7.2] | ▼ faster |")
	isLines(t, "counts", got[1], "| allocs/op | `old` | `new` | change (99 %) |  |", "| :-- | --: | --: | :-- | :-- |",
		"| <code>a&#124;b</code> | 4 | 5 | **+25.0 %** (exact) | ▲ more |")
}

// Of many changes a comment has forty rows over all metrics, and says how many more there
// are.
func TestManyChanges(t *testing.T) {
	var cells []assay.Comparison
	for i := range 30 {
		cells = append(cells, cell(fmt.Sprint("B", i), assay.Slower, 7.3, 8.9))
	}
	second := table(assay.MetricBytes, true, cells...)
	m := newMarkdown(result(assay.Slower, timed(cells...), second), Options{})
	m.changedTables()
	got := texts(m)
	if len(got) != 3 || strings.Count(got[0], "\n") != 1+30 || strings.Count(got[1], "\n") != 1+10 || got[2] != "… and 20 more that changed, below" {
		t.Errorf("got\n%s\nwant 30 rows, 10 rows, and that there are 20 more", strings.Join(got, "\n\n"))
	}
}

// Of imported results, which have no intervals, all rows are in sight, and the heading
// promises no confidence.
func TestForeignTable(t *testing.T) {
	r := result(assay.Withheld, timed(assay.Comparison{Variant: "new", Benchmark: assay.Benchmark{Name: "A"}, N: 5, Value: 2e-6, Change: 1}))
	r.Tables[0].Decides = false
	m := newMarkdown(r, Options{})
	m.changedTables()
	got := texts(m)
	if len(got) != 1 || !strings.HasPrefix(got[0], "| sec/op | `old` | `new` | change |  |\n") || !strings.Contains(got[0], "| `A` | 1.00 µs | 2.00 µs |") {
		t.Errorf("got %q", got)
	}
}

// With several variants there is a row for each: what it does to the suite, and to how
// many benchmarks.
func TestVariantTable(t *testing.T) {
	r := result(assay.Mixed, timed(slower, same))
	r.Variants = []assay.VariantResult{{Name: "old"}, {Name: "new", Better: 1, Worse: 2, Same: 3, Unclear: 4}, {Name: "never"},
		{Name: "twin", SameAs: &assay.SameCode{As: "old"}}}
	r.Tables[0].Geomean, r.Tables[0].Common = []assay.Comparison{cell("", assay.Slower, 3, 5)}, 2
	m := newMarkdown(r, Options{})
	m.variantTable()
	got := texts(m)
	if len(got) != 1 {
		t.Fatalf("got %q", got)
	}
	isLines(t, "a suite", got[0], "| variant | sec/op, geomean of 2 against `old` |  | better | worse | same | unclear |", "| :-- | :-- | :-- | --: | --: | --: | --: |",
		"| `new` | **+4.0 %** [+3.0, +5.0] | ▲ slower | 1 | 2 | 3 | 4 |", "| `never` | – | – (not measured) | 0 | 0 | 0 | 0 |")
	r.Tables[0].Rows, r.Tables[0].Geomean = r.Tables[0].Rows[:1], nil
	m = newMarkdown(r, Options{})
	m.variantTable()
	if got := texts(m); !strings.HasPrefix(got[0], "| variant | sec/op against `old` |  |\n| :-- | :-- | :-- |\n| `new` | **+8.1 %** [+7.3, +8.9] | ▲ slower |\n") {
		t.Errorf("one benchmark: got\n%s", got[0])
	}
}

// Of many variants forty have a row, and the comment says how many there are beside them.
func TestManyVariants(t *testing.T) {
	r := result(assay.Slower, timed(slower))
	for i := range 44 {
		r.Variants = append(r.Variants, assay.VariantResult{Name: fmt.Sprint("v", i)})
	}
	m := newMarkdown(r, Options{})
	m.variantTable()
	if got := texts(m); len(got) != 2 || strings.Count(got[0], "\n") != 1+40 || got[1] != "… and 5 variants more" {
		t.Errorf("got\n%s\nwant 40 rows, and that there are 5 more", strings.Join(got, "\n\n"))
	}
}

// A line below the tables has the geomean of each metric that decides, and the counts that
// changed although they do not.
func TestWholes(t *testing.T) {
	var rows []assay.Row
	for i, name := range []string{"A", "B", "C", "D", "E"} {
		rows = append(rows, count(name, assay.More, 10, 11+float64(i)))
	}
	sized := table(assay.MetricBytes, true, slower, same)
	r := result(assay.Mixed, timed(same, same, same), sized, countedIn(assay.MetricAllocs, false, rows...), table(assay.MetricUser, false, slower))
	r.Tables[0].Geomean, r.Tables[0].Common = []assay.Comparison{cell("", assay.Same, -0.1, 0.9)}, 3
	r.Tables[1].Geomean, r.Tables[1].Common = []assay.Comparison{cell("", assay.More, 3, 5)}, 2
	want := "geomean of 3: +0.4 % [−0.1, +0.9], same within ±1 % · geomean of 2 B/op: +4.0 % [+3.0, +5.0], more · allocs/op: `E` 10 → 15, `D` 10 → 14, `C` 10 → 13, … 2 more"
	if got := newMarkdown(r, Options{}).wholes(); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	r.Variants = append(r.Variants, assay.VariantResult{Name: "other"})
	if got := newMarkdown(r, Options{}).wholes(); got != "" {
		t.Errorf("two variants: got %q, want nothing: their table has it", got)
	}
}

// The causes of the largest proved changes are named, with their place where the text has
// none.
func TestCauses(t *testing.T) {
	because := func(bench string, v assay.Verdict, percent float64, causes ...assay.Cause) assay.Explanation {
		return assay.Explanation{Benchmark: assay.Benchmark{Name: bench}, Variant: "new", Base: "old", Metric: assay.MetricTime,
			Comparison: cell(bench, v, percent-1, percent+1), Causes: causes}
	}
	r := result(assay.Slower, timed(slower))
	r.Explanations = []assay.Explanation{
		because("small", assay.Slower, 3, assay.Cause{Text: "fourth"}),
		because("unclear", assay.Unclear, 90, assay.Cause{Text: "never"}),
		because("large", assay.Slower, 30, assay.Cause{Text: "2 allocations more", File: "encode.go", Line: 211}, assay.Cause{Text: "second"}),
		because("unknown", assay.Slower, 40),
		because("middle", assay.Slower, 20, assay.Cause{Text: "a check in encode.go", File: "encode.go", Line: 7}),
		because("less", assay.Faster, -10, assay.Cause{Text: "@all"}),
	}
	isLines(t, "causes", newMarkdown(r, Options{}).causes(), "**Likely cause of `large`:** 2 allocations more (encode.go:211)<br>",
		"**Likely cause of `middle`:** a check in encode.go<br>", "**Likely cause of `less`:** @&#8203;all")
	r.Explanations = []assay.Explanation{because("unclear", assay.Unclear, 90, assay.Cause{Text: "never"}), because("unknown", assay.Slower, 40)}
	isLines(t, "nothing proved, or no cause", newMarkdown(r, Options{}).causes())
}

// Warnings that weaken the tables are in sight, six at most, each with three facts and a
// remedy; others are in the fold on how it was measured.
func TestNotices(t *testing.T) {
	r := result(assay.Slower, timed(slower))
	for range 8 {
		r.Warnings = append(r.Warnings, assay.Warning{Code: assay.CodeUndecided, Text: "open"})
	}
	r.Warnings = append([]assay.Warning{noisy, {Code: assay.CodeBenchFailed, Text: "x|y failed", Facts: []string{"one", "two", "three", "four"},
		Try: "assay show 'a b'"}}, r.Warnings...)
	lines := strings.Split(newMarkdown(r, Options{}).notices(), "\n")
	if len(lines) != 6 || lines[0] != "- x&#124;y failed; one; two; three; try: `assay show 'a b'`" || lines[5] != "- open" {
		t.Errorf("got %d lines\n%s", len(lines), strings.Join(lines, "\n"))
	}
	if got := newMarkdown(r, Options{}).measuredHow(); !strings.Contains(got, "\n- noise on this machine is ±4.2 %\n") || strings.Contains(got, "failed") {
		t.Errorf("got %s\nwant the noise and no warning that is in sight", got)
	}
	r = with(result(assay.Unclear, timed(unclear)), func(r *assay.Result) { r.Warnings, r.Noise.Floor = []assay.Warning{noisy}, 0.042 })
	if got := newMarkdown(r, Options{}).notices(); got != "- noise on this machine is ±4.2 %" {
		t.Errorf("got %q of a runner that cannot tell, want its noise in sight", got)
	}
}

// A chain has a row for each step, with its change from the step before and from the base,
// and the last line is the whole way.
func TestSteps(t *testing.T) {
	at := func(variant string, v assay.Verdict, lo, hi float64) assay.Comparison {
		c := cell("X", v, lo, hi)
		c.Variant = variant
		return c
	}
	b := assay.Benchmark{Name: "X"}
	first := timed()
	first.Rows = []assay.Row{{Benchmark: b, Base: 1e-6, Cells: []assay.Comparison{at("one", assay.Faster, -11, -9), at("three", assay.Faster, -11.5, -9.5)}}}
	first.Steps = []assay.StepChange{{Variant: "one", Previous: "old", Cells: []assay.Comparison{at("one", assay.Faster, -11, -9)}}, {Variant: "two", Previous: "one"},
		{Variant: "three", Previous: "one", Cells: []assay.Comparison{at("three", assay.Same, -0.5, 0.5)}}}
	r := result(assay.Faster, first)
	r.Variants = []assay.VariantResult{{Name: "old"}, {Name: "one"}, {Name: "three"}}
	r.Arc = &assay.Arc{Steps: []assay.StepResult{{Step: assay.Step{Variant: "one", Aside: "a|b"}, Number: 1, Previous: "old"},
		{Step: assay.Step{Variant: "two"}, Number: 2, Previous: "one", Gap: &assay.Gap{Variant: "two", Reason: "x.go:4: undefined: y"}},
		{Step: assay.Step{Variant: "three"}, Number: 3, Previous: "one"}}}
	m := newMarkdown(r, Options{})
	m.steps()
	isLines(t, "steps", texts(m)[0], "|  | step | sec/op against the step before | against `old` |  |", "| --: | :-- | :-- | :-- | :-- |",
		"| 1 | `one` | **−10.0 %** [−11.0, −9.0] ▼ | **−10.0 %** [−11.0, −9.0] ▼ | a&#124;b |",
		"| 2 | `two` | – | – | did not build: x.go:4: undefined: y |",
		"| 3 | `three` | 0.0 % [−0.5, +0.5] = | **−10.5 %** [−11.5, −9.5] ▼ |  |",
		"|  | **total, against the base** |  | **−10.5 %** [−11.5, −9.5] ▼ |  |")
}
