package report

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/seed-1318a441/assay/internal/sheet"
)

// An align says where the cells of a column stand.
type align int

const (
	left align = iota
	right
	point // numbers by their decimal point, other texts to the right
	pair  // intervals by both their ends, other texts to the left
)

// A column of a grid. gap is the space to its left.
type column struct {
	align align
	gap   int
	// limit, where above 0, cuts longer texts in their middle.
	limit int
}

// A span is a text over several columns, from the first on to the last, cut to
// their width unless it is whole; for headings.
type span struct {
	from, to int
	text     string
	align    align
	// whole makes the last column wider where the text does not fit.
	whole bool
}

// A line of a grid has cells, or spans, or is text beside the first column, or
// is printed as it is.
type line struct {
	cells []sheet.Cell
	spans []span
	// lead stands in the first column and free after it, wrapped; without a
	// lead, free begins at the margin.
	lead, free string
	// raw is a line of a picture, which has been made to fit.
	raw string
}

// A grid is a table that knows how wide it would be.
type grid struct {
	style  Style
	cols   []column
	lines  []line
	widths []int // per column, the gap not counted
	digits []int // per column, cells before the decimal point
	after  []int // per column, cells from the decimal point on
}

func (g *grid) row(cells ...sheet.Cell) { g.lines = append(g.lines, line{cells: cells}) }
func (g *grid) head(spans ...span)      { g.lines = append(g.lines, line{spans: spans}) }
func (g *grid) blank()                  { g.lines = append(g.lines, line{}) }

// text adds a line of text, beside a lead in the first column or without.
func (g *grid) text(lead, text string) {
	g.lines = append(g.lines, line{lead: g.style.Text(lead), free: g.style.Text(text)})
}

// heading opens a group of rows with a line of its own; index is that of its first row.
func (g *grid) heading(text string, index int) {
	if text == "" {
		return
	}
	if index > 0 {
		g.blank()
	}
	g.text("", text)
}

// measure finds the widths of the columns, and translates the cells.
func (g *grid) measure() {
	n := len(g.cols)
	g.widths, g.digits, g.after = make([]int, n), make([]int, n), make([]int, n)
	for _, l := range g.lines {
		for i := range l.cells {
			g.fit(i, &l.cells[i])
		}
		for i := range l.spans {
			l.spans[i].text = g.style.Text(l.spans[i].text)
			g.widen(l.spans[i])
		}
		if l.lead != "" {
			g.widths[0] = max(g.widths[0], cells(l.lead))
		}
	}
	for i := range g.cols {
		g.widths[i] = max(g.widths[i], g.digits[i]+g.after[i])
		if g.cols[i].align == pair {
			g.pairs(i)
		}
	}
	for _, l := range g.lines {
		for _, s := range l.spans {
			if s.whole {
				g.fill(s)
			}
		}
	}
}

// fill widens the last column of a span that has a width until the text fits.
func (g *grid) fill(s span) {
	i := s.to
	for i > s.from && g.widths[i] == 0 {
		i--
	}
	g.widths[i] += max(0, cells(s.text)-(g.end(i)-g.start(s.from)))
}

// pairs pads the ends of the intervals in column i, so that they stand below
// each other inside the brackets.
func (g *grid) pairs(i int) {
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
	each(func(_ *sheet.Cell, a, b string) { lo, hi = max(lo, cells(a)), max(hi, cells(b)) })
	each(func(c *sheet.Cell, a, b string) { c.Text = "[" + pad(a, lo, true) + ", " + pad(b, hi, true) + "]" })
	if lo > 0 {
		g.widths[i] = max(g.widths[i], lo+hi+len("[, ]"))
	}
}

// fit translates, cuts and measures a cell of column i.
func (g *grid) fit(i int, c *sheet.Cell) {
	c.Text, c.Unit = g.style.Text(c.Text), g.style.Text(c.Unit)
	if lim := g.cols[i].limit; lim > 0 {
		c.Text = g.style.Middle(c.Text, lim)
	}
	if g.cols[i].align == point && c.Num {
		n := beforePoint(c.Text)
		g.digits[i] = max(g.digits[i], n)
		g.after[i] = max(g.after[i], cells(c.Joined())-n)
	}
	g.widths[i] = max(g.widths[i], cells(c.Joined()))
}

// widen makes a single column as wide as its heading; a heading over several
// columns is cut instead.
func (g *grid) widen(s span) {
	if s.from != s.to {
		return
	}
	n := cells(s.text)
	if lim := g.cols[s.from].limit; lim > 0 {
		n = min(n, lim)
	}
	g.widths[s.from] = max(g.widths[s.from], n)
}

func beforePoint(number string) int {
	whole, _, _ := strings.Cut(number, ".")
	return cells(whole)
}

// width is the width of the whole grid after measure, free lines not counted.
func (g *grid) width() int {
	n := 0
	for i, w := range g.widths {
		if w > 0 {
			n += g.cols[i].gap + w
		}
	}
	return n
}

// start is where column i begins, or the next one that has a width.
func (g *grid) start(i int) int {
	for i < len(g.cols)-1 && g.widths[i] == 0 {
		i++
	}
	n := g.cols[i].gap
	for j, w := range g.widths[:i] {
		if w > 0 {
			n += g.cols[j].gap + w
		}
	}
	return n
}

// end is where column i, or the last one before it that has a width, ends.
func (g *grid) end(i int) int {
	for i > 0 && g.widths[i] == 0 {
		i--
	}
	return g.start(i) + g.widths[i]
}

// write prints the measured grid.
func (g *grid) write(b *strings.Builder) {
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
func (g *grid) bounded(text string) string {
	return strings.TrimRight(ansi.Truncate(strings.TrimRight(text, " "), g.style.columns(), g.style.Text("…")), " ")
}

// freeLine prints a text beside its lead, wrapped with a hanging indent.
func (g *grid) freeLine(b *strings.Builder, l line) {
	lead := ""
	if l.lead != "" {
		lead = pad(l.lead, g.widths[0], false) + "   "
	}
	for i, t := range wrap(l.free, g.style.columns()-cells(lead)) {
		if i > 0 {
			lead = strings.Repeat(" ", cells(lead))
		}
		b.WriteString(strings.TrimRight(lead+t, " ") + "\n")
	}
}

func (g *grid) cellLine(cs []sheet.Cell) string {
	var b strings.Builder
	for i, c := range cs {
		if g.widths[i] == 0 {
			continue
		}
		b.WriteString(strings.Repeat(" ", g.cols[i].gap))
		text, lead := c.Joined(), 0
		switch {
		case g.cols[i].align == point && c.Num:
			// Columns that also hold wide texts keep their numbers at the right.
			lead = g.widths[i] - g.after[i] - beforePoint(c.Text)
		case g.cols[i].align == right || g.cols[i].align == point:
			lead = g.widths[i] - cells(text)
		}
		b.WriteString(strings.Repeat(" ", max(0, lead)))
		b.WriteString(g.style.paint(c.Tone, text))
		b.WriteString(strings.Repeat(" ", max(0, g.widths[i]-lead-cells(text))))
	}
	return b.String()
}

func (g *grid) spanLine(spans []span) string {
	out, at := "", 0
	for _, s := range spans {
		from, to := g.start(s.from), g.end(s.to)
		text := g.style.Middle(s.text, to-from)
		if s.align != left {
			from = to - cells(text)
		}
		out += strings.Repeat(" ", max(0, from-at)) + text
		at = max(at, from) + cells(text)
	}
	return out
}

// rows is the number of lines so far, headings and texts among them.
func (g *grid) rows() int { return len(g.lines) }
