package explain

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/explain/cputime"
)

// Two functions that do the same job are compared by what each has: no call "became" another.
func TestLevelText(t *testing.T) {
	f := assay.FuncChange{Name: "example.com/q.appended", VariantName: "example.com/q.literal",
		Base: &assay.FuncFacts{Instructions: 70, Calls: 3}, Variant: &assay.FuncFacts{Instructions: 40, Calls: 1},
		Calls: []assay.CallChange{{From: "runtime.growslice", To: "runtime.newobject", Count: 1}}}
	const want = "q.literal has 40 instructions and 1 call, q.appended has 70 instructions and 3 calls"
	e := Explain(Material{Explanation: assay.Explanation{Code: &assay.CodeChange{Functions: []assay.FuncChange{f}, Hot: 1}}})
	if len(e.Causes) != 1 || e.Causes[0].Text != want || e.Causes[0].Kind != assay.CauseCode {
		t.Errorf("got %+v, want %q", e.Causes, want)
	}
	sites := []assay.AllocSite{{Function: f.Name, File: "q.go", Line: 7, BaseObjects: 2, BaseBytes: 48}}
	e = Explain(Material{Explanation: assay.Explanation{Code: e.Code, Allocs: &assay.AllocChange{BaseObjects: 2, BaseBytes: 48, Sites: sites}}})
	if c := e.Causes[0]; c.Kind != assay.CauseAllocation || !slices.Contains(c.Evidence, want) {
		t.Errorf("got %+v, want the allocations first, with the code as evidence", c)
	}
}

// A function is named by its package alone; slashes in its type arguments are no folders.
func TestShortName(t *testing.T) {
	for name, want := range map[string]string{
		"main.f": "main.f", "example.com/a/p.F": "p.F", "example.com/a/p.(*T).M": "p.(*T).M", "runtime.mallocgc": "runtime.mallocgc",
		"example.com/a/p.Map[example.com/b.K,int]": "p.Map[example.com/b.K,int]", "p.F[go.shape.int].func1": "p.F[go.shape.int].func1",
	} {
		if got := shortName(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// The run time's own functions are told from the program's, and its assembly has no
// package.
func TestOfRuntime(t *testing.T) {
	for name, want := range map[string]bool{
		"runtime.mallocgc": true, "internal/runtime/maps.(*Map).get": true, "gcWriteBarrier2": true, "memeqbody": true,
		"runtime/debug.FreeOSMemory": false, "main.f": false, "example.com/runtime.F": false, "internal/bytealg.Count": false,
	} {
		if got := cputime.OfRuntime(name); got != want {
			t.Errorf("%s: got %t, want %t", name, got, want)
		}
	}
}

// A changed call is put into words by what there was before and what there is now.
func TestCallText(t *testing.T) {
	f := assay.FuncChange{Name: "example.com/p.F", Decisions: []assay.DecisionChange{
		{Side: "base", Decision: assay.Decision{Kind: assay.DecisionNoInline, What: "G", Reason: "of the base"}},
		{Side: "variant", Decision: assay.Decision{Kind: assay.DecisionNoInline, What: "G", Reason: "too large"}},
	}}
	for want, c := range map[string]assay.CallChange{
		"call p.A became q.B in p.F":                            {From: "example.com/p.A", To: "example.com/q.B"},
		"p.G is called in p.F, and was inlined (too large)":     {To: "example.com/p.G", Inlined: true},
		"p.H is called in p.F, and was inlined":                 {To: "example.com/p.H", Inlined: true},
		"p.G is inlined in p.F, and was called":                 {From: "example.com/p.G", Inlined: true},
		"p.G is called in p.F":                                  {To: "example.com/p.G"},
		"p.G is called no more in p.F":                          {From: "example.com/p.G"},
		"call runtime.newobject became runtime.mallocgc in p.F": {From: "runtime.newobject", To: "runtime.mallocgc"},
	} {
		if got := callText(f, c); got != want {
			t.Errorf("%+v: got %q, want %q", c, got, want)
		}
	}
}

// What a function calls now and what no more are named, two of each at most.
func TestCalleesText(t *testing.T) {
	for want, calls := range map[string][2][]string{
		"p.F calls a.A now":                          {{"x/a.A"}, nil},
		"p.F calls a.A no more":                      {nil, {"a.A"}},
		"p.F calls a.A and a.B now, and b.B no more": {{"a.A", "a.B"}, {"x/b.B"}},
		"p.F calls a.A, a.B and 2 more now":          {{"a.A", "a.B", "a.C", "a.D"}, nil},
	} {
		if got := calleesText(assay.FuncChange{Name: "example.com/p.F"}, calls[0], calls[1]); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Of changed calls the allocator's tell most, then inlining, then replacements; calls that
// only came or went, and those within the run time, tell nothing.
func TestTellingCalls(t *testing.T) {
	var (
		replaced  = assay.CallChange{From: "p.A", To: "p.B"}
		inlined   = assay.CallChange{From: "p.C", Inlined: true}
		allocator = assay.CallChange{From: "runtime.makeslice", To: "runtime.mallocgc"}
	)
	calls := []assay.CallChange{{To: "p.New"}, {From: "p.Old"}, replaced, {From: "runtime.memmove", To: "runtime.typedmemmove"}, inlined, allocator}
	if got, want := tellingCalls(calls), []assay.CallChange{allocator, inlined, replaced}; !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	calls = []assay.CallChange{{To: "p.New"}, {To: "runtime.newobject"}, allocator, {To: "runtime.growslice", Inlined: true}, {From: "runtime.mallocgcTiny"}}
	if got, want := allocations(calls), []assay.CallChange{{To: "runtime.newobject"}, {From: "runtime.mallocgcTiny"}}; !slices.Equal(got, want) {
		t.Errorf("allocations that came or went: got %+v, want %+v", got, want)
	}
}

// How a function differs is told in figures that differ, then its calls and what the
// compiler decided, in a few lines.
func TestFuncLines(t *testing.T) {
	f := assay.FuncChange{Name: "p.F", Base: &assay.FuncFacts{Size: 100, Frame: 16, Calls: 2, Instructions: 9},
		Variant: &assay.FuncFacts{Size: 140, Frame: 16, Calls: 3, BoundsChecks: 1, Instructions: 12},
		Calls:   []assay.CallChange{{To: "p.G", File: "f.go", Line: 7}},
		Decisions: []assay.DecisionChange{
			{Side: "variant", Decision: assay.Decision{Kind: assay.DecisionEscape, What: "x", Reason: "returned", File: "f.go", Line: 3}},
			{Side: "base", Decision: assay.Decision{Kind: assay.DecisionInline, What: "G"}},
		}}
	want := []string{"size 100 -> 140, calls 2 -> 3, bounds checks 0 -> 1", "p.G is called in p.F at f.go:7",
		"variant only: compiler to the heap: x (returned) at f.go:3", "base only: compiler can inline G"}
	if got := funcLines(f); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	f.Variant = nil
	if got := funcLines(f); !slices.Equal(got, want[1:]) {
		t.Errorf("a function of one side: got %q, want %q", got, want[1:])
	}
	f.Calls = slices.Repeat(f.Calls, 20)
	if got := len(funcLines(f)); got != mostEvidence {
		t.Errorf("got %d lines of evidence, want %d", got, mostEvidence)
	}
}

// What is allocated more or less is put into words with the first site that does it.
func TestAllocText(t *testing.T) {
	site := []assay.AllocSite{{Function: "example.com/p.F", Type: "[]byte", Via: "p.grow"}}
	for want, a := range map[string]assay.AllocChange{
		"1 allocation, 64 B more per operation: []byte in p.F":         {VariantObjects: 1, VariantBytes: 64},
		"2 allocations, 64 B less per operation: []byte in p.F":        {BaseObjects: 5, VariantObjects: 3, BaseBytes: 100, VariantBytes: 36},
		"0.5 allocations, 8 B more per operation: []byte in p.F":       {VariantObjects: 0.5, VariantBytes: 8},
		"64 B more per operation: []byte in p.F":                       {BaseObjects: 1, VariantObjects: 1, VariantBytes: 64},
		"64 B less per operation: []byte in p.F":                       {BaseObjects: 1, VariantObjects: 1, BaseBytes: 64},
		"1 allocation more per operation: []byte in p.F":               {BaseObjects: 1, VariantObjects: 2, BaseBytes: 64, VariantBytes: 64.2},
		"the same amount in other places per operation: []byte in p.F": {BaseObjects: 1, VariantObjects: 1, BaseBytes: 64, VariantBytes: 64},
	} {
		a.Sites = site
		if got := allocText(&a); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for want, s := range map[string]assay.AllocSite{
		"[]byte in p.F": {Function: "a/p.F", Type: "[]byte", Via: "p.G"}, "p.G in p.F": {Function: "a/p.F", Via: "p.G"}, "p.F": {Function: "a/p.F"},
	} {
		if got := siteText(s); got != want {
			t.Errorf("%+v: got %q, want %q", s, got, want)
		}
	}
}

// Numbers per operation are whole where they are, or where they are large.
func TestAmount(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 3: "3", 2.9999: "3", 0.5: "0.5", 1.234: "1.23", 99.5: "99.5", 123.4: "123", 1234567.8: "1234568"} {
		if got := amount(x); got != want {
			t.Errorf("%v: got %s, want %s", x, got, want)
		}
	}
}

// Of the collector only the figures per operation are evidence, and only if they are known
// to differ.
func TestGCLines(t *testing.T) {
	sure, unsure := &assay.Interval{Lo: 0.45, Hi: 0.55}, &assay.Interval{Lo: -0.1, Hi: 0.6}
	g := &assay.GCChange{Rows: []assay.GCChangeRow{
		{Metric: assay.MetricGCMark, Base: 1, Variant: 2, Change: 1, Interval: sure},
		{Metric: assay.MetricGCCyclesOp, Base: 0.002, Variant: 0.003, Change: 0.5, Interval: sure},
		{Metric: assay.MetricGCMarkOp, Base: 1, Variant: 1.5, Change: 0.5, Interval: unsure},
		{Metric: assay.MetricGCMarkOp, Base: 1, Variant: 1.5, Change: 0.5},
	}}
	if got, want := gcLines(g), []string{"GC cycles per operation: 0.002 -> 0.003, +50.0 % [+45.0, +55.0]"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := gcLines(nil); got != nil {
		t.Errorf("got %q of nothing", got)
	}
}

// How a function's own instructions differ is told by what usually costs most.
func TestInstructions(t *testing.T) {
	facts := func(instructions, checks, barriers int) *assay.FuncFacts {
		return &assay.FuncFacts{Instructions: instructions, BoundsChecks: checks, WriteBarriers: barriers}
	}
	for _, c := range []struct {
		base, variant *assay.FuncFacts
		kind          assay.CauseKind
		want          string
	}{
		{nil, nil, assay.CauseCode, "p.F differs in a way that could not be read"},
		{nil, facts(5, 0, 0), assay.CauseCode, "p.F is new"},
		{facts(5, 0, 0), nil, assay.CauseCode, "p.F is gone, or under another name"},
		{facts(5, 2, 1), facts(9, 1, 3), assay.CauseBounds, "p.F checks indices at 1 place, not 2"},
		{facts(5, 2, 1), facts(9, 2, 3), assay.CauseBarriers, "p.F has write barriers at 3 places, not 1"},
		{facts(5, 2, 1), facts(9, 2, 1), assay.CauseCode, "p.F has other instructions: 9, not 5"},
		{facts(5, 2, 1), facts(5, 2, 1), assay.CauseCode, "p.F has other instructions, 5 as before"},
	} {
		if kind, got := instructions(assay.FuncChange{Name: "a/p.F", Base: c.base, Variant: c.variant}); kind != c.kind || got != c.want {
			t.Errorf("got %s: %q, want %s: %q", kind, got, c.kind, c.want)
		}
	}
}

// Where no cause is found it is said what was looked at.
func TestLookAtLayout(t *testing.T) {
	m := slower()
	m.Comparison.LayoutShare = 0
	if got, want := lookAtLayout(m), "no cause found in nothing, for nothing was collected: look at layout"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	m.Code, m.CPU, m.Allocs, m.GC = &assay.CodeChange{}, &assay.CPUChange{}, &assay.AllocChange{}, &assay.GCChange{}
	if got, want := lookAtLayout(m), "no cause found in code, the profile, allocations, GC: look at layout"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A recorded explanation gets its sum as this version puts it, and keeps its other lines;
// the one that was given stays as it is.
func TestRestated(t *testing.T) {
	m := slower()
	m.Code = &assay.CodeChange{Hot: 1, Functions: []assay.FuncChange{changed("p.F", assay.FuncFacts{BoundsChecks: 1})}}
	e := Explain(profiled(m, points("p.F", 0.09)))
	at := slices.IndexFunc(e.Text, isSum)
	if at < 0 {
		t.Fatalf("got %q, want a sum in it", e.Text)
	}
	old := e
	old.Text = []string{"a remark", "of +10 %: as an older version put it", "a conclusion"}
	bare := assay.Explanation{Text: []string{"of old: kept, for there are no parts"}}
	list := []assay.Explanation{old, bare}
	got := Restated(list)
	if want := []string{"a remark", e.Text[at], "a conclusion"}; !slices.Equal(got[0].Text, want) {
		t.Errorf("got %q, want %q", got[0].Text, want)
	}
	if !slices.Equal(got[1].Text, bare.Text) {
		t.Errorf("without parts: got %q, want %q", got[1].Text, bare.Text)
	}
	if !strings.HasSuffix(list[0].Text[1], "put it") {
		t.Errorf("what was given has become %q", list[0].Text)
	}
}
