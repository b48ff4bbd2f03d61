package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// The fold with all benchmarks never takes more room than it has: it has whole rows, and
// says how many it leaves out.
func TestAllRowsInRoom(t *testing.T) {
	var cells []assay.Comparison
	for i := range 9 {
		cells = append(cells, cell(fmt.Sprint("B", strings.Repeat("x", 9-i), i), assay.Same, -0.4, 0.6)) // the longest name first
	}
	m := newMarkdown(result(assay.Same, timed(cells...), table(assay.MetricBytes, false, cells[:3]...)), Options{})
	full := m.allRows("All", 1<<20)
	if strings.Count(full, "| `B") != 12 || strings.Count(full, "| :-- | --: |") != 2 || strings.Contains(full, "more:") {
		t.Fatalf("got\n%s\nwant 12 rows in two tables", full)
	}
	seen := map[int]bool{}
	for room := range len(full) + 100 {
		text := m.allRows("All", room)
		if text == "" {
			continue
		}
		rows, left := strings.Count(text, "| `B"), 0
		kept, more, cut := strings.Cut(text, "\n\n… and ")
		if cut {
			fmt.Sscanf(more, "%d more: on the report page", &left)
		}
		if len(text) > room || rows == 0 || cut && !strings.HasPrefix(full, kept) || rows+left != 12 || !strings.HasSuffix(text, "\n\n</details>") {
			t.Fatalf("in %d bytes: got %d bytes with %d rows and %d left out:\n%s", room, len(text), rows, left, text)
		}
		seen[rows] = true
	}
	if len(seen) != 12 {
		t.Errorf("got %d numbers of rows, want each from 1 to 12", len(seen))
	}
}

// The title of that fold says how many benchmarks and which metrics it has: of one
// benchmark the metrics are its rows.
func TestEverything(t *testing.T) {
	metrics := []string{assay.MetricBytes, assay.MetricAllocs, assay.MetricUser, assay.MetricSys}
	for _, x := range []struct {
		what  string
		cells []assay.Comparison
		more  int // metrics
		title string
		row   string
	}{
		{"two benchmarks", []assay.Comparison{slower, same}, 1, "All 2 benchmarks: sec/op, B/op", "| `Skip` | 1.000 µs |"},
		{"one benchmark", []assay.Comparison{slower}, 1, "All metrics: sec/op, B/op", "| sec/op | 1.000 µs |"},
		{"more metrics than a title has", []assay.Comparison{slower, same}, 4, "All 2 benchmarks: sec/op, B/op, allocs/op, user-sec/op, …", "| `Skip` | 1.000 µs |"},
	} {
		r := result(assay.Mixed, timed(x.cells...))
		for _, name := range metrics[:x.more] {
			r.Tables = append(r.Tables, table(name, false, x.cells...))
		}
		m := newMarkdown(r, Options{})
		m.everything()
		text := fit(m.blocks)
		if !strings.HasPrefix(text, "<details><summary>"+x.title+"</summary>\n\n| ") || !strings.Contains(text, x.row) {
			t.Errorf("%s: got\n%s\nwant the title %q and a row with %q", x.what, text, x.title, x.row)
		}
	}
	for what, r := range map[string]*assay.Result{"no rows": result(assay.Same, timed()), "no variant": {Base: "old", Tables: []assay.Table{timed(same)}}} {
		m := newMarkdown(r, Options{})
		if m.everything(); len(m.blocks) > 0 {
			t.Errorf("%s: got a fold", what)
		}
	}
}

// The fold on how it was measured has a line for each thing that is known, and is left out
// where nothing is.
func TestMeasuredHow(t *testing.T) {
	r := result(assay.Same, timed(same))
	r.Answer.Basis = "decided · 12 blocks"
	r.Platform = assay.Platform{GOOS: "linux", GOARCH: "amd64", CPU: "EPYC", CPUs: 2, Governor: "performance"}
	r.Variants = []assay.VariantResult{{Name: "old", GoVersion: "go1.26.8"}, {Name: "new", GoVersion: "go1.27.2"},
		{Name: "twin", GoVersion: "go1.26.8", SameAs: &assay.SameCode{As: "old"}}}
	r.Warnings = []assay.Warning{{Code: assay.CodeBenchFailed, Text: "in sight"}, {Code: assay.CodePair, Text: "a pair"}}
	isLines(t, "all", newMarkdown(r, Options{}).measuredHow(), "<details><summary>How it was measured</summary>", "", "- decided · 12 blocks",
		"- 36 trials in 12 blocks, interleaved", "- linux/amd64 EPYC, 2 CPUs · performance governor",
		"- `go1.26.8` · `go1.27.2`", "- `twin`: same code as old", "- a pair", "", "</details>")
	if got := newMarkdown(&assay.Result{}, Options{}).measuredHow(); got != "" {
		t.Errorf("got %q where nothing is known", got)
	}
}
