package sample

import (
	"fmt"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// checkdeadIssue is where the Go project follows the faults that checkdead reports.
const checkdeadIssue = "golang/go#63761"

// runtimeWarning describes the faults of the Go runtime in a benchmark, counted by f.
func (b *Benchmark) runtimeWarning(f *faulty) assay.Warning {
	w := assay.Warning{Code: assay.CodeRuntimeFault,
		Text: fmt.Sprintf("%s died of a fault of the Go runtime in %d of %s", b.called(), len(f.spoiled), printable.Count(f.blocks, "block"))}
	w.Facts = []string{f.firstFailure(), "its output: " + logOf(b.set.Plan.Run, f.first.ID)}
	if strings.HasPrefix(f.first.RuntimeFault, "checkdead: ") {
		w.Facts = append(w.Facts, "this is a bug of the Go runtime, not of your code: "+checkdeadIssue)
	}
	switch {
	case f.out && !f.broken:
		w.Code = assay.CodeBenchFailed
		w.Facts = append(w.Facts, "excluded from the comparison for every variant: in more than 1 of 3 blocks, cgo, unsafe or a data race may be the cause")
	case b.Failed == "":
		w.Facts = append(w.Facts, f.leftOut())
	}
	return w
}
