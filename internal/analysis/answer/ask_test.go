package answer

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/seed-1318a441/assay"
)

// claimed is a comparison on the whole suite, with an interval in percent.
func claimed(variant string, verdict assay.Verdict, change, lo, hi float64) assay.Comparison {
	c := assay.Comparison{Variant: variant, Verdict: verdict, N: 12, Change: assay.Change(change / 100),
		Interval: &assay.Interval{Lo: assay.Change(lo / 100), Hi: assay.Change(hi / 100)}}
	if verdict == assay.Unclear {
		c.MoreBlocks, c.MoreTime = 40, 20*time.Minute
	}
	return c
}

// made is a table of one benchmark, of a metric of assay.
func made(metric string, decides bool, cells ...assay.Comparison) assay.Table {
	for i := range cells {
		cells[i].Benchmark = assay.Benchmark{Name: "Only"}
	}
	return assay.Table{Metric: assay.Metric{Name: metric, Better: assay.KnownBetter(metric), MinEffect: 0.02}, Decides: decides,
		Rows: []assay.Row{{Benchmark: assay.Benchmark{Name: "Only"}, Cells: cells}}}
}

// suite is a table of a whole suite and of the benchmarks A and B.
func suite(metric string, whole, a, b []assay.Comparison) assay.Table {
	rows := []assay.Row{{Benchmark: assay.Benchmark{Name: "A"}, Cells: a}, {Benchmark: assay.Benchmark{Name: "B"}, Cells: b}}
	for _, row := range rows {
		for i := range row.Cells {
			row.Cells[i].Benchmark = row.Benchmark
		}
	}
	return assay.Table{Metric: assay.Metric{Name: metric, Better: assay.KnownBetter(metric), MinEffect: 0.02}, Decides: true, Rows: rows, Geomean: whole, Common: 2}
}

func effect(factor, from, to string, whole assay.Comparison) assay.Effect {
	return assay.Effect{Switches: []assay.Switch{{Factor: factor, From: from, To: to}}, Whole: whole}
}

// answerTo is the answer to a study whose base is a.
func answerTo(s assay.Study, r assay.Result) assay.Answer {
	r.Base, s.Base = "a", "a"
	r.Rule.Confidence = 0.99
	r.Variants = nil
	for _, v := range s.Variants {
		r.Variants = append(r.Variants, assay.VariantResult{Name: v.Name})
	}
	e := Evidence{Plan: &assay.Plan{Study: s}, ProofFrom: 12, Ties: func(_ assay.Metric, best string, others []string) (tied, early []string) {
		for _, v := range others {
			if v != best {
				tied = append(tied, v)
			}
		}
		return tied, nil
	}}
	return Of(&r, e)
}

func variants(names ...string) (out []assay.Variant) {
	for _, n := range names {
		out = append(out, assay.Variant{Name: n, Go: "go1.26." + n})
	}
	return out
}

// Each kind of question has its sentence, which names the cost and what is open.
func TestAnswersByKind(t *testing.T) {
	faster, slower, less, more, unclear, same := assay.Faster, assay.Slower, assay.Less, assay.More, assay.Unclear, assay.Same
	crossed := assay.Study{Factors: []assay.Factor{{Name: "gc"}, {Name: "go"}}}
	for _, n := range []string{"a", "b", "c", "d"} {
		crossed.Variants = append(crossed.Variants, assay.Variant{Name: n, Levels: map[string]string{}})
	}
	withEffects := func(tab assay.Table, es ...assay.Effect) assay.Table { tab.Effects = es; return tab }
	gc, release := func(c assay.Comparison) assay.Effect { return effect("gc", "green", "classic", c) }, func(c assay.Comparison) assay.Effect { return effect("go", "go1.25", "go1.26", c) }
	forced := assay.Study{Variants: []assay.Variant{{Name: "a"}, {Name: "b", Env: map[string]string{"X": "1"}}}, Measure: assay.Measure{Force: true}}
	tradeoff := assay.Tradeoff{Metrics: [2]assay.Metric{made(assay.MetricTime, true).Metric, made(assay.MetricRSS, true).Metric},
		Points: []assay.TradeoffPoint{{Variant: "a"}, {Variant: "b"}, {Variant: "c", Beaten: "b"}, {Variant: "d"}}}

	for _, test := range []struct {
		name      string
		study     assay.Study
		result    assay.Result
		kind      assay.AskKind
		use, text string
		cost      string
		undecided string
	}{
		{"a pair with a cost", assay.Study{Variants: variants("a", "b")},
			assay.Result{Tables: []assay.Table{
				made(assay.MetricTime, true, claimed("b", faster, -14, -16, -12)),
				made(assay.MetricUser, false, claimed("b", more, 3, 2.5, 3.5)),
				made(assay.MetricMeanRSS, false, claimed("b", more, 22, 21, 23)),
				made(assay.MetricRSS, false, claimed("b", more, 26, 24, 28)),
				made(assay.MetricGCCyclesOp, false, claimed("b", more, 90, 80, 99)),
			}}, assay.AskVariant, "b",
			"use b: 14.0 % less time [−16.0, −12.0] than a, but 26.0 % more peak memory [+24.0, +28.0], 3.0 % more user CPU [+2.5, +3.5]",
			"26.0 % more peak memory [+24.0, +28.0] / 3.0 % more user CPU [+2.5, +3.5]", ""},
		{"no clear winner", assay.Study{Variants: variants("a", "b", "c", "d")},
			assay.Result{Tables: []assay.Table{made(assay.MetricTime, true, claimed("b", unclear, 1, -2, 3), claimed("c", slower, 9, 8, 10), claimed("d", same, 0, -1, 1))}},
			assay.AskVariant, "", "no clear winner; tied: a, b, d; slower: c +9.0 %", "", "b +1.0 % [−2.0, +3.0] against a; needs about 20 min more"},
		{"all are worse", assay.Study{Variants: variants("a", "b", "c")},
			assay.Result{Tables: []assay.Table{made(assay.MetricTime, true, claimed("b", slower, 3, 2, 4), claimed("c", slower, 60, 55, 65))}},
			assay.AskVariant, "a", "use a: every other variant is worse: b +3.0 % [+2.0, +4.0] to c +60.0 % [+55.0, +65.0] time", "", ""},
		{"single benchmarks are proved", assay.Study{Variants: variants("a", "b", "c")},
			assay.Result{Tables: []assay.Table{suite(assay.MetricTime,
				[]assay.Comparison{claimed("b", unclear, 0, -3, 3), claimed("c", unclear, 0, -3, 3)},
				[]assay.Comparison{claimed("b", faster, -4, -6, -2), claimed("c", unclear, 0, -3, 3)},
				[]assay.Comparison{claimed("b", unclear, 0, -3, 3), claimed("c", unclear, 0, -3, 3)})}},
			assay.AskVariant, "", "no clear winner on the whole; proved on A: b −4.0 % [−6.0, −2.0] time / tied: a, b, c", "",
			"b 0.0 % [−3.0, +3.0], c 0.0 % [−3.0, +3.0] against a; needs about 1 h more"},
		{"factors", crossed,
			assay.Result{Tables: []assay.Table{withEffects(made(assay.MetricTime, true, claimed("b", faster, -4, -5, -3), claimed("c", slower, 3, 2, 4), claimed("d", same, 0, -1, 1)),
				release(claimed("", unclear, 1, -1, 3)), gc(claimed("", faster, -3.6, -5.2, -2.7)),
				assay.Effect{Switches: []assay.Switch{{Factor: "gc"}, {Factor: "go"}}, Whole: claimed("", unclear, 0, -1, 1)}),
				made(assay.MetricRSS, false, claimed("b", more, 10, 8, 12))}},
			assay.AskFactor, "b", "gc=classic: 3.6 % less time [−5.2, −2.7] / use b: 4.0 % less time [−5.0, −3.0] than a, but 10.0 % more peak memory [+8.0, +12.0] / worse than a: c",
			"10.0 % more peak memory [+8.0, +12.0]", "go1.26; 1 of 1 interaction; needs about 20 min more"},
		{"factors without an effect", crossed,
			assay.Result{Tables: []assay.Table{withEffects(made(assay.MetricTime, true, claimed("b", unclear, 0, -3, 3), claimed("c", unclear, 0, -3, 3), claimed("d", unclear, 0, -3, 3)),
				release(claimed("", unclear, 1, -1, 3)), gc(claimed("", unclear, -1, -2, 1)))}},
			assay.AskFactor, "", "no effect on time is proved: go1.26 +1.0 % [−1.0, +3.0], gc=classic −1.0 % [−2.0, +1.0]", "", "go1.26, gc=classic; needs about 20 min more"},
		{"one factor of two", func() assay.Study {
			s := crossed
			s.Asks = "factor:gc"
			return s
		}(),
			assay.Result{Tables: []assay.Table{withEffects(made(assay.MetricTime, true, claimed("b", unclear, 0, -3, 3), claimed("c", unclear, 0, -3, 3), claimed("d", unclear, 0, -3, 3)),
				release(claimed("", slower, 5, 4, 6)), gc(claimed("", unclear, -1, -2, 1)))}},
			assay.AskFactor, "", "no effect on time is proved: gc=classic −1.0 % [−2.0, +1.0]", "", "gc=classic; needs about 20 min more"},
		{"a trade-off", assay.Study{Variants: variants("a", "b", "c", "d"), Decide: assay.Decide{Tradeoff: []string{assay.MetricTime, assay.MetricRSS}}},
			assay.Result{Tradeoff: &tradeoff, Tables: []assay.Table{
				made(assay.MetricTime, true, claimed("b", faster, -13, -18, -10), claimed("c", unclear, 0, -3, 3), claimed("d", unclear, -5, -12, 2)),
				made(assay.MetricRSS, true, claimed("b", more, 30, 23, 45), claimed("c", more, 40, 35, 45), claimed("d", less, -22, -26, -19)),
			}}, assay.AskTradeoff, "", "b: 13.0 % less time for 30 % more peak memory, against a; d: 22.0 % less peak memory / beaten in both: c by b", "",
			"time of c 0.0 % [−3.0, +3.0], time of d −5.0 % [−12.0, +2.0]; needs about 20 min more"},
		{"the same code is the same", forced,
			assay.Result{Tables: []assay.Table{made(assay.MetricTime, true, claimed("b", same, 0.2, -0.5, 1))}},
			assay.AskSame, "", "a and b are the same within ±2 %: +0.2 % [−0.5, +1.0] time", "", ""},
		{"the same code is not yet the same", forced,
			assay.Result{Tables: []assay.Table{made(assay.MetricTime, true, claimed("b", unclear, 1.1, -3.6, 3.8))}},
			assay.AskSame, "", "no difference proved: b may still be −3.6 % to +3.8 % off a in time", "", "time; needs about 20 min more"},
		{"the same code differs", forced,
			assay.Result{Tables: []assay.Table{made(assay.MetricTime, true, claimed("b", slower, 3, 2, 4))}},
			assay.AskSame, "", "a difference where there should be none: b takes 3.0 % more time [+2.0, +4.0] than a", "", ""},
	} {
		a := answerTo(test.study, test.result)
		if a.Asks.Kind() != test.kind || a.Use != test.use {
			t.Errorf("%s: got %s, use %q, want %s, use %q", test.name, a.Asks, a.Use, test.kind, test.use)
		}
		if got := strings.Join(a.Text, " / "); got != test.text {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.text)
		}
		if got := strings.Join(a.Cost, " / "); got != test.cost {
			t.Errorf("%s: got the cost %s, want %s", test.name, got, test.cost)
		}
		if a.Undecided != test.undecided {
			t.Errorf("%s: got undecided %q, want %q", test.name, a.Undecided, test.undecided)
		}
		if n := utf8.RuneCountInString(a.Text[0]); n > longestSentence {
			t.Errorf("%s: the sentence has %d characters: %s", test.name, n, a.Text[0])
		}
	}
}
