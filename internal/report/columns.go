package report

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A layout says which columns a table of few variants has.
type layout struct {
	values, n, notes bool
	diff             bool // the difference of the values, in their unit
	asides           bool // ratios in words, in the column of the notes
	half             bool // a half-width in place of the interval
	// cut allows benchmark names to be cut down to this share of the width
	// before the next layout is tried.
	cut float64
}

// layouts in the order in which they are tried; change and verdict stay in
// all of them. Notes that have no column go below the tables.
var layouts = []layout{
	{values: true, n: true, notes: true, asides: true},
	{values: true, n: true, notes: true},
	{n: true, notes: true, asides: true},
	{n: true, notes: true},
	{notes: true},
	{cut: 0.3},
	{half: true, cut: 0.2},
}

// pairLayouts are those of two variants side by side: the values and their
// difference are what one wants to see.
var pairLayouts = []layout{
	{values: true, diff: true, n: true, notes: true, asides: true},
	{values: true, diff: true, n: true, notes: true},
	{values: true, diff: true, notes: true},
	{values: true, diff: true, cut: 0.3},
	{values: true, diff: true, half: true, cut: 0.2},
	{diff: true, half: true, cut: 0.2},
	{half: true, cut: 0.2},
}

// commandLayouts add the difference to results of commands where there is
// room: the seconds that a whole program takes are what people speak of.
var commandLayouts = append([]layout{
	{values: true, diff: true, n: true, notes: true, asides: true},
	{values: true, diff: true, n: true, notes: true},
}, layouts...)

// serviceLayouts keep the values, which for a server are the answer as much as the
// change is, and put the notes below first.
var serviceLayouts = append([]layout{
	{values: true, n: true, notes: true, asides: true},
	{values: true, n: true, notes: true},
	{values: true, n: true},
	{values: true},
	{values: true, half: true},
}, layouts[4:]...)

// layouts are those to try for these variants.
func (p *printer) layouts(variants []string) []layout {
	switch {
	case p.s.Pairs && !p.foreign:
		return pairLayouts
	case len(p.services) > 0:
		return serviceLayouts
	case len(variants) == 1 && !p.foreign && p.commands():
		return commandLayouts
	}
	return layouts
}

// commands reports whether whole programs were measured: only of those the
// context switches are counted.
func (p *printer) commands() bool {
	return slices.ContainsFunc(p.r.Tables, func(t assay.Table) bool { return t.Metric.Name == assay.MetricVoluntary })
}

// minLead is the width that the names before a fact may have on any screen.
const minLead = 24

// minName is the shortest cut of a benchmark name.
const minName = 10

// columns prints the sections as one table with variants as columns, so that
// the columns of all metrics stand below each other.
func (p *printer) columns(sections []section, variants []string) {
	if len(sections) == 0 || len(variants) == 0 {
		return
	}
	layouts := p.layouts(variants)
	for i, l := range layouts {
		l.values = l.values || p.foreign // they carry the intervals
		g, fits := p.fit(sections, variants, l)
		switch {
		case fits:
		case i < len(layouts)-1:
			continue
		case len(variants) > 1:
			// Not even the narrowest fits: one table a variant.
			for _, v := range variants {
				p.columns(sections, []string{v})
			}
			return
		}
		if l.notes {
			p.keepSaturated(p.notes, sections, variants)
		} else {
			for _, sec := range sections {
				p.keep(p.notes, sec, variants)
			}
		}
		p.grid(g)
		return
	}
}

// fit builds the table in a layout and cuts names where that makes it fit.
func (p *printer) fit(sections []section, variants []string, l layout) (*grid, bool) {
	g := p.columnGrid(sections, variants, l, 0)
	g.measure()
	over := g.width() - p.s.width()
	if over <= 0 {
		return g, true
	}
	least := max(minName, int(l.cut*float64(p.s.width())))
	name := g.widths[0] - over
	if l.cut == 0 || name < least {
		if !l.half || l.cut == 0 {
			return g, false
		}
		name = max(name, minName)
	}
	g = p.columnGrid(sections, variants, l, name)
	g.measure()
	return g, g.width() <= p.s.width()
}

// The columns of a table of few variants: three, and eight a variant.
// The spreads are for results of others.
const (
	colName = iota
	colBase
	colBaseSpread
	colFirst
)
const (
	colValue = iota
	colSpread
	colDiff
	colChange
	colInterval
	colVerdict
	colN
	colNote
	colsPerVariant
)

func (p *printer) columnGrid(sections []section, variants []string, l layout, name int) *grid {
	g := &grid{style: p.s, cols: []column{{limit: name}, {align: point, gap: 3, limit: 20}, {align: right, gap: 1}}}
	interval := pair
	if l.half {
		interval, g.cols[colBase].limit = right, 12
	}
	for range variants {
		gap := 3
		if l.values {
			gap = 2
		}
		g.cols = append(g.cols, column{align: point, gap: 3}, column{align: right, gap: 1},
			column{align: point, gap: 2}, column{align: point, gap: gap},
			column{align: interval, gap: 1}, column{gap: 2}, column{align: right, gap: 2}, column{gap: 2})
	}
	p.heads(g, variants, sections[0].bench)
	l.n = l.n && varies(sections, variants)
	for i, sec := range sections {
		if i > 0 && sec.bench != "" {
			g.blank()
			p.heads(g, variants, sec.bench)
		} else if i > 0 && (len(sec.entries) > 0 || len(sections[i-1].facts) == 0 && sections[i-1].title != geomeanWord) {
			g.blank()
		}
		p.section(g, sec, variants, l, i == 0 || sec.bench != "")
	}
	return g
}

// heads prints the names of the variants over their columns, and of the
// benchmark where it opens a table.
func (p *printer) heads(g *grid, variants []string, bench string) {
	spans := []span{{text: bench}, {from: colBase, to: colBase, text: p.r.Base, align: right}}
	for i, v := range variants {
		at := colFirst + i*colsPerVariant
		spans = append(spans, span{from: at, to: at + colNote, text: v})
	}
	g.head(spans...)
}

func (p *printer) section(g *grid, sec section, variants []string, l layout, first bool) {
	if len(sec.entries) > 0 {
		spans := []span{{text: sec.title}}
		if sec.aside != "" && !first {
			spans[0] = span{to: len(g.cols) - 1, text: sec.title + " " + sec.aside}
		}
		if first {
			spans = append(spans, span{from: colBase, to: colBase, text: "base", align: right})
			for i := range variants {
				at := colFirst + i*colsPerVariant
				if l.diff {
					spans = append(spans, span{from: at + colDiff, to: at + colDiff, text: "difference", align: right})
				}
				spans = append(spans, span{from: at + colChange, to: at + colVerdict, text: "vs base"})
				if l.n {
					spans = append(spans, span{from: at + colN, to: at + colN, text: "n", align: right})
				}
			}
		}
		g.head(spans...)
	}
	for j, e := range sec.entries {
		g.heading(e, j)
		if e.refused != "" {
			g.text(e.label, e.refused)
			continue
		}
		g.row(p.entryCells(e, variants, l)...)
	}
	p.sparklines(g, sec.latency, variants)
	if sec.tail != "" {
		g.text("", sec.tail)
	}
	for _, f := range sec.facts {
		if cells(f.lead) > max(minLead, p.nameLimit()) {
			g.text("", f.lead+": "+f.text) // many metrics would make the column of names too wide
			continue
		}
		g.text(f.lead, f.text)
	}
}

func (p *printer) entryCells(e entry, variants []string, l layout) []cell {
	out := []cell{word(e.label), e.baseCell(), spreadCell(e.base, e.spread)}
	for _, v := range variants {
		f := p.fields(e, v)
		cs := make([]cell, colsPerVariant)
		cs[colChange], cs[colInterval], cs[colVerdict] = f.change, f.interval, f.verdict
		if l.values {
			cs[colValue], cs[colSpread] = f.value, f.spread
		}
		if l.half {
			cs[colInterval] = f.half
		}
		if l.diff {
			cs[colDiff] = f.diff
		}
		if c, ok := e.of(v); ok && l.n {
			cs[colN] = number(printable.Int(c.N), "")
		}
		if l.notes {
			cs[colNote] = word(f.note)
			switch {
			case p.saturated(e, v):
				cs[colNote] = cell{}
			case f.note == "" && l.asides:
				cs[colNote] = word(f.aside)
			}
		}
		out = append(out, cs...)
	}
	return out
}

// varies reports whether the number of blocks differs between cells that are
// not exact; where it does not, the header says it.
func varies(sections []section, variants []string) bool {
	n := -1
	for _, sec := range sections {
		for _, e := range sec.entries {
			for _, v := range variants {
				c, ok := e.of(v)
				if !ok || c.Exact || c.Verdict == assay.SameCoded {
					continue
				}
				if n >= 0 && c.N != n {
					return true
				}
				n = c.N
			}
		}
	}
	return false
}
