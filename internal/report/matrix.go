package report

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
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
	var g *grid
	for _, l := range varLayouts {
		g = p.variantGrid(l, 0)
		g.measure()
		if g.width() <= p.s.columns() {
			break
		}
	}
	if over := g.width() - p.s.columns(); over > 0 {
		g = p.variantGrid(varLayouts[len(varLayouts)-1], max(minName, g.widths[0]-over))
	}
	p.grid(g)
}

func (p *printer) variantGrid(l varLayout, name int) *grid {
	intervals := pair
	if l.half {
		intervals = right
	}
	g := &grid{style: p.s, cols: []column{{limit: name}, {align: point, gap: 3}, {align: intervals, gap: 1}, {gap: 2},
		{align: right, gap: 2}, {align: right, gap: 2}, {align: right, gap: 2}, {align: right, gap: 2}, {gap: 3}}}
	e, what := p.Suite()
	p.variantHead(g, l, e, what)
	for _, v := range p.Result.Variants {
		switch {
		case v.Name == p.Result.Base:
			value := e.BaseCell()
			g.row(sheet.Word(v.Name), sheet.Word("base"), sheet.Word(value.Joined()))
		case v.SameAs != nil:
			g.text(v.Name, "≡ "+p.SameText(v))
		default:
			g.row(p.variantCells(v, e, l)...)
		}
	}
	return g
}

func (p *printer) variantHead(g *grid, l varLayout, e sheet.Entry, what string) {
	title := e.Metric.Name
	if what != "" {
		title += ", " + what
	}
	heads := sheet.CountHeads(e.Metric, l.marks)
	spans := []span{{text: "variant"}, {from: varChange, to: varVerdict, text: title + " vs base"}}
	for i, h := range heads {
		spans = append(spans, span{from: varBetter + i, to: varBetter + i, text: h, align: right})
	}
	if l.worst {
		spans = append(spans, span{from: varWorst, to: varWorst, text: "worst benchmark"})
	}
	g.head(spans...)
}

func (p *printer) variantCells(v assay.VariantResult, e sheet.Entry, l varLayout) []sheet.Cell {
	f := p.Fields(e, v.Name)
	if len(e.Cells) == 0 {
		f = sheet.Fields{}
	}
	if l.half {
		f.Interval = f.Half
	}
	cs := []sheet.Cell{sheet.Word(v.Name), f.Change, f.Interval, f.Verdict}
	for _, n := range []int{v.Better, v.Same, v.Worse, v.Unclear} {
		t := printable.Int(n)
		if n == 0 {
			t = "–"
		}
		cs = append(cs, sheet.Word(t))
	}
	if l.worst && v.Worst != nil {
		cs = append(cs, sheet.Word(p.worst(v, e.Metric)))
	}
	return cs
}

// worst is "indexed-counter +42.5 % ±0.8".
func (p *printer) worst(v assay.VariantResult, m assay.Metric) string {
	e := sheet.Entry{Metric: m, Base: math.NaN(), Cells: []assay.Comparison{*v.Worst}}
	change, _, half := sheet.ChangeCells(e, *v.Worst)
	return p.s.Middle(v.Worst.Benchmark.Name, 24) + " " + strings.TrimSpace(change.Joined()+" "+half.Text)
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
			g := &grid{style: p.s, cols: []column{{}}}
			p.section(g, sec, nil, layout{}, false)
			p.grid(g)
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
	case min(len(parts), max(n, 1)) > maxParts && !p.s.All:
		g := &grid{style: p.s, cols: []column{{}}}
		g.text("", fmt.Sprintf("%s: %s by %s %s", sec.Title, printable.Count(len(sec.Entries), "row"), printable.Count(len(p.Shown), "variant"), p.ShowAll()))
		p.grid(g)
	case n > 0 && n < len(parts):
		tail := sec.Tail
		for i, entries := range turned {
			sec.Tail = onLast(tail, i, len(turned))
			p.grid(p.turnedGrid(sec, entries))
		}
	default:
		tail := sec.Tail
		for i, part := range parts {
			sec.Tail = onLast(tail, i, len(parts))
			p.grid(p.matrixGrid(sec, part, p.nameLimit()))
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
	g.measure()
	var parts [][]sheet.Entry
	room, group := 0, ""
	for i, e := range sec.Entries {
		if strings.HasPrefix(e.Label, sheet.GeomeanWord) && sec.Title == p.Result.Tables[0].Metric.Name {
			continue // the table of variants has it
		}
		w := g.cols[1+i].gap + g.widths[1+i]
		if w > p.s.columns()-g.widths[0] {
			return nil
		}
		if len(parts) == 0 || room < w || e.Heading != "" {
			parts = append(parts, nil)
			room = p.s.columns() - g.widths[0]
			group = cmp.Or(e.Heading, group)
			e.Heading = group
		}
		room -= w
		parts[len(parts)-1] = append(parts[len(parts)-1], e)
	}
	return parts
}

// turnedGrid is the matrix of some entries with the variants as rows.
func (p *printer) turnedGrid(sec sheet.Section, entries []sheet.Entry) *grid {
	g := &grid{style: p.s, cols: []column{{limit: p.nameLimit()}}}
	spans := []span{{text: sec.Title + ", vs base"}}
	if h := entries[0].Heading; h != "" {
		g.text("", h)
	}
	base := []sheet.Cell{sheet.Word(p.Result.Base)}
	for i, e := range entries {
		g.cols = append(g.cols, column{align: right, gap: 2, limit: 20})
		spans = append(spans, span{from: 1 + i, to: 1 + i, text: e.Label, align: right})
		base = append(base, e.BaseCell())
	}
	g.head(spans...)
	g.row(base...)
	for i, v := range p.Shown {
		if i == sheet.MaxRows && !p.s.All {
			g.text("", "… "+printable.Count(len(p.Shown)-i, "more variant")+" "+p.ShowAll())
			break
		}
		cs := []sheet.Cell{sheet.Word(v)}
		for _, e := range entries {
			cs = append(cs, p.MatrixCell(e, v))
		}
		g.row(cs...)
	}
	if sec.Tail != "" {
		g.text("", sec.Tail)
	}
	return g
}

func (p *printer) nameLimit() int { return max(minName, p.s.columns()*3/10) }

// split divides the variants so that each part fits the width.
func (p *printer) split(sec sheet.Section) [][]string {
	g := p.matrixGrid(sec, p.Shown, p.nameLimit())
	g.measure()
	fixed := g.widths[0] + g.cols[1].gap + g.widths[1]
	var parts [][]string
	room := 0
	for i, v := range p.Shown {
		w := g.cols[2+i].gap + g.widths[2+i]
		if len(parts) == 0 || room < w {
			parts = append(parts, nil)
			room = p.s.columns() - fixed
		}
		room -= w
		parts[len(parts)-1] = append(parts[len(parts)-1], v)
	}
	return parts
}

func (p *printer) matrixGrid(sec sheet.Section, variants []string, name int) *grid {
	g := &grid{style: p.s, cols: []column{{limit: name}, {align: point, gap: 2, limit: 20}}}
	spans := []span{{text: sec.Title + ", vs base"}, {from: 1, to: 1, text: p.Result.Base, align: right}}
	for i, v := range variants {
		g.cols = append(g.cols, column{align: right, gap: 2, limit: 20})
		spans = append(spans, span{from: 2 + i, to: 2 + i, text: v, align: right})
	}
	g.head(spans...)
	for j, e := range sec.Entries {
		g.heading(e.Heading, j)
		cs := []sheet.Cell{sheet.Word(e.Label), e.BaseCell()}
		for _, v := range variants {
			cs = append(cs, p.MatrixCell(e, v))
		}
		g.row(cs...)
	}
	if sec.Tail != "" {
		g.text("", sec.Tail)
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
		p.blank()
		p.parts("   ", parts...)
	}
}
