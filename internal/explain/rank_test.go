package explain

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/explain/cputime"
)

// slower is a measured +10 % of 100 ns.
func slower() Material {
	c := assay.Comparison{Variant: "new", Value: 110e-9, Change: 0.10, Interval: &assay.Interval{Lo: 0.09, Hi: 0.11}, Verdict: assay.Slower, LayoutShare: 0.71}
	return Material{Metric: assay.Metric{Name: assay.MetricTime}, Links: 12, Explanation: assay.Explanation{Base: "old", BaseValue: 100e-9, Comparison: c}}
}

// points is a part of so many points of the base's 100 ns, known to half a point.
func points(name string, change float64) assay.Part {
	return assay.Part{Name: name, Variant: change * 100e-9, Change: assay.Change(change), Interval: &assay.Interval{Lo: assay.Change(change - 0.005), Hi: assay.Change(change + 0.005)}}
}

// profiled gives a difference a profile of these owners; the rest is not seen.
func profiled(m Material, owners ...assay.Part) Material {
	total := points("total", 0)
	for _, o := range owners {
		total.Change += o.Change
	}
	total.Interval = &assay.Interval{Lo: total.Change - 0.01, Hi: total.Change + 0.01}
	difference := points("difference", float64(m.Comparison.Change))
	m.CPU = &assay.CPUChange{Owners: owners, Total: total, Difference: difference, NotSeen: points(assay.NotSeen, float64(difference.Change-total.Change))}
	return m
}

// changed is a function that both sides have.
func changed(name string, variant assay.FuncFacts, calls ...assay.CallChange) assay.FuncChange {
	return assay.FuncChange{Name: name, Symbol: name, Base: &assay.FuncFacts{Size: 100, Instructions: 20}, Variant: &variant, Calls: calls}
}

// Every planted kind of cause is first, with the parts that belong to it, whatever
// else has changed a little.
func TestCauses(t *testing.T) {
	const f = "example.com/p.F"
	for _, test := range []struct {
		name string
		kind assay.CauseKind
		text string
		part float64
		make func(m Material) Material
	}{
		{"an allocation", assay.CauseAllocation, "1 allocation, 64 B more per operation: new(T) in p.F at f.go:7 (returned)", 0.1, func(m Material) Material {
			m.Allocs = &assay.AllocChange{VariantObjects: 1, VariantBytes: 64, Sites: []assay.AllocSite{
				{Function: f, File: "f.go", Line: 7, Type: "new(T)", Reason: "returned", VariantObjects: 1, VariantBytes: 64}}}
			m.Code = &assay.CodeChange{Hot: 2, Functions: []assay.FuncChange{changed(f, assay.FuncFacts{Size: 120, Instructions: 25})}}
			return profiled(m, points(cputime.CategoryAllocation, 0.06), points(cputime.CategoryAssist, 0.03), points(f, 0.01))
		}},
		{"another entry of the allocator", assay.CauseAllocator, "call runtime.newobject became runtime.mallocgcSmallNoScanSC4 in p.F", 0.08, func(m Material) Material {
			m.Code = &assay.CodeChange{Hot: 2, Functions: []assay.FuncChange{changed(f, assay.FuncFacts{Size: 100, Instructions: 20},
				assay.CallChange{From: "runtime.newobject", To: "runtime.mallocgcSmallNoScanSC4", Count: 1})}}
			return profiled(m, points(cputime.CategoryAllocation, 0.08), points(f, 0.001))
		}},
		{"an allocation, by the code alone", assay.CauseAllocation, "runtime.newobject is called in p.F", 0, func(m Material) Material {
			m.Code = &assay.CodeChange{Hot: 2, Functions: []assay.FuncChange{changed(f, assay.FuncFacts{Instructions: 25}, assay.CallChange{To: "runtime.newobject", Count: 1})}}
			return m
		}},
		{"a rewrite, by the code alone", assay.CauseCode, "30 of the 40 functions that the benchmark can call differ; only a CPU profile shows which of them cost time", 0, func(m Material) Material {
			m.Code = &assay.CodeChange{Hot: 40, SameHot: 10}
			for _, name := range []string{"p.A", "p.B", "p.C", "p.D", "p.E"} {
				m.Code.Functions = append(m.Code.Functions, changed(name, assay.FuncFacts{WriteBarriers: 1}))
			}
			return m
		}},
		{"inlining lost", assay.CauseInlining, "p.G is called in p.F, and was inlined (marked go:noinline)", 0.1, func(m Material) Material {
			c := changed(f, assay.FuncFacts{Size: 90, Instructions: 22}, assay.CallChange{To: "example.com/p.G", Count: 1, Inlined: true})
			c.Decisions = []assay.DecisionChange{{Side: "variant", Decision: assay.Decision{Kind: assay.DecisionNoInline, What: "G", Reason: "marked go:noinline"}}}
			m.Code = &assay.CodeChange{Hot: 2, Functions: []assay.FuncChange{c}}
			return profiled(m, points("example.com/p.G", 0.04), points(f, 0.06), points(cputime.CategoryScheduling, -0.01))
		}},
		{"bounds checks", assay.CauseBounds, "p.F checks indices at 4 places, not 0", 0.1, func(m Material) Material {
			m.Code = &assay.CodeChange{Hot: 1, Functions: []assay.FuncChange{changed(f, assay.FuncFacts{Size: 140, Instructions: 30, BoundsChecks: 4})}}
			return profiled(m, points(f, 0.1))
		}},
		{"a slower callee", assay.CauseCallee, "call p.fast became p.slow in p.F", 0.12, func(m Material) Material {
			slow := assay.FuncChange{Name: "example.com/p.slow", Symbol: "example.com/p.slow", Variant: &assay.FuncFacts{Instructions: 30}, Weight: 0.9}
			m.Code = &assay.CodeChange{Hot: 3, Functions: []assay.FuncChange{slow, changed(f, assay.FuncFacts{Size: 100, Instructions: 20},
				assay.CallChange{From: "example.com/p.fast", To: "example.com/p.slow", Count: 1})}}
			return profiled(m, points("example.com/p.fast", -0.2), points("example.com/p.slow", 0.32), points(cputime.CategoryMark, 0.01))
		}},
		{"another function called, by the code alone", assay.CauseCallee, "p.F calls strconv.FormatInt now, and fmt.Sprintf no more", 0, func(m Material) Material {
			var gone []assay.FuncChange
			for _, name := range []string{"fmt.Sprintf", "fmt.A", "fmt.B", "fmt.C", "fmt.D"} {
				gone = append(gone, assay.FuncChange{Name: name, Symbol: name, Base: &assay.FuncFacts{Instructions: 44}})
			}
			m.Code = &assay.CodeChange{Hot: 3, Functions: append(gone, changed(f, assay.FuncFacts{Instructions: 38},
				assay.CallChange{To: "strconv.FormatInt", Count: 1}, assay.CallChange{From: "fmt.Sprintf", Count: 1}, assay.CallChange{From: "runtime.convT64", Count: 1}))}
			return m
		}},
		{"another function called, by the profile", assay.CauseCallee, "p.F calls fmt.Sprintf now", 0.1, func(m Material) Material {
			m.Code = &assay.CodeChange{Hot: 3, Functions: []assay.FuncChange{changed(f, assay.FuncFacts{Instructions: 38}, assay.CallChange{To: "fmt.Sprintf", Count: 1})}}
			return profiled(m, points("fmt.Sprintf", 0.09), points(f, 0.01))
		}},
		{"what another callee calls, and nothing else does", assay.CauseCallee, "p.F calls fmt.Sprintf now", 0.08, func(m Material) Material {
			m.Code = &assay.CodeChange{Hot: 3, Functions: []assay.FuncChange{changed(f, assay.FuncFacts{Instructions: 38}, assay.CallChange{To: "fmt.Sprintf", Count: 1})}}
			m = profiled(m, points("fmt.Sprintf", 0.01), points("fmt.print", 0.07), points("sort.Sort", 0.02))
			m.CPU.Flame = &assay.Frame{Name: "all", Children: []assay.Frame{{Name: "sort.Sort"},
				{Name: f, Children: []assay.Frame{{Name: "fmt.Sprintf", Children: []assay.Frame{{Name: "fmt.print"}, {Name: "sort.Sort"}}}}}}}
			return m
		}},
		{"a call that the profile has not seen", assay.CauseCode, "p.F has other instructions: 38, not 20", 0.1, func(m Material) Material {
			m.Code = &assay.CodeChange{Hot: 3, Functions: []assay.FuncChange{changed(f, assay.FuncFacts{Instructions: 38}, assay.CallChange{To: "fmt.Errorf", Count: 1})}}
			return profiled(m, points(f, 0.1))
		}},
		{"what is inlined counts as its caller's", assay.CauseCode, "p.F has other instructions: 30, not 20", 0.09, func(m Material) Material {
			m.Code = &assay.CodeChange{Hot: 1, Functions: []assay.FuncChange{changed(f, assay.FuncFacts{Size: 140, Instructions: 30})}}
			m.Inlined = map[string][]string{"example.com/p.G": {f}}
			return profiled(m, points("example.com/p.G", 0.07), points(f, 0.02))
		}},
		{"the collector", assay.CauseGC, "the collector works more: the same is allocated", 0.1, func(m Material) Material {
			m.GC = &assay.GCChange{Rows: []assay.GCChangeRow{{Metric: assay.MetricGCCyclesOp, Base: 1, Variant: 4, Change: 3, Interval: &assay.Interval{Lo: 2.9, Hi: 3.1}}}}
			m.Code = &assay.CodeChange{Hot: 4, SameHot: 4}
			m.Allocs = &assay.AllocChange{BaseObjects: 5e6, VariantObjects: 5e6 + 11, BaseBytes: 1e8, VariantBytes: 1e8 + 7264, Sites: []assay.AllocSite{{Function: f, VariantObjects: 11}}}
			return profiled(m, points(cputime.CategoryMark, 0.07), points(cputime.CategoryAssist, 0.03), points(cputime.CategoryIdleMark, 0.4), points(cputime.CategoryAllocation, 0.004))
		}},
		{"more objects and less time to make them", assay.CauseGC, "the collector works less; the allocations do not explain it", -0.3, func(m Material) Material {
			m.Comparison.Change, m.Comparison.Interval, m.Comparison.Verdict = -0.3, &assay.Interval{Lo: -0.31, Hi: -0.29}, assay.Faster
			m.GC = &assay.GCChange{Rows: []assay.GCChangeRow{{Metric: assay.MetricGCCyclesOp, Base: 4, Variant: 1, Change: -0.75, Interval: &assay.Interval{Lo: -0.8, Hi: -0.7}}}}
			m.Allocs = &assay.AllocChange{BaseObjects: 3, VariantObjects: 3.4, BaseBytes: 300, VariantBytes: 340, Sites: []assay.AllocSite{{Function: f, BaseObjects: 3, VariantObjects: 3.4}}}
			m.Code = &assay.CodeChange{Hot: 4, SameHot: 4}
			return profiled(m, points(cputime.CategoryMark, -0.2), points(cputime.CategoryAssist, -0.1), points(cputime.CategoryAllocation, -0.01))
		}},
		{"settings alone", assay.CauseSettings, `the run settings differ: GOMAXPROCS=2 became GOMAXPROCS=1`, 0, func(m Material) Material {
			m.SameCode, m.Settings, m.Code = true, `GOMAXPROCS=2 became GOMAXPROCS=1`, &assay.CodeChange{Hot: 4, SameHot: 4}
			return m
		}},
		{"the same code", assay.CauseLayout, "p.F takes more time with the same instructions", 0.1, func(m Material) Material {
			m.Code = &assay.CodeChange{Hot: 4, SameHot: 4}
			return profiled(m, points(f, 0.1))
		}},
		{"a variable and a file under the same code", assay.CauseData, "the code that matters is the same, but the data is not: depot.rounds differs; testdata/a, testdata/b differ, which the benchmark may read", 0, func(m Material) Material {
			m.Code, m.Files = &assay.CodeChange{Hot: 4, SameHot: 4, Data: []string{"example.com/depot.rounds"}}, []string{"testdata/a", "testdata/b"}
			return profiled(m, points(f, 0.1))
		}},
		{"a difference that linking anew takes away", assay.CauseLayout, "it does not hold across 12 relinked builds", 0, func(m Material) Material {
			m.Code = &assay.CodeChange{Hot: 1, Functions: []assay.FuncChange{changed(f, assay.FuncFacts{Instructions: 21})}}
			m.Layout = &assay.LayoutCheck{Layouts: 12, Comparison: assay.Comparison{Verdict: assay.Same}, Text: "it does not hold across 12 relinked builds"}
			return profiled(m, points(f, 0.1))
		}},
		{"nothing at all", assay.CauseUnknown, "no cause found in code: look at layout (between-layout share 71 %)", 0, func(m Material) Material {
			m.Code = &assay.CodeChange{Hot: 4, SameHot: 3}
			return m
		}},
	} {
		e := Explain(test.make(slower()))
		first := e.Causes[0]
		if first.Kind != test.kind || first.Text != test.text {
			t.Errorf("%s: got %s: %q, want %s: %q", test.name, first.Kind, first.Text, test.kind, test.text)
		}
		got := 0.0
		if first.Part != nil {
			got = float64(first.Part.Change)
		}
		if math.Abs(got-test.part) > 1e-9 {
			t.Errorf("%s: got a part of %.3f, want %.3f", test.name, got, test.part)
		}
	}
}

// No part of the profile is in two causes, so what they account for adds up.
func TestCausesAddUp(t *testing.T) {
	const f, g, h = "p.F", "p.G", "p.H"
	m := slower()
	m.Code = &assay.CodeChange{Hot: 5, Functions: []assay.FuncChange{
		changed(f, assay.FuncFacts{Instructions: 22}, assay.CallChange{From: g, To: h, Count: 1}),
		changed(g, assay.FuncFacts{Instructions: 23}), changed(h, assay.FuncFacts{Instructions: 24}),
	}}
	m.Inlined = map[string][]string{"p.I": {f, g}}
	m = profiled(m, points(f, 0.02), points(g, -0.05), points(h, 0.09), points("p.I", 0.03), points(cputime.CategoryMaps, 0.01))
	e := Explain(m)
	sum := 0.0
	for _, c := range e.Causes {
		if c.Part != nil {
			sum += float64(c.Part.Change)
		}
	}
	if want := float64(m.CPU.Total.Change); math.Abs(sum-want) > 1e-9 {
		t.Errorf("the causes account for %.3f, the profile has seen %.3f", sum, want)
	}
	if want := "of +10.0 %: code +9.0, runtime +1.0, unexplained 0 ["; !strings.HasPrefix(e.Text[0], want) {
		t.Errorf("got %q, want it to begin %q", e.Text[0], want)
	}
}

// Causes against the difference come after those with it and those of unknown size.
func TestCausesAgainst(t *testing.T) {
	m := slower()
	m.Code = &assay.CodeChange{Hot: 2, Functions: []assay.FuncChange{changed("p.F", assay.FuncFacts{BoundsChecks: 1}), changed("p.G", assay.FuncFacts{BoundsChecks: 1})}}
	m.Settings = "GOGC became 50"
	m = profiled(m, points("p.F", -0.2), points("p.G", 0.3))
	var order []string
	for _, c := range Explain(m).Causes {
		order = append(order, string(c.Kind)+c.Function)
	}
	if want := []string{"boundsp.G", "settings", "boundsp.F"}; !slices.Equal(order, want) {
		t.Errorf("got %q, want %q", order, want)
	}
}

// Where all code is the same, what is left is said, and that it was looked at.
func TestSameCode(t *testing.T) {
	m := slower()
	m.SameCode, m.Code = true, &assay.CodeChange{Hot: 3, SameHot: 3}
	m.Layout = &assay.LayoutCheck{Text: "it does not hold across 12 relinked builds"}
	e := Explain(m)
	want := []string{"all functions are the same in both: this is layout, environment or noise", "it does not hold across 12 relinked builds"}
	if !slices.Equal(e.Text, want) || !e.SameHot {
		t.Errorf("got %q, want %q", e.Text, want)
	}
	// Of one pair of binaries a check of the layout is proposed, of many links not.
	m.Layout, m.Links = nil, 1
	if got, want := Explain(m).Text, "measured over 1 link of each variant: --check-layout"; !strings.HasPrefix(got[len(got)-1], want) {
		t.Errorf("got %q, want the last to begin %q", got, want)
	}
	m.Links = 12
	if got := Explain(m).Text; strings.Contains(strings.Join(got, " "), "--check-layout") {
		t.Errorf("got %q of 12 links, want no check proposed", got)
	}
}
