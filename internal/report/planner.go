package report

import (
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

type planner struct {
	*terminal.Writer
	plan *assay.Plan
}

// line prints a text behind its label, wrapped.
func (t *planner) line(label, text string) {
	if text != "" {
		t.Labelled(label, sheet.Plain, text)
	}
}

// table prints rows of three columns behind a label.
func (t *planner) table(label string, rows [][3]string) {
	limit, roles := t.Style.Columns()/3, 0
	names := 0
	for _, r := range rows {
		names, roles = max(names, min(t.Style.WidthOf(r[0]), limit)), max(roles, min(t.Style.WidthOf(r[1]), limit))
	}
	style := t.Style
	style.Width = t.Style.Columns() - planIndent
	table := &sheet.Table{Columns: []sheet.Column{{Limit: limit}, {Gap: 2, Limit: limit}, {Gap: 2}}}
	room := max(minText, style.Width-names-roles-4)
	for _, r := range rows {
		for _, line := range terminal.Wrap(t.Style.Text(r[2]), room) {
			table.Row(sheet.Word(r[0]), sheet.Word(r[1]), sheet.Word(line))
			r[0], r[1] = "", ""
		}
	}
	var b strings.Builder
	terminal.NewGrid(style, table).Write(&b)
	lines := strings.Split(b.String(), "\n")
	t.Behind(terminal.Pad(label, planIndent, false), sheet.Plain, lines[:len(lines)-1]...)
}
