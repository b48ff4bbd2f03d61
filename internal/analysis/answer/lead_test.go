package answer

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// traded is a result with a trade-off of time and memory. Points are variants; with a
// colon behind one stands the variant that beats it.
func traded(points string, time, memory []assay.Comparison) *assay.Result {
	r := &assay.Result{Base: "a", Tables: []assay.Table{made(assay.MetricTime, true, time...), made(assay.MetricRSS, true, memory...)}}
	r.Tradeoff = &assay.Tradeoff{Metrics: [2]assay.Metric{r.Tables[0].Metric, r.Tables[1].Metric}}
	for p := range strings.FieldsSeq(points) {
		name, by, _ := strings.Cut(p, ":")
		r.Tradeoff.Points = append(r.Tradeoff.Points, assay.TradeoffPoint{Variant: name, Beaten: by})
		r.Variants = append(r.Variants, assay.VariantResult{Name: name})
	}
	return r
}

// by is a comparison of a variant with a claimed change, in either direction.
func by(variant string, metric string, change float64) assay.Comparison {
	return claimed(variant, assay.Differing(made(metric, true).Metric, change), change, change-1, change+1)
}

// A trade-off recommends a variant only if it beats all others, and the base if all
// others are beaten.
func TestTradeoffWithOneLeft(t *testing.T) {
	time := func(v string, x float64) assay.Comparison { return by(v, assay.MetricTime, x) }
	memory := func(v string, x float64) assay.Comparison { return by(v, assay.MetricRSS, x) }
	same, open := claimed("b", assay.Same, 0, -1, 1), claimed("b", assay.Unclear, 1, -2, 3)
	for _, test := range []struct {
		name string
		r    *assay.Result
		want answered
	}{
		{"best in both", traded("a:b b", one(time("b", -10)), one(memory("b", -20))),
			answered{"", "b", "use b: best in time and peak memory: 10.0 % less time [−11.0, −9.0], 20.0 % less peak memory [−21.0, −19.0]", ""}},
		{"best in one, the same in the other", traded("a:b b", one(time("b", -10)), one(same)),
			answered{"", "b", "use b: best in time and peak memory: 10.0 % less time [−11.0, −9.0], the same peak memory", ""}},
		{"best in one, the other open", traded("a:b b", one(time("b", -10)), one(open)),
			answered{"", "b", "use b: best in time and peak memory: 10.0 % less time [−11.0, −9.0], peak memory not proved", ""}},
		{"the base", traded("a b:a", one(time("b", 10)), one(memory("b", 20))),
			answered{"", "a", "use a: every other variant is beaten in time and peak memory / beaten in both: b by a", ""}},
		{"nothing proved", traded("a b", one(open), one(open)),
			answered{assay.Unclear, "", "no change of time and peak memory is proved among a and b",
				"time of b +1.0 % [−2.0, +3.0], peak memory of b +1.0 % [−2.0, +3.0]"}},
		{"a gain for nothing", traded("a b", one(time("b", -10)), one(same)), answered{assay.Mixed, "", "b: 10.0 % less time for the same peak memory, against a", ""}},
		{"only a cost", traded("a b", one(open), one(memory("b", 20))),
			answered{assay.Mixed, "", "b: 20.0 % more peak memory, against a", "time of b +1.0 % [−2.0, +3.0]"}},
	} {
		var a assay.Answer
		tradeoffAnswer(&a, test.r)
		test.want.check(t, test.name, a)
	}
}

// Trades are in the order of what they are worth: gains without a cost, the most time for
// the memory, memory for time, and mere costs last. Metrics are named once.
func TestTradesInOrder(t *testing.T) {
	r := traded("a cost memory poor rich both", []assay.Comparison{
		claimed("cost", assay.Unclear, 0, -1, 1), by("memory", assay.MetricTime, 10), by("poor", assay.MetricTime, -10),
		by("rich", assay.MetricTime, -20), by("both", assay.MetricTime, -5),
	}, []assay.Comparison{
		by("cost", assay.MetricRSS, 30), by("memory", assay.MetricRSS, -30), by("poor", assay.MetricRSS, 30),
		by("rich", assay.MetricRSS, 30), by("both", assay.MetricRSS, -5),
	})
	var got []string
	for _, x := range trades(r) {
		got = append(got, x.variant)
	}
	if want := []string{"both", "rich", "poor", "memory", "cost"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	const want = "rich: 20.0 % less time for 30.0 % more peak memory, against a; " +
		"poor: 10.0 % less for 30.0 % more; memory: 30.0 % less peak memory for 10.0 % more time"
	if got := tradesText(trades(r)[1:4], "a"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The first figure of a page is of what the sentence names first.
func TestLead(t *testing.T) {
	r := traded("a b c", []assay.Comparison{by("b", assay.MetricTime, -10), by("c", assay.MetricTime, -20)},
		[]assay.Comparison{by("b", assay.MetricRSS, 30), by("c", assay.MetricRSS, 30)})
	slices.Reverse(r.Tables)
	for _, test := range []struct {
		asks          assay.Ask
		use           string
		metric, first string
	}{
		{assay.AskOf(assay.AskVariant), "b", assay.MetricRSS, "b"},
		{assay.AskOf(assay.AskTradeoff, assay.MetricTime, assay.MetricRSS), "", assay.MetricTime, "c"},
		{assay.AskOf(assay.AskTradeoff, assay.MetricTime, assay.MetricRSS), "b", assay.MetricTime, "b"},
	} {
		r.Answer = assay.Answer{Asks: test.asks, Use: test.use}
		if got := LeadOf(r); got.Table.Metric.Name != test.metric || got.Variant != test.first || got.Effects != nil {
			t.Errorf("%s: got %s of %s, %d effects, want %s of %s", test.asks, got.Table.Metric.Name, got.Variant, len(got.Effects), test.metric, test.first)
		}
	}
	r.Tradeoff = nil
	if got := LeadOf(r); got.Table.Metric.Name != assay.MetricRSS {
		t.Errorf("without a trade-off: got %s, want the first table", got.Table.Metric.Name)
	}
}

// Where a study asks for its factors, the figure is of the first metric with a proved
// effect, the largest of which leads.
func TestLeadOfFactors(t *testing.T) {
	time, memory := made(assay.MetricTime, true), made(assay.MetricRSS, true)
	time.Effects = []assay.Effect{effect("gc", "green", "classic", claimed("", assay.Unclear, 0, -1, 1))}
	memory.Effects = []assay.Effect{
		effect("gc", "green", "classic", claimed("", assay.Unclear, 50, -1, 99)), effect("go", "go1.25", "go1.26", claimed("", assay.More, 3, 2, 4)),
		effect("tags", "", "tags-x", claimed("", assay.Less, -9, -10, -8)), {Switches: make([]assay.Switch, 2), Whole: claimed("", assay.More, 80, 70, 90)},
	}
	r := &assay.Result{Base: "a", Tables: []assay.Table{time, memory}, Answer: assay.Answer{Asks: assay.AskOf(assay.AskFactor)}}
	got := LeadOf(r)
	var names []string
	for _, e := range got.Effects {
		names = append(names, Setting(e))
	}
	if want := []string{"tags-x", "go1.26", "gc=classic"}; got.Table.Metric.Name != assay.MetricRSS || !slices.Equal(names, want) {
		t.Errorf("got %s %v, want %s %v", got.Table.Metric.Name, names, assay.MetricRSS, want)
	}
	r.Answer.Asks = assay.AskOf(assay.AskFactor, "gc")
	if got := LeadOf(r); got.Table.Metric.Name != assay.MetricTime || len(got.Effects) != 1 {
		t.Errorf("of gc alone: got %s with %d effects, want the first metric with 1", got.Table.Metric.Name, len(got.Effects))
	}
}

// If the answer is to keep the base, or none, the figure is of the variant that the question
// names; of causes it is of the largest change that is explained.
func TestLeadOfTheQuestion(t *testing.T) {
	r := &assay.Result{Base: "go1.26.0", Tables: []assay.Table{made(assay.MetricTime, true)}, Question: "Go 1.26.0 with size-specialised allocation, or 1.27.2?",
		Variants: []assay.VariantResult{{Name: "go1.26.0"}, {Name: "sizespec"}, {Name: "go1.25.7"}}}
	explained := func(variant string, change float64) assay.Explanation {
		return assay.Explanation{Variant: variant, Metric: assay.MetricTime, Comparison: claimed(variant, assay.Slower, change, 1, 99)}
	}
	r.Explanations = []assay.Explanation{explained("sizespec", 3), explained("go1.25.7", 40)}
	for _, test := range []struct {
		asks      assay.AskKind
		use, want string
	}{
		{assay.AskVariant, "", "sizespec"},
		{assay.AskVariant, "go1.26.0", "sizespec"},
		{assay.AskVariant, "go1.25.7", "go1.25.7"},
		{assay.AskArc, "", ""},
		{assay.AskCauses, "go1.26.0", "go1.25.7"},
	} {
		r.Answer = assay.Answer{Asks: assay.AskOf(test.asks), Use: test.use}
		if got := LeadOf(r).Variant; got != test.want {
			t.Errorf("%s, use %q: got %q, want %q", test.asks, test.use, got, test.want)
		}
	}
	r.Answer = assay.Answer{Asks: assay.AskOf(assay.AskVariant)}
	r.Variants = append(r.Variants, assay.VariantResult{Name: "go1.27.2"})
	r.Question = "size-specialised or go1.27.2?"
	if got := LeadOf(r).Variant; got != "" {
		t.Errorf("two in the question: got %q, want none", got)
	}
}
