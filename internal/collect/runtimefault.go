package collect

import (
	"slices"
	"strings"
)

// runtimeFaults are the faults of the Go runtime itself: checks of the scheduler's own
// books, which no program keeps or can reach without unsafe, cgo or a data race that
// corrupts memory. They are calls of throw in src/runtime/proc.go of Go 1.26, in the
// functions that the texts name. golang/go#63761, open, has the second.
//
// Not every throw is here: those of the collector and the allocator are what a program
// that corrupts its heap dies of. Nor is what the runtime reports by fatal, such as
// deadlocks and concurrent map writes, or when memory or a stack runs out: these are
// the program's.
var runtimeFaults = []string{
	"checkdead: inconsistent counts",
	"checkdead: runnable g",
	"checkdead: no p for timer",
	"checkdead: no m for timer",
	"startm: m is spinning",
	"startm: m has p",
	"startm: p has runnable gs",
	"wakep: negative nmspinning",
	"findRunnable: negative nmspinning",
}

// RuntimeFault returns the fault of the Go runtime itself that ended the program, such as
// "checkdead: runnable g"; "" if it ended otherwise.
func (w *StderrWriter) RuntimeFault() string {
	fault, fatal := strings.CutPrefix(w.Crash(), "fatal error: ")
	if !fatal || !slices.Contains(runtimeFaults, fault) {
		return ""
	}
	return fault
}
