package main

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// The figure of docs/methodology.md is drawn of two records, with -update: the same code
// against itself, one process after the other and side by side.
func TestFigure(t *testing.T) {
	root := filepath.Join("..", "..")
	const study, figure = "studies/same-code/record", "docs/img/side-by-side.svg"
	before := comparisons(t, filepath.Join(root, study, "processes"))
	after := comparisons(t, filepath.Join(root, study, "side-by-side"))
	want := drawn(before, after)
	file := filepath.Join(root, figure)
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not that of %s: go test ./cmd/assay -run TestFigure -update", figure, study)
	}
}

// comparisons are those of the time of an operation in a record.
func comparisons(t *testing.T, dir string) (out []assay.Comparison) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "result.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r assay.Result
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	for _, tab := range r.Tables {
		if tab.Metric.Name != assay.MetricTime {
			continue
		}
		for _, row := range tab.Rows {
			for _, c := range row.Cells {
				if c.Interval == nil {
					t.Fatalf("%s: %s has no interval", dir, c.Benchmark.Name)
				}
				out = append(out, c)
			}
		}
	}
	return out
}

// drawn is a figure of the intervals: two lines a benchmark, on one scale.
func drawn(before, after []assay.Comparison) string {
	const left, width, line = 190.0, 480.0, 22.0
	widest := 0.0
	for _, c := range append(before, after...) {
		widest = max(widest, -float64(c.Interval.Lo), float64(c.Interval.Hi))
	}
	widest *= 1.05
	x := func(c assay.Change) float64 { return left + width*(float64(c)/widest+1)/2 }
	height := line*float64(2*len(after)) + 12*float64(len(after)) + 72
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" font-family="sans-serif" font-size="13">
<style>
text { fill: #24292f } .axis { stroke: #8c959f } .before { stroke: #bc4c00 } .after { stroke: #0969da } .before, .after { stroke-width: 5 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .before { stroke: #f0883e } .after { stroke: #58a6ff } }
</style>
`, left+width+90, height)
	y := 10.0
	one := func(c assay.Comparison, class string) {
		y += line
		fmt.Fprintf(&b, `<line class="%s" x1="%.1f" x2="%.1f" y1="%.0f" y2="%.0f"/>`+"\n", class, x(c.Interval.Lo), max(x(c.Interval.Hi), x(c.Interval.Lo)+2), y, y)
		fmt.Fprintf(&b, `<text x="%.0f" y="%.0f">%s</text>`+"\n", left+width+10, y+4, html.EscapeString(string(c.Verdict)))
	}
	for i, c := range after {
		y += 12
		fmt.Fprintf(&b, `<text x="0" y="%.0f">%s</text>`+"\n", y+line/2+4+line/2, html.EscapeString(c.Benchmark.Name))
		one(before[i], "before")
		one(c, "after")
	}
	y += line
	for _, at := range []assay.Change{-0.1, -0.01, 0, 0.01, 0.1} {
		if -widest > float64(at) || float64(at) > widest {
			continue
		}
		fmt.Fprintf(&b, `<line class="axis" x1="%.1f" x2="%.1f" y1="10" y2="%.0f" stroke-dasharray="2 3"/>`+"\n", x(at), x(at), y)
		fmt.Fprintf(&b, `<text x="%.1f" y="%.0f" text-anchor="middle" font-size="11">%s</text>`+"\n", x(at), y+14, at.Format(0.1))
	}
	fmt.Fprintf(&b, `<line class="before" x1="0" x2="24" y1="%.0f" y2="%.0f"/><text x="30" y="%.0f">processes</text>`+"\n", y+24, y+24, y+28)
	fmt.Fprintf(&b, `<line class="after" x1="110" x2="134" y1="%.0f" y2="%.0f"/><text x="140" y="%.0f">side by side</text>`+"\n", y+24, y+24, y+28)
	b.WriteString("</svg>\n")
	return b.String()
}
