package terminal

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/seed-1318a441/assay/internal/sheet"
)

// A Grid is a table of a sheet that knows how wide it is in a style.
type Grid struct {
	Style Style
	*sheet.Table
	// Widths are those of the columns, gaps not counted.
	Widths []int
	// Paint paints a text in a tone; it is the style's unless a caller has another.
	Paint  func(t sheet.Tone, text string) string
	digits []int       // per column, cells before the decimal point
	after  []int       // per column, cells from the decimal point on
	lines  []sheet.Row // as they are printed
	alike  []bool      // columns whose limit makes different names the same
}

// NewGrid measures a table.
func NewGrid(s Style, t *sheet.Table) *Grid {
	g := &Grid{Style: s, Table: t, Paint: s.Paint}
	g.Measure()
	return g
}

// Measure finds the widths of the columns, and translates the cells.
func (g *Grid) Measure() {
	n := len(g.Columns)
	g.Widths, g.digits, g.after, g.lines = make([]int, n), make([]int, n), make([]int, n), slices.Clone(g.Rows)
	full := make([]bool, n) // columns with an interval in full
	for _, l := range g.lines {
		for i, c := range l.Cells {
			full[i] = full[i] || strings.HasPrefix(c.Text, "[")
		}
	}
	g.alike = make([]bool, n)
	for i := range g.alike {
		g.alike[i] = g.confuses(i)
	}
	for i := range g.lines {
		l := &g.lines[i]
		l.Cells, l.Heads = slices.Clone(l.Cells), slices.Clone(l.Heads)
		for i, c := range l.Cells {
			if full[i] && c.Full != "" {
				l.Cells[i].Text = c.Full
			}
		}
		l.Lead, l.Text = g.Style.Text(l.Lead), g.Style.Text(l.Text)
		for i := range l.Cells {
			g.fit(i, &l.Cells[i])
		}
		for i := range l.Heads {
			l.Heads[i].Text = g.Style.Text(l.Heads[i].Text)
			g.widen(l.Heads[i])
		}
		if l.Lead != "" {
			g.Widths[0] = max(g.Widths[0], Width(l.Lead))
		}
	}
	for i := range g.Columns {
		g.Widths[i] = max(g.Widths[i], g.digits[i]+g.after[i])
		if g.Columns[i].Align == sheet.Pair {
			g.pairs(i)
		}
	}
	for _, l := range g.lines {
		for _, h := range l.Heads {
			if h.Whole {
				g.fill(h)
			}
		}
	}
}

// Fits reports whether the grid is no wider than the screen.
func (g *Grid) Fits() bool { return g.Width() <= g.Style.Columns() }

// Narrow cuts the texts of a column, down to least cells, until the grid fits, and
// reports whether it does.
func (g *Grid) Narrow(column, least int) bool {
	if over := g.Width() - g.Style.Columns(); over > 0 {
		g.Columns[column].Limit = max(least, g.Widths[column]-over)
		g.Measure()
	}
	return g.Fits()
}

// Parts divides the columns behind the first ones, which every part repeats, in groups of
// n columns, so that each part fits the screen. Each is the first group of a part and the
// one behind its last.
func (g *Grid) Parts(first, n int) (parts [][2]int) {
	fixed := g.across(0, first)
	room := 0
	for i := range (len(g.Columns) - first) / n {
		w := g.across(first+i*n, first+(i+1)*n)
		if i == 0 || room < w {
			parts = append(parts, [2]int{i, i})
			room = g.Style.Columns() - fixed
		}
		room -= w
		parts[len(parts)-1][1] = i + 1
	}
	return parts
}

// across is the width of some columns with their gaps.
func (g *Grid) across(from, to int) (n int) {
	for i := from; i < to; i++ {
		if g.Widths[i] > 0 {
			n += g.Columns[i].Gap + g.Widths[i]
		}
	}
	return n
}

// fill widens the last column under a heading that has a width until the heading fits.
func (g *Grid) fill(h sheet.Head) {
	i := h.To
	for i > h.From && g.Widths[i] == 0 {
		i--
	}
	g.Widths[i] += max(0, Width(h.Text)-(g.end(i)-g.start(h.From)))
}

// pairs pads the ends of the intervals in column i, so that they line up inside their
// brackets.
func (g *Grid) pairs(i int) {
	var lo, hi int
	each := func(f func(c *sheet.Cell, a, b string)) {
		for _, l := range g.lines {
			if i >= len(l.Cells) {
				continue
			}
			if a, b, ok := strings.Cut(l.Cells[i].Text, ", "); ok {
				f(&l.Cells[i], strings.Trim(a, "[ "), strings.Trim(b, "] "))
			}
		}
	}
	each(func(_ *sheet.Cell, a, b string) { lo, hi = max(lo, Width(a)), max(hi, Width(b)) })
	each(func(c *sheet.Cell, a, b string) { c.Text = "[" + Pad(a, lo, true) + ", " + Pad(b, hi, true) + "]" })
	if lo > 0 {
		g.Widths[i] = max(g.Widths[i], lo+hi+len("[, ]"))
	}
}

// confuses reports whether the limit of a column cuts two names to the same text.
func (g *Grid) confuses(column int) bool {
	limit, names := g.Columns[column].Limit, map[string]string{}
	if limit == 0 {
		return false
	}
	for _, l := range g.Rows {
		if column >= len(l.Cells) {
			continue
		}
		name := l.Cells[column].Text
		short := g.Style.Middle(name, limit)
		if other, found := names[short]; found && other != name {
			return true
		}
		names[short] = name
	}
	return false
}

// fit translates, cuts and measures a cell of column i.
func (g *Grid) fit(i int, c *sheet.Cell) {
	c.Text, c.Unit = g.Style.Text(c.Text), g.Style.Text(c.Unit)
	if lim := g.Columns[i].Limit; lim > 0 {
		if g.alike[i] {
			c.Text = g.Style.Elements(c.Text, lim)
		} else {
			c.Text = g.Style.Middle(c.Text, lim)
		}
	}
	if g.Columns[i].Align == sheet.Point && c.Num {
		n := beforePoint(c.Text)
		g.digits[i] = max(g.digits[i], n)
		g.after[i] = max(g.after[i], Width(c.Joined())-n)
	}
	g.Widths[i] = max(g.Widths[i], Width(c.Joined()))
}

// widen makes a single column as wide as its heading; one over several is cut instead.
func (g *Grid) widen(h sheet.Head) {
	if h.From != h.To {
		return
	}
	n := Width(h.Text)
	if lim := g.Columns[h.From].Limit; lim > 0 {
		n = min(n, lim)
	}
	g.Widths[h.From] = max(g.Widths[h.From], n)
}

func beforePoint(number string) int {
	whole, _, _ := strings.Cut(number, ".")
	return Width(whole)
}

// Width is the width of all columns with their gaps. Rows of text may be wider.
func (g *Grid) Width() int { return g.across(0, len(g.Columns)) }

// start is where column i begins, or the next one that has a width.
func (g *Grid) start(i int) int {
	for i < len(g.Columns)-1 && g.Widths[i] == 0 {
		i++
	}
	return g.across(0, i) + g.Columns[i].Gap
}

// end is where column i ends, or the last one before it that has a width.
func (g *Grid) end(i int) int {
	for i > 0 && g.Widths[i] == 0 {
		i--
	}
	return g.start(i) + g.Widths[i]
}

// Write prints the grid.
func (g *Grid) Write(b *strings.Builder) {
	for _, l := range g.lines {
		switch {
		case l.Cells != nil:
			b.WriteString(g.bounded(g.cellLine(l.Cells)))
		case l.Heads != nil:
			b.WriteString(g.bounded(g.headLine(l.Heads)))
		case l.Drawn != "":
			b.WriteString(g.bounded(l.Drawn))
		default:
			g.freeLine(b, l)
			continue
		}
		b.WriteByte('\n')
	}
}

// bounded cuts lines that no layout makes fit: below 70 columns, or with numbers of
// unexpected length.
func (g *Grid) bounded(text string) string {
	return strings.TrimRight(ansi.Truncate(strings.TrimRight(text, " "), g.Style.Columns(), g.Style.Text("…")), " ")
}

// freeLine prints a text beside its lead; further lines are indented below it.
func (g *Grid) freeLine(b *strings.Builder, l sheet.Row) {
	lead := ""
	if l.Lead != "" {
		lead = Pad(l.Lead, g.Widths[0], false) + "   "
	}
	for i, t := range Wrap(l.Text, g.Style.Columns()-Width(lead)) {
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
		b.WriteString(strings.Repeat(" ", g.Columns[i].Gap))
		text, lead := c.Joined(), 0
		switch {
		case g.Columns[i].Align == sheet.Point && c.Num:
			// In a column with wide texts the numbers stay at the right.
			lead = g.Widths[i] - g.after[i] - beforePoint(c.Text)
		case g.Columns[i].Align == sheet.Right || g.Columns[i].Align == sheet.Point:
			lead = g.Widths[i] - Width(text)
		}
		b.WriteString(strings.Repeat(" ", max(0, lead)))
		b.WriteString(g.Paint(c.Tone, text))
		b.WriteString(strings.Repeat(" ", max(0, g.Widths[i]-lead-Width(text))))
	}
	return b.String()
}

func (g *Grid) headLine(heads []sheet.Head) string {
	out, at := "", 0
	for _, h := range heads {
		from, to := g.start(h.From), g.end(h.To)
		text := g.Style.Middle(h.Text, to-from)
		if h.Right {
			from = to - Width(text)
		}
		out += strings.Repeat(" ", max(0, from-at)) + text
		at = max(at, from) + Width(text)
	}
	return out
}
