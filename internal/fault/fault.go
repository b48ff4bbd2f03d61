// Package fault ends the program when assay itself is wrong: a panic in any goroutine is
// said to be a fault of assay, with an exit status of its own. A run keeps what it measured
// (package record syncs each block), so nothing has to be saved then.
package fault

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/seed-1318a441/assay"
)

// Exit, deferred first in a goroutine, ends the program with [assay.ExitFault] and a report
// on stderr if the goroutine panics. Without it the runtime would exit with status 2, which
// is a usage error of assay's.
func Exit() {
	if v := recover(); v != nil {
		report(os.Stderr, v, debug.Stack())
		os.Exit(assay.ExitFault)
	}
}

// report writes what a panic was, and what to do.
func report(w io.Writer, v any, stack []byte) {
	fmt.Fprintf(w, `assay: this is a fault of assay, not of your code or your machine   [%s]
  panic: %v
  assay keeps what it measured; please report these lines
  assay %s, %s %s/%s
%s`, assay.CodeFault, v, assay.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, stack)
}
