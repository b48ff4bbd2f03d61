package hygiene

import (
	"fmt"
	"go/version"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/printable"
)

// The parts of the body of a "for b.Loop()" loop that releases compile differently.
const (
	loopCalls  = iota // calls
	loopBlank         // calls whose results are assigned to _
	loopHeader        // calls in the header of an if or a switch
	loopParts
)

// A loopRule says what some releases do with a part of the body of a b.Loop loop.
type loopRule struct {
	part int
	// from is the first release, before the first that does otherwise; "" is none yet.
	from, before string
	does         string // as messages say it
	drops        bool   // what the compiler inlines there may be removed
	source       string // where it is said
}

// loopRules are in the order of releases, for each part. We saw all by compiling such
// loops with go1.24.9, 1.25.7, each of 1.26.0 to 1.26.4, 1.26.8 and 1.27.2
// (TestSlowLoopRules), and in their compilers' sources: inline/interleaved up to 1.25,
// bloop since.
var loopRules = []loopRule{
	{loopCalls, "go1.24", "go1.26", "calls in the body of b.Loop are not inlined", false, "go.dev/issue/73137"},
	{loopCalls, "go1.26", "", "calls in the body of b.Loop are inlined, their results kept alive", false, "go.dev/doc/go1.26#testingpkgtesting"},
	{loopBlank, "go1.26", "go1.26.3", "calls in the body of b.Loop are inlined, and results assigned to _ may be removed", true, "go.dev/issue/77654"},
	{loopHeader, "go1.26", "", "calls in the header of an if or a switch in b.Loop are inlined, and may be removed", true, "cmd/compile/internal/bloop: it looks at statements only"},
}

// ruleOf is what a toolchain does with a part, the zero rule if unknown: there is no
// b.Loop before 1.24, and a toolchain may not say which it is.
func ruleOf(toolchain string, part int) (rule loopRule) {
	toolchain, _, _ = strings.Cut(toolchain, " ") // experiments: "go1.26.8 X:..."
	toolchain, _, _ = strings.Cut(toolchain, "-") // vendors: "go1.26.8-suffix"
	if !version.IsValid(toolchain) {
		return rule
	}
	for _, r := range loopRules {
		if (r.part == loopCalls || r.part == part) && !older(toolchain, r.from) && (r.before == "" || older(toolchain, r.before)) {
			rule = r // those of the part come behind those of all calls
		}
	}
	return rule
}

// older reports whether a toolchain comes before a release, whose candidates count as it.
func older(toolchain, release string) bool {
	if lang := version.Lang(toolchain); lang == release {
		return false
	}
	return version.Compare(toolchain, release) < 0
}

// loopChanged warns if the variants' compilers treat the loop differently.
func loopChanged(in Input, src *source) assay.Warning {
	loop, ok := src.bLoop()
	if !ok {
		return assay.Warning{}
	}
	for part := range loopParts {
		if part != loopCalls && !slices.ContainsFunc(loop.calls, func(c loopPart) bool { return c.part == part }) {
			continue
		}
		facts, sources := []string{loop.place}, map[string]bool{}
		kinds := map[string]bool{}
		for _, variant := range slices.Sorted(maps.Keys(in.Toolchains)) {
			rule := ruleOf(in.Toolchains[variant], part)
			kinds[rule.does], sources[rule.source] = true, true
			facts = append(facts, printable.Line(fmt.Sprintf("%s, %s: %s", variant, in.Toolchains[variant], rule.does), binary.MaxNameLen))
		}
		delete(kinds, "") // a toolchain that does not say which it is
		delete(sources, "")
		if len(kinds) > 1 {
			return assay.Warning{Code: assay.CodeLoopChanged,
				Text:   fmt.Sprintf("%s uses b.Loop, whose body is compiled differently by these toolchains: part of the difference may be the benchmark's own", in.name()),
				Facts:  append(facts, "see "+strings.Join(slices.Sorted(maps.Keys(sources)), ", ")),
				Advice: "for range b.N, with the result stored in a package-level variable, for this comparison"}
		}
	}
	return assay.Warning{}
}

// loopDrops warns of a call in a b.Loop loop of which the base's compiler, by what is
// known of its release, has left nothing in the binary.
func loopDrops(in Input, src *source, told bool) assay.Warning {
	loop, ok := src.bLoop()
	if told || !ok || in.Binary == nil || in.Root == "" {
		return assay.Warning{}
	}
	toolchain := in.Toolchains[in.Base]
	for _, c := range loop.calls {
		rule := ruleOf(toolchain, c.part)
		if !rule.drops || leftCode(in, src, c) {
			continue
		}
		w := assay.Warning{Code: assay.CodeLoopDrops,
			Text:   fmt.Sprintf("%s does not measure its call at %s: %s removed it", in.name(), c.place, printable.Line(toolchain, binary.MaxNameLen)),
			Facts:  []string{rule.does + " (" + rule.source + ")"},
			Advice: "store the result in a package-level variable"}
		if rule.before != "" {
			w.Facts = append(w.Facts, "repaired in "+rule.before)
			w.Advice = rule.before + " or later; or " + w.Advice
		}
		return w
	}
	return assay.Warning{}
}

// leftCode reports whether the lines of a call have instructions, or what was inlined
// there has. They may, if the benchmark's function is not found.
func leftCode(in Input, src *source, c loopPart) bool {
	found := false
	on := func(file string, line int) bool {
		return path.Base(file) == c.file && line >= c.first && line <= c.last
	}
	for _, fn := range loopHolders(in, src) {
		found = true
		if slices.ContainsFunc(in.Binary.Insts(fn), func(i binary.Inst) bool { return on(i.File, i.Line) && !isNop(i) }) ||
			slices.ContainsFunc(in.Binary.Inlined(fn), func(i binary.InlinedCall) bool { return on(i.File, i.Line) }) {
			return true
		}
	}
	return !found
}
