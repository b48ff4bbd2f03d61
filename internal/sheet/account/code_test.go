package account

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// number is a printed number: "−1,250.5" is -1250.5.
func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(strings.NewReplacer(",", "", "−", "-", "+", "").Replace(text), 64)
	if err != nil {
		t.Errorf("%q is no number", text)
	}
	return x
}

// How much of two binaries is the same is said of all functions and of those that matter.
func TestWhole(t *testing.T) {
	for _, c := range []struct {
		same bool
		c    assay.CodeChange
		want string
	}{
		{false, assay.CodeChange{}, ""}, {true, assay.CodeChange{Same: 2000, Differ: 1}, "all 2,000 functions are the same"},
		{false, assay.CodeChange{Same: 2000}, "all 2,000 functions are the same"},
		{false, assay.CodeChange{Same: 10, Differ: 2, OnlyVariant: 1}, "10 functions the same · 2 differ · 1 only in new"},
		{false, assay.CodeChange{Same: 10, OnlyBase: 3}, "10 functions the same · 3 only in old"},
		{false, assay.CodeChange{Hot: 1, SameHot: 1}, "the function that matters here is the same in both"}, {false, assay.CodeChange{Hot: 1},
			"the function that matters here differs"},
		{false, assay.CodeChange{Hot: 3, SameHot: 3}, "all 3 functions that matter here are the same in both"}, {false, assay.CodeChange{Hot: 3},
			"the 3 functions that matter here differ"},
		{false, assay.CodeChange{Hot: 3, SameHot: 1}, "of 3 functions that matter here 1 is the same in both"},
		{false, assay.CodeChange{Hot: 5, SameHot: 2, Missing: []string{"the symbols"}}, "of 5 functions that matter here 2 are the same in both\nunknown: the symbols"},
	} {
		if got := strings.Join(accountOf(&assay.Explanation{SameCode: c.same}, false).Whole(&c.c), "\n"); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.c, got, c.want)
		}
	}
}

// A call went from one function to another, came or went, or is inlined or no more.
func TestCallText(t *testing.T) {
	a := accountOf(&assay.Explanation{}, false)
	for _, c := range []struct {
		k    assay.CallChange
		want string
	}{
		{assay.CallChange{From: "e.com/p.F", To: "e.com/p.G", Count: 2, File: "f.go", Line: 3}, "p.F → p.G (2×), f.go:3"}, {assay.CallChange{From: "p.F", Count: 1},
			"p.F is not called any more"},
		{assay.CallChange{From: "p.F", Inlined: true}, "p.F is inlined now"}, {assay.CallChange{To: "p.G", File: "f.go"}, "p.G is called now, f.go"},
		{assay.CallChange{To: "p.G", Inlined: true}, "p.G was inlined, is called now"},
	} {
		if got := a.CallIn(assay.FuncChange{}, c.k); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// The table of calls has their number and that of the functions that make them, one at
// least; unless all are wanted it is cut.
func TestCallTable(t *testing.T) {
	c := &assay.CodeChange{Calls: []assay.CallChange{{To: "p.G", Count: 1500, Callers: 3}, {From: "p.F", Count: 2}, {To: "p.H", Count: 1}}}
	sameLines(t, "calls", linesOf(accountOf(&assay.Explanation{}, false).CallTable(c, 2)), "# calls that changed|calls|functions", "p.G is called now|1,500|3",
		"p.F is not called any more|2|1", "… 1 more (--all)")
	if got := linesOf(accountOf(&assay.Explanation{}, true).CallTable(c, 2)); len(got) != 4 || got[3] != "p.H is called now|1|1" {
		t.Errorf("with all: got %q", got)
	}
}

// Sizes have both sides, the difference and the change; what rounds to nothing is no
// change, and a side without a size has none.
func TestSizeTable(t *testing.T) {
	c := &assay.CodeChange{BaseText: 10000, VariantText: 12500, BaseFile: 20000, VariantFile: 20001,
		Packages: []assay.SizeChange{{Name: "p", Base: 3000, Variant: 0}, {Name: "q", Base: 0, Variant: 1000}, {Name: "r", Base: 5, Variant: 6}}}
	sameLines(t, "sizes", linesOf(accountOf(&assay.Explanation{}, false).SizeTable(c, 2)), "# size in bytes|old|new", "code|10,000|12,500|+2,500|+25.0 %",
		"  p|3,000|0|−3,000|−100.0 %", "  q|0|1,000|+1,000", "  … 1 more package (--all)", "file|20,000|20,001|+1")
	lines := linesOf(accountOf(&assay.Explanation{}, true).SizeTable(&assay.CodeChange{Packages: c.Packages}, 0))
	sameLines(t, "with all, without code and file", lines[1:], "  p|3,000|0|−3,000|−100.0 %", "  q|0|1,000|+1,000", "  r|5|6|+1|+20.0 %")
}

// A function that both sides have says what differs, one of a single side all.
func TestFactsOf(t *testing.T) {
	a := accountOf(&assay.Explanation{}, false)
	old := &assay.FuncFacts{Size: 1200, Frame: 64, Instructions: 300, Calls: 1, BoundsChecks: 2}
	now := &assay.FuncFacts{Size: 1100, Frame: 64, Instructions: 290, Calls: 1, WriteBarriers: 1}
	for _, c := range []struct {
		f    assay.FuncChange
		want string
	}{
		{assay.FuncChange{}, "not read"}, {assay.FuncChange{Base: old, Variant: now},
			"1,200 → 1,100 bytes, instructions 300 → 290, bounds checks 2 → 0, write barriers 0 → 1"},
		{assay.FuncChange{Base: old, Variant: old}, "1,200 bytes"},
		{assay.FuncChange{Base: old}, "only in old: 1,200 bytes, stack frame 64 B, 300 instructions, 1 call, 2 bounds checks, 0 write barriers"},
		{assay.FuncChange{Variant: now}, "only in new: 1,100 bytes, stack frame 64 B, 290 instructions, 1 call, 0 bounds checks, 1 write barrier"},
	} {
		if got := sheet.JoinWords(", ", a.FactsOf(c.f)...); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	for weight, want := range map[float64]string{0: "", 0.124: "12 % of the profile", 1: "100 % of the profile", 1.1: ""} {
		if got := Weight(assay.FuncChange{Weight: weight}); got != want {
			t.Errorf("a weight of %v: got %q, want %q", weight, got, want)
		}
	}
}

// Decisions of the compiler have a place, what was decided, and why.
func TestDecision(t *testing.T) {
	for kind, want := range map[string]string{
		assay.DecisionInline: "f.go:3: F can be inlined: cost", assay.DecisionNoInline: "f.go:3: F cannot be inlined: cost",
		assay.DecisionCall:   "f.go:3: call of F inlined: cost",
		assay.DecisionEscape: "f.go:3: F escapes to the heap: cost", assay.DecisionStack: "f.go:3: F stays on the stack: cost",
		assay.DecisionBounds: "f.go:3: index checked: F: cost", "other": "f.go:3: other F: cost",
	} {
		if got := Decision(assay.DecisionChange{Decision: assay.Decision{Kind: kind, File: "f.go", Line: 3, What: "F", Reason: "cost"}}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A site allocates more or fewer objects, of one size or of several, or other bytes in as
// many objects.
func TestSiteCount(t *testing.T) {
	for _, c := range []struct {
		s    assay.AllocSite
		want string
	}{
		{assay.AllocSite{BaseObjects: 1, BaseBytes: 16, Size: 16}, "−1 object of 16 B"}, {assay.AllocSite{VariantObjects: 3, VariantBytes: 144, Size: 48},
			"+3 objects of 48 B"},
		{assay.AllocSite{BaseObjects: 2, VariantObjects: 3, BaseBytes: 96, VariantBytes: 144, Size: 48}, "+1 object of 48 B (2 → 3)"},
		{assay.AllocSite{BaseObjects: 3, VariantObjects: 2, BaseBytes: 96, VariantBytes: 48}, "−1 object, −48 B (3 → 2)"},
		{assay.AllocSite{BaseObjects: 1, VariantObjects: 1, BaseBytes: 16, VariantBytes: 32}, "same objects, +16 B"}, {assay.AllocSite{BaseObjects: math.Inf(1)},
			"count not known"},
	} {
		if got := SiteCount(c.s); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.s, got, c.want)
		}
	}
	for want, s := range map[string]assay.AllocSite{"": {}, "[]byte by growslice: escapes": {Type: "[]byte", Via: "growslice", Reason: "escapes"},
		"by makeslice": {Via: "makeslice"}} {
		if got := SiteObjects(s); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// What an operation allocates is two rows, whose difference has the tone of its direction;
// where both sides are alike one line says it.
func TestAllocTable(t *testing.T) {
	a := accountOf(&assay.Explanation{}, false)
	table := a.AllocTable(&assay.AllocChange{BaseObjects: 1500, VariantObjects: 2, BaseBytes: 48, VariantBytes: 81920})
	sameLines(t, "allocations", linesOf(table), "# allocations per operation|old|new", "objects|1,500|2|−1,498", "bytes|48 B|81,920 B|+81,872 B")
	if fewer, more := table.Rows[1].Cells[3].Tone, table.Rows[2].Cells[3].Tone; fewer != sheet.Good || more != sheet.Bad {
		t.Errorf("fewer objects have the tone %v, more bytes %v", fewer, more)
	}
	for _, c := range []struct {
		a    assay.AllocChange
		want string
	}{
		{assay.AllocChange{}, "none in both"}, {assay.AllocChange{BaseObjects: 2, VariantObjects: 2, BaseBytes: 48, VariantBytes: 48}, "2 objects, 48 B in both"},
		{assay.AllocChange{BaseObjects: 1, VariantObjects: 1, BaseBytes: 48, VariantBytes: 48}, "1 object, 48 B in both"}, {assay.AllocChange{BaseBytes: 1}, ""},
		{assay.AllocChange{Sites: make([]assay.AllocSite, 1)}, ""},
	} {
		if got := Alike(&c.a); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.a, got, c.want)
		}
	}
	for want, c := range map[string]assay.AllocChange{"means": {}, "exact over 2 trials a side with every allocation in the profile": {Exact: true, Trials: 2},
		"1 other site alike in both; means": {Same: 1}} {
		if got := AllocNote(&c); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The collector's rows have both values and the change; cycles that are rarer than one in
// a thousand operations are counted over a million, and a value of 0 has no change.
func TestCollectorTable(t *testing.T) {
	c := &assay.GCChange{Trials: 5, Rows: []assay.GCChangeRow{{Metric: assay.MetricGCCyclesOp, Base: 0.0002, Variant: 0.0003, Change: 0.5, Interval: interval(0.3, 0.7)},
		{Metric: assay.MetricGCLive, Base: 1 << 20, Variant: 2 << 20, Change: 1},
		{Metric: assay.MetricGCPauseMin, Base: 0, Variant: 0.002, Change: assay.Change(math.Inf(1))}}}
	lines := linesOf(accountOf(&assay.Explanation{}, false).CollectorTable(c))
	sameLines(t, "collector", lines, "# collector|old|new|change", "cycles per 1,000,000 ops|200|300|+50 %|[+30, +70]", "live heap|1.00 MiB|2.00 MiB|+100.0 %",
		"paused per minute|0 ms|2.00 ms|–")
	if got, want := CollectorNote(c), "medians of 5 traced trials a side"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	c.Rows = append(c.Rows, assay.GCChangeRow{Metric: assay.MetricGCShare})
	if got, want := CollectorNote(c), "medians of 5 traced trials a side; a share's change is relative, not in points"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Of two functions inside one binary no call is gone: one of them makes it.
func TestCallInOneBinary(t *testing.T) {
	a := accountOf(&assay.Explanation{}, false)
	f := assay.FuncChange{Name: "e.com/q.appended", VariantName: "e.com/q.literal"}
	for _, c := range []struct {
		f    assay.FuncChange
		k    assay.CallChange
		want string
	}{
		{f, assay.CallChange{From: "runtime.growslice", Count: 1}, "runtime.growslice is called in q.appended only"},
		{f, assay.CallChange{To: "runtime.newobject", Count: 2}, "runtime.newobject is called in q.literal only (2×)"},
		{assay.FuncChange{Name: "e.com/q.appended"}, assay.CallChange{From: "runtime.growslice", Count: 1}, "runtime.growslice is not called any more"},
	} {
		if got := a.CallIn(c.f, c.k); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
