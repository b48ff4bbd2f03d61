package explain

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// A change that is not proved is said to be none before anything else is said.
func TestUnprovedComesFirst(t *testing.T) {
	c := assay.Comparison{Variant: "b", Change: -0.148, N: 12, Verdict: assay.Unclear, Interval: &assay.Interval{Lo: -0.41, Hi: 0.22}}
	of := func(change func(*assay.Comparison)) string {
		c := c
		change(&c)
		m := Material{Metric: assay.Metric{Name: assay.MetricTime, MinEffect: 0.01}, Explanation: assay.Explanation{Base: "a", BaseValue: 29e-6, Comparison: c,
			CPU: &assay.CPUChange{Difference: assay.Part{Change: c.Change}}}}
		e := Explain(m)
		if len(e.Text) == 0 || !strings.HasPrefix(e.Text[len(e.Text)-1], "no cause") && !strings.Contains(strings.Join(e.Text, "\n"), "of −1") {
			t.Errorf("the parts are not told: %q", e.Text)
		}
		return e.Text[0]
	}
	for _, x := range []struct {
		change func(*assay.Comparison)
		want   string
	}{
		{func(*assay.Comparison) {}, "not proved: −15 % [−41, +22] over 12 blocks; what follows may explain noise"},
		{func(c *assay.Comparison) { c.N, c.Interval, c.Reason = 3, nil, "3 of 10 blocks" }, "not proved (3 of 10 blocks); what follows may explain noise"},
		{func(c *assay.Comparison) { c.Verdict = assay.Same }, "no change that matters: −15 % [−41, +22] over 12 blocks, within ±1 %"},
		{func(c *assay.Comparison) { c.Verdict, c.Reason = assay.Invalid, "drift" }, "no change is proved (invalid: drift); what follows may explain noise"},
		{func(c *assay.Comparison) { c.Verdict = assay.Faster }, "of −15 %: unexplained −15 [−41, +22]"},
	} {
		if got := of(x.change); !strings.HasPrefix(got, x.want) {
			t.Errorf("got %q, want %q", got, x.want)
		}
	}
}
