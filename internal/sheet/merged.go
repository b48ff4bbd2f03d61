package sheet

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
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
	pkg, first := "", true
	for _, a := range m.Across {
		if a.Metric != metric {
			continue
		}
		if several && (first || a.Benchmark.Package != pkg) {
			pkg = a.Benchmark.Package
			t.Group("pkg: "+pkg, first)
		}
		first = false
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

// mostOver is how many variants a table over machines has without --all.
const mostOver = 6

// OverTable has the change of each variant on every machine of a merged result, whether it
// is confirmed, and below it how the machines differ. Without all it has the variants of
// which something is confirmed first, and of differences between machines those claimed,
// but that of two machines always. It is nil where the machines have no comparison.
func OverTable(m *assay.Merged, all bool) *Table {
	if len(m.Heads) == 0 {
		return nil
	}
	heads := slices.Clone(m.Heads)
	if !all {
		slices.SortStableFunc(heads, func(a, b assay.MergedHead) int { return confirmedOn(b) - confirmedOn(a) })
		heads = heads[:min(len(heads), mostOver)]
	}
	what := "variant and machine"
	if len(m.Heads) == 1 {
		what = heads[0].Variant + " on"
	}
	t := &Table{Columns: []Column{{Head: what}, {Head: "vs " + m.Machines[0].Result.Base, Over: 1, Align: Point, Gap: 3}, Interval(false), {Gap: 2}, {Gap: 2}}}
	if len(m.Heads) == 1 {
		t.Columns[1].Head = MetricWords(heads[0].Metric.Name) + " vs " + m.Machines[0].Result.Base
	}
	t.Heads()
	for _, h := range heads {
		indent := ""
		if len(m.Heads) > 1 {
			t.Text(h.Variant, MetricWords(h.Metric.Name)+", "+OnMachines(h))
			indent = "  "
		}
		for i, x := range h.On {
			t.Row(overCells(m, h, i, x, indent)...)
		}
		for _, x := range m.Interactions {
			if x.Variant == h.Variant && x.Metric == h.Metric.Name && (all || x.Verdict == assay.Changed || len(m.Machines) == 2) {
				t.Row(betweenCells(m, x, indent)...)
			}
		}
	}
	if n := len(m.Heads) - len(heads); n > 0 {
		t.Text("", "… "+printable.Int(n)+" more (--all shows them)")
	}
	return t
}

func confirmedOn(h assay.MergedHead) (n int) {
	for _, x := range h.On {
		if x.Confirmed {
			n++
		}
	}
	return n
}

// OnMachines is "confirmed on 3 of 4 machines", of those that count.
func OnMachines(h assay.MergedHead) string {
	return fmt.Sprintf("confirmed on %d of %s", confirmedOn(h), printable.Count(h.Of, "machine"))
}

func overCells(m *assay.Merged, h assay.MergedHead, i int, x assay.HeadOn, indent string) []Cell {
	change, interval, _ := ChangeCells(Entry{Metric: h.Metric, Base: math.NaN(), Cells: []assay.Comparison{x.Comparison}}, x.Comparison)
	cells := []Cell{Word(indent + m.Machines[i].Name), change, interval}
	if x.N == 0 {
		return append(cells, Word("not measured"))
	}
	return append(cells, Toned(VerdictWords(x.Comparison), ToneOf(x.Verdict)), Word(ConfirmedWord(m, i, x)))
}

// ConfirmedWord says whether a difference on a machine is confirmed over all machines; ""
// where there is none.
func ConfirmedWord(m *assay.Merged, machine int, x assay.HeadOn) string {
	switch {
	case m.Machines[machine].Result.Platform.Emulated != "":
		return "emulated: not counted"
	case x.Confirmed:
		return "confirmed"
	case x.Verdict.Differs():
		return "not confirmed"
	}
	return ""
}

func betweenCells(m *assay.Merged, x assay.Interaction, indent string) []Cell {
	change, interval := Word(None), Cell{}
	if x.Interval != nil && !x.Interval.SaysNothing() {
		change, interval = Number(ChangeDigits(x.Change, x.Interval.Half()), "%"), Word(x.Interval.String())
	}
	a, b := x.Machines[0], x.Machines[1]
	return []Cell{Word(indent + m.Machines[b].Name + " against " + m.Machines[a].Name), change, interval, Word(DifferWord(x)), Word("")}
}

// DifferWord says whether a variant's changes on two machines differ.
func DifferWord(x assay.Interaction) string {
	switch {
	case x.Verdict == assay.Changed && x.MayBeSmall:
		return "differs, may be small"
	case x.Verdict == assay.Changed:
		return "differs"
	case x.Verdict == assay.Invalid:
		return "no constant difference"
	}
	return assay.Comparison{Verdict: x.Verdict, Interval: x.Interval}.Words()
}
