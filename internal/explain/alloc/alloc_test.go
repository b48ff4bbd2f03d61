package alloc

import (
	"math"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
)

// A madeSite is a sample of a made profile: its stack is of functions, innermost
// first, all at the line; a name with a blank has frames that are inlined into the
// last one.
type madeSite struct {
	stack        []string
	line         int
	count, bytes int64
}

func madeAllocs(sites ...madeSite) *profile.Profile {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"}}}
	funcs := map[string]*profile.Function{}
	for _, s := range sites {
		sample := &profile.Sample{Value: []int64{s.count, s.bytes}}
		for _, names := range s.stack {
			loc := &profile.Location{ID: uint64(len(p.Location) + 1)}
			for name := range strings.FieldsSeq(names) {
				f := funcs[name]
				if f == nil {
					f = &profile.Function{ID: uint64(len(funcs) + 1), Name: name, Filename: "/src/p/" + "f.go"}
					funcs[name] = f
					p.Function = append(p.Function, f)
				}
				loc.Line = append(loc.Line, profile.Line{Function: f, Line: int64(s.line)})
			}
			p.Location = append(p.Location, loc)
			sample.Location = append(sample.Location, loc)
		}
		p.Sample = append(p.Sample, sample)
	}
	return p
}

func benchSite(line int, count, bytes int64) madeSite {
	return madeSite{[]string{"p.BenchmarkX", "testing.(*B).runN", "testing.(*B).launch"}, line, count, bytes}
}

// memTrials are two trials: what 100 operations allocate, and nothing of none.
func memTrials(sites ...madeSite) []Trial {
	trial := Trial{Small: madeAllocs(benchSite(1, 1, 16)), Large: madeAllocs(append(sites, benchSite(1, 1, 16))...), LargeN: 100}
	return []Trial{trial, trial}
}

func compareMade(t *testing.T, in Input) *assay.AllocChange {
	t.Helper()
	in.Root = "p.BenchmarkX"
	c, err := Compare(in)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCompareAllocsSums(t *testing.T) {
	c := compareMade(t, Input{
		Base:    memTrials(benchSite(10, 100, 4800), benchSite(20, 200, 3200)),
		Variant: memTrials(benchSite(10, 100, 3200), benchSite(20, 200, 3200), benchSite(30, 300, 9600)),
	})
	if c.BaseObjects != 3 || c.BaseBytes != 80 || c.VariantObjects != 6 || c.VariantBytes != 160 {
		t.Errorf("got totals %+v", c)
	}
	if !c.Exact || c.Same != 1 || c.N != 100 || c.Trials != 2 || len(c.Sites) != 2 {
		t.Fatalf("got %+v, want 2 sites that differ and 1 that does not", c)
	}
	if s := c.Sites[0]; s.Line != 30 || s.BaseObjects != 0 || s.VariantObjects != 3 || s.Size != 32 || s.File != "f.go" {
		t.Errorf("got first site %+v, want the new one of line 30", s)
	}
	if s := c.Sites[1]; s.Line != 10 || s.BaseBytes != 48 || s.VariantBytes != 32 || s.Size != 0 {
		t.Errorf("got second site %+v, want line 10 with a smaller object", s)
	}
}

// Lines that moved are the same sites, and the one that went is found among them.
func TestCompareAllocsMovedLines(t *testing.T) {
	c := compareMade(t, Input{
		Base:    memTrials(benchSite(10, 100, 1600), benchSite(11, 100, 4800), benchSite(12, 200, 6400), benchSite(20, 100, 1600)),
		Variant: memTrials(benchSite(11, 100, 1600), benchSite(12, 200, 6400), benchSite(13, 100, 1600)),
	})
	if len(c.Sites) != 1 || c.Same != 3 {
		t.Fatalf("got %+v, want one site lost", c)
	}
	if s := c.Sites[0]; s.Line != 11 || s.Size != 48 || s.BaseObjects != 1 || s.VariantObjects != 0 {
		t.Errorf("got %+v, want the 48 bytes of line 11 lost", s)
	}
}

// A block of tiny objects more or less is chance; a whole number is not, however
// few the operations.
func TestCompareAllocsChance(t *testing.T) {
	c := compareMade(t, Input{Base: memTrials(benchSite(10, 25, 400)), Variant: memTrials(benchSite(10, 26, 416))})
	if len(c.Sites) != 0 || c.Same != 1 {
		t.Errorf("got %+v of 25 and 26 blocks in 100 operations, want no difference", c)
	}
	few := func(n int64) []Trial {
		m := memTrials(benchSite(10, n, 16*n))
		m[0].LargeN, m[1].LargeN = 2, 2
		return m
	}
	if c := compareMade(t, Input{Base: few(2000), Variant: few(2002)}); len(c.Sites) != 1 {
		t.Errorf("got %+v of 1000 and 1001 objects, want a difference", c)
	}
	if c := compareMade(t, Input{Base: few(2000), Variant: few(2001)}); len(c.Sites) != 0 {
		t.Errorf("got %+v of 1000 and 1000.5 objects, want none", c)
	}
	base, variant := memTrials(benchSite(10, 300, 4800)), memTrials(benchSite(10, 320, 5120))
	variant[1] = base[0] // trials that overlap
	if c := compareMade(t, Input{Base: base, Variant: variant}); len(c.Sites) != 0 || c.Exact {
		t.Errorf("got %+v of trials that do not agree, want no difference, not exact", c)
	}
	if c := compareMade(t, Input{Base: memTrials(benchSite(9, 50, 800)), Variant: memTrials(benchSite(9, 50, 800), benchSite(10, 0, 0))}); c.Same != 1 {
		t.Errorf("got %+v with an empty sample, want one site", c)
	}
	// Below 0.005 objects and 1 byte an operation nothing is told; of few large
	// objects the bytes count.
	rare := memTrials(benchSite(10, 4, 64))
	rare[0].LargeN, rare[1].LargeN = 1000, 1000
	if c := compareMade(t, Input{Base: rare, Variant: memTrials()}); len(c.Sites) != 0 || c.BaseObjects != 0 {
		t.Errorf("got %+v of 4 objects in 1000 operations, want nothing", c)
	}
	rare = memTrials(benchSite(10, 4, 1<<20))
	rare[0].LargeN, rare[1].LargeN = 1000, 1000
	if c := compareMade(t, Input{Base: rare, Variant: memTrials()}); len(c.Sites) != 1 {
		t.Errorf("got %+v of 4 objects of 256 KiB in 1000 operations, want them", c)
	}
}

// The collector starts in the midst of an allocation, and allocates for itself, in
// the smaller or in the larger trial.
func TestCompareAllocsCollectorStarts(t *testing.T) {
	for _, n := range []int64{-2, 1} {
		c := compareMade(t, Input{
			Base:    memTrials(benchSite(10, 100, 4096000)),
			Variant: memTrials(benchSite(10, 100, 4096000), benchSite(10, n, 112*n)),
		})
		if len(c.Sites) != 0 || c.VariantObjects != 1 || !c.Exact {
			t.Errorf("got %+v with %d objects of the collector's, want the site to be the same", c, n)
		}
	}
}

// The harness allocates too, more in one process than in the next.
func TestCompareAllocsLeavesOutTheHarness(t *testing.T) {
	stacks := [][]string{
		{"fmt.Sprintf", "testing.prettyPrint", "testing.BenchmarkResult.String", "testing.(*B).processBench", "testing.(*B).run"},
		{"regexp.MatchString", "testing.(*matcher).fullName", "testing.(*B).Run", "p.BenchmarkX", "testing.(*B).runN"},
		{"regexp.MatchString", "testing.runBenchmarks.func1", "testing.(*B).runN", "testing.runBenchmarks"},
		{"p.init.0", "runtime.doInit1", "runtime.main"},
		{"compress/flate.NewWriter", "runtime/pprof.writeHeapProto", "testing.(*M).writeProfiles"},
		{"runtime.malg", "runtime.newproc1", "runtime.systemstack"},
	}
	var noise []madeSite
	for _, s := range stacks {
		noise = append(noise, madeSite{s, 5, 1000, 16000})
	}
	own := []madeSite{
		benchSite(10, 100, 1600),
		{[]string{"p.worker", "p.BenchmarkX.gowrap1"}, 12, 100, 1600},
		{[]string{"p.BenchmarkX.func1", "testing.(*B).RunParallel.func1"}, 14, 100, 1600},
		{[]string{"testing.(*B).ReportMetric", "p.BenchmarkX", "testing.(*B).runN"}, 16, 100, 1600},
	}
	c := compareMade(t, Input{Base: memTrials(append(own, noise...)...), Variant: memTrials(own...)})
	if len(c.Sites) != 0 || c.Same != len(own) || c.BaseObjects != float64(len(own)) {
		t.Errorf("got %+v, want %d sites that are the same", c, len(own))
	}
}

func TestCompareAllocsOfAProgram(t *testing.T) {
	main := func(n int64) []Trial {
		return []Trial{{Large: madeAllocs(madeSite{[]string{"main.f", "main.main", "runtime.main"}, 7, n, 16 * n},
			madeSite{[]string{"compress/flate.NewWriter", "runtime/pprof.writeHeapProto", "main.main"}, 9, n, n << 16}), LargeN: 1}}
	}
	c, err := Compare(Input{Base: main(1000), Variant: main(2000)})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Sites) != 1 || c.VariantObjects != 2000 || c.Sites[0].Function != "main.f" {
		t.Errorf("got %+v, want 1000 more objects of main.f", c)
	}
}

func TestAllocSiteOfTheRunTime(t *testing.T) {
	stack := func(names ...string) []string { return append(names, "p.BenchmarkX", "testing.(*B).runN") }
	for _, c := range []struct {
		stack         []string
		function, via string
	}{
		{stack("runtime.mallocgc", "runtime.growslice"), "p.BenchmarkX", "growslice"},
		{stack("runtime.mallocgcSmallNoScanSC4"), "p.BenchmarkX", ""},
		{stack("runtime.newobject", "internal/runtime/maps.(*Map).growToSmall", "runtime.mapassign_fast64"), "p.BenchmarkX", "mapassign_fast64"},
		{stack("runtime.mallocgc", "runtime.growslice p.grow[...]"), "p.grow[...]", "growslice"},
		{stack("strings.(*Builder).grow"), "strings.(*Builder).grow", ""},
		{stack("p.evil\x1b[31m\n"), "p.evil", ""},
	} {
		c1 := compareMade(t, Input{Base: memTrials(madeSite{c.stack, 10, 100, 1600}), Variant: memTrials()})
		if len(c1.Sites) != 1 || c1.Sites[0].Function != c.function || c1.Sites[0].Via != c.via {
			t.Errorf("%q: got %+v, want %s via %q", c.stack, c1.Sites, c.function, c.via)
		}
	}
}

func TestAllocTypes(t *testing.T) {
	decisions := []assay.Decision{
		{Kind: assay.DecisionEscape, File: "f.go", Line: 10, What: "make([]int, n)", Reason: "non-constant size"},
		{Kind: assay.DecisionEscape, File: "f.go", Line: 10, What: "&T{...}", Reason: "returned"},
		{Kind: assay.DecisionEscape, File: "f.go", Line: 20, What: "moved to heap: x", Reason: "captured\x1b[2J by a closure"},
		{Kind: assay.DecisionStack, File: "f.go", Line: 30, What: "new(T)"},
		{Kind: assay.DecisionEscape, File: "g.go", Line: 30, What: "new(U)"},
	}
	for _, c := range []struct {
		via          string
		line         int
		what, reason string
	}{
		{"runtime.makeslice", 10, "make([]int, n)", "non-constant size"},
		{"runtime.newobject", 10, "&T{...}", "returned"},
		{"runtime.mallocgc", 10, "make([]int, n), &T{...}", "non-constant size"},
		{"runtime.newobject", 20, "x", "captured by a closure"},
		{"runtime.newobject", 30, "", ""},
	} {
		site := benchSite(c.line, 100, 1600)
		site.stack = append([]string{c.via}, site.stack...)
		got := compareMade(t, Input{Base: memTrials(site), Variant: memTrials(), BaseDecisions: decisions}).Sites
		if len(got) != 1 || got[0].Type != c.what || got[0].Reason != c.reason {
			t.Errorf("%s at %d: got %+v, want %q, %q", c.via, c.line, got, c.what, c.reason)
		}
	}
}

func TestCompareAllocsErrors(t *testing.T) {
	good := memTrials(benchSite(10, 100, 1600))
	same, cpu, empty, none := memTrials()[:1:1], memTrials(), memTrials(), memTrials()
	same = []Trial{{Small: same[0].Small, Large: same[0].Large, SmallN: 100, LargeN: 100}}
	cpu[1].Large = &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples"}, {Type: "cpu"}}}
	empty[0].Large, none[1].Large = madeAllocs(), nil
	for _, c := range []struct {
		trials []Trial
		want   string
	}{
		{nil, "no memory profiles"}, {same, "100 and 100 operations"}, {cpu, "not one of memory"},
		{empty, "no samples"}, {none, "larger number"},
	} {
		for i, in := range []Input{{Base: c.trials, Variant: good}, {Base: good, Variant: c.trials}} {
			_, err := Compare(in)
			if side := []string{"base", "variant"}[i]; err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), side) {
				t.Errorf("got %v, want an error with %q and %q", err, c.want, side)
			}
		}
	}
}

// Profiles are files of others: whatever parses has to end in numbers.
func TestCompareAllocsStrangeProfiles(t *testing.T) {
	p := madeAllocs(benchSite(10, -5, 1<<62), benchSite(-1, math.MaxInt64, math.MinInt64), benchSite(11, 1, 1))
	p.Sample[0].Location[0].Line[0].Function = nil
	p.Sample[1].Location = append(p.Sample[1].Location, &profile.Location{})
	p.Sample = append(p.Sample, &profile.Sample{Value: []int64{7}}, &profile.Sample{Value: []int64{7, 7}})
	trials := []Trial{{Large: p, SmallN: -1, LargeN: 1}}
	c, err := Compare(Input{Base: trials, Variant: memTrials(), Root: "p.BenchmarkX"})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range c.Sites {
		if math.IsNaN(s.BaseBytes) || math.IsInf(s.BaseObjects, 0) || s.Size < 0 {
			t.Errorf("got %+v", s)
		}
	}
}

func TestManySites(t *testing.T) {
	var many []madeSite
	for line := range mostAligned + 10 {
		many = append(many, benchSite(line+2, 100, 1600))
	}
	c := compareMade(t, Input{Base: memTrials(many...), Variant: memTrials(many[1:]...)})
	if len(c.Sites) != 1 || c.Sites[0].Line != 2 || c.Same != len(many)-1 {
		t.Errorf("got %d sites, %d the same, want line 2 lost of %d", len(c.Sites), c.Same, len(many))
	}
}
