package terminal

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/seed-1318a441/assay/internal/sheet"
)

// An Align says where the cells of a column stand.
type Align int

// The places of the cells of a column.
const (
	Left Align = iota
	Right
	Point // numbers by their decimal point, other texts to the right
	Pair  // intervals by both their ends, other texts to the left
)

// A Column of a grid. Gap is the space to its left.
type Column struct {
	Align Align
	Gap   int
	// Limit, where above 0, cuts longer texts in their middle.
	Limit int
}

// A Span is a text over several columns, from the first on to the last, cut to
// their width unless it is whole; for headings.
type Span struct {
	From, To int
	Text     string
	Align    Align
	// Whole makes the last column wider where the text does not fit.
	Whole bool
}

// A line of a grid has cells, or spans, or is text beside the first column, or
// is printed as it is.
type line struct {
	cells []sheet.Cell
	spans []Span
	// lead stands in the first column and free after it, wrapped; without a
	// lead, free begins at the margin.
	lead, free string
	// raw is a line of a picture, which has been made to fit.
	raw string
}

// A Grid is a table that knows how wide it would be.
type Grid struct {
	Style  Style
	Cols   []Column
	lines  []line
	Widths []int // per column, the gap not counted
	digits []int // per column, cells before the decimal point
	after  []int // per column, cells from the decimal point on
}

// Row adds a line of cells.
func (g *Grid) Row(cells ...sheet.Cell) { g.lines = append(g.lines, line{cells: cells}) }

// Head adds a line of headings over the columns.
func (g *Grid) Head(spans ...Span) { g.lines = append(g.lines, line{spans: spans}) }

// Blank adds an empty line.
func (g *Grid) Blank() { g.lines = append(g.lines, line{}) }

// Text adds a line of text, beside a lead in the first column or without.
func (g *Grid) Text(lead, text string) {
	g.lines = append(g.lines, line{lead: g.Style.Text(lead), free: g.Style.Text(text)})
}

// Heading opens a group of rows with a line of its own; index is that of its first row.
func (g *Grid) Heading(text string, index int) {
	if text == "" {
		return
	}
	if index > 0 {
		g.Blank()
	}
	g.Text("", text)
}

// Measure finds the widths of the columns, and translates the cells.
func (g *Grid) Measure() {
	n := len(g.Cols)
	g.Widths, g.digits, g.after = make([]int, n), make([]int, n), make([]int, n)
	for _, l := range g.lines {
		for i := range l.cells {
			g.fit(i, &l.cells[i])
		}
		for i := range l.spans {
			l.spans[i].Text = g.Style.Text(l.spans[i].Text)
			g.widen(l.spans[i])
		}
		if l.lead != "" {
			g.Widths[0] = max(g.Widths[0], Width(l.lead))
		}
	}
	for i := range g.Cols {
		g.Widths[i] = max(g.Widths[i], g.digits[i]+g.after[i])
		if g.Cols[i].Align == Pair {
			g.pairs(i)
		}
	}
	for _, l := range g.lines {
		for _, s := range l.spans {
			if s.Whole {
				g.fill(s)
			}
		}
	}
}

// Fits measures the grid and reports whether it is no wider than the screen.
func (g *Grid) Fits() bool {
	g.Measure()
	return g.Width() <= g.Style.Columns()
}

// Interval is a column of intervals, or of half-widths.
func Interval(half bool) Column {
	if half {
		return Column{Align: Right, Gap: 1}
	}
	return Column{Align: Pair, Gap: 1}
}

// fill widens the last column of a span that has a width until the text fits.
func (g *Grid) fill(s Span) {
	i := s.To
	for i > s.From && g.Widths[i] == 0 {
		i--
	}
	g.Widths[i] += max(0, Width(s.Text)-(g.end(i)-g.start(s.From)))
}

// pairs pads the ends of the intervals in column i, so that they stand below
// each other inside the brackets.
func (g *Grid) pairs(i int) {
	var lo, hi int
	each := func(f func(c *sheet.Cell, a, b string)) {
		for _, l := range g.lines {
			if i >= len(l.cells) {
				continue
			}
			if a, b, ok := strings.Cut(l.cells[i].Text, ", "); ok {
				f(&l.cells[i], strings.Trim(a, "[ "), strings.Trim(b, "] "))
			}
		}
	}
	each(func(_ *sheet.Cell, a, b string) { lo, hi = max(lo, Width(a)), max(hi, Width(b)) })
	each(func(c *sheet.Cell, a, b string) { c.Text = "[" + Pad(a, lo, true) + ", " + Pad(b, hi, true) + "]" })
	if lo > 0 {
		g.Widths[i] = max(g.Widths[i], lo+hi+len("[, ]"))
	}
}

// fit translates, cuts and measures a cell of column i.
func (g *Grid) fit(i int, c *sheet.Cell) {
	c.Text, c.Unit = g.Style.Text(c.Text), g.Style.Text(c.Unit)
	if lim := g.Cols[i].Limit; lim > 0 {
		c.Text = g.Style.Middle(c.Text, lim)
	}
	if g.Cols[i].Align == Point && c.Num {
		n := beforePoint(c.Text)
		g.digits[i] = max(g.digits[i], n)
		g.after[i] = max(g.after[i], Width(c.Joined())-n)
	}
	g.Widths[i] = max(g.Widths[i], Width(c.Joined()))
}

// widen makes a single column as wide as its heading; a heading over several
// columns is cut instead.
func (g *Grid) widen(s Span) {
	if s.From != s.To {
		return
	}
	n := Width(s.Text)
	if lim := g.Cols[s.From].Limit; lim > 0 {
		n = min(n, lim)
	}
	g.Widths[s.From] = max(g.Widths[s.From], n)
}

func beforePoint(number string) int {
	whole, _, _ := strings.Cut(number, ".")
	return Width(whole)
}

// Width is the width of the whole grid after measure, free lines not counted.
func (g *Grid) Width() int {
	n := 0
	for i, w := range g.Widths {
		if w > 0 {
			n += g.Cols[i].Gap + w
		}
	}
	return n
}

// start is where column i begins, or the next one that has a width.
func (g *Grid) start(i int) int {
	for i < len(g.Cols)-1 && g.Widths[i] == 0 {
		i++
	}
	n := g.Cols[i].Gap
	for j, w := range g.Widths[:i] {
		if w > 0 {
			n += g.Cols[j].Gap + w
		}
	}
	return n
}

// end is where column i, or the last one before it that has a width, ends.
func (g *Grid) end(i int) int {
	for i > 0 && g.Widths[i] == 0 {
		i--
	}
	return g.start(i) + g.Widths[i]
}

// Write prints the measured grid.
func (g *Grid) Write(b *strings.Builder) {
	for _, l := range g.lines {
		switch {
		case l.cells != nil:
			b.WriteString(g.bounded(g.cellLine(l.cells)))
		case l.spans != nil:
			b.WriteString(g.bounded(g.spanLine(l.spans)))
		case l.raw != "":
			b.WriteString(g.bounded(l.raw))
		default:
			g.freeLine(b, l)
			continue
		}
		b.WriteByte('\n')
	}
}

// bounded cuts what is still wider than the screen after every layout was
// tried: below 70 columns, or with numbers that nobody expects.
func (g *Grid) bounded(text string) string {
	return strings.TrimRight(ansi.Truncate(strings.TrimRight(text, " "), g.Style.Columns(), g.Style.Text("…")), " ")
}

// freeLine prints a text beside its lead, wrapped with a hanging indent.
func (g *Grid) freeLine(b *strings.Builder, l line) {
	lead := ""
	if l.lead != "" {
		lead = Pad(l.lead, g.Widths[0], false) + "   "
	}
	for i, t := range Wrap(l.free, g.Style.Columns()-Width(lead)) {
		if i > 0 {
			lead = strings.Repeat(" ", Width(lead))
		}
		b.WriteString(strings.TrimRight(lead+t, " ") + "\n")
	}
}

func (g *Grid) cellLine(cs []sheet.Cell) string {
	var b strings.Builder
	for i, c := range cs {
		if g.Widths[i] == 0 {
			continue
		}
		b.WriteString(strings.Repeat(" ", g.Cols[i].Gap))
		text, lead := c.Joined(), 0
		switch {
		case g.Cols[i].Align == Point && c.Num:
			// Columns that also hold wide texts keep their numbers at the right.
			lead = g.Widths[i] - g.after[i] - beforePoint(c.Text)
		case g.Cols[i].Align == Right || g.Cols[i].Align == Point:
			lead = g.Widths[i] - Width(text)
		}
		b.WriteString(strings.Repeat(" ", max(0, lead)))
		b.WriteString(g.Style.Paint(c.Tone, text))
		b.WriteString(strings.Repeat(" ", max(0, g.Widths[i]-lead-Width(text))))
	}
	return b.String()
}

func (g *Grid) spanLine(spans []Span) string {
	out, at := "", 0
	for _, s := range spans {
		from, to := g.start(s.From), g.end(s.To)
		text := g.Style.Middle(s.Text, to-from)
		if s.Align != Left {
			from = to - Width(text)
		}
		out += strings.Repeat(" ", max(0, from-at)) + text
		at = max(at, from) + Width(text)
	}
	return out
}

// Rows is the number of lines so far, headings and texts among them.
func (g *Grid) Rows() int { return len(g.lines) }

// Raw adds a line of a picture, which has been made to fit.
func (g *Grid) Raw(text string) { g.lines = append(g.lines, line{raw: text}) }
