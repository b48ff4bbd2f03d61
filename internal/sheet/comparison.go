package sheet

import (
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
)

// A Comparison is one of a table. Its benchmark is the zero value where it is about the
// geomean.
type Comparison struct {
	assay.Comparison
	Against string  // the variant that it is compared with
	Base    float64 // the value of that variant, NaN where it is not known
}

// Comparisons are those of a table: rows, geomean, and each step with the previous one.
func Comparisons(r *assay.Result, t assay.Table) (all []Comparison) {
	add := func(b assay.Benchmark, c assay.Comparison, against string, base float64) {
		c.Benchmark = b
		all = append(all, Comparison{c, against, base})
	}
	for _, row := range t.Rows {
		for _, c := range row.Cells {
			add(row.Benchmark, c, r.Base, row.Base)
		}
	}
	for _, c := range t.Geomean {
		add(assay.Benchmark{}, c, r.Base, GeomeanBase(t))
	}
	for _, s := range t.Steps {
		for _, c := range s.Cells {
			add(c.Benchmark, c, s.Previous, previousValue(r, t, c.Benchmark, c, s.Previous))
		}
		if s.Whole != nil && len(t.Geomean) > 0 {
			add(assay.Benchmark{}, *s.Whole, s.Previous, previousValue(r, t, assay.Benchmark{}, *s.Whole, s.Previous))
		}
	}
	return all
}

// previousValue is the value of the previous step. It follows from the change where that
// is a ratio, since that is over the blocks with both steps, while the previous step's
// own value is over others.
func previousValue(r *assay.Result, t assay.Table, b assay.Benchmark, c assay.Comparison, previous string) float64 {
	if ratio := 1 + float64(c.Change); ratio > 0 && !(c.Change == 0 && c.Verdict.Differs()) {
		return c.Value / ratio
	}
	e := Entry{Base: GeomeanBase(t), Cells: t.Geomean}
	if b != (assay.Benchmark{}) {
		e = Entry{Base: math.NaN()}
	}
	if i := slices.IndexFunc(t.Rows, func(row assay.Row) bool { return row.Benchmark == b }); i >= 0 {
		e = EntryOf(t, t.Rows[i])
	}
	if previous == r.Base {
		return e.Base
	}
	if own, ok := e.Of(previous); ok {
		return own.Value
	}
	return math.NaN()
}
