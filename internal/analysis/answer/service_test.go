package answer

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

const p50, p90, p99, rate = "latency.p50", "latency.p90", "latency.p99", assay.MetricRequests

// served is the answer to a study of a service, with the base a and the other variants.
func served(others string, tables ...assay.Table) assay.Answer {
	s := assay.Study{Base: "a", Variants: variants(append([]string{"a"}, strings.Fields(others)...)...),
		Workloads: []assay.Workload{{Kind: assay.KindService}}}
	return answerTo(s, assay.Result{Tables: tables})
}

// said is a comparison of b with a, one percent wide to either side.
func said(verdict assay.Verdict, change float64) assay.Comparison {
	return claimed("b", verdict, change, change-1, change+1)
}

// queued is a comparison of a variant that did not keep up with the load.
func queued(variant string) assay.Comparison {
	return assay.Comparison{Variant: variant, Verdict: assay.Saturated, N: 12, Reason: variant + " attained 90 of 100 requests a second"}
}

// Of two services the metrics that decide may agree, or say that it depends. The sentence
// has all that is proved.
func TestPairOfServices(t *testing.T) {
	for _, test := range []struct {
		name   string
		tables []assay.Table
		want   answered
	}{
		{"both ways", []assay.Table{made(p50, true, said(assay.Faster, -10)), made(p99, true, said(assay.Slower, 5))},
			answered{assay.Mixed, "", "it depends on what counts: b has 10.0 % less p50 latency [−11.0, −9.0] than a, but 5.0 % more p99 latency [+4.0, +6.0]", ""}},
		{"better", []assay.Table{made(p50, true, said(assay.Faster, -10)), made(p99, true, said(assay.Faster, -5)), made(rate, true, said(assay.Same, 0))},
			answered{assay.Faster, "b", "use b: 10.0 % less p50 latency [−11.0, −9.0] than a, 5.0 % less p99 latency [−6.0, −4.0] / tx/s is the same within ±2 %", ""}},
		{"worse", []assay.Table{made(p50, true, said(assay.Same, 0)), made(p99, true, said(assay.Slower, 5)), made(rate, true, said(assay.Same, 0))},
			answered{assay.Slower, "a", "use a: b has 5.0 % more p99 latency [+4.0, +6.0] than a / p50 latency and tx/s are the same within ±2 %", ""}},
		{"fewer answers", []assay.Table{made(rate, true, said(assay.Lower, -5))}, answered{assay.Lower, "a", "use a: b has 5.0 % fewer tx/s [−6.0, −4.0] than a", ""}},
		{"same", []assay.Table{made(p50, true, said(assay.Same, 0)), made(p90, true, said(assay.Same, 0)),
			made(p99, true, said(assay.Same, 0)), made(rate, true, said(assay.Same, 0))},
			answered{assay.Same, "", "keep a: b is the same within ±2 % in p50, p90, p99 latency and tx/s", ""}},
		{"same so far", []assay.Table{made(p50, true, said(assay.Same, 0)), made(p99, true, said(assay.Unclear, 1.5))},
			answered{assay.Unclear, "", "keep a so far: b is the same within ±2 % in p50 latency", "b +1.5 % [+0.5, +2.5] against a on p99 latency; needs about 20 min more"}},
		{"open", []assay.Table{made(p50, true, said(assay.Unclear, 1)), made(p99, true, said(assay.Unclear, 1.5))},
			answered{assay.Unclear, "", "no change of p50 latency beyond ±2.0 %; not decided: p99 latency of b +1.5 % [+0.5, +2.5]",
				"b against a on p50 and p99 latency; needs about 20 min more"}},
		{"a unit without a direction", []assay.Table{made(p50, true, said(assay.Same, 0)), made("things", true, said(assay.Changed, 5))},
			answered{assay.Changed, "", "b changes things by +5.0 % [+4.0, +6.0]; say which direction is better with a Unit line / p50 latency is the same within ±2 %", ""}},
	} {
		test.want.check(t, test.name, served("b", test.tables...))
	}
}

// What has no figures says why, once for all metrics with the same reason.
func TestServiceWithoutFigures(t *testing.T) {
	early := assay.Comparison{Variant: "b", Verdict: assay.Unclear, N: 3, Reason: "3 of 7 blocks"}
	failed := assay.Comparison{Variant: "b", Verdict: assay.Invalid, Reason: "its process died"}
	for _, test := range []struct {
		name   string
		tables []assay.Table
		want   answered
	}{
		{"early", []assay.Table{made(p50, true, early), made(p99, true, early)},
			answered{assay.Unclear, "", "not decided: 3 of 7 blocks", "b against a on p50 and p99 latency"}},
		{"a queue", []assay.Table{made(p50, true, queued("b")), made(p99, true, queued("b"))},
			answered{assay.Saturated, "", "no answer: b attained 90 of 100 requests a second", ""}},
		{"a queue beside memory", []assay.Table{made(p50, true, queued("b")), made(p99, true, queued("b")), made(assay.MetricRSS, true, said(assay.Less, -20))},
			answered{assay.Less, "b", "use b: 20.0 % less peak memory [−21.0, −19.0] than a / no verdict on p50 and p99 latency (saturated: b attained 90 of 100 requests a second)", ""}},
		{"invalid", []assay.Table{made(p50, true, failed)}, answered{assay.Invalid, "", "no answer: its process died", ""}},
		{"one invalid", []assay.Table{made(p50, true, said(assay.Same, 0)), made(p99, true, failed)},
			answered{assay.Unclear, "", "keep a so far: b is the same within ±2 % in p50 latency / no verdict on p99 latency (invalid: its process died)", ""}},
		{"too few requests", []assay.Table{{Metric: made("latency.p99.9", true).Metric, Decides: true},
			made(p50, true, said(assay.Same, 0)), {Metric: assay.Metric{Name: "things"}, Decides: true}},
			answered{assay.Same, "", "keep a: b is the same within ±2 % / latency.p99.9 is unknown: each run needs 10 requests beyond it / " +
				"things is unknown: no run reported it", ""}},
	} {
		test.want.check(t, test.name, served("b", test.tables...))
	}
}

// Quick failures are no improvement: errors that differ are part of the answer, although
// the study does not decide by them. Those of the same share are not.
func TestErrorsAreAnswered(t *testing.T) {
	errors := said(assay.More, 200)
	errors.Value, errors.Difference, errors.Interval = 0.03, 0.02, nil
	answered{assay.Mixed, "", "it depends on what counts: b has 10.0 % less p50 latency [−11.0, −9.0] than a, but 3 % errors instead of 1 %", ""}.check(
		t, "more errors", served("b", made(p50, true, said(assay.Faster, -10)), made(assay.MetricErrors, false, errors)))
	errors.Verdict = assay.Same
	answered{assay.Faster, "b", "use b: 10.0 % less p50 latency [−11.0, −9.0] than a", ""}.check(
		t, "as many errors", served("b", made(p50, true, said(assay.Faster, -10)), made(assay.MetricErrors, false, errors)))
	r := &assay.Result{Tables: []assay.Table{made(p50, true, said(assay.Faster, -10)), made(rate, true, said(assay.Same, 0)), made(assay.MetricErrors, false, errors)}}
	if got := len(Answering(r)); got != 2 {
		t.Errorf("the answer rests on %d tables, want the two that decide", got)
	}
	r.Tables[2].Rows[0].Cells[0].Verdict = assay.More
	if got := len(Answering(r)); got != 3 {
		t.Errorf("the answer rests on %d tables, want errors too", got)
	}
	r.Tables = r.Tables[2:]
	r.Tables[0].Metric.Name = assay.MetricTime
	if got := len(Answering(r)); got != 1 {
		t.Errorf("the answer on time rests on %d tables, want the first", got)
	}
}

// What is proved of the collector follows the answer, and never decides.
func TestCollectorInTheAnswer(t *testing.T) {
	cost, cycles := said(assay.Less, -12), said(assay.More, 20)
	fewer := said(assay.Less, -30)
	for _, test := range []struct {
		name   string
		tables []assay.Table
		want   string
	}{
		{"against each other", []assay.Table{made(assay.MetricGCMarkCPU, false, cost), made(assay.MetricGCCyclesTx, false, cycles)},
			"in b each GC cycle costs less CPU (−12.0 % [−13.0, −11.0]), but cycles are more frequent (+20.0 % [+19.0, +21.0])"},
		{"both less", []assay.Table{made(assay.MetricGCMarkCPU, false, cost), made(assay.MetricGCCyclesTx, false, fewer)},
			"in b each GC cycle costs less CPU (−12.0 % [−13.0, −11.0]), and cycles are rarer (−30.0 % [−31.0, −29.0])"},
		{"cost only", []assay.Table{made(assay.MetricGCMarkCPU, false, cost)}, "in b each GC cycle costs less CPU (−12.0 % [−13.0, −11.0])"},
		{"cycles a minute", []assay.Table{made(assay.MetricGCCyclesMin, false, fewer)}, "in b GC cycles are rarer (−30.0 % [−31.0, −29.0])"},
		{"nothing proved", []assay.Table{made(assay.MetricGCMarkCPU, false, said(assay.Unclear, -12))}, ""},
	} {
		a := served("b", append([]assay.Table{made(p50, true, said(assay.Same, 0))}, test.tables...)...)
		if got := strings.Join(a.Text[1:], " / "); got != test.want || a.Verdict != assay.Same {
			t.Errorf("%s: got %s, %q, want %q", test.name, a.Verdict, got, test.want)
		}
	}
}

// Of several services the first metric with a best one leads, and what the others say
// against it makes it depend.
func TestBestOfServices(t *testing.T) {
	c := func(v assay.Verdict, change float64) assay.Comparison {
		return claimed("c", v, change, change-1, change+1)
	}
	for _, test := range []struct {
		name   string
		tables []assay.Table
		want   answered
	}{
		{"one is best", []assay.Table{made(p50, true, said(assay.Faster, -10), c(assay.Slower, 5)), made(p99, true, said(assay.Faster, -4), c(assay.Same, 0))},
			answered{assay.Faster, "b", "use b: 10.0 % less p50 latency [−11.0, −9.0] than a, 4.0 % less p99 latency [−5.0, −3.0] / p50 latency: worse than a: c", ""}},
		{"it depends", []assay.Table{made(p50, true, said(assay.Faster, -10), c(assay.Slower, 5)), made(p99, true, said(assay.Slower, 5), c(assay.Slower, 6))},
			answered{assay.Mixed, "", "it depends on what counts: by p50 latency use b: 10.0 % less p50 latency [−11.0, −9.0] than a / p50 latency: worse than a: c / " +
				"but b has 5.0 % more p99 latency [+4.0, +6.0]", ""}},
		{"the base is best on one metric", []assay.Table{
			made(p50, true, said(assay.Slower, 10), c(assay.Slower, 5)), made(rate, true, said(assay.Higher, 5), c(assay.Same, 0))},
			answered{assay.Mixed, "", "it depends on what counts: by p50 latency use a: every other variant is worse: " +
				"c +5.0 % [+4.0, +6.0] to b +10.0 % [+9.0, +11.0] p50 latency / but b has 5.0 % more tx/s [+4.0, +6.0]", ""}},
		{"all the same", []assay.Table{made(p50, true, said(assay.Same, 0), c(assay.Same, 0)), made(rate, true, said(assay.Same, 0), c(assay.Same, 0))},
			answered{assay.Same, "", "keep a: all variants are the same within ±2 % in p50 latency and tx/s", ""}},
		{"none is best", []assay.Table{made(p50, true, said(assay.Unclear, 1), c(assay.Unclear, 1)), made(p99, true, said(assay.Unclear, 1), c(assay.Unclear, 1))},
			answered{assay.Unclear, "", "no clear winner; tied: a, b, c", "b, c against a on p50 and p99 latency; needs about 20 min more"}},
		{"no best, and a queue", []assay.Table{made(p50, true, said(assay.Same, 0), queued("c")), made(rate, true, said(assay.Unclear, 1), c(assay.Unclear, 1))},
			answered{assay.Unclear, "", "p50 latency: keep a: b is the same within ±2 % / tx/s: no clear winner; tied: a, b, c / c attained 90 of 100 requests a second",
				"b +1.0 % [0.0, +2.0], c +1.0 % [0.0, +2.0] against a on tx/s; needs about 20 min more"}},
		{"a queue that is named", []assay.Table{made(p50, true, said(assay.Faster, -10), queued("c"))},
			answered{assay.Faster, "b", "use b: 10.0 % less p50 latency [−11.0, −9.0] than a / " +
				"not ranked: c (saturated: c attained 90 of 100 requests a second)", ""}},
		{"queues", []assay.Table{made(p50, true, queued("b"), queued("c"))}, answered{assay.Saturated, "", "no answer: b attained 90 of 100 requests a second", ""}},
	} {
		test.want.check(t, test.name, served("b c", test.tables...))
	}
}
