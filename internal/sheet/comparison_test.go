package sheet

import (
	"math"
	"testing"

	"github.com/seed-1318a441/assay"
)

// The value of the previous step follows from the change over the blocks with both; where
// that is no ratio it is the value in the previous step's row.
func TestPreviousValues(t *testing.T) {
	c := changeOf("c", assay.Slower, 0.5, 0.01)
	c.Value, c.Benchmark.Name = 3, "A"
	zero := assay.Comparison{Variant: "c", Benchmark: c.Benchmark, Verdict: assay.More, N: 12, Value: 4, Difference: 4}
	previous := changeOf("b", assay.Slower, 1, 0.01)
	previous.Value = 2.5
	table := assay.Table{Metric: timeMetric, Rows: []assay.Row{benchRow("A", 1, previous)}, GeomeanBase: 7,
		Geomean: []assay.Comparison{changeOf("b", assay.Slower, 1, 0.01)}}
	r := resultOf([]string{"a", "b", "c"}, table)
	whole := zero
	whole.Benchmark.Name = GeomeanWord
	for _, x := range []struct {
		name, previous string
		c              assay.Comparison
		whole          *assay.Comparison
		want           float64
	}{
		{"a ratio", "b", c, nil, 2}, {"no ratio", "b", zero, nil, 2.5}, {"no ratio to the base", "a", zero, nil, 1}, {"a step that is not there", "x", zero, nil, math.NaN()},
		{"no ratio of geomeans", "b", c, &whole, 2}, {"no ratio to the base's geomean", "a", c, &whole, 7},
	} {
		table.Steps = []assay.StepChange{{Variant: "c", Previous: x.previous, Cells: []assay.Comparison{x.c}, Whole: x.whole}}
		all := Comparisons(r, table)
		got := all[len(all)-1]
		if got.Against != x.previous || got.Variant != "c" || got.Base != x.want && !(math.IsNaN(got.Base) && math.IsNaN(x.want)) {
			t.Errorf("%s: %v against %q, want %v against %q", x.name, got.Base, got.Against, x.want, x.previous)
		}
		if (got.Comparison.Benchmark == assay.Benchmark{}) != (x.whole != nil) {
			t.Errorf("%s: it is of %q", x.name, got.Comparison.Benchmark)
		}
	}
	if first := Comparisons(r, table)[0]; first.Against != "a" || first.Base != 1 || first.Value != 2.5 {
		t.Errorf("a row: got %+v", first)
	}
}
