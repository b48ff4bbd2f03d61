package sheet

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Gear says how a benchmark was measured, and what a plain run of the base took beside: a
// gear that measures something else is none.
func Gear(g assay.GearOf) string {
	text := string(g.Gear)
	switch {
	case g.Gear == assay.GearSlices && g.Long:
		text = printable.Count(g.Slices, "long slice") + " of " + printable.Count(g.N, "operation")
	case g.Gear == assay.GearSlices:
		text = printable.Count(g.Slices, "short slice") + " of " + printable.Count(g.N, "operation")
	case g.Gear == assay.GearProcesses && g.N > 1:
		text += " of " + printable.Count(g.N, "operation")
	}
	if g.Plain > 0 {
		text += "; a plain run: " + Value(assay.Metric{Name: assay.MetricTime}, g.Plain, 0.01)
	}
	return text
}

// GearTable says it of every benchmark in the tables of a result.
func GearTable(r *assay.Result) *Table {
	t := &Table{Columns: []Column{{}}}
	t.Text("measured in", "")
	shown := map[assay.Benchmark]bool{}
	for _, table := range r.Tables {
		for _, row := range table.Rows {
			shown[row.Benchmark] = true
		}
	}
	for _, g := range r.Gears {
		if shown[g.Benchmark] {
			t.Text(g.Benchmark.Name, Gear(g))
		}
	}
	return t
}
