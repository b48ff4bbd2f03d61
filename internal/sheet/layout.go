package sheet

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A Layout says which columns a table of comparisons has. A change with its interval and
// its verdict is in all of them.
type Layout struct {
	Values     bool // of the variant, with their spreads
	Difference bool // of the values, in their unit
	Half       bool // half-widths in place of symmetric intervals
	Marks      bool // of the verdicts
	Wordless   bool // no verdicts in words
	Bare       bool // changes without intervals
	Blocks     bool // how many there are
	Notes      bool
	Asides     bool // where there is no note, what is good to know
	// Reasons has notes say why a server was saturated, which otherwise stands below the
	// tables, once.
	Reasons bool
	// MarkHeads puts marks over the counts of verdicts, Zeros prints those that are 0,
	// and Worst adds the worst benchmark.
	MarkHeads, Zeros, Worst bool
}

// A field is a column about a variant.
type field struct {
	has bool
	Column
	cell func(f Fields) Cell
}

// fields are the columns that a layout has of each variant.
func (l Layout) fields() []field {
	gap := 3
	if l.Values {
		gap = 2
	}
	change, mark := Column{Align: Point, Gap: gap, Head: "vs base", Over: 1}, Column{Gap: 1}
	if l.Bare {
		change.Join = ", "
	}
	if l.Wordless {
		mark.Join = " "
	}
	all := []field{
		{l.Values, Column{Align: Point, Gap: 3}, func(f Fields) Cell { return f.Value }},
		{l.Values, Column{Align: Right, Gap: 1, Join: " "}, func(f Fields) Cell { return f.Spread }},
		{l.Difference, Column{Align: Point, Gap: 2, Head: "difference"}, func(f Fields) Cell { return f.Diff }},
		{true, change, func(f Fields) Cell { return f.Change }},
		{!l.Bare, Interval(l.Half), func(f Fields) Cell { return f.Extent(l.Half) }},
		{l.Marks, mark, func(f Fields) Cell { return f.Mark }},
		{!l.Wordless, Column{Gap: 2, Join: " "}, func(f Fields) Cell { return f.Verdict }},
		{l.Blocks, Column{Align: Right, Gap: 2, Head: "n"}, func(f Fields) Cell { return f.Blocks }},
		{l.Notes, Column{Gap: 2, Join: " ", Quoted: true}, l.note},
	}
	return slices.DeleteFunc(all, func(f field) bool { return !f.has })
}

func (l Layout) note(f Fields) Cell {
	switch {
	case f.saturated && !l.Reasons:
		return Cell{}
	case f.Note == "" && l.Asides:
		return Word(f.Aside)
	}
	return Word(f.Note)
}

// columns are those of a layout for each of n variants.
func (l Layout) columns(n int) (out []Column) {
	for range n {
		for _, f := range l.fields() {
			if f.Over > 0 && !l.Wordless {
				f.Over++
			}
			out = append(out, f.Column)
		}
	}
	return out
}

func (l Layout) cells(f Fields) (out []Cell) {
	for _, x := range l.fields() {
		out = append(out, x.cell(f))
	}
	return out
}

// EntryTable has entries as rows, and variants beside each other.
func (s *Sheet) EntryTable(entries []Entry, variants []string, l Layout) *Table {
	t := &Table{Columns: append([]Column{{}, {Align: Point, Gap: 3, Limit: 20, Head: "base"}, {Align: Right, Gap: 1, Join: " "}}, l.columns(len(variants))...)}
	for i, e := range entries {
		t.Group(e.Heading, i == 0)
		if e.Refused != "" {
			t.Text(e.Label, e.Refused)
			continue
		}
		row := []Cell{Word(e.Label), e.BaseCell(), SpreadCell(e.Base, e.Spread)}
		for _, v := range variants {
			row = append(row, l.cells(s.Fields(e, v))...)
		}
		t.Row(row...)
	}
	return t
}

// NameHeads adds the names of a service, of the base and of variants over their columns.
func (t *Table) NameHeads(service, base string, variants []string) {
	heads := []Head{{Text: service}, {From: 1, To: 1, Text: base, Right: true}}
	for i, v := range variants {
		n := (len(t.Columns) - 3) / len(variants)
		heads = append(heads, Head{From: 3 + i*n, To: 2 + (i+1)*n, Text: v})
	}
	t.Rows = append(t.Rows, Row{Heads: heads})
}

// LineupTable has a group of rows for each entry of a service, a row a variant.
func (s *Sheet) LineupTable(service assay.Benchmark, entries []Entry, l Layout) *Table {
	l.Values = true
	t := &Table{Columns: append([]Column{{}}, l.columns(1)...)}
	t.Columns[1].Limit, t.Columns[3].Gap = 20, 3
	for i, e := range entries {
		t.Group(service.Name+" · "+MetricWords(e.Metric.Name), i == 0)
		if e.Refused != "" {
			t.Text("", e.Refused)
			continue
		}
		t.Row(Word(s.Result.Base), e.BaseCell(), Cell{}, Word("base"))
		t.variants(s, func(v string) []Cell { return l.cells(s.Fields(e, v)) })
	}
	return t
}

// variants adds a row for each variant of a sheet, of many for the first ones.
func (t *Table) variants(s *Sheet, cells func(variant string) []Cell) {
	for i, v := range s.Shown {
		if i == MaxRows && !s.all {
			t.Text("", "… "+printable.Count(len(s.Shown)-i, "more variant")+" "+s.ShowAll())
			return
		}
		t.Row(append([]Cell{Word(v)}, cells(v)...)...)
	}
}

// MatrixTable has the changes of entries without their intervals, a column a variant.
func (s *Sheet) MatrixTable(sec Section) *Table {
	t := &Table{Columns: []Column{{Head: sec.Title + ", vs base"}, {Align: Point, Gap: 2, Limit: 20, Head: s.Result.Base}}}
	for _, v := range s.Shown {
		t.Columns = append(t.Columns, Column{Align: Right, Gap: 2, Limit: 20, Head: v})
	}
	t.Heads()
	for i, e := range sec.Entries {
		t.Group(e.Heading, i == 0)
		row := []Cell{Word(e.Label), e.BaseCell()}
		for _, v := range s.Shown {
			row = append(row, MatrixCell(e, v))
		}
		t.Row(row...)
	}
	return t
}

// TurnedTable is the matrix of some entries of a section, a row a variant.
func (s *Sheet) TurnedTable(title string, entries []Entry) *Table {
	t := &Table{Columns: []Column{{Head: title + ", vs base"}}}
	base := []Cell{Word(s.Result.Base)}
	for _, e := range entries {
		t.Columns = append(t.Columns, Column{Align: Right, Gap: 2, Limit: 20, Head: e.Label})
		base = append(base, e.BaseCell())
	}
	t.Group(entries[0].Heading, true)
	t.Heads()
	t.Row(base...)
	t.variants(s, func(v string) (cells []Cell) {
		for _, e := range entries {
			cells = append(cells, MatrixCell(e, v))
		}
		return cells
	})
	return t
}
