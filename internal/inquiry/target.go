package inquiry

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/shell"
)

// A target is what to explain of one benchmark.
type target struct {
	metric assay.Metric
	row    assay.Row
	cells  []assay.Comparison
}

// targetsOf finds what to explain: the benchmarks with that name, else those that changed
// most. For each it takes the variants that changed, or the requested one whatever its
// verdict.
func targetsOf(r *assay.Result, p *assay.Plan, name, variant string) ([]target, error) {
	table := explained(r)
	if table == nil {
		return nil, assay.UsageError(assay.CodeNothingToExplain, fmt.Sprintf("run %s has no measured comparison", r.Run), "assay show "+r.Run)
	}
	if variant != "" && !slices.ContainsFunc(r.Variants, func(v assay.VariantResult) bool { return v.Name == variant && v.Name != r.Base }) {
		return nil, assay.UsageError(assay.CodeNothingToExplain, fmt.Sprintf("run %s has no variant %q beside the base", r.Run, variant), "assay show "+r.Run)
	}
	var out []target
	for _, row := range table.Rows {
		if name != "" && !strings.Contains(row.Benchmark.String(), name) {
			continue
		}
		t := target{metric: table.Metric, row: row, cells: changedCells(r, row, variant)}
		if len(t.cells) == 0 && name != "" {
			t.cells = measuredCells(row, variant)
		}
		if len(t.cells) > 0 {
			out = append(out, t)
		}
	}
	if exact := slices.IndexFunc(out, func(t target) bool { return t.row.Benchmark.Name == name }); exact >= 0 {
		out = out[exact : exact+1]
	}
	if len(out) == 0 {
		return nil, noTarget(r, p, table, name)
	}
	slices.SortStableFunc(out, func(a, b target) int { return cmp.Compare(b.largest(), a.largest()) })
	return out[:min(len(out), mostExplained)], nil
}

// explained returns the table whose differences are explained: that of time, else the
// first that decides.
func explained(r *assay.Result) *assay.Table {
	i := slices.IndexFunc(r.Tables, func(t assay.Table) bool { return t.Metric.Name == assay.MetricTime })
	if i < 0 {
		i = slices.IndexFunc(r.Tables, func(t assay.Table) bool { return t.Decides })
	}
	if i < 0 {
		return nil
	}
	return &r.Tables[i]
}

// changedCells returns the row's cells of variants that changed, in time or in
// allocations.
func changedCells(r *assay.Result, row assay.Row, variant string) []assay.Comparison {
	return slices.DeleteFunc(measuredCells(row, variant), func(c assay.Comparison) bool {
		return !different(c) && !slices.ContainsFunc(r.Tables, func(t assay.Table) bool {
			return (t.Metric.Name == assay.MetricAllocs || t.Metric.Name == assay.MetricBytes) && differsIn(t, c)
		})
	})
}

func different(c assay.Comparison) bool { return c.Verdict.Good() || c.Verdict.Bad() }

// differsIn reports whether a table has a difference for the benchmark and variant of
// a cell of another table.
func differsIn(t assay.Table, c assay.Comparison) bool {
	return slices.ContainsFunc(t.Rows, func(row assay.Row) bool {
		return row.Benchmark == c.Benchmark && slices.ContainsFunc(row.Cells, func(o assay.Comparison) bool { return o.Variant == c.Variant && different(o) })
	})
}

func measuredCells(row assay.Row, variant string) (out []assay.Comparison) {
	for _, c := range row.Cells {
		if c.N > 0 && (variant == "" || c.Variant == variant) {
			out = append(out, c)
		}
	}
	return out
}

// keepLargest keeps the variants that changed most.
func (t *target) keepLargest(most int) {
	slices.SortStableFunc(t.cells, func(a, b assay.Comparison) int {
		return cmp.Compare(math.Abs(b.Change.Log()), math.Abs(a.Change.Log()))
	})
	t.cells = t.cells[:min(len(t.cells), most)]
}

func (t target) largest() (size float64) {
	for _, c := range t.cells {
		size = max(size, math.Abs(c.Change.Log()))
	}
	return size
}

// noTarget says why there is nothing to explain.
func noTarget(r *assay.Result, p *assay.Plan, t *assay.Table, name string) error {
	run := cmp.Or(r.Ref, r.Run)
	if name == "" {
		e := assay.UsageError(assay.CodeNothingToExplain, fmt.Sprintf("no benchmark of run %s has changed", run), "assay show "+shell.Quote(run))
		if len(t.Rows) > 0 {
			e.Facts = []string{"one that is named is explained all the same"}
			e.Try = shell.Join(append([]string{"assay", "explain"}, shell.Words(run, t.Rows[0].Benchmark.Name)...))
		}
		return e
	}
	e := runs.NoBenchmark(run, name, t.Rows, "explain")
	for _, b := range p.Benchmarks {
		if strings.Contains(b.String(), name) && len(b.Missing) > 0 {
			e.Facts = append(e.Facts, fmt.Sprintf("%s is not in %s: renamed there?", b.Name, strings.Join(b.Missing, ", ")))
		}
	}
	if len(e.Facts) == 0 {
		var names []string
		for _, row := range t.Rows[:min(len(t.Rows), 8)] {
			names = append(names, row.Benchmark.Name)
		}
		e.Facts = append(e.Facts, "it has "+strings.Join(names, ", "))
	}
	return e
}

// mostExplained is the maximum number of benchmarks to explain if none is named.
const mostExplained = 5
