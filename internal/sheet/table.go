package sheet

import "slices"

// An Align says where the cells of a column stand.
type Align int

// The places of the cells of a column.
const (
	Left Align = iota
	Right
	Point // numbers by their decimal point, other texts to the right
	Pair  // intervals by both their ends, other texts to the left
)

// A Column of a table.
type Column struct {
	Align Align
	// Head is the heading, which reaches over so many columns to the right.
	Head string
	Over int
	// Whole makes the last of these columns wider where the heading does not fit.
	Whole bool
	// Join is what stands between these cells and those to their left where a writer puts
	// both into one column; "" where no writer does.
	Join string
	// Quoted cells are sentences of the record, not figures or words of the sheet.
	Quoted bool
	// Gap is the space to the left on a terminal. Limit, where above 0, is the width
	// there to which longer texts are cut in their middle.
	Gap, Limit int
}

// Interval is a column of intervals, or of half-widths.
func Interval(half bool) Column {
	if half {
		return Column{Align: Right, Gap: 1, Join: " "}
	}
	return Column{Align: Pair, Gap: 1, Join: " "}
}

// A Head is a heading over columns, from the first to the last.
type Head struct {
	From, To int
	Text     string
	Right    bool // it ends with the last column
	Whole    bool // it makes the last column wider where it does not fit
}

// A Row is a line of a table: cells, headings, or a text. The zero value is an empty
// line.
type Row struct {
	Cells []Cell
	Heads []Head
	// Lead stands in the first column and Text beside it; without a lead, Text begins at
	// the margin.
	Lead, Text string
	// Drawn is a line that is already as wide as the terminal allows.
	Drawn string
}

// A Table is what writers print: columns, and rows in their order.
type Table struct {
	Columns []Column
	Rows    []Row
}

// Row adds a line of cells, one a column; the last columns may lack theirs.
func (t *Table) Row(cells ...Cell) { t.Rows = append(t.Rows, Row{Cells: cells}) }

// Text adds a line of text, beside a lead in the first column or without.
func (t *Table) Text(lead, text string) { t.Rows = append(t.Rows, Row{Lead: lead, Text: text}) }

// Draw adds a line that is already as wide as the terminal allows.
func (t *Table) Draw(line string) { t.Rows = append(t.Rows, Row{Drawn: line}) }

// Blank adds an empty line.
func (t *Table) Blank() { t.Rows = append(t.Rows, Row{}) }

// Heads adds a line with the headings of the columns. One over a single column stands as
// its cells do, one over several to the left, or to the right above a column of numbers.
func (t *Table) Heads() {
	var heads []Head
	for i, c := range t.Columns {
		if c.Head != "" {
			right := t.Columns[i+c.Over].Align == Point || c.Over == 0 && c.Align != Left
			heads = append(heads, Head{From: i, To: i + c.Over, Text: c.Head, Right: right, Whole: c.Whole})
		}
	}
	t.Rows = append(t.Rows, Row{Heads: heads})
}

// Title adds a line with a heading over the first column.
func (t *Table) Title(text string) { t.Rows = append(t.Rows, Row{Heads: []Head{{Text: text}}}) }

// Group opens a group of rows with a line of its own, "" being none; first says that no
// group stands above it.
func (t *Table) Group(heading string, first bool) {
	if heading == "" {
		return
	}
	if !first {
		t.Blank()
	}
	t.Text("", heading)
}

// Part is the table with its first columns, and of those behind them the ones from a
// number to before another.
func (t *Table) Part(first, from, to int) *Table {
	out := &Table{Columns: slices.Concat(t.Columns[:first], t.Columns[first+from:first+to])}
	for _, r := range t.Rows {
		if r.Heads != nil {
			out.Heads()
			continue
		}
		if r.Cells != nil {
			r.Cells = slices.Concat(r.Cells[:first], r.Cells[first+from:first+to])
		}
		out.Rows = append(out.Rows, r)
	}
	return out
}
