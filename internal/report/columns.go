package report

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
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
	case p.Style.Pairs && !p.Foreign:
		return pairLayouts
	case len(p.Services) > 0:
		return serviceLayouts
	case len(variants) == 1 && !p.Foreign && p.commands():
		return commandLayouts
	}
	return layouts
}

// commands reports whether whole programs were measured: only of those the
// context switches are counted.
func (p *printer) commands() bool {
	return slices.ContainsFunc(p.Result.Tables, func(t assay.Table) bool { return t.Metric.Name == assay.MetricVoluntary })
}

// minLead is the width that the names before a fact may have on any screen.
const minLead = 24

// columns prints the sections as one table with variants as columns, so that
// the columns of all metrics stand below each other.
func (p *printer) columns(sections []sheet.Section, variants []string) {
	if len(sections) == 0 || len(variants) == 0 {
		return
	}
	layouts := p.layouts(variants)
	for i, l := range layouts {
		l.values = l.values || p.Foreign // they carry the intervals
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
			p.KeepSaturated(p.notes, sections, variants)
		} else {
			for _, sec := range sections {
				p.Keep(p.notes, sec, variants)
			}
		}
		p.Grid(g)
		return
	}
}

// fit builds the table in a layout and cuts names where that makes it fit.
func (p *printer) fit(sections []sheet.Section, variants []string, l layout) (*terminal.Grid, bool) {
	g := p.columnGrid(sections, variants, l, 0)
	g.Measure()
	over := g.Width() - p.Style.Columns()
	if over <= 0 {
		return g, true
	}
	least := max(terminal.MinName, int(l.cut*float64(p.Style.Columns())))
	name := g.Widths[0] - over
	if l.cut == 0 || name < least {
		if !l.half || l.cut == 0 {
			return g, false
		}
		name = max(name, terminal.MinName)
	}
	g = p.columnGrid(sections, variants, l, name)
	g.Measure()
	return g, g.Width() <= p.Style.Columns()
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

func (p *printer) columnGrid(sections []sheet.Section, variants []string, l layout, name int) *terminal.Grid {
	g := &terminal.Grid{Style: p.Style, Cols: []terminal.Column{{Limit: name}, {Align: terminal.Point, Gap: 3, Limit: 20}, {Align: terminal.Right, Gap: 1}}}
	interval := terminal.Pair
	if l.half {
		interval, g.Cols[colBase].Limit = terminal.Right, 12
	}
	for range variants {
		gap := 3
		if l.values {
			gap = 2
		}
		g.Cols = append(g.Cols, terminal.Column{Align: terminal.Point, Gap: 3}, terminal.Column{Align: terminal.Right, Gap: 1},
			terminal.Column{Align: terminal.Point, Gap: 2}, terminal.Column{Align: terminal.Point, Gap: gap},
			terminal.Column{Align: interval, Gap: 1}, terminal.Column{Gap: 2}, terminal.Column{Align: terminal.Right, Gap: 2}, terminal.Column{Gap: 2})
	}
	p.heads(g, variants, sections[0].Bench)
	l.n = l.n && varies(sections, variants)
	for i, sec := range sections {
		if i > 0 && sec.Bench != "" {
			g.Blank()
			p.heads(g, variants, sec.Bench)
		} else if i > 0 && (len(sec.Entries) > 0 || len(sections[i-1].Facts) == 0 && sections[i-1].Title != sheet.GeomeanWord) {
			g.Blank()
		}
		p.section(g, sec, variants, l, i == 0 || sec.Bench != "")
	}
	return g
}

// heads prints the names of the variants over their columns, and of the
// benchmark where it opens a table.
func (p *printer) heads(g *terminal.Grid, variants []string, bench string) {
	spans := []terminal.Span{{Text: bench}, {From: colBase, To: colBase, Text: p.Result.Base, Align: terminal.Right}}
	for i, v := range variants {
		at := colFirst + i*colsPerVariant
		spans = append(spans, terminal.Span{From: at, To: at + colNote, Text: v})
	}
	g.Head(spans...)
}

func (p *printer) section(g *terminal.Grid, sec sheet.Section, variants []string, l layout, first bool) {
	if len(sec.Entries) > 0 {
		spans := []terminal.Span{{Text: sec.Title}}
		if sec.Aside != "" && !first {
			spans[0] = terminal.Span{To: len(g.Cols) - 1, Text: sec.Title + " " + sec.Aside}
		}
		if first {
			spans = append(spans, terminal.Span{From: colBase, To: colBase, Text: "base", Align: terminal.Right})
			for i := range variants {
				at := colFirst + i*colsPerVariant
				if l.diff {
					spans = append(spans, terminal.Span{From: at + colDiff, To: at + colDiff, Text: "difference", Align: terminal.Right})
				}
				spans = append(spans, terminal.Span{From: at + colChange, To: at + colVerdict, Text: "vs base"})
				if l.n {
					spans = append(spans, terminal.Span{From: at + colN, To: at + colN, Text: "n", Align: terminal.Right})
				}
			}
		}
		g.Head(spans...)
	}
	for j, e := range sec.Entries {
		g.Heading(e.Heading, j)
		if e.Refused != "" {
			g.Text(e.Label, e.Refused)
			continue
		}
		g.Row(p.entryCells(e, variants, l)...)
	}
	p.sparklines(g, sec.Latency, variants)
	if sec.Tail != "" {
		g.Text("", sec.Tail)
	}
	for _, f := range sec.Facts {
		if terminal.Width(f.Lead) > max(minLead, p.nameLimit()) {
			g.Text("", f.Lead+": "+f.Text) // many metrics would make the column of names too wide
			continue
		}
		g.Text(f.Lead, f.Text)
	}
}

func (p *printer) entryCells(e sheet.Entry, variants []string, l layout) []sheet.Cell {
	out := []sheet.Cell{sheet.Word(e.Label), e.BaseCell(), sheet.SpreadCell(e.Base, e.Spread)}
	for _, v := range variants {
		f := p.Fields(e, v)
		cs := make([]sheet.Cell, colsPerVariant)
		cs[colChange], cs[colInterval], cs[colVerdict] = f.Change, f.Interval, f.Verdict
		if l.values {
			cs[colValue], cs[colSpread] = f.Value, f.Spread
		}
		if l.half {
			cs[colInterval] = f.Half
		}
		if l.diff {
			cs[colDiff] = f.Diff
		}
		if c, ok := e.Of(v); ok && l.n {
			cs[colN] = sheet.Number(printable.Int(c.N), "")
		}
		if l.notes {
			cs[colNote] = sheet.Word(f.Note)
			switch {
			case sheet.Saturated(e, v):
				cs[colNote] = sheet.Cell{}
			case f.Note == "" && l.asides:
				cs[colNote] = sheet.Word(f.Aside)
			}
		}
		out = append(out, cs...)
	}
	return out
}

// varies reports whether the number of blocks differs between cells that are
// not exact; where it does not, the header says it.
func varies(sections []sheet.Section, variants []string) bool {
	n := -1
	for _, sec := range sections {
		for _, e := range sec.Entries {
			for _, v := range variants {
				c, ok := e.Of(v)
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
