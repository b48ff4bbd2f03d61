package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// variantLayouts are those of the table of variants, in the order in which they are
// tried.
var variantLayouts = []sheet.Layout{{Worst: true}, {Worst: true, MarkHeads: true}, {}, {MarkHeads: true}, {MarkHeads: true, Half: true}}

// variants prints the table of variants, which is about the whole suite.
func (p *printer) variants() {
	if len(p.sheet.Result.Tables) == 0 {
		p.sameCode()
		return
	}
	p.out.FirstFit(len(variantLayouts), 0, func(i int) *sheet.Table { return p.sheet.VariantTable(variantLayouts[i]) })
}

// matrices prints the changes of all variants without their intervals, in as many tables
// as the width requires.
func (p *printer) matrices(sections []sheet.Section) {
	if p.sheet.Single() && len(sections) > 0 && len(sections[0].Entries) == 1 {
		p.notes.Keep(p.sheet, sections[:1], p.sheet.Shown, false)
		return // the table of variants has it all
	}
	p.notes.KeepStanding(p.sheet, sections, func(sec sheet.Section) bool { return matrix{p, sec}.brief() })
	var drawn []sheet.Section
	hint := p.sheet.ShowAll() // until a brief table has it
	for _, sec := range sections {
		if len(sec.Entries) == 0 {
			t := &sheet.Table{Columns: []sheet.Column{{}}}
			p.tail(t, sec, hint)
			p.out.Table(t)
			continue
		}
		if m := (matrix{p, sec}); m.brief() {
			p.out.Table(p.sheet.BriefTable(p.uncut(sec), hint))
			hint = ""
			continue
		}
		drawn = append(drawn, sec)
		matrix{p, sec}.print()
	}
	p.legend(drawn)
}

// uncut is a section with all of its rows, which a brief table counts.
func (p *printer) uncut(sec sheet.Section) sheet.Section {
	whole := *p.sheet
	whole.Room = sheet.Unlimited
	for _, all := range whole.Sections() {
		if all.Title == sec.Title {
			return all
		}
	}
	return sec
}

// A matrix is a section as changes without their intervals.
type matrix struct {
	p   *printer
	sec sheet.Section
}

// maxParts is the number of tables that a matrix is split into at most.
const maxParts = 6

// print prints the variants as columns, or as rows where that takes fewer tables. What is
// left to say stands below the last of them.
func (m matrix) print() {
	tables, turned := m.tables()
	if len(tables) > maxParts && len(turned) > 0 && !m.p.out.Style.All {
		t := &sheet.Table{Columns: []sheet.Column{{}}}
		t.Text("", fmt.Sprintf("%s: %s by %s %s", m.sec.Title, printable.Count(len(m.sec.Entries), "row"), printable.Count(len(m.p.sheet.Shown), "variant"), m.p.sheet.ShowAll()))
		m.p.out.Table(t)
		return
	}
	if m.sec.Tail != "" {
		tables[len(tables)-1].Text("", m.sec.Tail)
	}
	for _, t := range tables {
		m.p.out.Table(t)
	}
}

// tables are those of the matrix with variants as columns, or as rows where that takes
// fewer, and those with variants as rows.
func (m matrix) tables() (best, turned []*sheet.Table) {
	best, turned = m.parts(m.p.sheet.MatrixTable(m.sec), 2), m.turned()
	if len(turned) > 0 && len(turned) < len(best) {
		best = turned
	}
	return best, turned
}

// brief reports whether the matrix takes several tables, so that it is printed as counts
// with what differs from the geomean, unless everything is wanted.
func (m matrix) brief() bool {
	if m.p.out.Style.All || len(m.sec.Entries) == 0 {
		return false
	}
	best, _ := m.tables()
	return len(best) > 1
}

// parts divides a table so that each part fits the width beside the first columns.
func (m matrix) parts(t *sheet.Table, first int) (out []*sheet.Table) {
	t.Columns[0].Limit = m.p.out.Style.NameLimit()
	for _, part := range terminal.NewGrid(m.p.out.Style, t).Parts(first, 1) {
		out = append(out, t.Part(first, part[0], part[1]))
	}
	return out
}

// turned are the tables with variants as rows, each of one group of entries; nil where
// one column is too wide.
func (m matrix) turned() (out []*sheet.Table) {
	var groups [][]sheet.Entry
	for _, e := range m.sec.Entries {
		if e.Geomean && m.sec.Title == m.p.sheet.Result.Tables[0].Metric.Name {
			continue // the table of variants has it
		}
		if len(groups) == 0 || e.Heading != "" {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], e)
	}
	for _, entries := range groups {
		out = append(out, m.parts(m.p.sheet.TurnedTable(m.sec.Title, entries), 1)...)
	}
	if slices.ContainsFunc(out, func(t *sheet.Table) bool { return !terminal.NewGrid(m.p.out.Style, t).Fits() }) {
		return nil
	}
	return out
}

// legend explains the marks with the words of the verdicts that occur.
func (p *printer) legend(sections []sheet.Section) {
	var marks sheet.Legend
	for _, sec := range sections {
		for _, e := range sec.Entries {
			for _, v := range p.sheet.Shown {
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
		p.out.Blank()
		p.out.Parts("   ", parts...)
	}
}
