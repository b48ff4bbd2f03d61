package answer

import (
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Measured is the number of benchmarks of which a result has a value of some metric.
func Measured(r *assay.Result) int {
	seen := map[assay.Benchmark]bool{}
	for _, tab := range r.Tables {
		for _, row := range tab.Rows {
			for _, c := range row.Cells {
				if c.N > 0 {
					seen[row.Benchmark] = true
				}
			}
		}
	}
	return len(seen)
}

// Coverage is "4 of 95 benchmarks measured" where more were asked for, "" where all have
// been measured: what an answer and a geomean are not about.
func Coverage(r *assay.Result) string {
	n := Measured(r)
	if r.Wanted <= n {
		return ""
	}
	return fmt.Sprintf("%s of %s measured", printable.Int(n), printable.Count(r.Wanted, "benchmark"))
}
