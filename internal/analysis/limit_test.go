package analysis

import (
	"math"
	"slices"
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
		want   assay.LimitStatus
	}{
		{"beyond", time, 1, assay.Comparison{N: 9, Verdict: assay.Slower, Interval: span(0.04, 0.06)}, 0.03, assay.LimitFailed},
		{"beyond, but the list does not claim it", time, 1, assay.Comparison{N: 9, Verdict: assay.Unclear, Interval: span(0.04, 0.06)}, 0.03, assay.LimitUndecided},
		{"slower, within the limit", time, 1, assay.Comparison{N: 9, Verdict: assay.Slower, Interval: span(0.01, 0.02)}, 0.03, assay.LimitHeld},
		{"across the limit", time, 1, assay.Comparison{N: 9, Verdict: assay.Slower, Interval: span(0.02, 0.05)}, 0.03, assay.LimitUndecided},
		{"faster", time, 1, assay.Comparison{N: 9, Verdict: assay.Faster, Interval: span(-0.5, -0.4)}, 0.03, assay.LimitHeld},
		{"a count so far, worse", assay.Metric{Name: assay.MetricAllocs, Better: assay.BetterLower}, 1, assay.Comparison{N: 1, Verdict: assay.Unclear, Exact: true, Value: 2}, 0.03, assay.LimitFailed},
		{"a count so far, equal", assay.Metric{Name: assay.MetricAllocs, Better: assay.BetterLower}, 1, assay.Comparison{N: 1, Verdict: assay.Unclear, Exact: true, Value: 1}, 0.03, assay.LimitHeld},
		{"no interval yet", time, 1, assay.Comparison{N: 3, Verdict: assay.Unclear}, 0.03, assay.LimitUndecided},
		{"NaN", time, 1, assay.Comparison{N: 9, Verdict: assay.Slower, Interval: span(assay.Change(math.NaN()), 1)}, 0.03, assay.LimitUndecided},
		{"higher is better, fell", rate, 1, assay.Comparison{N: 9, Verdict: assay.Lower, Interval: span(-0.10, -0.08)}, 0.03, assay.LimitFailed},
		{"higher is better, rose", rate, 1, assay.Comparison{N: 9, Verdict: assay.Higher, Interval: span(0.08, 0.10)}, 0.03, assay.LimitHeld},
		{"exact, one more", time, 12, assay.Comparison{N: 9, Value: 13, Exact: true, Verdict: assay.More}, 0, assay.LimitFailed},
		{"exact, allowed", time, 100, assay.Comparison{N: 9, Value: 102, Exact: true, Verdict: assay.More}, 0.03, assay.LimitHeld},
		{"exact, equal", time, 12, assay.Comparison{N: 9, Value: 12, Exact: true, Verdict: assay.Same}, 0, assay.LimitHeld},
		{"exact, from nothing", time, 0, assay.Comparison{N: 9, Value: 1, Exact: true, Verdict: assay.More}, 0.5, assay.LimitFailed},
		{"exact, to nothing", time, 1, assay.Comparison{N: 9, Value: 0, Exact: true, Verdict: assay.Less}, 0, assay.LimitHeld},
		{"invalid", time, 1, assay.Comparison{N: 9, Verdict: assay.Invalid, Interval: span(0, 0)}, 0.03, assay.LimitUndecided},
		{"saturated", time, 1, assay.Comparison{N: 9, Verdict: assay.Saturated, Interval: span(0, 0)}, 0.03, assay.LimitUndecided},
		{"of others", time, 1, assay.Comparison{N: 9, Interval: span(-1, -1)}, 0.03, assay.LimitUndecided},
		{"not measured", time, 1, assay.Comparison{Exact: true}, 0.03, assay.LimitUndecided},
		{"same code", time, 1, assay.Comparison{Verdict: assay.SameCoded}, 0, assay.LimitHeld},
	} {
		if got := limitStatus(x.metric, x.base, x.cell, x.most); got != x.want {
			t.Errorf("%s: got %s, want %s", x.name, got, x.want)
		}
	}
	r := &assay.Result{Tables: []assay.Table{{Metric: assay.Metric{Name: "widgets"}, Rows: []assay.Row{{}}}}}
	for metric, want := range map[string]string{"widgets": "it is unknown whether", "sec/op": "no metric"} {
		if _, err := Limits(r, []assay.Limit{{Metric: metric}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %s", metric, err, want)
		}
	}
}

// The worst cells come first: what failed, then proved changes, then the largest possible
// loss; a cell without an interval is last of its kind.
func TestWorstLimitsComeFirst(t *testing.T) {
	cell := func(name string, v assay.Verdict, lo, hi assay.Change) assay.Row {
		return assay.Row{Base: 1, Cells: []assay.Comparison{{Benchmark: assay.Benchmark{Name: name}, N: 9, Verdict: v, Interval: &assay.Interval{Lo: lo, Hi: hi}}}}
	}
	unknown := cell("unknown", assay.Unclear, 0, 0)
	unknown.Cells[0].Interval = nil
	exact := func(name string, value float64) assay.Row {
		return assay.Row{Base: 10, Cells: []assay.Comparison{{Benchmark: assay.Benchmark{Name: name}, N: 9, Verdict: assay.More, Exact: true, Value: value}}}
	}
	r := &assay.Result{Tables: []assay.Table{
		{Metric: assay.Metric{Name: assay.MetricTime, Better: assay.BetterLower}, Rows: []assay.Row{
			cell("held", assay.Same, 0, 0.01), unknown, cell("may lose 5 %", assay.Unclear, -0.5, 0.05), cell("may lose 9 %", assay.Unclear, -0.01, 0.09),
			cell("proved, at most 4 %", assay.Slower, 0.02, 0.04), cell("failed by 6 %", assay.Slower, 0.04, 0.06)}},
		{Metric: assay.Metric{Name: assay.MetricRequests, Better: assay.BetterHigher}, Rows: []assay.Row{
			cell("may lose 7 %", assay.Unclear, -0.07, 0.5), cell("failed by 9 %", assay.Lower, -0.09, -0.04)}},
		{Metric: assay.Metric{Name: assay.MetricAllocs, Better: assay.BetterLower}, Rows: []assay.Row{exact("failed by 10 %", 11), exact("failed by 50 %", 15)}},
	}}
	cells, err := Limits(r, []assay.Limit{{Metric: assay.MetricTime, Limit: 0.03}, {Metric: assay.MetricRequests, Limit: 0.03}, {Metric: assay.MetricAllocs, Limit: 0.03}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range cells {
		got = append(got, c.Benchmark.Name)
	}
	want := []string{"failed by 50 %", "failed by 10 %", "failed by 9 %", "failed by 6 %", "proved, at most 4 %", "may lose 9 %", "may lose 7 %", "may lose 5 %", "unknown", "held"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
