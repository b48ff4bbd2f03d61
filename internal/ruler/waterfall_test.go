package ruler

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/explain/cputime"
	"github.com/seed-1318a441/assay/internal/explain/group"
)

var update = flag.Bool("update", false, "write the golden files")

// why adds to a made result an explanation of a variant's change by what the profile says
// of its owners, of which functions are claimed by causes of their code.
func why(r *assay.Result, variant string, owners map[string]float64) *assay.Explanation {
	row := r.Tables[0].Rows[0]
	e := assay.Explanation{Benchmark: row.Benchmark, Variant: variant, Base: r.Base, Metric: r.Tables[0].Metric.Name, BaseValue: row.Base, CPU: &assay.CPUChange{}}
	for _, c := range row.Cells {
		if c.Variant == variant {
			e.Comparison = c
		}
	}
	for _, name := range []string{cputime.CategoryAllocation, cputime.CategoryMark, "p.F"} {
		p := assay.Part{Name: name, Change: assay.Change(owners[name]), Interval: &assay.Interval{Lo: assay.Change(owners[name] - 0.01), Hi: assay.Change(owners[name] + 0.01)}}
		e.CPU.Owners = append(e.CPU.Owners, p)
		if name == "p.F" {
			e.Causes = append(e.Causes, assay.Cause{Kind: assay.CauseCode, Function: name, Part: &p})
		}
	}
	r.Explanations = append(r.Explanations, e)
	return &r.Explanations[len(r.Explanations)-1]
}

func explained() (*assay.Result, *Ruler) {
	r, series := made(map[string]assay.Change{"a": -0.26, "b": 0.1, "c": 0.4})
	r.Answer.Use = "a"
	why(r, "c", map[string]float64{"p.F": 0.3})
	why(r, "a", map[string]float64{cputime.CategoryAllocation: -0.142, cputime.CategoryMark: -0.1, "p.F": 0.03})
	return r, Of(r, series)
}

// The bars begin where the last ended, and end at the measured change.
func TestWaterfall(t *testing.T) {
	r, u := explained()
	w := WaterfallOf(r, u)
	if w == nil {
		t.Fatal("got no figure")
	}
	var got []string
	at := 0.0
	for i, f := range w.Rows {
		got = append(got, f.Name+" "+f.Change)
		last := i == len(w.Rows)-1
		if !last && math.Abs(f.From-at) > 1e-12 || last && (f.From != 0 || math.Abs(f.To-at) > 1e-12) {
			t.Errorf("%s lies from %v to %v, after %v", f.Name, f.From, f.To, at)
		}
		at = f.To
	}
	if got, want := strings.Join(got, ", "), "allocation −14.2 %, collector −10.0 %, code +3.0 %, unexplained −4.8 %, measured −26.0 %"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if w.axis != u.newAxis() {
		t.Errorf("got an axis of its own: %v, want that of the ruler", w.axis)
	}
}

// The figure is of the variant that the ruler leads with, else of the largest change.
func TestWaterfallOf(t *testing.T) {
	r, u := explained()
	if got := WaterfallOf(r, u).What; !strings.Contains(got, " in a,") {
		t.Errorf("got %q, want it of a", got)
	}
	if got := WaterfallOf(r, nil).What; !strings.Contains(got, " in c,") {
		t.Errorf("got %q without a ruler, want it of c", got)
	}
	r.Explanations[1].Comparison.Verdict = assay.Unclear
	if got := WaterfallOf(r, u).What; !strings.Contains(got, " in c,") {
		t.Errorf("got %q while a is unclear, want it of c", got)
	}
	r.Explanations = r.Explanations[1:]
	if w := WaterfallOf(r, u); w != nil {
		t.Errorf("got %+v of nothing proved", w)
	}
	if w := WaterfallOf(&assay.Result{}, nil); w != nil {
		t.Errorf("got %+v of nothing", w)
	}
}

// No bar takes more than all time away, and an axis that is too short gives way.
func TestWaterfallBeyond(t *testing.T) {
	r, u := explained()
	r.Explanations = nil
	e := why(r, "a", map[string]float64{cputime.CategoryMark: -1.3})
	e.Comparison.Change = -0.26
	w := WaterfallOf(r, u)
	if got := w.Rows[0].Name; got != group.Unexplained {
		t.Errorf("got %s first, want what adds time", got)
	}
	for _, f := range w.Rows {
		if math.IsNaN(f.From+f.To) || min(f.From, f.To) < w.axis.lo || max(f.From, f.To) > w.axis.hi {
			t.Errorf("%s lies from %v to %v, beyond the axis %v", f.Name, f.From, f.To, w.axis)
		}
	}
	if w.axis == u.newAxis() {
		t.Error("got the axis of the ruler, which is too short")
	}
}

func TestWaterfallSVG(t *testing.T) {
	r, u := explained()
	for name, telephone := range map[string]bool{"waterfall-wide.svg": false, "waterfall-narrow.svg": true} {
		got := strings.ReplaceAll(WaterfallOf(r, u).SVG(telephone), "><", ">\n<") + "\n"
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s differs (go test -update writes it anew):\n%s", path, got)
		}
	}
}

// Names of strangers stay text.
func TestWaterfallHostile(t *testing.T) {
	r, _ := explained()
	r.Base, r.Explanations[1].Base = "<script>", "\"><script>alert(1)</script>"
	r.Explanations[1].Benchmark.Name = "</title><img src=x onerror=alert(1)>\x1b[2J"
	r.Explanations[1].Variant = "a&b<"
	r.Explanations = r.Explanations[1:]
	for _, telephone := range []bool{false, true} {
		svg := WaterfallOf(r, nil).SVG(telephone)
		if strings.Contains(svg, "<script") || strings.Contains(svg, "<img") || strings.Contains(svg, "\x1b") {
			t.Errorf("got %s", svg)
		}
		d := xml.NewDecoder(strings.NewReader("<g>" + svg + "</g>"))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Of a question about causes the large number is the largest cause, without a tone, and the
// row of its variant leads.
func TestLargeCause(t *testing.T) {
	r, _ := explained()
	r.Answer = assay.Answer{Asks: assay.AskOf(assay.AskCauses), Use: r.Base}
	u := Of(r, nil)
	w := WaterfallOf(r, u)
	text, of, tone := Large(u, w)
	if !w.Leads || text != "+30.0 of +40.0 %" || !strings.HasPrefix(of, group.Code+": ") || !strings.HasSuffix(of, " in c") || tone.Class() != "" {
		t.Errorf("got %q of %q, tone %q", text, of, tone.Class())
	}
	if u.Rows[u.Lead].Variant != "c" {
		t.Errorf("the row of %s leads", u.Rows[u.Lead].Variant)
	}
	w.Leads = false
	if text, _, _ := Large(u, w); text != u.Rows[u.Lead].Change {
		t.Errorf("got %q for another question", text)
	}
}
