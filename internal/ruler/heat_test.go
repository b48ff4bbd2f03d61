package ruler

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// A cell's colour says which way a change goes that is proved, and in three steps how far.
func TestHeatClass(t *testing.T) {
	for _, c := range []struct {
		verdict assay.Verdict
		change  assay.Change
		want    string
	}{
		{assay.Faster, -0.01, "b1"}, {assay.Faster, -0.0499, "b1"}, {assay.Faster, -0.05, "b2"}, {assay.Less, -0.199, "b2"}, {assay.Faster, -0.2, "b3"}, {assay.Higher, 3, "b3"},
		{assay.Slower, 0.01, "w1"}, {assay.More, 0.1, "w2"}, {assay.Lower, -0.5, "w3"},
		{assay.Same, 0.001, "plain"}, {assay.Unclear, 0.5, "plain"}, {assay.Changed, 0.5, "plain"},
	} {
		if got := heatClass(assay.Comparison{Verdict: c.verdict, Change: c.change}); got != c.want {
			t.Errorf("%s %v: got %s, want %s", c.verdict, c.change, got, c.want)
		}
	}
}

// A strip goes from better to worse, and counts its benchmarks; those that say nothing
// have no cell.
func TestHeatOf(t *testing.T) {
	r := madeSuite([]string{"a", "b"}, 0.3, -0.3, 0, -0.03, 0.1, -0.04, 0.2)
	r.Tables[0].Rows[6].Cells[1].Verdict = assay.Invalid
	r.Tables[0].Rows[2].Cells[1].Change = -0.2 // unclear all the same
	r.Answer.Use = "b"
	h := Of(r, nil).Heat
	if h == nil {
		t.Fatal("got no strip")
	}
	var got []string
	for _, c := range h.Cells {
		name, _, _ := strings.Cut(c.Name, " ")
		got = append(got, name+" "+c.Class)
	}
	if want := []string{"B1 b3", "B5 b1", "B3 b1", "B2 plain", "B4 w2", "B0 w3"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if want := "2 slower · 1 unclear · 3 faster"; h.Counts != want {
		t.Errorf("got %q, want %q", h.Counts, want)
	}
	// One benchmark is no strip.
	if h := Of(madeSuite([]string{"a", "b"}, 0.3), nil).Heat; h != nil {
		t.Errorf("got the strip %+v of one benchmark", h)
	}
}

// Benchmarks of several packages are named with these.
func TestHeatNames(t *testing.T) {
	entry := func(pkg string) sheet.Entry {
		m := assay.Metric{Name: assay.MetricTime, Better: assay.BetterLower}
		return sheet.EffectEntry(m, comparedTo("a", assay.Benchmark{Package: pkg, Name: "Sum"}, 0.1))
	}
	m := assay.Metric{Name: assay.MetricTime, Better: assay.BetterLower}
	for _, c := range []struct {
		packages []string
		want     bool
	}{{[]string{"example.com/p", "example.com/p"}, false}, {[]string{"example.com/p", "example.com/q"}, true}} {
		h := heatOf(m, []sheet.Entry{entry(c.packages[0]), entry(c.packages[1])})
		if h == nil || len(h.Cells) != 2 || strings.Contains(h.Cells[1].Name, c.packages[1]) != c.want {
			t.Errorf("%q: got %+v, want the package named: %t", c.packages, h, c.want)
		}
	}
}

// Few benchmarks have a rectangle each with their name; of thousands, which are narrower
// than a gap, those of a colour are one. Together they are as wide as the axis. On a
// telephone no name is there to be pointed at.
func TestHeatIsDrawn(t *testing.T) {
	rect := regexp.MustCompile(`<rect class="([bw]\d|plain)" x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="18">(?:<title>([^<]*)</title>)?`)
	draw := func(n int, telephone bool) (out [][]string) {
		var changes []assay.Change
		for i := range n {
			changes = append(changes, []assay.Change{-0.3, 0.1}[i%2])
		}
		u := Of(madeSuite([]string{"a", "b"}, changes...), nil)
		svg := u.SVG(telephone)
		if !strings.Contains(svg, fmt.Sprintf(">%s benchmarks<", map[int]string{6: "6", 2000: "2,000"}[n])) {
			t.Errorf("the number %d of benchmarks is not said in %s", n, svg)
		}
		return rect.FindAllStringSubmatch(svg, -1)
	}
	for _, telephone := range []bool{false, true} {
		name := func(wide string) string {
			if telephone {
				return ""
			}
			return wide
		}
		few := draw(6, telephone)
		if len(few) != 6 || few[0][1] != "b3" || few[5][1] != "w2" || !strings.HasPrefix(few[0][4], name("B0 ")) || !strings.HasPrefix(few[5][4], name("B5 ")) || telephone && few[0][4] != "" {
			t.Errorf("telephone %t: got %q, want six rectangles", telephone, few)
		}
		many := draw(2000, telephone)
		if len(many) != 2 || many[0][1] != "b3" || many[1][1] != "w2" || many[0][4] != name("1,000 benchmarks") || many[0][3] != many[1][3] {
			t.Errorf("telephone %t: got %q, want two rectangles of the same width", telephone, many)
		}
	}
}
