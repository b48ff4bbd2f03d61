package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// variantLayouts are those of the table of variants, in the order in which they are tried.
var variantLayouts = []sheet.Layout{{Worst: true}, {Worst: true, MarkHeads: true}, {}, {MarkHeads: true}, {MarkHeads: true, Half: true}}

// variants prints the table of variants over the whole suite.
func (p *printer) variants() {
	if len(p.Result.Tables) == 0 {
		p.sameCode()
		return
	}
	var g *terminal.Grid
	for _, l := range variantLayouts {
		if g = terminal.NewGrid(p.Style, p.VariantTable(l)); g.Fits() {
			break
		}
	}
	g.Narrow(0, terminal.MinName)
	p.Grid(g)
}

// matrices print the changes of all variants without their intervals, in as
// many tables as the width asks for.
func (p *printer) matrices(sections []sheet.Section) {
	if p.Single() && len(sections) > 0 && len(sections[0].Entries) == 1 {
		p.notes.Keep(p.Sheet, sections[:1], p.Shown, false)
		return // the table of variants has it all
	}
	p.notes.Keep(p.Sheet, sections, p.Shown, false)
	for _, sec := range sections {
		if len(sec.Entries) == 0 {
			t := &sheet.Table{Columns: []sheet.Column{{}}}
			p.tail(t, sec)
			p.Table(t)
			continue
		}
		matrix{p, sec}.print()
	}
	p.legend(sections)
}

// A matrix is a section as changes without their intervals.
type matrix struct {
	*printer
	sec sheet.Section
}

// maxParts is the number of tables that a matrix is split into at most.
const maxParts = 6

// print prints the variants as columns, or as rows where that takes fewer tables. What is
// left to say stands below the last of them.
func (m matrix) print() {
	var tables []*sheet.Table
	whole := m.MatrixTable(m.sec)
	whole.Columns[0].Limit = m.Style.NameLimit()
	for _, part := range terminal.NewGrid(m.Style, whole).Parts(2, 1) {
		tables = append(tables, whole.Part(2, part[0], part[1]))
	}
	turned := m.splitTurned()
	if len(turned) > 0 && len(turned) < len(tables) {
		tables = nil
		for _, entries := range turned {
			tables = append(tables, m.turned(entries))
		}
	}
	last := &sheet.Table{Columns: []sheet.Column{{}}}
	if len(tables) > maxParts && len(turned) > 0 && !m.Style.All {
		last.Text("", fmt.Sprintf("%s: %s by %s %s", m.sec.Title, printable.Count(len(m.sec.Entries), "row"), printable.Count(len(m.Shown), "variant"), m.ShowAll()))
		m.Table(last)
		return
	}
	last = tables[len(tables)-1]
	if m.sec.Tail != "" {
		last.Text("", m.sec.Tail)
	}
	for _, t := range tables {
		m.Table(t)
	}
}

func (m matrix) turned(entries []sheet.Entry) *sheet.Table {
	t := m.TurnedTable(m.sec.Title, entries)
	t.Columns[0].Limit = m.Style.NameLimit()
	return t
}

// splitTurned divides the entries so that each part fits the width beside the
// names of the variants, and is of one group of entries under a heading; nil where
// one column is too wide.
func (m matrix) splitTurned() [][]sheet.Entry {
	g := terminal.NewGrid(m.Style, m.turned(m.sec.Entries))
	var parts [][]sheet.Entry
	room, group := 0, ""
	for i, e := range m.sec.Entries {
		if strings.HasPrefix(e.Label, sheet.GeomeanWord) && m.sec.Title == m.Result.Tables[0].Metric.Name {
			continue // the table of variants has it
		}
		w := g.Columns[1+i].Gap + g.Widths[1+i]
		if w > m.Style.Columns()-g.Widths[0] {
			return nil
		}
		if len(parts) == 0 || room < w || e.Heading != "" {
			parts = append(parts, nil)
			room = m.Style.Columns() - g.Widths[0]
			group = cmp.Or(e.Heading, group)
			e.Heading = group
		}
		room -= w
		parts[len(parts)-1] = append(parts[len(parts)-1], e)
	}
	return parts
}

// legend explains the marks with the words of the verdicts that occur.
func (p *printer) legend(sections []sheet.Section) {
	var marks sheet.Legend
	for _, sec := range sections {
		for _, e := range sec.Entries {
			for _, v := range p.Shown {
				if c, ok := e.Of(v); ok {
					marks.Add(c)
				}
			}
		}
	}
	p.printLegend(marks)
}

func (p *printer) printLegend(marks sheet.Legend) {
	var parts []string
	for _, m := range []string{"▼", "▲", "=", "≡", "?"} {
		if len(marks[m]) > 0 {
			parts = append(parts, m+" "+strings.Join(marks[m], ", "))
		}
	}
	if len(parts) > 0 {
		p.Blank()
		p.Parts("   ", parts...)
	}
}
