package answer

import (
	"cmp"
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// byPrice orders comparisons by the time until they are decided.
func byPrice(a, b assay.Comparison) int { return cmp.Compare(a.MoreTime, b.MoreTime) }

// openText says which variants are not decided against the base, with the interval of a
// few; "" if none is open.
func openText(open []assay.Comparison, base string) string {
	if len(open) == 0 {
		return ""
	}
	var names []string
	for _, c := range open {
		name := c.Variant
		if c.Interval != nil && len(open) <= maxOpen {
			name += " " + Interval(c)
		}
		names = append(names, name)
	}
	return Few(names) + " against " + base
}

// maxOpen is the number of undecided variants with intervals.
const maxOpen = 2

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
