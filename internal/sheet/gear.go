package sheet

import (
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Gear says how a benchmark was measured, and what a plain run of the base took beside: a
// gear that measures something else is none.
func Gear(g assay.GearOf) string {
	text := string(g.Gear)
	switch {
	case g.Gear == assay.GearSlices && g.Long:
		text = fmt.Sprintf("%d long slices of %s", g.Slices, printable.Count(g.N, "operation"))
	case g.Gear == assay.GearSlices:
		text = fmt.Sprintf("%d short slices of %s", g.Slices, printable.Count(g.N, "operation"))
	case g.Gear == assay.GearProcesses && g.N > 1:
		text += " of " + printable.Count(g.N, "operation")
	}
	if g.Plain > 0 {
		text += "; a plain run: " + Value(assay.Metric{Name: assay.MetricTime}, g.Plain, 0.01)
	}
	return text
}

// GearTable says it of every benchmark of a result.
func GearTable(r *assay.Result) *Table {
	t := &Table{Columns: []Column{{}}}
	t.Text("measured in", "")
	for _, g := range r.Gears {
		t.Text(g.Benchmark.Name, Gear(g))
	}
	return t
}
