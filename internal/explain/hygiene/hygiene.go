// Package hygiene finds what is doubtful in a benchmark itself, in its source and its
// compiled loop: it measures nothing, or something else than it seems to. It runs nothing
// and compares no variants.
package hygiene

import (
	"fmt"

	"github.com/seed-1318a441/assay"
)

// Check warns of a benchmark that measures nothing, or something else than it seems to.
// It ignores what it cannot read and what is ambiguous: a false warning is worse than
// none.
func Check(in Input) []assay.Warning {
	src := readSource(in)
	known := src
	if src == nil || src.open {
		known = &source{} // it has no loops to doubt
	}
	dead := noWork(in, known)
	told := dead.Code != ""
	var out []assay.Warning
	for _, w := range []assay.Warning{
		dead, subNanosecond(in, src, told), unusedN(in, known), stoppedTimer(in, known), setupInLoop(in, known),
		fewCycles(in, src), loopChanged(in, known), loopDrops(in, known, told),
	} {
		if w.Code != "" { // no doubt
			out = append(out, w)
		}
	}
	return out
}

// oneCycle is the shortest time in seconds of one turn of a loop: one clock cycle at 3.3
// GHz. A turn has a taken branch, and no processor that Go compiles for takes more than
// one of the same loop a cycle; loops are not unrolled. At 5 GHz a cycle is 0.2 ns, so a
// live loop of one cycle can be below it, but such a loop is counting and little else.
const oneCycle = 0.3e-9

// subNanosecond warns of an operation that takes less than a cycle, unless several
// goroutines share the operations, or one turn of the loop does many of them.
func subNanosecond(in Input, src *source, told bool) assay.Warning {
	if told || in.PerOp <= 0 || in.PerOp >= oneCycle || src.sharesN() {
		return assay.Warning{}
	}
	return assay.Warning{Code: assay.CodeSubNanosecond,
		Text:   fmt.Sprintf("%s takes %.2g ns an operation, about one clock cycle: too little for any work", in.name(), 1e9*in.PerOp),
		Facts:  append(src.facts(), "a loop that only counts takes that long: the compiler has most likely removed the rest"),
		Advice: keepAlive}
}

// keepAlive is the remedy for what the compiler removes.
const keepAlive = "for b.Loop() { ... } (Go 1.24), or store the result in a package-level variable"

// wantCycles is the number of collections from which one more or fewer is no longer a
// large part of their cost in a trial.
const wantCycles = 3

func fewCycles(in Input, src *source) assay.Warning {
	if in.AllocsPerOp <= 0 || in.GCCycles < 0 || in.GCCycles >= wantCycles {
		return assay.Warning{}
	}
	text := fmt.Sprintf("%s allocates, but a trial of %d operations spans %.2g garbage collections", in.name(), in.N, in.GCCycles)
	return assay.Warning{Code: assay.CodeFewCycles, Text: text,
		Facts:  append(src.facts(), "trials with one collection more or fewer differ by its whole cost; fewer than 3 hardly show the cost of collection"),
		Advice: longerTrials(in)}
}

// longerTrials says how many operations would have enough collections.
func longerTrials(in Input) string {
	if in.GCCycles <= 0 || in.N <= 0 {
		return "longer trials: -benchtime=NUMBERx after \"--\""
	}
	return fmt.Sprintf("longer trials: -benchtime=%dx or more after \"--\"", int64(float64(in.N)*2*wantCycles/in.GCCycles))
}
