package cputime

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
)

const (
	benchRoot = "example.com/m.BenchmarkX"
	tick      = 10_000_000 // ns, of a sample
)

// underBench is the rest of the stack of a Go benchmark's own run.
const underBench = ";example.com/m.BenchmarkX;testing.(*B).runN;testing.(*B).launch;runtime.goexit"

// cpuProfile makes a CPU profile: stacks leaf first, frames between semicolons,
// those inlined into the next followed by "+", each with "@line" if need be; and
// how many samples each has.
func cpuProfile(samples map[string]int64) *profile.Profile {
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: tick, DurationNanos: 1e9,
	}
	functions := map[string]*profile.Function{}
	var stacks []string
	for s := range samples {
		stacks = append(stacks, s)
	}
	slices.Sort(stacks)
	for _, s := range stacks {
		sample := &profile.Sample{Value: []int64{samples[s], samples[s] * tick}}
		loc := new(profile.Location)
		for name := range strings.SplitSeq(s, ";") {
			name, inlined := strings.CutSuffix(name, "+")
			name, at, _ := strings.Cut(name, "@")
			n, _ := strconv.Atoi(at)
			if functions[name] == nil {
				functions[name] = &profile.Function{ID: uint64(len(functions) + 1), Name: name, Filename: "/home/of/nobody/" + "m.go"}
				p.Function = append(p.Function, functions[name])
			}
			loc.Line = append(loc.Line, profile.Line{Function: functions[name], Line: int64(n)})
			if !inlined {
				loc.ID = uint64(len(p.Location) + 1)
				p.Location = append(p.Location, loc)
				sample.Location = append(sample.Location, loc)
				loc = new(profile.Location)
			}
		}
		p.Sample = append(p.Sample, sample)
	}
	return p
}

// A pair of blocks, N = 1000 operations, base 2 ms, measured +50 %.
func exampleInput() Input {
	base := map[string]int64{
		"example.com/m.work@7" + underBench:                                                            100,
		"example.com/m.tiny@3+;example.com/m.work@8" + underBench:                                      40,
		"runtime.memclrNoHeapPointers;runtime.mallocgc;runtime.newobject" + underBench:                 20,
		"runtime.scanobject;runtime.gcDrain;runtime.systemstack;runtime.gcBgMarkWorker;runtime.goexit": 30,
	}
	variant := map[string]int64{
		"example.com/m.work@7" + underBench:                                                            100,
		"example.com/m.tiny@3" + ";example.com/m.work@8" + underBench:                                  90,
		"runtime.memclrNoHeapPointers;runtime.mallocgc;runtime.newobject" + underBench:                 10,
		"runtime.scanobject;runtime.gcDrain;runtime.systemstack;runtime.gcBgMarkWorker;runtime.goexit": 50,
		"example.com/m.extra@9" + underBench:                                                           20,
	}
	return Input{
		Base: []*profile.Profile{cpuProfile(base), cpuProfile(base)}, Variant: []*profile.Profile{cpuProfile(variant), cpuProfile(variant)},
		N: 1000, BaseValue: 2e-3, Confidence: 0.95, Root: benchRoot,
		Comparison: assay.Comparison{Value: 3e-3, Change: 0.5, Interval: &assay.Interval{Lo: 0.47, Hi: 0.53}},
	}
}

func compareCPU(t *testing.T, in Input) *assay.CPUChange {
	t.Helper()
	c, err := Compare(in)
	if err != nil {
		t.Fatal(err)
	}
	checkSums(t, c)
	return c
}

// checkSums holds the lists to the total, and that and the rest to the difference.
func checkSums(t *testing.T, c *assay.CPUChange) {
	t.Helper()
	near := func(got, want float64) bool { return math.Abs(got-want) <= 1e-9*(1e-9+math.Abs(want)) }
	for what, list := range map[string][]assay.Part{"functions": c.Functions, "packages": c.Packages, "categories": c.Categories} {
		var base, variant, change float64
		for _, p := range list {
			base, variant, change = base+p.Base, variant+p.Variant, change+float64(p.Change)
		}
		if !near(base, c.Total.Base) || !near(variant, c.Total.Variant) || math.Abs(change-float64(c.Total.Change)) > 1e-9*(1+c.Total.Base/c.Difference.Base) {
			t.Errorf("%s add up to %v, %v, %v: want the total %+v", what, base, variant, change, c.Total)
		}
	}
	if got := c.Total.Change + c.NotSeen.Change; math.Abs(float64(got-c.Difference.Change)) > 1e-9*(1+math.Abs(float64(c.Total.Change))) {
		t.Errorf("total and not seen are %v, want %v", got, c.Difference.Change)
	}
}

func partNamed(list []assay.Part, name string) assay.Part {
	i := slices.IndexFunc(list, func(p assay.Part) bool { return p.Name == name })
	if i < 0 {
		return assay.Part{}
	}
	return list[i]
}

func TestCompareCPU(t *testing.T) {
	c := compareCPU(t, exampleInput())
	if c.Blocks != 2 || c.BaseSamples != 380 || c.VariantSamples != 540 || c.N != 1000 {
		t.Errorf("got %d blocks, %d and %d samples of %d operations, want 2, 380, 540, 1000", c.Blocks, c.BaseSamples, c.VariantSamples, c.N)
	}
	// A sample of 10 ms in a trial of 1000 operations of 2 ms is 0.5 points.
	for _, w := range []struct {
		list          []assay.Part
		name          string
		base, variant float64
		change        assay.Change
	}{
		{c.Functions, "example.com/m.tiny", 40e-5, 90e-5, 0.25},
		{c.Functions, "example.com/m.extra", 0, 20e-5, 0.10},
		{c.Functions, "runtime.scanobject", 30e-5, 50e-5, 0.10},
		{c.Functions, "runtime.memclrNoHeapPointers", 20e-5, 10e-5, -0.05},
		{c.Functions, "example.com/m.work", 100e-5, 100e-5, 0},
		{c.Packages, "example.com/m", 140e-5, 210e-5, 0.35},
		{c.Packages, "runtime", 50e-5, 60e-5, 0.05},
		{c.Categories, CategoryProgram, 140e-5, 210e-5, 0.35},
		{c.Categories, CategoryMark, 30e-5, 50e-5, 0.10},
		{c.Categories, CategoryAllocation, 20e-5, 10e-5, -0.05},
		{[]assay.Part{c.Total}, "total", 190e-5, 270e-5, 0.40},
		{[]assay.Part{c.Difference}, "difference", 2e-3, 3e-3, 0.50},
		{[]assay.Part{c.NotSeen}, assay.NotSeen, 10e-5, 30e-5, 0.10},
	} {
		got := partNamed(w.list, w.name)
		if math.Abs(got.Base-w.base) > 1e-12 || math.Abs(got.Variant-w.variant) > 1e-12 || math.Abs(float64(got.Change-w.change)) > 1e-9 {
			t.Errorf("%s: got %v, %v, %v, want %v, %v, %v", w.name, got.Base, got.Variant, got.Change, w.base, w.variant, w.change)
		}
		if got.Interval == nil || !got.Interval.Covers(got.Change) {
			t.Errorf("%s: got interval %v, want one around %v", w.name, got.Interval, got.Change)
		}
	}
	if got, want := c.Functions[0].Name, "example.com/m.tiny"; got != want {
		t.Errorf("got %s first, want %s", got, want)
	}
	first := c.Lines[0]
	if first.Name != "example.com/m.tiny" || first.File != "m.go" || first.Line != 3 || math.Abs(float64(first.Change-0.25)) > 1e-9 {
		t.Errorf("got line %+v, want example.com/m.tiny m.go:3 +25 points", first)
	}
	// Blocks agree, so sampling alone is left: 80 of 380 and 180 of 540 samples,
	// half = 1.96 sqrt(80*(1-80/380) + 180*(1-180/540)) / 2 samples a block.
	want := 1.959964 * math.Sqrt(80*(1-80.0/380)+180*(1-180.0/540)) / 2 * 0.005
	if got := float64(c.Functions[0].Interval.Half()); math.Abs(got-want) > 1e-6 {
		t.Errorf("got a half-width of %v, want %v", got, want)
	}
	// The total has none, so what is not seen is as sure as the measured: 3 points.
	if got := c.NotSeen.Interval.Half(); math.Abs(float64(got-0.03)) > 1e-9 {
		t.Errorf("got a half-width of %v for what is not seen, want 0.03", got)
	}
}

// A part of the profile differs from block to block: paired t, by hand.
func TestCompareCPUBlocks(t *testing.T) {
	in := exampleInput()
	in.Base, in.Variant = nil, nil
	for _, k := range []int64{10, 14, 18} { // differences 10, 14, 18: mean 14, sd 4
		in.Base = append(in.Base, cpuProfile(map[string]int64{"example.com/m.work" + underBench: 20, "example.com/m.b" + underBench: 1000}))
		in.Variant = append(in.Variant, cpuProfile(map[string]int64{"example.com/m.work" + underBench: 20 + k, "example.com/m.b" + underBench: 1000}))
	}
	got := partNamed(compareCPU(t, in).Functions, "example.com/m.work")
	// t of 2 degrees at 97.5 % is 4.302653.
	if want := 4.302653 * 4 / math.Sqrt(3) * 0.005; math.Abs(float64(got.Interval.Half())-want) > 1e-6 {
		t.Errorf("got a half-width of %v, want %v", got.Interval.Half(), want)
	}
	in.Base, in.Variant = in.Base[:1], in.Variant[:1]
	if got := compareCPU(t, in); got.Total.Interval != nil || got.NotSeen.Interval != nil || got.Functions[0].Interval != nil {
		t.Errorf("got intervals from one block: %+v", got)
	}
}

// Intervals of parts hold the truth about as often as they say, or more often.
func TestIntervalsCover(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 11))
	names := []string{"example.com/m.a", "example.com/m.b", "runtime.c", "example.com/m.d"}
	rates := [2][4]float64{{300, 25, 8, 60}, {300, 40, 12, 20}}
	for _, blocks := range []int{2, 5, 10} {
		covered, all := 0, 0
		for range 300 {
			in := Input{N: 1, BaseValue: 1, Confidence: 0.95, Root: benchRoot}
			for range blocks {
				in.Base = append(in.Base, poissonProfile(rng, names, rates[0]))
				in.Variant = append(in.Variant, poissonProfile(rng, names, rates[1]))
			}
			c := compareCPU(t, in)
			for i, name := range names {
				p := partNamed(c.Functions, name)
				if p.Name == "" {
					continue // among the others
				}
				all++
				if p.Interval.Covers(assay.Change((rates[1][i] - rates[0][i]) * tick / 1e9)) {
					covered++
				}
			}
		}
		// 1200 intervals, those of one run nearly independent: sd 0.7 %.
		if got := float64(covered) / float64(all); got < 0.93 || got > 0.995 || all < 1000 {
			t.Errorf("%d blocks: %d of %d intervals hold the truth (%.3f), want about 0.95 or somewhat more", blocks, covered, all, got)
		}
	}
}

// poissonProfile is a profile with a Poisson number of samples of each function.
func poissonProfile(rng *rand.Rand, names []string, rates [4]float64) *profile.Profile {
	samples := map[string]int64{}
	for i, name := range names {
		for left := rates[i] - rng.ExpFloat64(); left > 0; left -= rng.ExpFloat64() {
			samples[name+underBench]++
		}
	}
	return cpuProfile(samples)
}

func TestListsAreShort(t *testing.T) {
	in := exampleInput()
	base, variant := map[string]int64{}, map[string]int64{}
	for i := range int64(200) {
		name := "example.com/p" + strconv.FormatInt(i, 10) + ".f"
		base[name+underBench], variant[name+underBench] = 100+i, 100+2*i
		for line := range int64(20) {
			variant["example.com/p199.f@"+strconv.FormatInt(line+1, 10)+underBench] = 10 * line
		}
	}
	in.Base, in.Variant = []*profile.Profile{cpuProfile(base)}, []*profile.Profile{cpuProfile(variant)}
	c := compareCPU(t, in)
	if got := len(c.Functions); got != mostFunctions+1 || c.Functions[got-1].Name != Others {
		t.Errorf("got %d functions, the last %q, want %d and %q", got, c.Functions[got-1].Name, mostFunctions+1, Others)
	}
	if got := len(c.Packages); got != mostPackages+1 {
		t.Errorf("got %d packages, want %d", got, mostPackages+1)
	}
	if got := len(c.Lines); got != mostLines {
		t.Errorf("got %d lines, want %d", got, mostLines)
	}
}

func TestCompareCPUErrors(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(in *Input)
	}{
		{"one side short", "2 of the base and 1 of the variant", func(in *Input) { in.Variant = in.Variant[:1] }},
		{"no profiles", "0 of the base", func(in *Input) { in.Base, in.Variant = nil, nil }},
		{"no profile", "block 2 of the base", func(in *Input) { in.Base[1] = nil }},
		{"no operations", "trials of 0 operations", func(in *Input) { in.N = 0 }},
		{"no value", "the base takes NaN", func(in *Input) { in.BaseValue = math.NaN() }},
		{"confidence", "confidence of 95", func(in *Input) { in.Confidence = 95 }},
		{"memory profile", "no value cpu/nanoseconds", func(in *Input) { in.Base[0].SampleType[1].Type = "space" }},
		{"negative", "a sample of -1 ns", func(in *Input) { in.Base[0].Sample[0].Value[1] = -1 }},
		{"huge", "a sample of 9223372036854775807 ns", func(in *Input) { in.Base[0].Sample[0].Value[1] = math.MaxInt64 }},
		{"short sample", "1 values of 2", func(in *Input) { in.Base[0].Sample[0].Value = []int64{1} }},
	} {
		in := exampleInput()
		c.change(&in)
		if _, err := Compare(in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", c.name, err, c.want)
		}
	}
}

func TestNoSamples(t *testing.T) {
	in := exampleInput()
	in.Variant = []*profile.Profile{cpuProfile(map[string]int64{"example.com/m.work" + underBench: 2}), cpuProfile(nil)}
	_, err := Compare(in)
	got, ok := errors.AsType[*ErrNoSamples](err)
	// Two samples in two trials of a second: a hundred take 100 s a trial, cut to 60.
	if want := (ErrNoSamples{Side: "variant", Samples: 2, Seconds: 60}); !ok || *got != want {
		t.Fatalf("got %v, want %+v", err, want)
	}
	in.Variant = []*profile.Profile{cpuProfile(nil), cpuProfile(nil)}
	_, err = Compare(in)
	if want := "compare CPU profiles: 0 samples of the variant: a trial has to take 1 s"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Names of a profile are anybody's: nothing of them reaches a terminal.
func TestHostileNames(t *testing.T) {
	in := exampleInput()
	evil := "example.com/m.\x1b[31mf\x07\n" + strings.Repeat("x", 5000)
	for _, p := range slices.Concat(in.Base, in.Variant) {
		p.Function[0].Name, p.Function[0].Filename = evil, "C:\\a\\\x1b[0mb.go"
		p.Sample = append(p.Sample, &profile.Sample{Value: []int64{1, tick}}, &profile.Sample{Location: []*profile.Location{nil, {}}, Value: []int64{1, tick}})
	}
	c := compareCPU(t, in)
	for _, p := range slices.Concat(c.Functions, c.Packages, c.Lines) {
		if strings.ContainsAny(p.Name+p.File, "\x1b\x07\n") || len(p.Name) > 1000 {
			t.Errorf("got %q in %q, want it printable and short", p.Name, p.File)
		}
	}
	if partNamed(c.Functions, unknownFrame).Base == 0 {
		t.Errorf("got %v, want a part of %s", c.Functions, unknownFrame)
	}
}

// A small file can name a long list of inlined calls any number of times.
func TestCompareCPUBounded(t *testing.T) {
	in := exampleInput()
	p := in.Base[0]
	long := &profile.Location{ID: 1}
	for range 10_000 {
		long.Line = append(long.Line, profile.Line{Function: p.Function[0]})
	}
	s := &profile.Sample{Value: []int64{1, tick}}
	for range 10_000 {
		s.Location = append(s.Location, long)
	}
	p.Sample = []*profile.Sample{s}
	if all, err := readStacks(p, ""); err != nil || len(all[0].frames) != mostStack {
		t.Errorf("got %d stacks (%v), want one of %d frames", len(all), err, mostStack)
	}
	for range mostFrames/mostStack + 1 {
		p.Sample = append(p.Sample, s)
	}
	if _, err := Compare(in); err == nil || !strings.Contains(err.Error(), "frames") {
		t.Errorf("got %v, want an error with frames", err)
	}
}

func FuzzCompareCPU(f *testing.F) {
	in := exampleInput()
	for _, p := range []*profile.Profile{in.Base[0], in.Variant[0]} {
		var b bytes.Buffer
		if err := p.WriteUncompressed(&b); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := profile.ParseUncompressed(data)
		if err != nil || p.CheckValid() != nil {
			return
		}
		in := exampleInput()
		in.Variant = []*profile.Profile{p, p}
		HotFunctions(in)
		InlinedInto(in.Variant)
		if c, err := Compare(in); err == nil {
			checkSums(t, c)
		}
	})
}
