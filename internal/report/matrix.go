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
		g = p.variantGrid(l, 0)
		g.Measure()
		if g.Width() <= p.Style.Columns() {
			break
		}
	}
	if over := g.Width() - p.Style.Columns(); over > 0 {
		g = p.variantGrid(varLayouts[len(varLayouts)-1], max(terminal.MinName, g.Widths[0]-over))
	}
	p.Grid(g)
}

func (p *printer) variantGrid(l varLayout, name int) *terminal.Grid {
	intervals := terminal.Pair
	if l.half {
		intervals = terminal.Right
	}
	g := &terminal.Grid{Style: p.Style, Cols: []terminal.Column{{Limit: name}, {Align: terminal.Point, Gap: 3}, {Align: intervals, Gap: 1}, {Gap: 2},
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

// matrix prints the changes of all variants without their intervals, in as
// many tables as the width asks for.
func (p *printer) matrix(sections []sheet.Section) {
	if p.Single() && len(sections) > 0 && len(sections[0].Entries) == 1 {
		p.Keep(p.notes, sections[0], p.Shown)
		return // the table of variants has it all
	}
	for _, sec := range sections {
		p.Keep(p.notes, sec, p.Shown)
		if len(sec.Entries) == 0 {
			g := &terminal.Grid{Style: p.Style, Cols: []terminal.Column{{}}}
			p.section(g, sec, nil, layout{}, false)
			p.Grid(g)
			continue
		}
		p.sectionMatrix(sec)
	}
	p.legend(sections)
}

// sectionMatrix prints one section with the variants as columns, or as rows
// where that takes fewer tables.
func (p *printer) sectionMatrix(sec sheet.Section) {
	parts := p.split(sec)
	turned := p.splitTurned(sec)
	switch n := len(turned); {
	case min(len(parts), max(n, 1)) > maxParts && !p.Style.All:
		g := &terminal.Grid{Style: p.Style, Cols: []terminal.Column{{}}}
		g.Text("", fmt.Sprintf("%s: %s by %s %s", sec.Title, printable.Count(len(sec.Entries), "row"), printable.Count(len(p.Shown), "variant"), p.ShowAll()))
		p.Grid(g)
	case n > 0 && n < len(parts):
		tail := sec.Tail
		for i, entries := range turned {
			sec.Tail = onLast(tail, i, len(turned))
			p.Grid(p.turnedGrid(sec, entries))
		}
	default:
		tail := sec.Tail
		for i, part := range parts {
			sec.Tail = onLast(tail, i, len(parts))
			p.Grid(p.matrixGrid(sec, part, p.nameLimit()))
		}
	}
}

// onLast is the line below a matrix for the last of its parts.
func onLast(tail string, i, n int) string {
	if i < n-1 {
		return ""
	}
	return tail
}

// maxParts is the number of tables that a matrix is split into at most.
const maxParts = 6

// splitTurned divides the entries so that each part fits the width beside the
// names of the variants, and is of one group of entries under a heading; nil where
// one column is too wide.
func (p *printer) splitTurned(sec sheet.Section) [][]sheet.Entry {
	g := p.turnedGrid(sec, sec.Entries)
	g.Measure()
	var parts [][]sheet.Entry
	room, group := 0, ""
	for i, e := range sec.Entries {
		if strings.HasPrefix(e.Label, sheet.GeomeanWord) && sec.Title == p.Result.Tables[0].Metric.Name {
			continue // the table of variants has it
		}
		w := g.Cols[1+i].Gap + g.Widths[1+i]
		if w > p.Style.Columns()-g.Widths[0] {
			return nil
		}
		if len(parts) == 0 || room < w || e.Heading != "" {
			parts = append(parts, nil)
			room = p.Style.Columns() - g.Widths[0]
			group = cmp.Or(e.Heading, group)
			e.Heading = group
		}
		room -= w
		parts[len(parts)-1] = append(parts[len(parts)-1], e)
	}
	return parts
}

// turnedGrid is the matrix of some entries with the variants as rows.
func (p *printer) turnedGrid(sec sheet.Section, entries []sheet.Entry) *terminal.Grid {
	g := &terminal.Grid{Style: p.Style, Cols: []terminal.Column{{Limit: p.nameLimit()}}}
	spans := []terminal.Span{{Text: sec.Title + ", vs base"}}
	if h := entries[0].Heading; h != "" {
		g.Text("", h)
	}
	base := []sheet.Cell{sheet.Word(p.Result.Base)}
	for i, e := range entries {
		g.Cols = append(g.Cols, terminal.Column{Align: terminal.Right, Gap: 2, Limit: 20})
		spans = append(spans, terminal.Span{From: 1 + i, To: 1 + i, Text: e.Label, Align: terminal.Right})
		base = append(base, e.BaseCell())
	}
	g.Head(spans...)
	g.Row(base...)
	for i, v := range p.Shown {
		if i == sheet.MaxRows && !p.Style.All {
			g.Text("", "… "+printable.Count(len(p.Shown)-i, "more variant")+" "+p.ShowAll())
			break
		}
		cs := []sheet.Cell{sheet.Word(v)}
		for _, e := range entries {
			cs = append(cs, sheet.MatrixCell(e, v))
		}
		g.Row(cs...)
	}
	if sec.Tail != "" {
		g.Text("", sec.Tail)
	}
	return g
}

func (p *printer) nameLimit() int { return max(terminal.MinName, p.Style.Columns()*3/10) }

// split divides the variants so that each part fits the width.
func (p *printer) split(sec sheet.Section) [][]string {
	g := p.matrixGrid(sec, p.Shown, p.nameLimit())
	g.Measure()
	fixed := g.Widths[0] + g.Cols[1].Gap + g.Widths[1]
	var parts [][]string
	room := 0
	for i, v := range p.Shown {
		w := g.Cols[2+i].Gap + g.Widths[2+i]
		if len(parts) == 0 || room < w {
			parts = append(parts, nil)
			room = p.Style.Columns() - fixed
		}
		room -= w
		parts[len(parts)-1] = append(parts[len(parts)-1], v)
	}
	return parts
}

func (p *printer) matrixGrid(sec sheet.Section, variants []string, name int) *terminal.Grid {
	g := &terminal.Grid{Style: p.Style, Cols: []terminal.Column{{Limit: name}, {Align: terminal.Point, Gap: 2, Limit: 20}}}
	spans := []terminal.Span{{Text: sec.Title + ", vs base"}, {From: 1, To: 1, Text: p.Result.Base, Align: terminal.Right}}
	for i, v := range variants {
		g.Cols = append(g.Cols, terminal.Column{Align: terminal.Right, Gap: 2, Limit: 20})
		spans = append(spans, terminal.Span{From: 2 + i, To: 2 + i, Text: v, Align: terminal.Right})
	}
	g.Head(spans...)
	for j, e := range sec.Entries {
		g.Heading(e.Heading, j)
		cs := []sheet.Cell{sheet.Word(e.Label), e.BaseCell()}
		for _, v := range variants {
			cs = append(cs, sheet.MatrixCell(e, v))
		}
		g.Row(cs...)
	}
	if sec.Tail != "" {
		g.Text("", sec.Tail)
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
