package sheet

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// explained is an explanation of a change of one benchmark.
func explained(variant string, v assay.Verdict, change assay.Change) assay.Explanation {
	return assay.Explanation{Benchmark: assay.Benchmark{Name: "A"}, Variant: variant, Base: "a", Metric: assay.MetricTime, Comparison: changeOf(variant, v, change, 0.01)}
}

// Explanations of differences come first, the largest before others.
func TestByChange(t *testing.T) {
	list := []assay.Explanation{explained("unclear", assay.Unclear, 0.9), explained("small", assay.Slower, 0.1), explained("nan", assay.Changed, assay.Change(math.NaN())),
		explained("large", assay.Faster, -0.5)}
	var got strings.Builder
	for _, e := range ByChange(list) {
		got.WriteString(e.Variant + " ")
	}
	if want := "large small unclear nan "; got.String() != want {
		t.Errorf("got %q, want %q", got.String(), want)
	}
}

// An explanation is named by its benchmark, and by its variants where those are not obvious.
func TestWhyName(t *testing.T) {
	table := tableOf(assay.MetricTime, assay.Same)
	e := explained("b", assay.Slower, 0.1)
	other := e
	other.Base = "c"
	for _, c := range []struct {
		variants []string
		e        assay.Explanation
		want     string
	}{
		{[]string{"a", "b"}, e, "A"}, {[]string{"a", "b", "c"}, e, "A in b"}, {[]string{"a", "b"}, other, "A in b against c"},
	} {
		if got := New(resultOf(c.variants, table), false, false).WhyName(&c.e); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// One line tells explanations that begin alike, as long as none knows a part of its
// difference and all differ or none does.
func TestSameCause(t *testing.T) {
	none := explained("b", assay.Slower, 0.1)
	said := none
	said.Text = []string{"the code is the same", "more"}
	known := none
	known.Causes = []assay.Cause{{Text: "the code is the same", Part: &assay.Part{Change: 0.05}}}
	still := said
	still.Comparison.Verdict = assay.Same
	for _, c := range []struct {
		name        string
		list        []assay.Explanation
		want        int
		text, parts string
	}{
		{"alone", []assay.Explanation{none}, 1, "no cause found", ""}, {"alike", []assay.Explanation{said, said, none}, 2, "the code is the same", ""},
		{"one knows a part", []assay.Explanation{said, known}, 1, "the code is the same", ""},
		{"one is the same", []assay.Explanation{said, still}, 1, "the code is the same", ""},
	} {
		var list []*assay.Explanation
		for i := range c.list {
			list = append(list, &c.list[i])
		}
		if got := len(SameCause(list)); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
		if text, parts := FirstCause(list[0]); text != c.text || parts != c.parts {
			t.Errorf("%s: got %q and %q, want %q and %q", c.name, text, parts, c.text, c.parts)
		}
	}
}

// A part of a difference has the digits of its interval, no sign where it rounds to 0, and
// stands beside the difference; what no table has room for is no part.
func TestPartOf(t *testing.T) {
	e := explained("b", assay.Faster, -0.248)
	for _, c := range []struct {
		part       *assay.Part
		want, span string
	}{
		{&assay.Part{Change: -0.21, Interval: &assay.Interval{Lo: -0.224, Hi: -0.196}}, "−21.0 of −24.8 %", "[−22.4, −19.6]"},
		{&assay.Part{Change: -0.0001}, "0.0 of −24.8 %", ""}, {nil, "", ""}, {&assay.Part{Change: assay.Change(math.Inf(1))}, "", ""},
		{&assay.Part{Change: 0.3, Interval: &assay.Interval{Lo: 0, Hi: 2e4}}, "+30.0 of −24.8 %", ""},
	} {
		if got := PartOf(&e, c.part); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.part, got, c.want)
		}
		if c.part != nil && PointSpan(c.part.Interval) != c.span {
			t.Errorf("%+v: got the interval %q, want %q", c.part, PointSpan(c.part.Interval), c.span)
		}
	}
	e.Comparison.Change = assay.Change(math.Inf(1))
	if got := PartOf(&e, &assay.Part{Change: 0.1}); got != "" {
		t.Errorf("of an infinite difference: got %q", got)
	}
}

// The command that explains a change names the run, the benchmark with its package where
// two have it, and variant and machine where there are others.
func TestExplainCommand(t *testing.T) {
	e := explained("b", assay.Slower, 0.1)
	e.Benchmark = assay.Benchmark{Package: "p", Name: "Get/a b"}
	rows := func(names ...string) assay.Table {
		table := assay.Table{Metric: timeMetric}
		for _, n := range names {
			table.Rows = append(table.Rows, benchRow(n, 1))
		}
		return table
	}
	one, two := resultOf([]string{"a", "b"}, rows("p.Get/a b", "p.Put")), resultOf([]string{"a", "b", "c"}, rows("p.Get/a b", "q.Get/a b"))
	same := resultOf([]string{"a", "b", "c"}, rows("p.Get/a b"))
	same.Variants[2].SameAs = &assay.SameCode{As: "a"}
	away := resultOf([]string{"a", "b"}, rows("p.Get/a b"))
	away.Run, away.Ref, away.Machine, away.Command = "r1", "my runs", "box", "assay compare --on=box a b"
	for _, c := range []struct {
		r    *assay.Result
		want string
	}{
		{one, "assay explain r1 'Get/a b'"}, {two, "assay explain r1 'p.Get/a b' --variant b"}, {same, "assay explain r1 'Get/a b'"},
		{away, "assay explain 'my runs' 'Get/a b' --on=box"}, {&assay.Result{}, "assay explain 'Get/a b'"},
	} {
		if got := ExplainCommand(c.r, &e); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	e.Functions = []string{"Decode$", "a b"}
	if got, want := ExplainCommand(one, &e), "assay explain r1 'Get/a b' --func 'Decode$' --func 'a b'"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	e.Functions = nil
	e.Benchmark.Name = "-n_300000"
	if got, want := ExplainCommand(away, &e), "assay explain --on=box -- 'my runs' -n_300000"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The machine of a result is the one of its command with that label.
func TestOnArg(t *testing.T) {
	for _, c := range []struct{ command, machine, want string }{
		{"assay run --on=box --on=ssh:me@far:2222 s", "far-2222", "--on=ssh:me@far:2222"}, {"assay run --on=box s", "box", "--on=box"},
		{"assay run --on=box s", "other", ""}, {"assay run --on=box s", "", ""}, {"assay run s", "box", ""}, {"assay run --on=local s", "local", ""},
		{"assay run '", "box", ""},
	} {
		if got := OnArg(&assay.Result{Command: c.command, Machine: c.machine}); got != c.want {
			t.Errorf("%s on %q: got %q, want %q", c.command, c.machine, got, c.want)
		}
	}
}

// Code that grew or shrank by a hundredth is worth a line, which names the variants where
// there are several.
func TestGrown(t *testing.T) {
	sized := func(variant string, base, now int64) *assay.Explanation {
		return &assay.Explanation{Variant: variant, Code: &assay.CodeChange{BaseText: base, VariantText: now}}
	}
	list := []*assay.Explanation{sized("b", 100000, 102500), sized("b", 100000, 102500), sized("c", 100000, 98000), sized("b", 100000, 100900),
		sized("c", 0, 5), {Variant: "c"}}
	for _, c := range []struct {
		variants []string
		want     []string
	}{
		{[]string{"a", "b"}, []string{"code of the binary grew by 2,500 bytes (+2.5 %)", "code of the binary shrank by 2,000 bytes (−2.0 %)"}},
		{[]string{"a", "b", "c"}, []string{"code of the binary grew by 2,500 bytes (+2.5 %): b", "code of the binary shrank by 2,000 bytes (−2.0 %): c"}},
	} {
		sameLines(t, "grown", New(resultOf(c.variants), false, false).Grown(list), c.want...)
	}
}
