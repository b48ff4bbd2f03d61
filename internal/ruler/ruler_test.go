package ruler

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
)

// made is a result of variants with a change each, in one benchmark, and its series: of
// the control and of every variant, whose blocks lie around the change.
func made(changes map[string]assay.Change) (*assay.Result, []sample.Series) {
	m := assay.Metric{Name: assay.MetricTime, Better: assay.BetterLower, MinEffect: 0.02}
	b := assay.Benchmark{Name: "Sum"}
	r := &assay.Result{Base: "old", Rule: assay.Rule{Confidence: 0.99}, Noise: assay.Noise{Control: assay.ControlName, Floor: 0.01},
		Variants: []assay.VariantResult{{Name: "old"}}}
	row := assay.Row{Benchmark: b, Base: 1e-6}
	series := []sample.Series{seriesOf(b, assay.ControlName, 0)}
	for _, name := range sorted(changes) {
		by := changes[name]
		verdict := assay.Faster
		switch {
		case by > 0.02:
			verdict = assay.Slower
		case by > -0.02:
			verdict = assay.Unclear
		}
		row.Cells = append(row.Cells, assay.Comparison{Variant: name, Benchmark: b, Value: 1e-6 * (1 + float64(by)), Change: by, N: 9, Verdict: verdict,
			Interval: &assay.Interval{Lo: by - 0.01, Hi: by + 0.015}})
		r.Variants = append(r.Variants, assay.VariantResult{Name: name})
		series = append(series, seriesOf(b, name, by.Log()))
	}
	r.Tables = []assay.Table{{Metric: m, Decides: true, Rows: []assay.Row{row}}}
	return r, series
}

func sorted(m map[string]assay.Change) (names []string) {
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func seriesOf(b assay.Benchmark, variant string, at float64) sample.Series {
	s := sample.Series{Metric: assay.MetricTime, Benchmark: b, Variant: variant}
	for i := range 9 {
		s.Block, s.LN = append(s.Block, i+1), append(s.LN, at+0.004*float64(i%5-2))
	}
	return s
}

func TestOf(t *testing.T) {
	r, series := made(map[string]assay.Change{"a": -0.26, "b": -0.005, "c": 0.4})
	r.Answer.Use = "a"
	u := Of(r, series)
	if len(u.Rows) != 3 || u.Rows[u.Lead].Variant != "a" || len(u.Same.LN) != 9 || u.Left != "← better" {
		t.Fatalf("got %+v", u)
	}
	if text, _, _ := Large(u, nil); text != "−26.0 %" {
		t.Errorf("large: %q", text)
	}
	for _, x := range u.Rows {
		if a := u.newAxis(); x.Lo < a.lo || x.Hi > a.hi {
			t.Errorf("%s: [%v, %v] is not on the axis [%v, %v]", x.Name, x.Lo, x.Hi, a.lo, a.hi)
		}
	}
	if u := Of(r, nil); len(u.Same.LN) != 0 || len(u.Rows[0].Dots.LN) != 0 {
		t.Errorf("without series there are dots: %+v", u)
	}
	if u := Of(&assay.Result{}, nil); u != nil {
		t.Errorf("of nothing: %+v", u)
	}
}

// An unclear answer shows what is left possible, never the estimate in large print.
func TestLargeUnclear(t *testing.T) {
	u := Of(made(map[string]assay.Change{"b": -0.005}))
	if text, _, _ := Large(u, nil); text != "[−1.5, +1.0] %" {
		t.Errorf("large: %q", text)
	}
}

// Of many variants the answer's stays, with the largest changes, in the order of the study.
func TestManyRows(t *testing.T) {
	changes := map[string]assay.Change{}
	for i := range 20 {
		changes[string(rune('a'+i))] = assay.Change(-0.02 * float64(i+1))
	}
	r, series := made(changes)
	r.Answer.Use = "b"
	u := Of(r, series)
	var names []string
	for _, x := range u.Rows {
		names = append(names, x.Name)
	}
	if got := strings.Join(names, " "); got != "b o p q r s t" || u.More != 13 || u.Lead != 0 {
		t.Errorf("rows %s, %d more, lead %d", got, u.More, u.Lead)
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{math.Log(0.7), math.Log(1.06), "−30 % −20 % −10 % 0"},
		{math.Log(0.985), math.Log(1.012), "−1.5 % −1 % −0.5 % 0 +0.5 % +1 %"},
		{math.Log(0.2), math.Log(6), "÷4 ÷2 0 ×2 ×4"},
		{math.Log(0.001), math.Log(2), "÷256 ÷64 ÷16 ÷4 0"},
	} {
		var got []string
		for _, k := range (axis{c.lo, c.hi}).ticks(6) {
			got = append(got, k.text)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%.3g to %.3g: %q, want %q", c.lo, c.hi, got, c.want)
		}
	}
}

// Names are those of strangers: the figure stays well-formed whatever they are.
func TestHostile(t *testing.T) {
	r, series := made(map[string]assay.Change{`"><script>alert(1)</script>`: -0.3, "b\x1b[31m\u202e": 0.1})
	u := Of(r, series)
	for _, text := range []string{u.SVG(false), u.SVG(true)} {
		d := xml.NewDecoder(strings.NewReader(text))
		for {
			k, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%v in %s", err, text)
			}
			if e, ok := k.(xml.StartElement); ok && (e.Name.Local == "script" || e.Name.Local == "a") {
				t.Errorf("has an element %s", e.Name.Local)
			}
		}
	}
}

// Rulers of several machines have one axis, which holds what each would hold alone.
func TestAlign(t *testing.T) {
	a := &Ruler{Margin: 0.01, Rows: []Row{{Point: 0.1, Lo: 0.05, Hi: 0.2}}}
	b := &Ruler{Margin: 0.01, Rows: []Row{{Point: -0.3, Lo: -0.4, Hi: -0.1}}}
	lo, hi := b.newAxis().lo, a.newAxis().hi
	Align(a, nil, b)
	if x, y := a.newAxis(), b.newAxis(); x != y || x.lo != lo || x.hi != hi {
		t.Errorf("%v and %v, want %g to %g", x, y, lo, hi)
	}
}
