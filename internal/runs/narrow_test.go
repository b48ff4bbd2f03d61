package runs

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// suite is a result of the benchmarks Encode, EncodeAll and Decode, on which two steps and a
// switch were compared.
func suite() *assay.Result {
	r := &assay.Result{Run: "7k2m", Tradeoff: &assay.Tradeoff{}, Race: &assay.Race{}}
	t := assay.Table{Metric: assay.Metric{Name: assay.MetricTime}, Geomean: []assay.Comparison{{Variant: "new"}}}
	step := assay.StepChange{Variant: "new", Whole: &assay.Comparison{Variant: "new"}, Text: "over all"}
	effect := assay.Effect{Whole: assay.Comparison{Variant: "gc"}}
	for i, name := range []string{"Encode", "EncodeAll", "Decode"} {
		b := assay.Benchmark{Package: "example.com/m", Name: name}
		c := assay.Comparison{Variant: "new", Benchmark: b, N: i + 1}
		t.Rows = append(t.Rows, assay.Row{Benchmark: b, Cells: []assay.Comparison{c}})
		step.Cells, effect.Cells = append(step.Cells, c), append(effect.Cells, c)
		r.Latencies, r.GCs = append(r.Latencies, assay.Latency{Benchmark: b}), append(r.GCs, assay.GC{Benchmark: b})
		r.Explanations = append(r.Explanations, assay.Explanation{Benchmark: b})
	}
	t.Steps, t.Effects = []assay.StepChange{step}, []assay.Effect{effect}
	r.Tables = []assay.Table{t}
	return r
}

// Only what is about the benchmarks that the text names is kept, and nothing about the
// whole suite.
func TestNarrow(t *testing.T) {
	for text, want := range map[string][]string{"Encode": {"Encode", "EncodeAll"}, "EncodeAll": {"EncodeAll"}, "Decode": {"Decode"}, "m.Enc": {"Encode", "EncodeAll"}} {
		r := suite()
		if err := Narrow(r, text); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		tab := r.Tables[0]
		var rows, cells []string
		for _, row := range tab.Rows {
			rows = append(rows, row.Benchmark.Name)
		}
		for _, c := range tab.Steps[0].Cells {
			cells = append(cells, c.Benchmark.Name)
		}
		if !slices.Equal(rows, want) || !slices.Equal(cells, want) || len(r.Latencies) != len(want) || len(r.GCs) != len(want) || len(r.Explanations) != len(want) {
			t.Errorf("%s: got rows %q, steps of %q, %d latencies, %d cycles and %d explanations, want %q", text,
				rows, cells, len(r.Latencies), len(r.GCs), len(r.Explanations), want)
		}
		if tab.Geomean != nil || r.Tradeoff != nil || r.Race != nil || tab.Steps[0].Text != "" {
			t.Errorf("%s: got statements about the suite: %+v", text, r)
		}
		whole := tab.Steps[0].Whole
		switch alone := len(want) == 1; {
		case alone && (whole == nil || whole.Benchmark.Name != want[0] || len(tab.Effects) != 1 || tab.Effects[0].Whole.Benchmark.Name != want[0] || tab.Effects[0].Cells != nil):
			t.Errorf("%s: got the step %+v and effects %+v, want those of the benchmark", text, whole, tab.Effects)
		case !alone && (whole != nil || tab.Effects != nil):
			t.Errorf("%s: got the step %+v and effects %+v, want none of several", text, whole, tab.Effects)
		}
	}
	r := suite()
	if err := Narrow(r, ""); err != nil || len(r.Tables[0].Rows) != 3 || r.Race == nil {
		t.Errorf("without a text: got %+v, %v, want all", r, err)
	}
}

// A benchmark that a run does not have is an error, with a similar one to type.
func TestNarrowToNothing(t *testing.T) {
	for text, want := range map[string]string{"Encoed": "assay show 7k2m Encode", "zzzzzzzzzz": "assay show 7k2m"} {
		err := Narrow(suite(), text)
		e, ok := err.(*assay.Error)
		if !ok || e.Code != assay.CodeNoBenchmarks || e.Try != want || !strings.Contains(e.Text, text) {
			t.Errorf("%s: got %v, want to try %q", text, err, want)
		}
	}
	r := suite()
	r.Ref = "my runs/x"
	if e, ok := Narrow(r, "zzzzzzzzzz").(*assay.Error); !ok || e.Try != "assay show 'my runs/x'" {
		t.Errorf("got %+v, want the run as the user called it, quoted", e)
	}
}
