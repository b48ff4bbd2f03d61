package answer

import (
	"testing"

	"github.com/seed-1318a441/assay"
)

// What was not measured is said where more benchmarks were asked for: a benchmark counts that
// has a value of some metric.
func TestCoverage(t *testing.T) {
	early := func() []assay.Comparison {
		return one(assay.Comparison{Variant: "b", Verdict: assay.Unclear, Reason: "no block yet"})
	}
	faster := one(claimed("b", assay.Faster, -5, -6, -4))
	r := assay.Result{Tables: []assay.Table{suite(assay.MetricTime, nil, faster, early())}, Wanted: 95}
	for _, test := range []struct {
		wanted int
		want   string
	}{{95, "1 of 95 benchmarks measured"}, {2, "1 of 2 benchmarks measured"}, {1, ""}, {0, ""}} {
		r.Wanted = test.wanted
		if got := Coverage(&r); got != test.want {
			t.Errorf("%d wanted: got %q, want %q", test.wanted, got, test.want)
		}
	}
	r.Wanted = 95
	a := answerTo(assay.Study{Variants: variants("a", "b")}, r)
	if got := a.Text[len(a.Text)-1]; got != "1 of 95 benchmarks measured" {
		t.Errorf("the answer ends with %q", got)
	}
}
