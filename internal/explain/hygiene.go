package explain

import (
	"fmt"
	"go/version"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A HygieneInput is what is known of one benchmark and of its trials.
type HygieneInput struct {
	Benchmark assay.Benchmark
	// Sources is the folder of the benchmark's package as it was built for the
	// base; *_test.go files are read from it. Nil is none.
	Sources fs.FS
	// Binary is the base's test binary, nil for none. Root is the symbol of the
	// benchmark's function in it, "pkg.BenchmarkX".
	Binary *binary.File
	Root   string
	// PerOp is the base's time of an operation in seconds, 0 where not known.
	PerOp float64
	// AllocsPerOp are the base's objects per operation.
	AllocsPerOp float64
	// N is the number of operations of a trial, and GCCycles the collections in it
	// that were not asked for; -1 is not known.
	N        int
	GCCycles float64
	// Toolchains has the version of Go of each variant, such as "go1.25.7".
	Toolchains map[string]string
}

// Hygiene says what is doubtful in a benchmark itself: that it measures nothing,
// or something else than it seems to. What cannot be read or is ambiguous is
// passed over, for a false warning is worse than none.
func Hygiene(in HygieneInput) []assay.Warning {
	src := readSource(in)
	dead, isDead := noWork(in, src)
	var out []assay.Warning
	for _, found := range []func() (assay.Warning, bool){
		func() (assay.Warning, bool) { return dead, isDead },
		func() (assay.Warning, bool) { return subNanosecond(in, src, isDead) },
		func() (assay.Warning, bool) { return unusedN(in, src) },
		func() (assay.Warning, bool) { return stoppedTimer(in, src) },
		func() (assay.Warning, bool) { return setupInLoop(in, src) },
		func() (assay.Warning, bool) { return fewCycles(in, src) },
		func() (assay.Warning, bool) { return loopChanged(in, src) },
	} {
		if w, ok := found(); ok {
			out = append(out, w)
		}
	}
	return out
}

// name is how messages call the benchmark.
func (in HygieneInput) name() string { return printable.Line(in.Benchmark.Name, maxName) }

// oneCycle is the shortest time in seconds that one turn of a loop can take: one
// clock cycle at 3.3 GHz. A turn has a taken branch, and no processor that Go
// compiles for takes more than one of the same loop a cycle; loops are not
// unrolled. At 5 GHz a cycle is 0.2 ns, so a live loop of one cycle can be below
// it on a fast machine, and such a loop is counting and little else.
const oneCycle = 0.3e-9

// subNanosecond warns of an operation that takes less than a cycle. Where several
// goroutines share the operations, or one turn of the loop does many of them, it
// may.
func subNanosecond(in HygieneInput, src *source, told bool) (assay.Warning, bool) {
	if told || in.PerOp <= 0 || in.PerOp >= oneCycle || src.sharesN() {
		return assay.Warning{}, false
	}
	return assay.Warning{Code: "sub-nanosecond",
		Text:  fmt.Sprintf("%s takes %.2g ns an operation, about one clock cycle: too little for any work", in.name(), 1e9*in.PerOp),
		Facts: append(src.facts(), "a loop that only counts takes that long: the compiler has most likely removed the rest"),
		Try:   keepAlive}, true
}

// keepAlive is the remedy for what the compiler removes.
const keepAlive = "for b.Loop() { ... } (Go 1.24), or store the result in a package-level variable"

// wantCycles is from how many collections on one more or fewer is no longer a
// large part of what a trial pays for them.
const wantCycles = 3

func fewCycles(in HygieneInput, src *source) (assay.Warning, bool) {
	if in.AllocsPerOp <= 0 || in.GCCycles < 0 || in.GCCycles >= wantCycles {
		return assay.Warning{}, false
	}
	text := fmt.Sprintf("%s allocates, but a trial of %d operations spans %.2g garbage collections", in.name(), in.N, in.GCCycles)
	return assay.Warning{Code: "few-cycles", Text: text,
		Facts: append(src.facts(), "trials with one collection more or fewer differ by its whole cost; fewer than 3 tell little of what collecting costs"),
		Try:   longerTrials(in)}, true
}

// longerTrials says how many operations would have enough collections.
func longerTrials(in HygieneInput) string {
	if in.GCCycles <= 0 || in.N <= 0 {
		return "longer trials: -benchtime=NUMBERx after \"--\""
	}
	return fmt.Sprintf("longer trials: -benchtime=%dx or more after \"--\"", int64(float64(in.N)*2*wantCycles/in.GCCycles))
}

// What the compiler does with the body of a "for b.Loop()" loop, seen by compiling
// one with go1.24.9, 1.25.7, 1.26.0 to 1.26.4, 1.26.8 and 1.27.2, and in their sources
// (cmd/compile/internal/inline/interleaved up to 1.25, .../bloop since): up to 1.25
// no call in it is inlined; since 1.26 calls are, and what is assigned is kept alive
// instead (go.dev/issue/73137), but what is assigned to _ only since 1.26.3.
const (
	loopInlines    = "go1.26"
	loopKeepsBlank = "go1.26.3"
	loopBefore     = "calls in the body of b.Loop are not inlined"
	loopAfter      = "calls in the body of b.Loop are inlined, their results kept alive"
	loopDropsBlank = "calls in the body of b.Loop are inlined, and what is assigned to _ may be removed"
)

// loopChanged warns where the variants' compilers treat the loop differently.
func loopChanged(in HygieneInput, src *source) (assay.Warning, bool) {
	loop, ok := src.bLoop()
	if !ok {
		return assay.Warning{}, false
	}
	facts := []string{loop.place}
	kinds := map[string]bool{}
	for _, variant := range slices.Sorted(maps.Keys(in.Toolchains)) {
		how := loopBody(in.Toolchains[variant], loop.blank)
		kinds[how] = true
		facts = append(facts, printable.Line(fmt.Sprintf("%s, %s: %s", variant, in.Toolchains[variant], how), maxName))
	}
	delete(kinds, "") // a toolchain that does not say which it is
	if len(kinds) < 2 {
		return assay.Warning{}, false
	}
	return assay.Warning{Code: "loop-changed",
		Text:  fmt.Sprintf("%s uses b.Loop, whose body is compiled differently by these toolchains: part of the difference may be the benchmark's own", in.name()),
		Facts: facts,
		Try:   "for range b.N, with the result stored in a package-level variable, for this comparison"}, true
}

// loopBody says what a toolchain does with the body of a b.Loop, "" where that is
// not known. Toolchains before 1.24 have none.
func loopBody(toolchain string, blank bool) string {
	toolchain, _, _ = strings.Cut(toolchain, " ") // experiments: "go1.26.8 X:..."
	toolchain, _, _ = strings.Cut(toolchain, "-") // vendors: "go1.26.8-suffix"
	lang := version.Lang(toolchain)
	switch {
	case lang == "" || version.Compare(lang, "go1.24") < 0:
		return ""
	case version.Compare(lang, loopInlines) < 0:
		return loopBefore
	case blank && lang == loopInlines && version.Compare(toolchain, loopKeepsBlank) < 0:
		return loopDropsBlank
	}
	return loopAfter
}
