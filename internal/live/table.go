package live

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// A row is a comparison in words.
type row struct {
	name, variant, metric, base, change, interval, state string

	decided bool
	verdict assay.Verdict
}

// decision is the state of a decided comparison, without what an open one costs.
func (r row) decision() string {
	if r.decided {
		return r.state
	}
	return ""
}

// table lists the comparisons, those that are open first, in at most room lines.
func (m *Model) table(room int) []string {
	n := min(len(m.cells), room-4) // a blank line, the head, the last line
	if !m.allRows {
		n = min(n, fewRows)
	}
	if n <= 0 || m.block.Pilot {
		return nil
	}
	rows := []row{{name: "benchmark", variant: "variant", metric: "metric", base: m.plan.Base, change: "change", interval: "so far"}}
	for _, c := range m.cells[:n] {
		rows = append(rows, m.row(c))
	}
	lines := append([]string{""}, m.lay(rows)...)
	if more := m.block.Comparisons - n; more > 0 {
		lines = append(lines, m.faint(m.Style.Text(fmt.Sprintf("… %d more", more)), 2))
	}
	return lines
}

func (m *Model) row(c analysis.Interim) row {
	half := assay.Change(0)
	if c.Interval != nil {
		half = c.Interval.Half()
	}
	r := row{name: m.Style.Text(c.Benchmark.Name), variant: m.Style.Text(c.Variant), metric: m.Style.Text(c.Metric),
		change: "–", state: m.state(c)}
	if c.N > 0 {
		r.base = m.Style.Text(sheet.Value(assay.Metric{Name: c.Metric}, c.Base, float64(half)))
	}
	switch {
	case c.Exact:
		r.change, r.interval = m.Style.Text(sheet.Change(c.Change, 0)), "(exact)"
	case c.Interval != nil && !math.IsNaN(float64(c.Change)):
		r.change, r.interval = m.Style.Text(sheet.Change(c.Change, half)), m.Style.Text(c.Interval.String())
	}
	r.change = m.Style.Text(r.change)
	r.decided, r.verdict = c.Decided, c.Verdict
	return r
}

// state is the verdict of what is decided, else what the decision still costs.
func (m *Model) state(c analysis.Interim) string {
	switch {
	case c.Decided:
		return decidedText(c)
	case c.MoreBlocks > 0:
		return m.way(c.N, c.MoreBlocks) + "  about " + printable.Int(c.MoreBlocks) + " more " + printable.Plural(c.MoreBlocks, "block")
	case c.Interval == nil:
		return m.Style.Text(c.Reason)
	}
	return "open"
}

// way shows how much of the way to a decision is done.
func (m *Model) way(done, more int) string {
	const width = 6
	n := width * done / max(done+more, 1)
	return strings.Repeat(m.glyph("▒", "="), n) + strings.Repeat(m.glyph("░", "."), width-n)
}

// A column is how a part of rows is laid out.
type column struct {
	of    func(r row) string
	right bool
	// spare orders what gives way where there is no room, the lowest first; 0 stays.
	spare int
	// brief is what is left of a column that gives way; nil is nothing.
	brief func(r row) string
	// finding is true where colour tells a change from none.
	finding bool
}

// lay aligns the rows. Where they are too wide the base's value gives way, then
// what a decision costs, then the interval; then the names are cut.
func (m *Model) lay(rows []row) []string {
	var columns []column
	if m.differ(func(c analysis.Interim) string { return c.Variant }) {
		columns = append(columns, column{of: func(r row) string { return m.Style.Middle(r.variant, 24) }})
	}
	if m.differ(func(c analysis.Interim) string { return c.Metric }) {
		columns = append(columns, column{of: func(r row) string { return r.metric }})
	}
	columns = append(columns,
		column{of: func(r row) string { return m.Style.Middle(r.base, 16) }, right: true, spare: 1},
		column{of: func(r row) string { return r.change }, right: true, finding: true},
		column{of: func(r row) string { return r.interval }, spare: 3, finding: true},
		column{of: func(r row) string { return r.state }, brief: row.decision, spare: 2, finding: true})
	longest := widest(rows, func(r row) string { return r.name })
	for m.roomFor(rows, columns) < min(longest, 20) {
		i := spared(columns)
		if i < 0 {
			break
		}
		if c := &columns[i]; c.brief != nil {
			c.of, c.spare = c.brief, 0
			continue
		}
		columns = slices.Delete(columns, i, i+1)
	}
	return m.lines(rows, columns, min(longest, max(m.roomFor(rows, columns), 10)))
}

// spared is the index of the column that gives way next, -1 where all have to stay.
func spared(columns []column) int {
	best := -1
	for i, c := range columns {
		if c.spare > 0 && (best < 0 || c.spare < columns[best].spare) {
			best = i
		}
	}
	return best
}

// differ reports whether the run compares more than one of something.
func (m *Model) differ(of func(analysis.Interim) string) bool {
	return slices.ContainsFunc(m.cells, func(c analysis.Interim) bool { return of(c) != of(m.cells[0]) })
}

func widest(rows []row, of func(row) string) (w int) {
	for _, r := range rows {
		w = max(w, terminal.Width(of(r)))
	}
	return w
}

// gap is the space between columns.
const gap = 2

// roomFor is the width that is left for the names.
func (m *Model) roomFor(rows []row, columns []column) int {
	room := m.width() - gap
	for _, c := range columns {
		room -= gap + widest(rows, c.of)
	}
	return room
}

func (m *Model) lines(rows []row, columns []column, names int) (lines []string) {
	widths := make([]int, len(columns))
	for k, c := range columns {
		widths[k] = widest(rows, c.of)
	}
	for i, r := range rows {
		var line strings.Builder
		line.WriteString(strings.Repeat(" ", gap) + terminal.Pad(m.Style.Middle(r.name, names), names, false))
		for k, c := range columns {
			text := terminal.Pad(c.of(r), widths[k], c.right)
			if c.finding && i > 0 {
				text = m.toned(r, text)
			}
			line.WriteString(strings.Repeat(" ", gap) + text)
		}
		lines = append(lines, line.String())
	}
	return lines
}

// toned greys what is open, and paints a decided change as the report does.
func (m *Model) toned(r row, text string) string {
	switch {
	case !r.decided:
		return m.paint(text, lipgloss.NewStyle().Foreground(lipgloss.BrightBlack))
	case r.verdict.Good():
		return m.paint(text, lipgloss.NewStyle().Foreground(lipgloss.Green))
	case r.verdict.Bad():
		return m.paint(text, lipgloss.NewStyle().Foreground(lipgloss.Red))
	}
	return text
}
