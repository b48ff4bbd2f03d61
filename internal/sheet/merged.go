package sheet

import (
	"slices"

	"github.com/seed-1318a441/assay"
)

// AcrossTable has the base's values of a metric on all machines of a merged result, each
// with its change from the first one.
func AcrossTable(m *assay.Merged, metric string) *Table {
	t := &Table{Columns: []Column{{Head: MetricWords(metric) + " of " + m.Machines[0].Result.Base}}}
	for i, x := range m.Machines {
		t.Columns = append(t.Columns, Column{Head: x.Name, Over: min(i, 1), Align: Point, Gap: 3, Limit: 20})
		if i > 0 {
			t.Columns = append(t.Columns, Column{Align: Point, Gap: 2})
		}
	}
	t.Heads()
	several := slices.ContainsFunc(m.Across, func(a assay.Across) bool { return a.Benchmark.Package != m.Across[0].Benchmark.Package })
	pkg := ""
	for i, a := range m.Across {
		if a.Metric != metric {
			continue
		}
		if several && (i == 0 || a.Benchmark.Package != pkg) {
			pkg = a.Benchmark.Package
			t.Group("pkg: "+pkg, i == 0)
		}
		t.Row(acrossCells(m, a)...)
	}
	return t
}

func acrossCells(m *assay.Merged, a assay.Across) []Cell {
	at := func(list []assay.Value, i int) assay.Value {
		if i < len(list) {
			return list[i]
		}
		return assay.Value{}
	}
	cells := []Cell{Word(a.Benchmark.Name)}
	first := relativeOn(&m.Machines[0].Result, a)
	for i := range m.Machines {
		value, change, rel := Word(None), Word(None), relativeOn(&m.Machines[i].Result, a)
		if v := at(a.Values, i); v.OK {
			value = ValueCell(a.Metric, v.X, rel)
		}
		cells = append(cells, value)
		if c := at(a.Changes, i); c.OK {
			change = Number(ChangeDigits(assay.Change(c.X), assay.Change(max(first, rel)*(1+c.X))), "%")
		}
		if i > 0 {
			cells = append(cells, change)
		}
	}
	return cells
}

// relativeOn is the relative uncertainty of a benchmark's values on a machine, as in that
// machine's own table, so that both print the same digits.
func relativeOn(r *assay.Result, a assay.Across) float64 {
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			if t.Metric.Name == a.Metric && row.Benchmark == a.Benchmark {
				return EntryOf(t, row).Relative()
			}
		}
	}
	return UnknownRel
}
