package answer

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// A change in words has its direction, its interval, and beyond ±50 % a ratio. Of nothing
// there is no percentage, so the values stand there.
func TestAmount(t *testing.T) {
	metric := func(name string) assay.Metric { return made(name, true).Metric }
	exact := func(v assay.Verdict, change, value, difference float64) assay.Comparison {
		return assay.Comparison{Variant: "b", Verdict: v, N: 12, Exact: true, Change: assay.Change(change), Value: value, Difference: difference}
	}
	for _, test := range []struct {
		metric string
		c      assay.Comparison
		want   string
	}{
		{assay.MetricTime, claimed("b", assay.Faster, -18.6, -19.8, -17.3), "18.6 % less time [−19.8, −17.3] than a"},
		{assay.MetricTime, claimed("b", assay.Slower, 2, 1, 3), "2.0 % more time [+1.0, +3.0] than a"},
		{assay.MetricTime, claimed("b", assay.Faster, -60, -62, -58), "60.0 % less time [−62.0, −58.0] than a, 2.5× as fast"},
		{assay.MetricTime, claimed("b", assay.Slower, 160, 120, 200), "160 % more time [+120, +200] than a, 2.6× the time"},
		{assay.MetricRSS, claimed("b", assay.More, 210, 205, 215), "210.0 % more peak memory [+205.0, +215.0] than a, 3.1× as much"},
		{"latency.p99", claimed("b", assay.Faster, -5, -6, -4), "5.0 % less p99 latency [−6.0, −4.0] than a"},
		{assay.MetricAllocs, exact(assay.Less, -0.5, 1, -1), "50.0 % fewer allocs/op (exact) than a"},
		{assay.MetricBytes, exact(assay.Less, -0.25, 48, -16), "25.0 % less B/op (exact) than a"},
		{assay.MetricAllocs, exact(assay.Less, -1, 0, -2), "100.0 % fewer allocs/op (exact) than a"},
		{assay.MetricAllocs, exact(assay.More, 0, 3, 3), "3 allocs/op, a none"},
		{assay.MetricErrors, exact(assay.More, 0, 0.5, 0.25), "50 % errors, a 25 %"},
	} {
		if got := Amount(metric(test.metric), test.c, "a"); got != test.want {
			t.Errorf("%s: got %q, want %q", test.metric, got, test.want)
		}
	}
	if got, want := amount(metric(assay.MetricErrors), exact(assay.More, 0, 0.5, 0.25)), "50 % errors instead of 25 %"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Exact numbers have no interval, and a change from 0 has no percentage; without either
// the reason stands there.
func TestIntervalInWords(t *testing.T) {
	for _, test := range []struct {
		c    assay.Comparison
		want string
	}{
		{claimed("b", assay.Unclear, 0.4, -0.5, 1.3), "+0.4 % [−0.5, +1.3]"},
		{claimed("b", assay.Unclear, 20, -5, 45), "+20 % [−5, +45]"},
		{claimed("b", assay.Same, 0.01, -0.02, 0.04), "+0.01 % [−0.02, +0.04]"},
		{assay.Comparison{Exact: true, Change: -0.5, Value: 1, Difference: -1}, "−50.0 % (exact)"},
		{assay.Comparison{Exact: true, Value: 2400, Difference: 2400}, "from 0 to 2400 (exact)"},
		{assay.Comparison{Exact: true, Value: 7}, "0.0 % (exact)"},
		{assay.Comparison{Reason: "3 of 9 blocks"}, "(3 of 9 blocks)"},
	} {
		if got := Interval(test.c); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// Lists end in "and" or "or", and neighbouring latencies share their noun.
func TestLists(t *testing.T) {
	for _, test := range []struct {
		names   []string
		and, or string
	}{
		{nil, "", ""},
		{[]string{"a"}, "a", "a"},
		{[]string{"a", "b"}, "a and b", "a or b"},
		{[]string{"a", "b", "c"}, "a, b and c", "a, b or c"},
	} {
		if got := joinAnd(test.names); got != test.and {
			t.Errorf("got %q, want %q", got, test.and)
		}
		if got := joinOr(test.names); got != test.or {
			t.Errorf("got %q, want %q", got, test.or)
		}
	}
	for _, test := range []struct {
		metrics []string
		want    string
	}{
		{[]string{"latency.p50", "latency.p90", assay.MetricRequests}, "p50/p90 latency/tx/s"},
		{[]string{"latency.p50", assay.MetricRequests, "latency.p99"}, "p50 latency/tx/s/p99 latency"},
		{[]string{assay.MetricTime, assay.MetricTime}, "time"},
	} {
		var ms []assay.Metric
		for _, name := range test.metrics {
			ms = append(ms, assay.Metric{Name: name})
		}
		if got := strings.Join(nounList(ms), "/"); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// Of many names a sentence has five; one more is not worth a number.
func TestFew(t *testing.T) {
	for n, want := range map[int]string{
		1: "a",
		6: "a, b, c, d, e, f",
		7: "7 comparisons: a, b, c, d, e and 2 more",
	} {
		if got := Few(strings.Split("abcdefg", "")[:n]); got != want {
			t.Errorf("%d names: got %q, want %q", n, got, want)
		}
	}
}

// The largest change comes first by its ratio: half the time is more than 60 % more of it.
func TestBySize(t *testing.T) {
	half, more := claimed("half", assay.Faster, -50, -51, -49), claimed("more", assay.Slower, 60, 59, 61)
	if got := bySize(half, more); got >= 0 {
		t.Errorf("ln %.3f against ln %.3f: got %d, want the first before the second", math.Log(0.5), math.Log(1.6), got)
	}
	if got := bySize(more, half); got <= 0 {
		t.Errorf("got %d, want the second before the first", got)
	}
}

// Where an answer chose among several comparisons its basis says so.
func TestBasisNamesItsRule(t *testing.T) {
	r := &assay.Result{Spent: assay.Spent{Blocks: 1, Time: 5e9}, Rule: assay.Rule{Confidence: 0.95, MinEffect: 0.02}}
	if got, want := basis(r, assay.Answer{Decided: true}), "decided after 1 block (5.0 s of measuring) · 95 % intervals · minimum effect: 2 %"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r.Rule.Claims, r.Rule.Heads, r.Rule.Scope = 40, 3, "for these binaries"
	want := "decided after 1 block (5.0 s of measuring) · 95 % intervals · expected false claims ≤ 5 % over 40 comparisons · " +
		"the answer at 95 % over 3 · minimum effect: 2 % · for these binaries"
	if got := basis(r, assay.Answer{Decided: true}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Where the answer has a verdict, and only other comparisons are open, not all is decided.
func TestOpen(t *testing.T) {
	for _, test := range []struct {
		answer assay.Answer
		want   string
	}{
		{assay.Answer{Verdict: assay.Faster, Decided: true}, ""},
		{assay.Answer{Verdict: assay.Faster, Undecided: "3 of 5 steps"}, "not all decided"},
		{assay.Answer{Verdict: assay.Same, Undecided: "3 of 5 steps"}, "not all decided"},
		{assay.Answer{Verdict: assay.Unclear, Undecided: "3 of 5 steps"}, "not decided"},
		{assay.Answer{Verdict: assay.Faster, Undecided: "a gate", Gate: GateOpen}, "not decided"},
		{assay.Answer{Verdict: assay.Faster}, "not decided"},
	} {
		if got := Open(test.answer); got != test.want {
			t.Errorf("%+v: %q, want %q", test.answer, got, test.want)
		}
	}
}
