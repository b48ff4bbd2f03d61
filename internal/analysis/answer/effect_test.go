package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// settings are effects of the factors f1, f2 and so on.
func settings(wholes ...assay.Comparison) (out []assay.Effect) {
	for i, c := range wholes {
		out = append(out, effect(fmt.Sprintf("f%d", i+1), "off", "on", c))
	}
	return out
}

// The proved effects stand in the order of their size, with the metric once. Of many the
// largest are named, and those without an effect come last.
func TestEffectsText(t *testing.T) {
	tab := made(assay.MetricTime, true)
	slower := func(by float64) assay.Comparison { return claimed("", assay.Slower, by, by-1, by+1) }
	same, open := claimed("", assay.Same, 0, -1, 1), claimed("", assay.Unclear, 0, -9, 9)
	for _, test := range []struct {
		wholes []assay.Comparison
		want   string
	}{
		{[]assay.Comparison{slower(3), open, slower(5), same}, "f3=on: 5.0 % more time [+4.0, +6.0]; f1=on: 3.0 % more [+2.0, +4.0]; f4=on: the same"},
		{[]assay.Comparison{same, slower(3), same}, "f2=on: 3.0 % more time [+2.0, +4.0]; f1=on and f3=on: the same"},
		{[]assay.Comparison{slower(3), slower(4), slower(5), slower(6), slower(7), slower(8)},
			"f6=on: 8.0 % more time [+7.0, +9.0]; f5=on: 7.0 % more [+6.0, +8.0]; f4=on: 6.0 % more [+5.0, +7.0]; f3=on: 5.0 % more [+4.0, +6.0]; and 2 more"},
		{[]assay.Comparison{same, open}, ""},
	} {
		tab.Effects = settings(test.wholes...)
		if got := effectsText(tab, assay.AskOf(assay.AskFactor)); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

// Without a proved effect the answer says how large the effects may be, or that there are
// none above the minimum effect, or how many settings were tried.
func TestNoEffectText(t *testing.T) {
	same, open := claimed("", assay.Same, 0, -1, 1), claimed("", assay.Unclear, 0, -9, 9)
	moved := suite(assay.MetricTime, nil, one(claimed("b", assay.Slower, 5, 4, 6)), one(claimed("b", assay.Same, 0, -1, 1)))
	for _, test := range []struct {
		name    string
		metrics []string
		wholes  []assay.Comparison
		want    string
	}{
		{"all the same", []string{assay.MetricTime}, []assay.Comparison{same, same}, "no effect on time above ±2 %: f1=on 0.0 % [−1.0, +1.0], f2=on 0.0 % [−1.0, +1.0]"},
		{"open", []string{assay.MetricTime}, []assay.Comparison{same, open}, "no effect on time is proved: f1=on 0.0 % [−1.0, +1.0], f2=on 0.0 % [−9.0, +9.0]"},
		{"open on two metrics", []string{assay.MetricTime, assay.MetricRSS}, []assay.Comparison{open},
			"no effect of f1=on is proved on any metric that decides; time: 0.0 % [−9.0, +9.0]"},
		{"two open on two metrics", []string{assay.MetricTime, assay.MetricRSS}, []assay.Comparison{same, open},
			"no effect is proved on any metric; time: f1=on 0.0 % [−1.0, +1.0], f2=on 0.0 % [−9.0, +9.0]"},
		{"many", []string{assay.MetricTime, assay.MetricRSS}, []assay.Comparison{open, open, open, open, open},
			"none of 5 settings has a proved effect on time or peak memory"},
	} {
		r := &assay.Result{Base: "a"}
		for _, m := range test.metrics {
			tab := made(m, true)
			tab.Effects = settings(test.wholes...)
			r.Tables = append(r.Tables, tab)
		}
		if got := noEffectText(r.Tables, assay.AskOf(assay.AskFactor)); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.want)
		}
	}
	moved.Effects = settings(open)
	r := &assay.Result{Base: "a", Tables: []assay.Table{moved}}
	if got, want := noEffectText(r.Tables, assay.AskOf(assay.AskFactor)), "no effect on the whole is proved; proved on A: b +5.0 % [+4.0, +6.0] time"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// What is proved on single benchmarks is put without repeating itself, the largest change
// first, and the rest is counted.
func TestProvedSingly(t *testing.T) {
	b := func(v assay.Verdict, x float64) assay.Comparison { return claimed("b", v, x, x-1, x+1) }
	c := func(v assay.Verdict, x float64) assay.Comparison { return claimed("c", v, x, x-1, x+1) }
	open := b(assay.Unclear, 0)
	for _, test := range []struct {
		name   string
		tables []assay.Table
		want   string
	}{
		{"nothing", []assay.Table{suite(assay.MetricTime, nil, one(open), one(open))}, ""},
		{"two benchmarks", []assay.Table{suite(assay.MetricTime, nil, one(b(assay.Slower, 3)), one(b(assay.Faster, -9)))},
			"proved on B: b −9.0 % [−10.0, −8.0] time; A: b +3.0 % [+2.0, +4.0]"},
		{"two metrics of one", []assay.Table{suite("latency.p50", nil, one(b(assay.Faster, -9)), one(open)),
			suite("latency.p99", nil, one(b(assay.Faster, -5)), one(open))},
			"proved on A: b −9.0 % [−10.0, −8.0] p50 latency, −5.0 % [−6.0, −4.0] p99 latency"},
		{"three", []assay.Table{suite(assay.MetricTime, nil, []assay.Comparison{b(assay.Slower, 3), c(assay.Slower, 7)}, one(b(assay.Faster, -9)))},
			"proved on B: b −9.0 % [−10.0, −8.0] time; A: c +7.0 % [+6.0, +8.0]; and 1 more"},
		{"long names", []assay.Table{suite(strings.Repeat("x", 100), nil, one(b(assay.Changed, 3)), one(b(assay.Changed, -9)))},
			"proved on B: b −9.0 % [−10.0, −8.0] " + strings.Repeat("x", 100) + "; and 1 more"},
	} {
		if got := provedSingly(test.tables); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.want)
		}
	}
}

// An interaction is open if its pair is, and only those of the factor asked about count.
func TestOpenInteractions(t *testing.T) {
	pair := func(a, b string, v assay.Verdict) assay.Effect {
		return assay.Effect{Switches: []assay.Switch{{Factor: a}, {Factor: b}}, Whole: assay.Comparison{Verdict: v}}
	}
	tab := made(assay.MetricTime, true)
	tab.Effects = append(settings(claimed("", assay.Unclear, 0, -1, 1)),
		pair("gc", "go", assay.Unclear), pair("gc", "pgo", assay.Same), pair("go", "pgo", assay.Unclear))
	for factor, want := range map[string]string{"": "2 of 3 interactions", "gc": "1 of 2 interactions", "pgo": "1 of 2 interactions", "f1": ""} {
		ask := assay.AskOf(assay.AskFactor)
		if factor != "" {
			ask = assay.AskOf(assay.AskFactor, factor)
		}
		if got := interactions(tab, ask); got != want {
			t.Errorf("%q: got %q, want %q", factor, got, want)
		}
	}
}

// The study says what it asks; what its result cannot answer is asked about its variants.
func TestAsked(t *testing.T) {
	same := assay.Study{Variants: []assay.Variant{{Name: "a"}, {Name: "b"}}, Measure: assay.Measure{Force: true}}
	differ := same
	differ.Variants = []assay.Variant{{Name: "a"}, {Name: "b", Tags: []string{"x"}}}
	arc, tradeoff := assay.Result{Arc: &assay.Arc{}}, assay.Result{Tradeoff: &assay.Tradeoff{Metrics: [2]assay.Metric{{Name: "x"}, {Name: "y"}}}}
	levels := map[string]string{"gc": "on"}
	crossed := assay.Study{Factors: make([]assay.Factor, 2), Variants: []assay.Variant{{Levels: levels}, {Levels: levels}}}
	listed := crossed
	listed.Variants = []assay.Variant{{Levels: levels}, {}}
	tab := made(assay.MetricTime, true)
	tab.Effects = settings(claimed("", assay.Same, 0, -1, 1))
	effects := assay.Result{Tables: []assay.Table{tab}}
	with := func(s assay.Study, ask assay.Ask, f func(*assay.Decide)) assay.Study {
		s.Asks = ask
		f(&s.Decide)
		return s
	}
	nothing := func(*assay.Decide) {}
	question := func(s assay.Study, q string) assay.Study {
		s.Question, s.Factors, s.Measure.Collect = q, []assay.Factor{{Name: "go", Levels: []assay.Level{{Name: "go1.25.7"}, {Name: "go1.26.8"}}},
			{Name: "f1", Levels: []assay.Level{{Name: "classic"}, {Name: "greentea"}}}}, []string{assay.CollectCPU}
		return s
	}
	for _, test := range []struct {
		name  string
		study assay.Study
		r     assay.Result
		want  assay.Ask
	}{
		{"steps", assay.Study{}, arc, "arc"},
		{"no steps to ask about", with(same, "arc", nothing), assay.Result{}, "variant"},
		{"what it says", with(same, "variant", nothing), arc, "variant"},
		{"the same build twice", same, assay.Result{}, "same"},
		{"two builds", differ, assay.Result{}, "variant"},
		{"a gate", with(same, "", func(d *assay.Decide) { d.Gate = 0.03 }), assay.Result{}, "variant"},
		{"a race", with(same, "", func(d *assay.Decide) { d.Race = true }), assay.Result{}, "variant"},
		{"two metrics", with(differ, "", func(d *assay.Decide) { d.Tradeoff = []string{"x", "y"} }), tradeoff, "trade-off:x,y"},
		{"two metrics that nobody asked about", differ, tradeoff, "variant"},
		{"factors", crossed, effects, "factor"},
		{"factors and a list", listed, effects, "variant"},
		{"factors without effects", crossed, assay.Result{}, "variant"},
		{"a factor without effects", with(crossed, "factor:gc", nothing), effects, "variant"},
		{"a factor", with(crossed, "factor:f1", nothing), effects, "factor:f1"},
		{"a factor in the question", question(crossed, "What does Green Tea do on two releases of Go?"), effects, "factor:f1"},
		{"two in the question", question(crossed, "What does Green Tea do on go1.26.8?"), effects, "factor"},
		{"none in the question", question(crossed, "What do the settings of Go do?"), effects, "factor"},
		{"causes", question(differ, "Is the cause found?"), assay.Result{}, "causes"},
		{"causes without evidence", assay.Study{Question: "Why is it slow?"}, assay.Result{}, "variant"},
		{"no question of causes", question(differ, "Is it faster, because of Green Tea?"), assay.Result{}, "variant"},
	} {
		if got := asked(&test.r, &test.study); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

// Of the same code no difference is an answer; one may be open on several metrics.
func TestSameCodeMeasured(t *testing.T) {
	open := func(v string) assay.Comparison { return claimed(v, assay.Unclear, 0.1, -3.6, 3.8) }
	early := assay.Comparison{Variant: "b", Verdict: assay.Unclear, Reason: "3 of 9 blocks"}
	for _, test := range []struct {
		name   string
		tables []assay.Table
		want   answered
	}{
		{"open on two", []assay.Table{made(assay.MetricTime, true, open("b")), made(assay.MetricRSS, true, open("b"), open("c"))},
			answered{assay.Unclear, "", "no difference proved: b may still be −3.6 % to +3.8 % off a in time / " +
				"also possible: −3.6 % to +3.8 % peak memory, c −3.6 % to +3.8 % peak memory", "time and peak memory"}},
		{"early", []assay.Table{made(assay.MetricTime, true, early)}, answered{assay.Unclear, "", "not decided: 3 of 9 blocks", ""}},
		{"no table decides", nil, answered{assay.Invalid, "", "no answer: no interval could be computed; see the table", ""}},
		{"a benchmark differs", []assay.Table{suite(assay.MetricTime, one(claimed("b", assay.Same, 0, -1, 1)),
			one(claimed("b", assay.Slower, 5, 4, 6)), one(claimed("b", assay.Same, 0, -1, 1)))},
			answered{assay.Same, "", "a and b are the same within ±2 %: 0.0 % [−1.0, +1.0] time / " +
				"although the code is the same, proved on A: b +5.0 % [+4.0, +6.0] time", ""}},
	} {
		a := assay.Answer{Use: "left over", Undecided: "left over"}
		sameAnswer(&a, &assay.Result{Base: "a", Tables: test.tables})
		test.want.check(t, test.name, a)
	}
}
