package ruler

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// comparedTo is a comparison with an interval, claimed beyond 2 %.
func comparedTo(variant string, b assay.Benchmark, by assay.Change) assay.Comparison {
	c := assay.Comparison{Variant: variant, Benchmark: b, Value: 1e-6 * (1 + float64(by)), Change: by, N: 9, Verdict: assay.Unclear,
		Interval: &assay.Interval{Lo: by - 0.01, Hi: by + 0.015}}
	switch {
	case by > 0.02:
		c.Verdict = assay.Slower
	case by < -0.02:
		c.Verdict = assay.Faster
	}
	return c
}

// madeSuite is a result of benchmarks B0, B1 and so on, with a change each in every
// variant; the whole suite has hardly changed.
func madeSuite(variants []string, changes ...assay.Change) *assay.Result {
	t := assay.Table{Metric: assay.Metric{Name: assay.MetricTime, Better: assay.BetterLower, MinEffect: 0.02}, Decides: true, Common: len(changes), GeomeanBase: 1e-6}
	for i, by := range changes {
		row := assay.Row{Benchmark: assay.Benchmark{Name: fmt.Sprintf("B%d", i)}, Base: 1e-6}
		for _, v := range variants {
			row.Cells = append(row.Cells, comparedTo(v, row.Benchmark, by))
		}
		t.Rows = append(t.Rows, row)
	}
	r := &assay.Result{Base: "old", Rule: assay.Rule{Confidence: 0.99}, Variants: []assay.VariantResult{{Name: "old"}}}
	for _, v := range variants {
		r.Variants = append(r.Variants, assay.VariantResult{Name: v})
		t.Geomean = append(t.Geomean, comparedTo(v, assay.Benchmark{}, 0.001))
	}
	r.Tables = []assay.Table{t}
	return r
}

// namesOf are the names of the rows.
func namesOf(u *Ruler) string {
	var names []string
	for _, x := range u.Rows {
		names = append(names, x.Name)
	}
	return strings.Join(names, " ")
}

// Of an only variant the benchmarks are shown below the suite: first what is proved, the
// larger changes before the smaller ones, up or down, as many as there is room for.
func TestBenchmarkRows(t *testing.T) {
	one := madeSuite([]string{"new"}, 0.01)
	one.Spent.Blocks = 1
	if Of(one, nil) != nil {
		t.Error("one block has a ruler")
	}
	u := Of(madeSuite([]string{"new"}, 0.01, -0.3, 0.1, 0.015, -0.05, 0.5, 0.3, 0.25, 0.2), nil)
	if got, want := namesOf(u), "new B5 B1 B6 B7 B8 B2"; got != want || u.More != 3 || u.Lead != 0 || u.Heat != nil {
		t.Errorf("got the rows %s and %d more, lead %d, want %s and 3 more, no strip", got, u.More, u.Lead, want)
	}
	r := madeSuite([]string{"new"}, 0.6, -0.3, 0.05)
	r.Tables[0].Rows[0].Cells[0].Verdict = assay.Unclear
	if got, want := namesOf(Of(r, nil)), "new B1 B2 B0"; got != want {
		t.Errorf("got the rows %s, want %s: B0 is not proved", got, want)
	}
	// Without a suite they are all, and the figure is named by the variant.
	r.Tables[0].Geomean = nil
	u = Of(r, nil)
	if got, want := namesOf(u), "B1 B2 B0"; got != want || u.Rows[0].Benchmark != "B1" || !strings.Contains(u.What, "of new, against old") {
		t.Errorf("got the rows %s of %q, want %s of new", got, u.What, want)
	}
}

// What is no ratio has no row: a comparison without blocks, one that says nothing, one
// from zero; and the control and variants of the same code have none.
func TestNoRow(t *testing.T) {
	r := madeSuite([]string{"a", "b", "c", "d", assay.ControlName}, 0.1)
	r.Noise.Control = assay.ControlName
	cells := r.Tables[0].Geomean
	cells[1].N = 0
	cells[2].Verdict = assay.Invalid
	cells[3].Change = assay.Change(math.Inf(1))
	if got := namesOf(Of(r, nil)); got != "a" {
		t.Errorf("got the rows %s, want a alone", got)
	}
	cells[0].N = 0
	if u := Of(r, nil); u != nil {
		t.Errorf("got %s of nothing", namesOf(u))
	}
}

// A study that asks for switches shows their effects above the variants; the largest that
// is proved leads, and its benchmarks are the strip.
func TestEffectRows(t *testing.T) {
	r := madeSuite([]string{"a", "b"}, 0.1, -0.1)
	r.Answer.Asks = "factor"
	b := assay.Benchmark{Name: "B"}
	effect := func(factor string, by assay.Change, cells ...assay.Comparison) assay.Effect {
		return assay.Effect{Switches: []assay.Switch{{Factor: factor, From: "off", To: "on"}}, Whole: comparedTo("", b, by), Cells: cells}
	}
	r.Tables[0].Effects = []assay.Effect{effect("gc", 0.05),
		effect("slices", -0.4, comparedTo("", b, -0.4), comparedTo("", assay.Benchmark{Name: "C"}, -0.4)), effect("none", 0.01)}
	u := Of(r, nil)
	if got, want := namesOf(u), "slices=on gc=on none=on a b"; got != want || u.Lead != 0 || u.More != 0 {
		t.Errorf("got the rows %s, lead %d, want %s, lead 0", got, u.Lead, want)
	}
	if text, of, _ := Large(u, nil); text != u.Rows[0].Change || !strings.Contains(of, "effect of slices=on") {
		t.Errorf("got %s of %s in large print, want that of slices=on", text, of)
	}
	r.Tables[0].Effects[1].Cells[1] = comparedTo("", assay.Benchmark{Name: "C"}, 0.3)
	text, of, tone := Large(Of(r, nil), nil)
	if want := "sec/op, effect of slices=on: benchmarks faster (B −40.0 % [−41.0, −38.5]), 1 slower; geomean −40.0 % [−41.0, −38.5]"; text != "1 of 2" || of != want || tone != sheet.Plain {
		t.Errorf("of few benchmarks: got %s of %s in large print, want 1 of 2 of %s", text, of, want)
	}
	if u.Heat == nil || len(u.Heat.Cells) != 2 || !strings.HasPrefix(u.Heat.Cells[1].Name, "C ") {
		t.Errorf("got the strip %+v, want that of the switch", u.Heat)
	}
}

// In large print is what is claimed, never more.
func TestLargeText(t *testing.T) {
	for _, c := range []struct {
		verdict        assay.Verdict
		interval, want string
	}{
		{assay.Faster, "[−6, −4]", "−5 %"}, {assay.Slower, "", "−5 %"}, {assay.Changed, "", "−5 %"},
		{assay.Same, "[−6, −4]", "±2 %"}, {assay.Unclear, "[−6, −4]", "[−6, −4] %"}, {assay.Unclear, "", "?"}, {assay.Invalid, "", "?"},
	} {
		if got := LargeText(c.verdict, "−5 %", c.interval, 0.02); got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.verdict, c.interval, got, c.want)
		}
	}
}
