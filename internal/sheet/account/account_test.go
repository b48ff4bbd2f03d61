package account

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// accountOf puts an explanation of a run into words.
func accountOf(e *assay.Explanation, all bool) *Account {
	if e.Base == "" {
		e.Base, e.Variant = "old", "new"
	}
	r := &assay.Result{Run: "r1", Base: "old", Variants: []assay.VariantResult{{Name: "old"}, {Name: "new"}}}
	return New(sheet.New(r, all, false), e, func(s string) int { return len(s) }, all)
}

func interval(lo, hi assay.Change) *assay.Interval { return &assay.Interval{Lo: lo, Hi: hi} }

// linesOf are the lines of a table: cells between bars, headings behind "#", and texts.
func linesOf(t *sheet.Table) (out []string) {
	for _, r := range t.Rows {
		var parts []string
		for _, h := range r.Heads {
			parts = append(parts, h.Text)
		}
		for _, c := range r.Cells {
			parts = append(parts, c.Joined())
		}
		switch line := strings.TrimRight(strings.Join(parts, "|"), "|"); {
		case r.Heads != nil:
			out = append(out, "# "+line)
		case r.Cells != nil:
			out = append(out, line)
		default:
			out = append(out, r.Lead+r.Text)
		}
	}
	return out
}

// sameLines compares lines with those wanted.
func sameLines(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("%s: got\n%s\nwant\n%s", what, g, w)
	}
}

// A side whose name has no room over its column goes by its part, and so does the other.
func TestSideNames(t *testing.T) {
	for _, c := range []struct{ base, variant, wantBase, wantVariant string }{
		{"old", "new", "old", "new"}, {"old", "thirteen-wide", "base", "variant"}, {"thirteen-wide", "new", "base", "variant"},
		{"twelve-wide-", "new", "twelve-wide-", "new"},
	} {
		a := accountOf(&assay.Explanation{Base: c.base, Variant: c.variant}, false)
		if a.Base != c.wantBase || a.Variant != c.wantVariant {
			t.Errorf("%q and %q are called %q and %q, want %q and %q", c.base, c.variant, a.Base, a.Variant, c.wantBase, c.wantVariant)
		}
		if got, want := a.SideOf(assay.DecisionChange{Side: "variant"})+" "+a.SideOf(assay.DecisionChange{Side: "base"}), c.wantVariant+" "+c.wantBase; got != want {
			t.Errorf("the sides of decisions are %q, want %q", got, want)
		}
	}
}

// A function goes by its package's last element, of a major version with the one before
// it; what its receiver or type arguments hold is no path.
func TestFunctionName(t *testing.T) {
	short, long := accountOf(&assay.Explanation{}, false), accountOf(&assay.Explanation{}, true)
	for name, want := range map[string]string{
		"example.com/q/p.F": "p.F", "runtime.mallocgc": "runtime.mallocgc", "example.com/q/p.(*T).F": "p.(*T).F", "example.com/q/v2.Get": "q/v2.Get",
		"example.com/q/v1.Get": "v1.Get", "example.com/vendor.Get": "vendor.Get", "example.com/p.F[example.com/q.T]": "p.F[example.com/q.T]", "": "",
	} {
		if got := short.FunctionName(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
		if got := long.FunctionName(name); got != name {
			t.Errorf("with all: got %q, want %q", got, name)
		}
	}
}

// A place has what is known of function, file and line.
func TestPlace(t *testing.T) {
	a := accountOf(&assay.Explanation{}, false)
	for _, c := range []struct {
		function, file string
		line           int
		want           string
	}{{"e.com/p.F", "f.go", 12, "p.F, f.go:12"}, {"e.com/p.F", "", 12, "p.F"}, {"", "f.go", 0, "f.go"}, {"", "", 0, ""}} {
		if got := a.Place(c.function, c.file, c.line); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	part := assay.Part{Name: "e.com/q/p.(*T).F", File: "f.go", Line: 7}
	if place, function := a.LineOf(part); place != "f.go:7" || function != "(*T).F" {
		t.Errorf("got %q and %q of a line", place, function)
	}
	if _, function := accountOf(&assay.Explanation{}, true).LineOf(part); function != part.Name {
		t.Errorf("with all: got %q of a line, want %q", function, part.Name)
	}
}

// The metric is the one of the result's table, with its direction and minimum effect, or
// what is known of its name.
func TestMetric(t *testing.T) {
	own := assay.Metric{Name: "widgets/op", Better: assay.BetterHigher, MinEffect: 0.5}
	r := &assay.Result{Rule: assay.Rule{MinEffect: 0.02}, Tables: []assay.Table{{Metric: own}}}
	if got := Metric(r, &assay.Explanation{Metric: "widgets/op"}); got != own {
		t.Errorf("got %+v, want %+v", got, own)
	}
	known := assay.Metric{Name: assay.MetricTime, Better: assay.BetterLower, MinEffect: 0.02}
	if got := Metric(r, &assay.Explanation{Metric: assay.MetricTime}); got != known {
		t.Errorf("got %+v, want %+v", got, known)
	}
}

// The causes have their parts in points of the whole difference, which the title says, and
// where else the time of a cause went.
func TestShare(t *testing.T) {
	e := &assay.Explanation{Metric: assay.MetricTime, BaseValue: 1, Comparison: assay.Comparison{Verdict: assay.Faster, Change: -0.248,
		Interval: interval(-0.258, -0.238)}}
	e.Causes = []assay.Cause{{Kind: assay.CauseSettings, Text: "no part"},
		{Kind: assay.CauseSettings, Function: "e.com/p.F", Part: &assay.Part{Name: "e.com/p.G", Change: -0.21, Interval: interval(-0.224, -0.196)}},
		{Kind: assay.CauseSettings, Function: "e.com/p.F", Part: &assay.Part{Name: "p.F", Change: 0.02}}}
	a := accountOf(e, false)
	for i, want := range []string{"", "−21.0 [−22.4, −19.6] in p.G", "+2.0"} {
		if got := a.Share(e.Causes[i]); got != want {
			t.Errorf("cause %d: got %q, want %q", i, got, want)
		}
	}
	if got, want := a.CausesTitle(), "causes, in points of −24.8 %"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	e.Causes = e.Causes[:1]
	if got := a.CausesTitle(); got != "causes" {
		t.Errorf("without parts: got %q", got)
	}
}

// A cause of placement or of nothing, without function, part and evidence, says nothing.
func TestSaysNothing(t *testing.T) {
	for _, c := range []struct {
		c    assay.Cause
		want bool
	}{
		{assay.Cause{Kind: assay.CauseUnknown}, true}, {assay.Cause{Kind: assay.CauseLayout}, true}, {assay.Cause{Kind: assay.CauseCode}, false},
		{assay.Cause{Kind: assay.CauseLayout, Function: "p.F"}, false}, {assay.Cause{Kind: assay.CauseUnknown, Evidence: []string{"x"}}, false},
		{assay.Cause{Kind: assay.CauseLayout, Part: &assay.Part{}}, false},
	} {
		if got := SaysNothing(c.c); got != c.want {
			t.Errorf("%+v: got %t, want %t", c.c, got, c.want)
		}
	}
}

// What relinked builds show has its interval where there is one, and names another run.
func TestLayoutText(t *testing.T) {
	slower := assay.Comparison{Verdict: assay.Slower, Change: 0.1, Interval: interval(0.09, 0.11)}
	a := accountOf(&assay.Explanation{}, false)
	for _, c := range []struct {
		l    assay.LayoutCheck
		want string
	}{
		{assay.LayoutCheck{Layouts: 1}, "1 layout"}, {assay.LayoutCheck{Layouts: 12, Comparison: slower, Run: "r1"}, "12 layouts: +10.0 % [+9.0, +11.0] slower"},
		{assay.LayoutCheck{Layouts: 12, Comparison: slower, Share: 0.61, Run: "r2"},
			"12 layouts: +10.0 % [+9.0, +11.0] slower; 61 % of the variance lies between layouts; run r2"},
		{assay.LayoutCheck{Layouts: 2, Share: math.Inf(1)}, "2 layouts"},
	} {
		if got := a.LayoutText(&c.l); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// The foot says what was measured, in which run, and how long the explanation took, if at
// all; below it stands the command that makes it again.
func TestFoot(t *testing.T) {
	e := &assay.Explanation{Benchmark: assay.Benchmark{Name: "Get"}, Metric: assay.MetricTime, Comparison: assay.Comparison{N: 12}, Spent: 90 * time.Second}
	a := accountOf(e, false)
	if got, want := a.Foot(), "sec/op · 12 blocks, interleaved · run r1 · 90 s of trials for this, in no verdict"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	e.Spent, e.Comparison.N = 0, 0
	if got, want := a.Foot(), "sec/op · run r1"; got != want {
		t.Errorf("of the code alone: got %q, want %q", got, want)
	}
	if got, want := a.Again(), "assay explain r1 Get"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	a.Sheet.Result.Run, a.Sheet.Result.Command = "", "assay explain a.prof b.prof"
	if got := a.Again(); got != a.Sheet.Result.Command {
		t.Errorf("of two files: got %q, want %q", got, a.Sheet.Result.Command)
	}
}

// The profiles are counted with their samples, and the operations where they are known.
func TestSeenText(t *testing.T) {
	a := accountOf(&assay.Explanation{}, false)
	c := &assay.CPUChange{Blocks: 1, BaseSamples: 1200, VariantSamples: 999}
	if got, want := a.SeenText(c), "1 pair of CPU profiles: 1,200 samples of old, 999 of new"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	c.N, c.Blocks = 5000, 3
	if got, want := a.SeenText(c), "3 pairs of CPU profiles: 1,200 samples of old, 999 of new; 5,000 operations a trial"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// All rows of a table of parts have the unit and the decimals of the whole, so that they
// add up, and parts beyond the most are one row.
func TestPartRows(t *testing.T) {
	e := &assay.Explanation{Metric: assay.MetricTime, BaseValue: 2e-6}
	part := func(name string, base, variant float64, i *assay.Interval) assay.Part {
		return assay.Part{Name: name, Base: base, Variant: variant, Change: assay.Change((variant - base) / e.BaseValue), Interval: i}
	}
	list := []assay.Part{part("e.com/p.F", 1e-6, 0.5e-6, interval(-0.26, -0.24)), part("p.G", 0.26e-6, 0, interval(-0.2, 0.1)),
		part("p.H", 0.1e-6, 0.3e-6, interval(0.09, 0.11)),
		part("p.I", 0.02e-6, 0.04e-6, nil), part(Others, 0.03e-6, 0.01e-6, nil)}
	lines := func(rows []PartRow) (out []string) {
		for _, r := range rows {
			out = append(out, sheet.Joined(append(r.Cells, r.Half)...))
		}
		return out
	}
	a := accountOf(e, false)
	sameLines(t, "parts", lines(a.PartRows(list, 3)), "p.F 1.00 µs 0.50 µs −25.0 [−26.0, −24.0] ±1.0", "p.G 0.26 µs – −13 [−20, +10] ±15",
		"p.H 0.10 µs 0.30 µs +10.0 [+9.0, +11.0] ±1.0",
		"others, 1 of them with --all 0.05 µs 0.05 µs 0.0")
	rows := accountOf(e, true).PartRows(list, 3)
	sameLines(t, "with all", lines(rows)[3:], "p.I 0.02 µs 0.04 µs +1.0", "others 0.03 µs 0.01 µs −1.0")
	for i, want := range []sheet.Tone{sheet.Good, sheet.Faint, sheet.Bad, sheet.Plain, sheet.Plain} {
		if got := rows[i].Cells[3].Tone; got != want {
			t.Errorf("%s: got the tone %v, want %v", rows[i].Name, got, want)
		}
	}
	if got := len(a.PartRows(list[:2], 3)); got != 2 {
		t.Errorf("two parts have %d rows", got)
	}
}

// Functions of the same code are the same as a whole, or those that matter are; a section
// about the code says it otherwise.
func TestSameCode(t *testing.T) {
	for _, c := range []struct {
		e    assay.Explanation
		want string
	}{
		{assay.Explanation{}, ""}, {assay.Explanation{SameCode: true, SameHot: true}, "all functions are the same"}, {assay.Explanation{SameHot: true},
			"the functions that matter here are the same in both"},
		{assay.Explanation{SameCode: true, Code: &assay.CodeChange{}}, ""},
	} {
		if got := accountOf(&c.e, false).SameCode(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// The groups of the studies' explanations add up to the measured change as printed, and
// nothing that a table prints of them is not a number.
func TestStoredGroupsAddUp(t *testing.T) {
	n := 0
	for _, pattern := range []string{"record", "record/*"} {
		files, err := filepath.Glob(filepath.Join("../../../studies/*", pattern, "plan.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			r, err := record.ReadResult(os.DirFS(filepath.Dir(file)))
			if err != nil {
				t.Fatal(err)
			}
			for i := range r.Explanations {
				n += groupsAddUp(t, r, &r.Explanations[i])
			}
		}
	}
	if n < 3 {
		t.Errorf("%d explanations have groups: are the records still read?", n)
	}
}

// groupsAddUp checks the groups of an explanation, and returns 1 if it has any.
func groupsAddUp(t *testing.T, r *assay.Result, e *assay.Explanation) int {
	t.Helper()
	a := New(sheet.New(r, true, false), e, func(s string) int { return len(s) }, true)
	rows := a.GroupRows()
	if len(rows) == 0 || e.Comparison.Interval == nil {
		return 0
	}
	sum := 0.0
	for _, row := range rows {
		x := number(t, row.Cells[3].Text)
		sum += x
	}
	c := e.Comparison
	if want := number(t, sheet.ChangeDigits(c.Change, c.Interval.Half())); math.Abs(sum-want) > 1e-6 {
		t.Errorf("%s: %s in %s: the groups add up to %v, want %v", r.Study, e.Benchmark.Name, e.Variant, sum, want)
	}
	return 1
}
