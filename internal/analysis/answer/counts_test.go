package answer

import (
	"testing"

	"github.com/seed-1318a441/assay"
)

// Of what is unclear the counts say what all of its intervals exclude that cover 0.
func TestCounts(t *testing.T) {
	of := func(v assay.Verdict, lo, hi assay.Change) assay.Comparison {
		return assay.Comparison{Verdict: v, Interval: &assay.Interval{Lo: lo, Hi: hi}}
	}
	faster, open := of(assay.Faster, -0.11, -0.09), assay.Comparison{Verdict: assay.Unclear}
	for _, c := range []struct {
		list []assay.Comparison
		want string
	}{
		{nil, ""},
		{[]assay.Comparison{faster, faster, {Verdict: assay.Withheld}}, "2 faster, 1 without verdict"},
		{[]assay.Comparison{of(assay.Unclear, 0, 0.095), faster, of(assay.Unclear, -0.05, 0.01)}, "1 faster, 2 within ±9.5 %"},
		{[]assay.Comparison{of(assay.Same, -0.01, 0.01), open}, "1 same, 1 unclear"},
		{[]assay.Comparison{open, of(assay.Unclear, -0.03, 0.03)}, "1 unclear, 1 within ±3.0 %"},
		{[]assay.Comparison{of(assay.Unclear, -0.5, 3), of(assay.Unclear, 0.01, 0.03)}, "2 unclear"},
	} {
		if got := Counts(c.list); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
