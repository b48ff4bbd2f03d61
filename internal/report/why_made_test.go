package report

import (
	"math"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/explain/group"
	"github.com/seed-1318a441/assay/internal/sheet/account"
)

// madeWhy are results with explanations, made up: the first explanation of each is
// printed in full.
var madeWhy = map[string]func() *assay.Result{
	"why": whyMalloc, "why-layout": whyLayout, "why-code": whyCode, "why-side": whySide, "why-hostile": whyHostile, "why-six": whySix,
}

const nano = 1e-9

// partOfTest makes a part in nanoseconds of a base's value, with a half-width in points.
func partOfTest(name string, whole, base, variant, half float64) assay.Part {
	c := (variant - base) / whole
	p := assay.Part{Name: name, Base: base * nano, Variant: variant * nano, Change: assay.Change(c)}
	if half > 0 {
		p.Interval = &assay.Interval{Lo: assay.Change(c - half/100), Hi: assay.Change(c + half/100)}
	}
	return p
}

// explanation is the frame of one of a result's cells.
func explanation(r *assay.Result, row, cell int, spent time.Duration) assay.Explanation {
	t := r.Tables[0]
	c := t.Rows[row].Cells[cell]
	return assay.Explanation{Benchmark: t.Rows[row].Benchmark, Variant: c.Variant, Base: r.Base, Metric: t.Metric.Name,
		Comparison: c, BaseValue: t.Rows[row].Base, Spent: spent}
}

func whyTable(variants ...string) *assay.Result {
	values := [][]float64{{7.12, 5.60, 5.71}, {8.05, 6.05, 6.2}, {11.90, 9.76, 9.9}, {9.31, 9.20, 9.3}}
	for _, row := range values {
		for i := range row {
			row[i] *= nano
		}
	}
	for i := range values {
		values[i] = values[i][:len(variants)]
	}
	r := resultOf("small-malloc", variants, tableOf(timeMetric, variants, []string{"Alloc16", "Alloc32", "Alloc64", "AllocWithPtr"}, values, 0.011))
	r.Run, r.Question = "3fd0", "What do the size-specialised allocation functions save, and where?"
	r.Answer.Text = []string{"use sizespec: 18.1 % less time than go1.26.0 [-19.2, -17.0]"}
	return r
}

// whyMalloc has all that an explanation can have.
func whyMalloc() *assay.Result {
	r := whyTable("go1.26.0", "sizespec")
	first, second := explanation(r, 1, 0, 41*time.Second), explanation(r, 0, 0, 39*time.Second)
	whole := 8.05
	alloc := partOfTest("allocation", whole, 5.61, 3.87, 1.4)
	prog := partOfTest("example.com/small-malloc.BenchmarkAlloc32", whole, 0.94, 0.81, 0.7)
	bench := prog
	bench.Name = "BenchmarkAlloc32"
	gc := partOfTest("GC mark", whole, 0.61, 0.52, 0.9)
	first.Causes = []assay.Cause{
		{Kind: assay.CauseAllocator, Function: "example.com/small-malloc.BenchmarkAlloc32", File: "malloc_test.go", Line: 41,
			Text: "call runtime.newobject became runtime.mallocgcSmallNoScanSC4", Part: &alloc,
			Evidence: []string{"runtime.newobject → runtime.mallocgcSmallNoScanSC4, malloc_test.go:41", "the same change in 230 other functions, 412 calls"}},
		{Kind: assay.CauseCode, Function: "example.com/small-malloc.BenchmarkAlloc32", File: "malloc_test.go", Line: 38,
			Text: "BenchmarkAlloc32 has other instructions: 28, not 31", Part: &bench},
		{Kind: assay.CauseGC, Text: "the collector works less: the same is allocated", Part: &gc,
			Evidence: []string{"cycles per operation −0.3 % [−4.1, +3.5]"}},
	}
	first.CPU = whyCPU(whole, alloc, prog, gc, first.Comparison)
	first.Text = []string{group.Sum(&first, true)}
	first.Allocs = whyAllocs()
	first.GC = &assay.GCChange{Trials: 3, N: 60_000_000, Rows: []assay.GCChangeRow{
		{Metric: assay.MetricGCCyclesOp, Base: 7.6e-6, Variant: 7.58e-6, Change: -0.003, Interval: &assay.Interval{Lo: -0.041, Hi: 0.035}},
		{Metric: assay.MetricGCMarkCPU, Base: 81e-6, Variant: 78e-6, Change: -0.037, Interval: &assay.Interval{Lo: -0.11, Hi: 0.036}},
		{Metric: assay.MetricGCShare, Base: 0.034, Variant: 0.041, Change: 0.2},
		{Metric: assay.MetricGCAssistCPU, Base: 0, Variant: 2e-6},
	}}
	first.Code = whyMallocCode()
	first.Layout = &assay.LayoutCheck{Layouts: 12, Comparison: first.Comparison, Share: 0.18, Survives: true,
		Text: "the difference is there in every layout of the code: it is not layout"}
	first.Warnings = []assay.Warning{{Code: "loop-changed", Text: "b.Loop is compiled differently before and since go1.26: part of the change is the loop's",
		Facts: []string{"malloc_test.go:40: for b.Loop() {"}, Try: "assay run --by …"}}

	small := partOfTest("allocation", 7.12, 4.9, 3.5, 1.6)
	second.Causes = []assay.Cause{{Kind: assay.CauseAllocator, Text: "call runtime.newobject became runtime.mallocgcSmallNoScanSC2", Part: &small}}
	second.Text = []string{group.Sum(&second, true)}
	second.Code = first.Code
	r.Explanations = []assay.Explanation{second, first}
	return r
}

func whyCPU(whole float64, alloc, prog, gc assay.Part, c assay.Comparison) *assay.CPUChange {
	diff := partOfTest("", whole, whole, whole*(1+float64(c.Change)), 1.1)
	cpu := &assay.CPUChange{Blocks: 6, BaseSamples: 4120, VariantSamples: 3310, N: 60_000_000, Difference: diff,
		Functions: []assay.Part{
			partOfTest("runtime.mallocgcSmallNoscan", whole, 3.02, 0, 1.2),
			partOfTest("runtime.mallocgcSmallNoScanSC4", whole, 0, 2.61, 1.1),
			partOfTest("runtime.newobject", whole, 0.88, 0, 0.6),
			partOfTest("runtime.nextFreeFast", whole, 1.12, 0.69, 0.8),
			partOfTest("runtime.memclrNoHeapPointers", whole, 0.59, 0.57, 0.9),
			prog, partOfTest("runtime.scanObjectsSmall", whole, 0.44, 0.36, 0.7),
			partOfTest(account.Others, whole, 0.29, 0.31, 0),
		},
		Packages:   []assay.Part{partOfTest("runtime", whole, 6.4, 4.6, 1.5), partOfTest("example.com/small-malloc", whole, 0.94, 0.81, 0.7)},
		Categories: []assay.Part{alloc, prog, gc, partOfTest("scheduling", whole, 0.18, 0.15, 0.4)},
		Owners:     []assay.Part{alloc, prog, gc, partOfTest("scheduling", whole, 0.18, 0.15, 0.4)},
		Lines: []assay.Part{
			{Name: "runtime.mallocgcSmallNoscan", File: "malloc.go", Line: 1318, Base: 0.71 * nano, Change: -0.088, Interval: &assay.Interval{Lo: -0.10, Hi: -0.076}},
			{Name: "example.com/small-malloc.BenchmarkAlloc32", File: "malloc_test.go", Line: 41, Base: 0.66 * nano, Variant: 0.55 * nano, Change: -0.0137, Interval: &assay.Interval{Lo: -0.022, Hi: -0.005}},
		},
		Command: "go tool pprof -top -diff_base .assay/3fd0/evidence/0007.cpu.pprof .assay/3fd0/evidence/0008.cpu.pprof",
	}
	cpu.Categories[1].Name = "program"
	var base, variant float64
	for _, p := range cpu.Functions {
		base, variant = base+p.Base/nano, variant+p.Variant/nano
	}
	cpu.Total = partOfTest("", whole, base, variant, 1.5)
	cpu.NotSeen = partOfTest(assay.NotSeen, whole, whole-base, diff.Variant/nano-variant, 1.8)
	return cpu
}

func whyAllocs() *assay.AllocChange {
	return &assay.AllocChange{BaseObjects: 2, VariantObjects: 1, BaseBytes: 48, VariantBytes: 32, Exact: true, N: 1000, Trials: 2, Same: 3,
		Command: "go tool pprof -top -sample_index=alloc_objects -diff_base .assay/3fd0/evidence/0011.mem.pprof .assay/3fd0/evidence/0012.mem.pprof",
		Sites: []assay.AllocSite{
			{Function: "example.com/queue.MakePath", File: "queue.go", Line: 9, Via: "growslice", Size: 16, Type: "[]string{component}", Reason: "escapes through append",
				BaseObjects: 1, BaseBytes: 16},
			{Function: "example.com/queue.(*Queue[go.shape.string]).Push", File: "queue.go", Line: 31, Via: "newobject", Size: 48, Type: "node[string]",
				BaseObjects: 2, VariantObjects: 3, BaseBytes: 96, VariantBytes: 144},
			{Function: "example.com/queue.keys", File: "keys.go", Line: 7, Via: "makeslice", BaseObjects: 1, VariantObjects: 1, BaseBytes: 48, VariantBytes: 32},
		}}
}

func whyMallocCode() *assay.CodeChange {
	return &assay.CodeChange{BaseFile: 3_406_112, VariantFile: 3_472_640, BaseText: 1_306_112, VariantText: 1_370_112, Same: 3318, Differ: 231, OnlyBase: 2, OnlyVariant: 62,
		Packages: []assay.SizeChange{{Name: "runtime", Base: 512_000, Variant: 573_020}, {Name: "fmt", Base: 61_440, Variant: 62_000}, {Name: "testing", Base: 90_112, Variant: 90_208}},
		Calls: []assay.CallChange{
			{From: "runtime.newobject", To: "runtime.mallocgcSmallNoScanSC4", Count: 412, Callers: 230},
			{From: "runtime.newobject", To: "runtime.mallocgcSmallScanNoHeaderSC3", Count: 96, Callers: 71},
			{From: "strings.IndexByte", Count: 3, Callers: 2, Inlined: true},
		},
		Hot: 14, SameHot: 12,
		Functions: []assay.FuncChange{{Name: "example.com/small-malloc.BenchmarkAlloc32", Symbol: "example.com/small-malloc.BenchmarkAlloc32", File: "malloc_test.go", Line: 38, Weight: 0.117,
			Base:      &assay.FuncFacts{Size: 120, Frame: 24, Instructions: 31, Calls: 2, BoundsChecks: 1, WriteBarriers: 1},
			Variant:   &assay.FuncFacts{Size: 104, Frame: 32, Instructions: 28, Calls: 2, WriteBarriers: 1},
			Calls:     []assay.CallChange{{From: "runtime.newobject", To: "runtime.mallocgcSmallNoScanSC4", Count: 1, Callers: 1, File: "malloc_test.go", Line: 41}},
			Decisions: []assay.DecisionChange{{Side: "base", Decision: assay.Decision{Kind: assay.DecisionBounds, File: "malloc_test.go", Line: 42, What: "sink[i]"}}, {Side: "variant", Decision: assay.Decision{Kind: assay.DecisionEscape, File: "malloc_test.go", Line: 41, What: "make([]byte, 32)", Reason: "assigned to a global"}}},
			Listing: []assay.CodeLine{
				{Kind: assay.CodeFolded, Count: 9}, {Base: "LEAQ type:int(SB), AX", Variant: "LEAQ type:int(SB), AX", Line: 41},
				{Base: "CALL runtime.newobject(SB)", Kind: assay.CodeDiffers, Mark: "call", Line: 41},
				{Variant: "MOVL $0x20, BX", Kind: assay.CodeDiffers, Line: 41}, {Variant: "CALL runtime.mallocgcSmallNoScanSC4(SB)", Kind: assay.CodeDiffers, Mark: "call", Line: 41},
				{Base: "CMPQ CX, DX", Variant: "CMPQ CX, BX", Kind: assay.CodeDiffers, Line: 42}, {Kind: assay.CodeFolded, Count: 12},
			}}},
	}
}

// whyLayout has looked everywhere and found nothing.
func whyLayout() *assay.Result {
	r := whyTable("before", "after")
	e := explanation(r, 2, 0, 65*time.Second)
	e.Comparison.LayoutShare = 0.71
	e.SameHot = true
	e.Causes = []assay.Cause{{Kind: assay.CauseLayout, Text: "no cause found in code, allocations or GC"}}
	e.Text = []string{"of −18.0 %: unexplained −18.0 [−19.1, −16.9]", "the functions that matter here are the same in both: this is layout, environment or noise",
		"no cause found in code, the profile, allocations, GC: look at layout (between-layout share 71 %)"}
	e.CPU = &assay.CPUChange{Blocks: 6, BaseSamples: 5020, VariantSamples: 4114, N: 40_000_000,
		Functions:  []assay.Part{partOfTest("example.com/sieve.run", 11.9, 11.1, 9.06, 1.4), partOfTest(account.Others, 11.9, 0.2, 0.2, 0)},
		Categories: []assay.Part{partOfTest("program", 11.9, 11.3, 9.26, 1.4)},
		Difference: partOfTest("", 11.9, 11.9, 9.76, 1.1), NotSeen: partOfTest(assay.NotSeen, 11.9, 0.6, 0.5, 1.5)}
	e.Allocs = &assay.AllocChange{BaseObjects: 0, VariantObjects: 0, Exact: true, Trials: 2}
	e.Code = &assay.CodeChange{BaseFile: 3_406_112, VariantFile: 3_406_112, BaseText: 1_306_112, VariantText: 1_306_144, Same: 3546, Differ: 3, Hot: 9, SameHot: 9}
	e.Warnings = []assay.Warning{{Code: "no-cause", Text: "whether the difference survives linking anew is not known", Try: "assay explain 3fd0 Alloc64 --check-layout"}}
	r.Explanations = []assay.Explanation{e}
	return r
}

// whyCode has binaries only, for instance of another platform.
func whyCode() *assay.Result {
	r := whyTable("go1.25.7", "go1.26.0")
	e := explanation(r, 3, 0, 0)
	e.Causes = []assay.Cause{
		{Kind: assay.CauseInlining, Function: "github.com/pelletier/go-toml/v2/internal/tracker.(*SeenTracker).CheckExpression", File: "seen.go", Line: 176,
			Text: "CheckExpression calls tracker.(*SeenTracker).clear, which was inlined", Evidence: []string{"cost 82 exceeds budget 80, was 78"}},
		{Kind: assay.CauseBounds, Function: "github.com/pelletier/go-toml/v2/unstable.scanString", File: "scanner.go", Line: 61, Text: "scanString checks indices at 3 places, not 1"},
	}
	e.Text = []string{"2 causes in the code; without a profile it is not known how much each accounts for"}
	c := whyMallocCode()
	c.Missing = []string{"type information: go1.26.0 is stripped (-s -w)"}
	c.Functions = []assay.FuncChange{
		{Name: "github.com/pelletier/go-toml/v2/internal/tracker.(*SeenTracker).CheckExpression", File: "seen.go", Line: 176,
			Base: &assay.FuncFacts{Size: 912, Frame: 88, Instructions: 201, Calls: 7}, Variant: &assay.FuncFacts{Size: 640, Frame: 72, Instructions: 150, Calls: 8},
			Calls: []assay.CallChange{{To: "github.com/pelletier/go-toml/v2/internal/tracker.(*SeenTracker).clear", Count: 2, Inlined: true, File: "seen.go", Line: 190}}},
		{Name: "github.com/pelletier/go-toml/v2/unstable.scanString", File: "scanner.go", Line: 61,
			Base: &assay.FuncFacts{Size: 300, Frame: 16, Instructions: 70, BoundsChecks: 1}, Variant: &assay.FuncFacts{Size: 300, Frame: 16, Instructions: 72, BoundsChecks: 3}},
	}
	e.Code = c
	e.Warnings = []assay.Warning{{Code: "no-profile", Text: "no samples: the trials were too short, 2 s of each are needed", Try: "assay explain 3fd0 AllocWithPtr --collect cpu"}}
	r.Explanations = []assay.Explanation{e}
	return r
}

// whySide has functions that one side lacks, and what one side lacks of profiles.
func whySide() *assay.Result {
	r := whyTable("a-long-variant-name-of-a-branch", "rewrite")
	e := explanation(r, 0, 0, 12*time.Second)
	part := partOfTest("", 7.12, 4.4, 2.9, 0)
	e.Causes = []assay.Cause{{Kind: assay.CauseCode, Function: "pkg.decode2", Text: "decode2 is new, decode is gone", Part: &part}}
	e.Text = []string{"of −21.3 %: code −21.1, unexplained −0.2"}
	e.CPU = &assay.CPUChange{Blocks: 1, BaseSamples: 410, VariantSamples: 302,
		Functions:  []assay.Part{partOfTest("pkg.decode", 7.12, 6.9, 0, 0), partOfTest("pkg.decode2", 7.12, 0, 5.4, 0)},
		Difference: partOfTest("", 7.12, 7.12, 5.6, 0), NotSeen: partOfTest(assay.NotSeen, 7.12, 0.22, 0.2, 0)}
	e.Code = &assay.CodeChange{Same: 900, OnlyBase: 1, OnlyVariant: 1, Hot: 2,
		Functions: []assay.FuncChange{
			{Name: "pkg.decode2", File: "decode.go", Line: 12, Weight: 0.96, Variant: &assay.FuncFacts{Size: 240, Frame: 48, Instructions: 60, Calls: 1, BoundsChecks: 1}},
			{Name: "pkg.decode", File: "decode.go", Line: 9, Weight: 0.97, Base: &assay.FuncFacts{Size: 300, Frame: 64, Instructions: 81, Calls: 3, BoundsChecks: 4}},
			{Name: "pkg.table"},
		}}
	r.Explanations = []assay.Explanation{e}
	return r
}

// whyHostile has names and texts of strangers who mean harm, and figures that
// nobody expects.
func whyHostile() *assay.Result {
	r := whyMalloc()
	evil := "evil\x1b[2J\x1b]0;owned\x07\u202e" + strings.Repeat("世界/", 90) + "F[go.shape.struct { X string }]\r\nok"
	nan := assay.Change(math.NaN())
	e := &r.Explanations[1]
	e.Causes = append(e.Causes, assay.Cause{Text: evil, Function: evil, File: evil, Line: -1, Evidence: []string{evil, evil, evil, evil, evil, ""},
		Part: &assay.Part{Name: evil, Base: math.Inf(1), Change: nan, Interval: &assay.Interval{Lo: nan, Hi: 1e300}}})
	for range 12 {
		e.Causes = append(e.Causes, assay.Cause{Text: "one more"})
	}
	e.Text = append(e.Text, evil)
	e.CPU.Functions = append(e.CPU.Functions, assay.Part{Name: evil, Base: 1e300, Variant: math.NaN(), Change: 1e300})
	for i := range 30 {
		e.CPU.Functions = append(e.CPU.Functions, partOfTest("pkg.small"+string(rune('a'+i%26)), 8.05, 0.01, 0.02, 0.1))
		e.CPU.Lines = append(e.CPU.Lines, assay.Part{Name: evil, File: evil, Line: i})
		e.Allocs.Sites = append(e.Allocs.Sites, assay.AllocSite{Function: evil, File: evil, Line: i, Type: evil, Reason: evil, Via: evil, Size: -5, BaseObjects: math.Inf(-1), VariantBytes: math.NaN()})
		e.Code.Functions = append(e.Code.Functions, assay.FuncChange{Name: evil, File: evil, Weight: math.NaN(), Base: &assay.FuncFacts{Size: -1}, Variant: &assay.FuncFacts{Size: math.MaxInt},
			Calls: []assay.CallChange{{From: evil, To: evil, Count: -3}}, Decisions: []assay.DecisionChange{{Side: evil, Decision: assay.Decision{Kind: evil, What: evil, Reason: evil}}},
			Listing: []assay.CodeLine{{Base: evil, Variant: evil, Kind: evil, Mark: evil, Line: -1}, {Kind: assay.CodeFolded, Count: -2}, {Base: evil, Mark: evil, Kind: assay.CodeDiffers, Line: math.MaxInt}}})
		e.Code.Calls = append(e.Code.Calls, assay.CallChange{From: evil, To: evil, Count: math.MinInt})
		e.Code.Packages = append(e.Code.Packages, assay.SizeChange{Name: evil, Base: math.MinInt64, Variant: math.MaxInt64})
	}
	e.GC.Rows = append(e.GC.Rows, assay.GCChangeRow{Metric: evil, Base: math.NaN(), Change: nan})
	e.Code.Missing = []string{evil}
	e.Layout.Text, e.Layout.Run, e.Layout.Share = evil, evil, math.Inf(1)
	e.Warnings = append(e.Warnings, assay.Warning{Code: "x", Text: evil, Facts: []string{evil}})
	return r
}

// whySix has more explanations than are printed, of several variants.
func whySix() *assay.Result {
	r := whyTable("go1.26.0", "sizespec", "no-greentea")
	for row := range 3 {
		for cell := range 2 {
			e := explanation(r, row, cell, 0)
			e.Causes = []assay.Cause{{Kind: assay.CauseAllocator, Text: "call runtime.newobject became runtime.mallocgcSmallNoScanSC4"}}
			e.Code = &assay.CodeChange{BaseText: 1_306_112, VariantText: 1_306_112 + 64_000*int64(1-cell)}
			r.Explanations = append(r.Explanations, e)
		}
	}
	return r
}
