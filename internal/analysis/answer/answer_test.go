package answer

import (
	"testing"

	"github.com/seed-1318a441/assay"
)

// TestHeadlinesOfWhatIsLeft: where one benchmark of several is left, it is the
// answer.
func TestHeadlinesOfWhatIsLeft(t *testing.T) {
	row := func(v assay.Verdict) assay.Row {
		return assay.Row{Cells: []assay.Comparison{{Variant: "b", Verdict: v}}}
	}
	for _, test := range []struct {
		rows []assay.Row
		want int
	}{
		{[]assay.Row{row(assay.Invalid), row(assay.Slower)}, 1},
		{[]assay.Row{row(assay.Invalid), row(assay.Invalid)}, 0},
		{[]assay.Row{row(assay.Slower)}, 1},
	} {
		if got := len(Headlines(assay.Table{Rows: test.rows})); got != test.want {
			t.Errorf("%v: got %d headlines, want %d", test.rows, got, test.want)
		}
	}
}
