package sheet

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// gearMethods say how a gear measures, for those who ask how a run was measured.
var gearMethods = map[assay.Gear]string{
	assay.GearTurns:  "variants that take turns are all alive; one at a time runs for a tenth of a second; the time between its turns does not count",
	assay.GearSlices: "a benchmark that allocates nothing runs side by side in all variants: each runs a slice of about a millisecond while the others wait, in an order drawn for every round; the median over the rounds counts",
}

// longSlices says how older versions measured a benchmark that allocates.
const longSlices = "a benchmark that allocates does so in slices of a tenth of a second or more, which hold its garbage collections; their mean counts"

// GearMethods says how each gear in a plan measures.
func GearMethods(p *assay.Plan) (out []string) {
	for _, g := range slices.Backward(assay.Gears) {
		if p.HasGear(g) {
			out = append(out, gearMethods[g])
		}
	}
	if slices.ContainsFunc(p.Benchmarks, func(b assay.PlannedBenchmark) bool { return b.Long }) {
		out = append(out, longSlices)
	}
	return out
}

// PlannedGears says how the benchmarks of a plan are measured, such as "slices (2
// benchmarks), processes (1)"; "" if each trial is a process.
func PlannedGears(p *assay.Plan) string {
	n := map[assay.Gear]int{}
	for _, b := range p.Benchmarks {
		n[cmp.Or(b.Gear, assay.GearProcesses)]++
	}
	if n[assay.GearProcesses] == len(p.Benchmarks) {
		return ""
	}
	var parts []string
	for _, gear := range assay.Gears {
		if n[gear] > 0 {
			parts = append(parts, fmt.Sprintf("%s (%s)", gear, printable.Count(n[gear], "benchmark")))
		}
	}
	return strings.Join(parts, ", ")
}

// Gear says how a benchmark was measured.
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
	return text
}

// GearTable says it of every benchmark in the tables of a result.
func GearTable(r *assay.Result) *Table {
	t := &Table{Columns: []Column{{}}}
	t.Text("measured in", "")
	names := map[assay.Benchmark]string{}
	for _, table := range r.Tables {
		for _, row := range table.Rows {
			names[row.Benchmark] = table.NameOf(row.Benchmark)
		}
	}
	for _, g := range r.Gears {
		if name, shown := names[g.Benchmark]; shown {
			t.Text(name, Gear(g))
		}
	}
	return t
}
