package report

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
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
	if len(p.r.Tables) == 0 {
		p.sameCode()
		return
	}
	var g *grid
	for _, l := range varLayouts {
		g = p.variantGrid(l, 0)
		g.measure()
		if g.width() <= p.s.width() {
			break
		}
	}
	if over := g.width() - p.s.width(); over > 0 {
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
	e, what := p.suite()
	p.variantHead(g, l, e, what)
	for _, v := range p.r.Variants {
		switch {
		case v.Name == p.r.Base:
			value := e.baseCell()
			g.row(word(v.Name), word("base"), word(value.joined()))
		case v.SameAs != nil:
			g.text(v.Name, "≡ "+p.sameText(v))
		default:
			g.row(p.variantCells(v, e, l)...)
		}
	}
	return g
}

func (p *printer) variantHead(g *grid, l varLayout, e entry, what string) {
	title := e.metric.Name
	if what != "" {
		title += ", " + what
	}
	heads := countHeads(e.metric, l.marks)
	spans := []span{{text: "variant"}, {from: varChange, to: varVerdict, text: title + " vs base"}}
	for i, h := range heads {
		spans = append(spans, span{from: varBetter + i, to: varBetter + i, text: h, align: right})
	}
	if l.worst {
		spans = append(spans, span{from: varWorst, to: varWorst, text: "worst benchmark"})
	}
	g.head(spans...)
}

func (p *printer) variantCells(v assay.VariantResult, e entry, l varLayout) []cell {
	f := p.fields(e, v.Name)
	if len(e.cells) == 0 {
		f = fields{}
	}
	if l.half {
		f.interval = f.half
	}
	cs := []cell{word(v.Name), f.change, f.interval, f.verdict}
	for _, n := range []int{v.Better, v.Same, v.Worse, v.Unclear} {
		t := printable.Int(n)
		if n == 0 {
			t = "–"
		}
		cs = append(cs, word(t))
	}
	if l.worst && v.Worst != nil {
		cs = append(cs, word(p.worst(v, e.metric)))
	}
	return cs
}

// worst is "indexed-counter +42.5 % ±0.8".
func (p *printer) worst(v assay.VariantResult, m assay.Metric) string {
	e := entry{metric: m, base: math.NaN(), cells: []assay.Comparison{*v.Worst}}
	change, _, half := changeCells(e, *v.Worst)
	return p.s.middle(v.Worst.Benchmark.Name, 24) + " " + strings.TrimSpace(change.joined()+" "+half.text)
}

// matrix prints the changes of all variants without their intervals, in as
// many tables as the width asks for.
func (p *printer) matrix(sections []section) {
	if p.single() && len(sections) > 0 && len(sections[0].entries) == 1 {
		p.keep(p.notes, sections[0], p.shown)
		return // the table of variants has it all
	}
	for _, sec := range sections {
		p.keep(p.notes, sec, p.shown)
		if len(sec.entries) == 0 {
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
func (p *printer) sectionMatrix(sec section) {
	parts := p.split(sec)
	turned := p.splitTurned(sec)
	switch n := len(turned); {
	case min(len(parts), max(n, 1)) > maxParts && !p.s.All:
		g := &grid{style: p.s, cols: []column{{}}}
		g.text("", fmt.Sprintf("%s: %s by %s %s", sec.title, printable.Count(len(sec.entries), "row"), printable.Count(len(p.shown), "variant"), p.showAll()))
		p.grid(g)
	case n > 0 && n < len(parts):
		tail := sec.tail
		for i, entries := range turned {
			sec.tail = onLast(tail, i, len(turned))
			p.grid(p.turnedGrid(sec, entries))
		}
	default:
		tail := sec.tail
		for i, part := range parts {
			sec.tail = onLast(tail, i, len(parts))
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
func (p *printer) splitTurned(sec section) [][]entry {
	g := p.turnedGrid(sec, sec.entries)
	g.measure()
	var parts [][]entry
	room, group := 0, ""
	for i, e := range sec.entries {
		if strings.HasPrefix(e.label, geomeanWord) && sec.title == p.r.Tables[0].Metric.Name {
			continue // the table of variants has it
		}
		w := g.cols[1+i].gap + g.widths[1+i]
		if w > p.s.width()-g.widths[0] {
			return nil
		}
		if len(parts) == 0 || room < w || e.heading != "" {
			parts = append(parts, nil)
			room = p.s.width() - g.widths[0]
			group = cmp.Or(e.heading, group)
			e.heading = group
		}
		room -= w
		parts[len(parts)-1] = append(parts[len(parts)-1], e)
	}
	return parts
}

// turnedGrid is the matrix of some entries with the variants as rows.
func (p *printer) turnedGrid(sec section, entries []entry) *grid {
	g := &grid{style: p.s, cols: []column{{limit: p.nameLimit()}}}
	spans := []span{{text: sec.title + ", vs base"}}
	if h := entries[0].heading; h != "" {
		g.text("", h)
	}
	base := []cell{word(p.r.Base)}
	for i, e := range entries {
		g.cols = append(g.cols, column{align: right, gap: 2, limit: 20})
		spans = append(spans, span{from: 1 + i, to: 1 + i, text: e.label, align: right})
		base = append(base, e.baseCell())
	}
	g.head(spans...)
	g.row(base...)
	for i, v := range p.shown {
		if i == maxRows && !p.s.All {
			g.text("", "… "+printable.Count(len(p.shown)-i, "more variant")+" "+p.showAll())
			break
		}
		cs := []cell{word(v)}
		for _, e := range entries {
			cs = append(cs, p.matrixCell(e, v))
		}
		g.row(cs...)
	}
	if sec.tail != "" {
		g.text("", sec.tail)
	}
	return g
}

func (p *printer) nameLimit() int { return max(minName, p.s.width()*3/10) }

// split divides the variants so that each part fits the width.
func (p *printer) split(sec section) [][]string {
	g := p.matrixGrid(sec, p.shown, p.nameLimit())
	g.measure()
	fixed := g.widths[0] + g.cols[1].gap + g.widths[1]
	var parts [][]string
	room := 0
	for i, v := range p.shown {
		w := g.cols[2+i].gap + g.widths[2+i]
		if len(parts) == 0 || room < w {
			parts = append(parts, nil)
			room = p.s.width() - fixed
		}
		room -= w
		parts[len(parts)-1] = append(parts[len(parts)-1], v)
	}
	return parts
}

func (p *printer) matrixGrid(sec section, variants []string, name int) *grid {
	g := &grid{style: p.s, cols: []column{{limit: name}, {align: point, gap: 2, limit: 20}}}
	spans := []span{{text: sec.title + ", vs base"}, {from: 1, to: 1, text: p.r.Base, align: right}}
	for i, v := range variants {
		g.cols = append(g.cols, column{align: right, gap: 2, limit: 20})
		spans = append(spans, span{from: 2 + i, to: 2 + i, text: v, align: right})
	}
	g.head(spans...)
	for j, e := range sec.entries {
		g.heading(e, j)
		cs := []cell{word(e.label), e.baseCell()}
		for _, v := range variants {
			cs = append(cs, p.matrixCell(e, v))
		}
		g.row(cs...)
	}
	if sec.tail != "" {
		g.text("", sec.tail)
	}
	return g
}

// legend explains the marks with the words of the verdicts that occur.
func (p *printer) legend(sections []section) {
	var marks legend
	for _, sec := range sections {
		for _, e := range sec.entries {
			for _, v := range p.shown {
				if c, ok := e.of(v); ok {
					marks.add(c)
				}
			}
		}
	}
	p.printLegend(marks)
}

func (p *printer) printLegend(marks legend) {
	var parts []string
	for _, m := range []string{"▼", "▲", "=", "≡", "?"} {
		if len(marks[m]) > 0 {
			parts = append(parts, m+" "+strings.Join(marks[m], ", "))
		}
	}
	if len(parts) > 0 {
		p.out.WriteString("\n")
		p.parts("   ", parts...)
	}
}
