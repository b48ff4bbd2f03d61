package live

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// A layout says which columns the table of comparisons has.
type layout struct {
	base     bool // the base's value
	price    bool // what a decision still costs
	interval bool
}

// layouts in the order in which they are tried.
var layouts = []layout{{true, true, true}, {price: true, interval: true}, {interval: true}, {}}

// Names are cut to minName cells at least, and to goodName only where no layout has room.
const (
	minName  = 10
	goodName = 20
)

// table lists the comparisons, those that are open first, in at most room lines.
func (m *Model) table(room int) []string {
	n := min(len(m.cells), room-4) // a blank line, the head, the last line
	if !m.allRows {
		n = min(n, fewRows)
	}
	if n <= 0 {
		return nil
	}
	style := m.Style
	style.Width = math.MaxInt // View cuts lines
	var g *terminal.Grid
	for _, l := range layouts {
		g = terminal.NewGrid(style, m.comparisons(m.cells[:n], l))
		if over := g.Width() - m.width(); g.Widths[0]-over >= min(g.Widths[0], goodName) {
			break
		}
	}
	if over := g.Width() - m.width(); over > 0 {
		g.Columns[0].Limit = max(g.Widths[0]-over, minName)
		g.Measure()
	}
	g.Paint = m.tone
	var b strings.Builder
	g.Write(&b)
	lines := append([]string{""}, strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")...)
	if more := m.block.Comparisons - n; more > 0 {
		lines = append(lines, m.faint(m.Style.Text(fmt.Sprintf("… %d more", more)), 2))
	}
	return lines
}

// comparisons is their table in a layout.
func (m *Model) comparisons(cells []analysis.Interim, l layout) *sheet.Table {
	variantOf, metricOf := func(c analysis.Interim) string { return c.Variant }, func(c analysis.Interim) string { return c.Metric }
	columns := []struct {
		has bool
		sheet.Column
		head string
		cell func(c analysis.Interim) sheet.Cell
	}{
		{true, sheet.Column{Gap: 2}, "benchmark", func(c analysis.Interim) sheet.Cell { return sheet.Word(c.Benchmark.Name) }},
		{m.differ(variantOf), sheet.Column{Gap: 2, Limit: 24}, "variant", func(c analysis.Interim) sheet.Cell { return sheet.Word(c.Variant) }},
		{m.differ(metricOf), sheet.Column{Gap: 2}, "metric", func(c analysis.Interim) sheet.Cell { return sheet.Word(c.Metric) }},
		{l.base, sheet.Column{Align: sheet.Right, Gap: 2, Limit: 16}, m.plan.Base, baseCell},
		{true, sheet.Column{Align: sheet.Right, Gap: 2}, "change", func(c analysis.Interim) sheet.Cell { return finding(c, changeText(c)) }},
		{l.interval, sheet.Column{Gap: 2}, "so far", func(c analysis.Interim) sheet.Cell { return finding(c, intervalText(c)) }},
		{true, sheet.Column{Gap: 2}, "", func(c analysis.Interim) sheet.Cell { return finding(c, m.state(c, l.price)) }},
	}
	t := &sheet.Table{}
	rows := make([][]sheet.Cell, len(cells)+1)
	for _, x := range columns {
		if !x.has {
			continue
		}
		t.Columns = append(t.Columns, x.Column)
		rows[0] = append(rows[0], sheet.Word(x.head))
		for i, c := range cells {
			rows[i+1] = append(rows[i+1], x.cell(c))
		}
	}
	for _, r := range rows {
		t.Row(r...)
	}
	return t
}

func baseCell(c analysis.Interim) sheet.Cell {
	half := assay.Change(0)
	if c.Interval != nil {
		half = c.Interval.Half()
	}
	if c.N == 0 {
		return sheet.Cell{}
	}
	return sheet.Word(sheet.Value(assay.Metric{Name: c.Metric}, c.Base, float64(half)))
}

// finding is a text that is grey while a comparison is open, and then painted as in the
// report.
func finding(c analysis.Interim, text string) sheet.Cell {
	if !c.Decided {
		return sheet.Toned(text, sheet.Faint)
	}
	return sheet.Toned(text, sheet.ToneOf(c.Verdict))
}

func hasInterval(c analysis.Interim) bool { return c.Interval != nil && !math.IsNaN(float64(c.Change)) }

func changeText(c analysis.Interim) string {
	switch {
	case c.Exact:
		return sheet.Change(c.Change, 0)
	case hasInterval(c) && !c.Interval.SaysNothing():
		return sheet.Change(c.Change, c.Interval.Half())
	}
	return sheet.None
}

func intervalText(c analysis.Interim) string {
	switch {
	case c.Exact && !c.Decided:
		return "(exact so far)"
	case c.Exact:
		return "(exact)"
	case hasInterval(c):
		return c.Interval.String()
	}
	return ""
}

// state is the verdict on what is decided, and otherwise what a decision still costs.
func (m *Model) state(c analysis.Interim, price bool) string {
	switch {
	case c.Decided:
		return decidedText(c)
	case !price:
		return ""
	case c.MoreBlocks > 0:
		return m.way(c.N, c.MoreBlocks)
	case c.Interval == nil:
		return c.Reason
	}
	return "open"
}

// way shows how much of the way to a decision is done.
func (m *Model) way(done, more int) string {
	const width = 6
	n := width * done / max(done+more, 1)
	return strings.Repeat(m.glyph("▒", "="), n) + strings.Repeat(m.glyph("░", "."), width-n)
}

// differ reports whether the run compares more than one of something.
func (m *Model) differ(of func(analysis.Interim) string) bool {
	return slices.ContainsFunc(m.cells, func(c analysis.Interim) bool { return of(c) != of(m.cells[0]) })
}

// tone paints a text as the report does.
func (m *Model) tone(t sheet.Tone, text string) string {
	switch t {
	case sheet.Faint:
		return m.paint(text, lipgloss.NewStyle().Foreground(lipgloss.BrightBlack))
	case sheet.Good:
		return m.paint(text, lipgloss.NewStyle().Foreground(lipgloss.Green))
	case sheet.Bad:
		return m.paint(text, lipgloss.NewStyle().Foreground(lipgloss.Red))
	}
	return text
}
