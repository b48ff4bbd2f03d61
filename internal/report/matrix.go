package report

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// The columns of the table of variants.
const (
	varName = iota
	varChange
	varInterval
	varVerdict
	varBetter
	varSame
	varWorse
	varUnclear
	varWorst
)

// A varLayout says how the table of variants is printed.
type varLayout struct {
	worst bool
	marks bool // marks instead of words over the counts
	half  bool
}

var varLayouts = []varLayout{{worst: true}, {worst: true, marks: true}, {}, {marks: true}, {marks: true, half: true}}

// variants prints the table of variants over the whole suite.
func (p *printer) variants() {
	if len(p.Result.Tables) == 0 {
		p.sameCode()
		return
	}
	var g *terminal.Grid
	for _, l := range varLayouts {
		if g = p.variantGrid(l, 0); g.Fits() {
			break
		}
	}
	if over := g.Width() - p.Style.Columns(); over > 0 {
		g = p.variantGrid(varLayouts[len(varLayouts)-1], max(terminal.MinName, g.Widths[0]-over))
	}
	p.Grid(g)
}

func (p *printer) variantGrid(l varLayout, name int) *terminal.Grid {
	g := &terminal.Grid{Style: p.Style, Cols: []terminal.Column{{Limit: name}, {Align: terminal.Point, Gap: 3}, terminal.Interval(l.half), {Gap: 2},
		{Align: terminal.Right, Gap: 2}, {Align: terminal.Right, Gap: 2}, {Align: terminal.Right, Gap: 2}, {Align: terminal.Right, Gap: 2}, {Gap: 3}}}
	e, what := p.Suite()
	p.variantHead(g, l, e, what)
	for _, v := range p.Result.Variants {
		cs := p.VariantCells(v, e, l.half)
		if len(cs) == 1 {
			g.Text(v.Name, cs[0].Text)
			continue
		}
		if l.worst && v.Worst != nil && v.Name != p.Result.Base {
			cs = append(cs, sheet.Word(p.worst(v, e.Metric)))
		}
		g.Row(append([]sheet.Cell{sheet.Word(v.Name)}, cs...)...)
	}
	return g
}

func (p *printer) variantHead(g *terminal.Grid, l varLayout, e sheet.Entry, what string) {
	title := e.Metric.Name
	if what != "" {
		title += ", " + what
	}
	heads := sheet.CountHeads(e.Metric, l.marks)
	spans := []terminal.Span{{Text: "variant"}, {From: varChange, To: varVerdict, Text: title + " vs base"}}
	for i, h := range heads {
		spans = append(spans, terminal.Span{From: varBetter + i, To: varBetter + i, Text: h, Align: terminal.Right})
	}
	if l.worst {
		spans = append(spans, terminal.Span{From: varWorst, To: varWorst, Text: "worst benchmark"})
	}
	g.Head(spans...)
}

// worst is "indexed-counter +42.5 % ±0.8".
func (p *printer) worst(v assay.VariantResult, m assay.Metric) string {
	e := sheet.Entry{Metric: m, Base: math.NaN(), Cells: []assay.Comparison{*v.Worst}}
	change, _, half := sheet.ChangeCells(e, *v.Worst)
	return p.Style.Middle(v.Worst.Benchmark.Name, 24) + " " + strings.TrimSpace(change.Joined()+" "+half.Text)
}

// matrices print the changes of all variants without their intervals, in as
// many tables as the width asks for.
func (p *printer) matrices(sections []sheet.Section) {
	if p.Single() && len(sections) > 0 && len(sections[0].Entries) == 1 {
		p.Keep(p.notes, sections[0], p.Shown)
		return // the table of variants has it all
	}
	for _, sec := range sections {
		p.Keep(p.notes, sec, p.Shown)
		if len(sec.Entries) == 0 {
			g := &terminal.Grid{Style: p.Style, Cols: []terminal.Column{{}}}
			(&columnTable{printer: p}).section(g, sec, false)
			p.Grid(g)
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

// print prints the variants as columns, or as rows where that takes fewer tables.
func (m matrix) print() {
	parts := m.split()
	turned := m.splitTurned()
	switch n := len(turned); {
	case min(len(parts), max(n, 1)) > maxParts && !m.Style.All:
		g := &terminal.Grid{Style: m.Style, Cols: []terminal.Column{{}}}
		g.Text("", fmt.Sprintf("%s: %s by %s %s", m.sec.Title, printable.Count(len(m.sec.Entries), "row"), printable.Count(len(m.Shown), "variant"), m.ShowAll()))
		m.Grid(g)
	case n > 0 && n < len(parts):
		for i, entries := range turned {
			m.Grid(m.turned(entries, m.tail(i == n-1)))
		}
	default:
		for i, variants := range parts {
			m.Grid(m.grid(variants, m.tail(i == len(parts)-1)))
		}
	}
}

// tail is the line below a matrix, which stands below the last of its parts.
func (m matrix) tail(last bool) string {
	if last {
		return m.sec.Tail
	}
	return ""
}

// splitTurned divides the entries so that each part fits the width beside the
// names of the variants, and is of one group of entries under a heading; nil where
// one column is too wide.
func (m matrix) splitTurned() [][]sheet.Entry {
	g := m.turned(m.sec.Entries, m.sec.Tail)
	g.Measure()
	var parts [][]sheet.Entry
	room, group := 0, ""
	for i, e := range m.sec.Entries {
		if strings.HasPrefix(e.Label, sheet.GeomeanWord) && m.sec.Title == m.Result.Tables[0].Metric.Name {
			continue // the table of variants has it
		}
		w := g.Cols[1+i].Gap + g.Widths[1+i]
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

// turned is the matrix of some entries with the variants as rows.
func (m matrix) turned(entries []sheet.Entry, tail string) *terminal.Grid {
	g := &terminal.Grid{Style: m.Style, Cols: []terminal.Column{{Limit: m.Style.NameLimit()}}}
	spans := []terminal.Span{{Text: m.sec.Title + ", vs base"}}
	if h := entries[0].Heading; h != "" {
		g.Text("", h)
	}
	base := []sheet.Cell{sheet.Word(m.Result.Base)}
	for i, e := range entries {
		g.Cols = append(g.Cols, terminal.Column{Align: terminal.Right, Gap: 2, Limit: 20})
		spans = append(spans, terminal.Span{From: 1 + i, To: 1 + i, Text: e.Label, Align: terminal.Right})
		base = append(base, e.BaseCell())
	}
	g.Head(spans...)
	g.Row(base...)
	for i, v := range m.Shown {
		if i == sheet.MaxRows && !m.Style.All {
			g.Text("", "… "+printable.Count(len(m.Shown)-i, "more variant")+" "+m.ShowAll())
			break
		}
		cs := []sheet.Cell{sheet.Word(v)}
		for _, e := range entries {
			cs = append(cs, sheet.MatrixCell(e, v))
		}
		g.Row(cs...)
	}
	if tail != "" {
		g.Text("", tail)
	}
	return g
}

// split divides the variants so that each part fits the width.
func (m matrix) split() [][]string {
	g := m.grid(m.Shown, m.sec.Tail)
	g.Measure()
	fixed := g.Widths[0] + g.Cols[1].Gap + g.Widths[1]
	var parts [][]string
	room := 0
	for i, v := range m.Shown {
		w := g.Cols[2+i].Gap + g.Widths[2+i]
		if len(parts) == 0 || room < w {
			parts = append(parts, nil)
			room = m.Style.Columns() - fixed
		}
		room -= w
		parts[len(parts)-1] = append(parts[len(parts)-1], v)
	}
	return parts
}

// grid is the matrix of some variants as columns.
func (m matrix) grid(variants []string, tail string) *terminal.Grid {
	g := &terminal.Grid{Style: m.Style, Cols: []terminal.Column{{Limit: m.Style.NameLimit()}, {Align: terminal.Point, Gap: 2, Limit: 20}}}
	spans := []terminal.Span{{Text: m.sec.Title + ", vs base"}, {From: 1, To: 1, Text: m.Result.Base, Align: terminal.Right}}
	for i, v := range variants {
		g.Cols = append(g.Cols, terminal.Column{Align: terminal.Right, Gap: 2, Limit: 20})
		spans = append(spans, terminal.Span{From: 2 + i, To: 2 + i, Text: v, Align: terminal.Right})
	}
	g.Head(spans...)
	for j, e := range m.sec.Entries {
		g.Heading(e.Heading, j)
		cs := []sheet.Cell{sheet.Word(e.Label), e.BaseCell()}
		for _, v := range variants {
			cs = append(cs, sheet.MatrixCell(e, v))
		}
		g.Row(cs...)
	}
	if tail != "" {
		g.Text("", tail)
	}
	return g
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
