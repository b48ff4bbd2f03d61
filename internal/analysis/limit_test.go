package analysis

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// A gate on a finished result: it fails on what is proved, and nothing that is not
// known holds.
func TestLimitStatus(t *testing.T) {
	span := func(lo, hi assay.Change) *assay.Interval { return &assay.Interval{Lo: lo, Hi: hi} }
	time := assay.Metric{Name: assay.MetricTime, Better: assay.BetterLower}
	rate := assay.Metric{Name: assay.MetricRequests, Better: assay.BetterHigher}
	for _, x := range []struct {
		name   string
		metric assay.Metric
		base   float64
		cell   assay.Comparison
		most   float64
		want   string
	}{
		{"beyond", time, 1, assay.Comparison{N: 9, Verdict: assay.Slower, Interval: span(0.04, 0.06)}, 0.03, LimitFailed},
		{"beyond, but the list does not claim it", time, 1, assay.Comparison{N: 9, Verdict: assay.Unclear, Interval: span(0.04, 0.06)}, 0.03, LimitUndecided},
		{"slower, within the limit", time, 1, assay.Comparison{N: 9, Verdict: assay.Slower, Interval: span(0.01, 0.02)}, 0.03, LimitHeld},
		{"across the limit", time, 1, assay.Comparison{N: 9, Verdict: assay.Slower, Interval: span(0.02, 0.05)}, 0.03, LimitUndecided},
		{"faster", time, 1, assay.Comparison{N: 9, Verdict: assay.Faster, Interval: span(-0.5, -0.4)}, 0.03, LimitHeld},
		{"no interval yet", time, 1, assay.Comparison{N: 3, Verdict: assay.Unclear}, 0.03, LimitUndecided},
		{"NaN", time, 1, assay.Comparison{N: 9, Verdict: assay.Slower, Interval: span(assay.Change(math.NaN()), 1)}, 0.03, LimitUndecided},
		{"higher is better, fell", rate, 1, assay.Comparison{N: 9, Verdict: assay.Lower, Interval: span(-0.10, -0.08)}, 0.03, LimitFailed},
		{"higher is better, rose", rate, 1, assay.Comparison{N: 9, Verdict: assay.Higher, Interval: span(0.08, 0.10)}, 0.03, LimitHeld},
		{"exact, one more", time, 12, assay.Comparison{N: 9, Value: 13, Exact: true, Verdict: assay.More}, 0, LimitFailed},
		{"exact, allowed", time, 100, assay.Comparison{N: 9, Value: 102, Exact: true, Verdict: assay.More}, 0.03, LimitHeld},
		{"exact, equal", time, 12, assay.Comparison{N: 9, Value: 12, Exact: true, Verdict: assay.Same}, 0, LimitHeld},
		{"exact, from nothing", time, 0, assay.Comparison{N: 9, Value: 1, Exact: true, Verdict: assay.More}, 0.5, LimitFailed},
		{"exact, to nothing", time, 1, assay.Comparison{N: 9, Value: 0, Exact: true, Verdict: assay.Less}, 0, LimitHeld},
		{"invalid", time, 1, assay.Comparison{N: 9, Verdict: assay.Invalid, Interval: span(0, 0)}, 0.03, LimitUndecided},
		{"saturated", time, 1, assay.Comparison{N: 9, Verdict: assay.Saturated, Interval: span(0, 0)}, 0.03, LimitUndecided},
		{"of others", time, 1, assay.Comparison{N: 9, Interval: span(-1, -1)}, 0.03, LimitUndecided},
		{"not measured", time, 1, assay.Comparison{Exact: true}, 0.03, LimitUndecided},
		{"same code", time, 1, assay.Comparison{Verdict: assay.SameCoded}, 0, LimitHeld},
	} {
		if got := limitStatus(x.metric, x.base, x.cell, x.most); got != x.want {
			t.Errorf("%s: got %s, want %s", x.name, got, x.want)
		}
	}
	r := &assay.Result{Tables: []assay.Table{{Metric: assay.Metric{Name: "widgets"}}}}
	for metric, want := range map[string]string{"widgets": "it is unknown whether", "sec/op": "no metric"} {
		if _, err := Limits(r, []Limit{{Metric: metric}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %s", metric, err, want)
		}
	}
}
