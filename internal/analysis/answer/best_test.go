package answer

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// bestOf is the answer to a study of the base a and the variants of the cells, of which
// the best is proved to beat all but tied and early ones.
func bestOf(tab assay.Table, tied, early []string) assay.Answer {
	s := assay.Study{Base: "a", Variants: variants("a")}
	e := Evidence{ProofFrom: 12, Ties: func(_ assay.Metric, _ string, others []string) ([]string, []string) {
		in := func(list []string) []string {
			return slices.DeleteFunc(slices.Clone(list), func(v string) bool { return !slices.Contains(others, v) })
		}
		return in(tied), in(early)
	}}
	for _, c := range tab.Rows[0].Cells {
		s.Variants = append(s.Variants, assay.Variant{Name: c.Variant})
	}
	e.Plan = &assay.Plan{Study: s}
	r := &assay.Result{Base: "a", Tables: []assay.Table{tab}}
	for _, v := range s.Variants {
		r.Variants = append(r.Variants, assay.VariantResult{Name: v.Name})
	}
	return Of(r, e)
}

// The variant with the largest gain is recommended, and those that it is not proved to
// beat are named. One that is worse than the base cannot tie with it.
func TestBestIsRecommended(t *testing.T) {
	b, c := claimed("b", assay.Faster, -14, -16, -12), claimed("c", assay.Faster, -20, -22, -18)
	d, e := claimed("d", assay.Slower, 5, 4, 6), claimed("e", assay.Same, 0, -1, 1)
	tab := made(assay.MetricTime, true, b, c, d, e)
	for _, test := range []struct {
		name        string
		tied, early []string
		open        string
	}{
		{"beats all", nil, nil, ""},
		{"a tie", []string{"b", "d"}, nil, "c is tied with b"},
		{"too early for a tie", nil, []string{"b"}, "distinguishing c from b takes at least 12 blocks"},
		{"both", []string{"b"}, []string{"e"}, "c is tied with b; distinguishing c from e takes at least 12 blocks"},
	} {
		want := answered{assay.Faster, "c", "use c: 20.0 % less time [−22.0, −18.0] than a / worse than a: d", test.open}
		want.check(t, test.name, bestOf(tab, test.tied, test.early))
	}
	rate := made(assay.MetricRate, true, claimed("b", assay.Higher, 10, 9, 11), claimed("c", assay.Higher, 20, 19, 21), claimed("d", assay.Lower, -30, -31, -29))
	answered{assay.Higher, "c", "use c: 20.0 % more throughput [+19.0, +21.0] than a / worse than a: d", ""}.check(t, "more is better", bestOf(rate, nil, nil))
}

// Without a better variant the answer says which are the same, and names the worse ones.
func TestNoneIsBetter(t *testing.T) {
	same := func(v string) assay.Comparison { return claimed(v, assay.Same, 0, -1, 1) }
	worse := func(v string, by float64) assay.Comparison { return claimed(v, assay.Slower, by, by-1, by+1) }
	failed := assay.Comparison{Variant: "d", Verdict: assay.Invalid, Reason: "it failed"}
	early := func(v, reason string) assay.Comparison {
		return assay.Comparison{Variant: v, Verdict: assay.Unclear, N: 3, Reason: reason}
	}
	for _, test := range []struct {
		name  string
		cells []assay.Comparison
		want  answered
	}{
		{"all the same", []assay.Comparison{same("b"), same("c")}, answered{assay.Same, "", "keep a: all variants are the same within ±2 %", ""}},
		{"some the same", []assay.Comparison{same("b"), worse("c", 4), same("d")},
			answered{assay.Same, "", "keep a: b and d are the same within ±2 % / worse than a: c", ""}},
		{"one the same", []assay.Comparison{same("b"), worse("c", 4)}, answered{assay.Same, "", "keep a: b is the same within ±2 % / worse than a: c", ""}},
		{"worse, or failed", []assay.Comparison{worse("b", 4), failed},
			answered{assay.Slower, "a", "use a: every other variant that could be compared is worse: b +4.0 % [+3.0, +5.0] time / not ranked: d (invalid: it failed)", ""}},
		{"failed", []assay.Comparison{failed, {Variant: "c"}},
			answered{assay.Invalid, "", "no answer: no variant could be compared with a / not ranked: d (invalid: it failed) / not ranked: c (not measured)", ""}},
		{"nothing is known", []assay.Comparison{early("b", "3 of 9 blocks"), early("c", "3 of 9 blocks")},
			answered{assay.Unclear, "", "not decided: 3 of 9 blocks", "b, c against a"}},
		{"open beside worse", []assay.Comparison{claimed("b", assay.Unclear, 1, -2, 3), worse("c", 4)},
			answered{assay.Unclear, "", "no clear winner; tied: a, b; slower: c +4.0 %", "b +1.0 % [−2.0, +3.0] against a; needs about 20 min more"}},
	} {
		test.want.check(t, test.name, bestOf(made(assay.MetricTime, true, test.cells...), nil, nil))
	}
	unknown := made("things", true, claimed("b", assay.Changed, 5, 4, 6), claimed("c", assay.Changed, -5, -6, -4))
	answered{assay.Changed, "", "b changes things by +5.0 % [+4.0, +6.0]; say which direction is better with a Unit line / " +
		"c changes things by −5.0 % [−6.0, −4.0]; say which direction is better with a Unit line", ""}.check(t, "no direction", bestOf(unknown, nil, nil))
}

// Variants that are the same on the whole may differ on single benchmarks: both ways the
// answer depends on these, one way they follow it.
func TestSameOnTheWholeOnly(t *testing.T) {
	c := func(variant string, v assay.Verdict, change float64) assay.Comparison {
		return claimed(variant, v, change, change-1, change+1)
	}
	whole := func() []assay.Comparison {
		return []assay.Comparison{c("b", assay.Same, 0), c("c", assay.Same, 0)}
	}
	two := func(b, d assay.Comparison) []assay.Comparison { return []assay.Comparison{b, d} }
	for _, test := range []struct {
		name string
		x, y assay.Comparison // of b on A and on B
		want answered
	}{
		{"both ways", c("b", assay.Slower, 9), c("b", assay.Faster, -8), answered{assay.Mixed, "", "it depends on the benchmark: on the whole all variants are the same within ±2 % / " +
			"b: 1 for the better, 1 for the worse: A +9.0 % [+8.0, +10.0], B −8.0 % [−9.0, −7.0]", ""}},
		{"one way", c("b", assay.Slower, 9), c("b", assay.Same, 0), answered{assay.Same, "", "keep a: all variants are the same within ±2 % / " +
			"b: 0 for the better, 1 for the worse: A +9.0 % [+8.0, +10.0]", ""}},
	} {
		tab := suite(assay.MetricTime, whole(), two(test.x, c("c", assay.Same, 0)), two(test.y, c("c", assay.Same, 0)))
		test.want.check(t, test.name, answerTo(assay.Study{Variants: variants("a", "b", "c")}, assay.Result{Tables: []assay.Table{tab}}))
	}
}

// What a variant costs is named once for each resource, the largest change first. The
// collector's work is no cost of its own.
func TestCosts(t *testing.T) {
	own := made("things", false, claimed("b", assay.More, 4, 3, 5))
	own.Metric.Better = assay.BetterLower // by a Unit line
	allocs := suite(assay.MetricAllocs, nil, one(claimed("b", assay.More, 50, 49, 51)), one(claimed("b", assay.Same, 0, -1, 1)))
	r := &assay.Result{Tables: []assay.Table{
		made(assay.MetricTime, true, claimed("b", assay.Faster, -14, -16, -12)),
		made(assay.MetricUser, false, claimed("b", assay.More, 3, 2, 4)),
		made(assay.MetricMeanRSS, false, claimed("b", assay.More, 22, 21, 23)),
		made(assay.MetricRSS, false, claimed("b", assay.More, 26, 24, 28)),
		made(assay.MetricGCCyclesOp, false, claimed("b", assay.More, 90, 80, 99)),
		made(assay.MetricBytes, false, claimed("b", assay.Unclear, 60, -80, 99)),
		own, allocs,
	}}
	want := []string{"26.0 % more peak memory [+24.0, +28.0]", "4.0 % more things [+3.0, +5.0]", "3.0 % more user CPU [+2.0, +4.0]",
		"more allocs/op in 1 of 2 benchmarks, +50.0 %"}
	if got := Costs(r, "b"); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	// Where nothing is proved on the whole, the benchmarks are counted that cost more; of a
	// metric of which more is better, less.
	open := claimed("b", assay.Unclear, 10, -1, 20)
	rss := suite(assay.MetricRSS, one(open), one(claimed("b", assay.More, 9.1, 8, 10)), one(claimed("b", assay.More, 11.2, 10, 12)))
	rate := suite(assay.MetricRate, one(open), one(claimed("b", assay.Lower, -7, -8, -6)), one(claimed("b", assay.Higher, 7, 6, 8)))
	rss.Decides, rate.Decides = false, false
	some := &assay.Result{Tables: []assay.Table{made(assay.MetricAllocs, true, claimed("b", assay.Less, -14, -16, -12)), rss, rate}}
	want = []string{"more peak memory in 2 of 2 benchmarks, +9.1 % to +11.2 %", "less throughput in 1 of 2 benchmarks, −7.0 %"}
	if got := Costs(some, "b"); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := Costs(r, "c"); got != nil {
		t.Errorf("a variant that did not run costs %q", got)
	}
}

// The largest cost always stands in the line that recommends a variant, further ones
// where the line stays short. The base costs nothing.
func TestNameCosts(t *testing.T) {
	r := &assay.Result{Base: "a", Tables: []assay.Table{
		made(assay.MetricRSS, false, claimed("b", assay.More, 26, 24, 28)),
		made(assay.MetricUser, false, claimed("b", assay.More, 3, 2, 4)),
	}}
	const first, both = ", but 26.0 % more peak memory [+24.0, +28.0]", ", but 26.0 % more peak memory [+24.0, +28.0], 3.0 % more user CPU [+2.0, +4.0]"
	for _, test := range []struct{ use, line, added string }{
		{"b", "use b: short", both},
		{"b", "use b: " + strings.Repeat("long ", 20), first},
		{"a", "use a: short", ""},
		{"", "no clear winner", ""},
	} {
		a := assay.Answer{Use: test.use, Text: []string{"gc=classic: 3 % less time", test.line}}
		NameCosts(&a, r)
		if want := []string{"gc=classic: 3 % less time", test.line + test.added}; !slices.Equal(a.Text, want) {
			t.Errorf("got %q, want %q", a.Text, want)
		}
		if listed := len(a.Cost) > 0; listed != (test.added != "") {
			t.Errorf("%q: costs %q", test.line, a.Cost)
		}
	}
}
