package answer

import (
	"cmp"
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// byPrice orders comparisons by the time until they are decided.
func byPrice(a, b view) int { return cmp.Compare(a.MoreTime, b.MoreTime) }

// openCells counts the single benchmarks that are not decided where the answer on the
// whole is; "" if all are.
func openCells(r *assay.Result, steps bool) string {
	cells := deciding(r, steps)
	open := 0
	for _, c := range cells {
		open += btoi(c.Verdict == assay.Unclear)
	}
	if open == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %s by benchmark", open, printable.Count(len(cells), "comparison"))
}
