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

// ofCommands reports whether whole programs were measured: only of those the
// context switches are counted.
func ofCommands(r *assay.Result) bool {
	return slices.ContainsFunc(r.Tables, func(t assay.Table) bool { return t.Metric.Name == assay.MetricVoluntary })
}

// minLead is the width that the names before a fact may have on any screen.
const minLead = 24

// A columnTable has variants as columns, and all sections below each other, so that the
// columns of all metrics are in line.
type columnTable struct {
	*printer
	sections []sheet.Section
	variants []string
	l        layout
}

// columns prints the sections as one table with variants as columns.
func (p *printer) columns(sections []sheet.Section, variants []string) {
	if len(sections) > 0 && len(variants) > 0 {
		(&columnTable{printer: p, sections: sections, variants: variants}).print()
	}
}

// layouts are those to try.
func (t *columnTable) layouts() []layout {
	switch {
	case t.Style.Pairs && !t.Foreign:
		return pairLayouts
	case len(t.Services) > 0:
		return serviceLayouts
	case len(t.variants) == 1 && !t.Foreign && ofCommands(t.Result):
		return commandLayouts
	}
	return layouts
}

func (t *columnTable) print() {
	all := t.layouts()
	for i, l := range all {
		l.values = l.values || t.Foreign // they carry the intervals
		t.l = l
		g, fits := t.fit()
		switch {
		case fits:
		case i < len(all)-1:
			continue
		case len(t.variants) > 1:
			// Not even the narrowest fits: one table a variant.
			for _, v := range t.variants {
				t.columns(t.sections, []string{v})
			}
			return
		}
		if l.notes {
			t.KeepSaturated(t.notes, t.sections, t.variants)
		} else {
			for _, sec := range t.sections {
				t.Keep(t.notes, sec, t.variants)
			}
		}
		t.Grid(g)
		return
	}
}

// fit builds the table in its layout and cuts names where that makes it fit.
func (t *columnTable) fit() (*terminal.Grid, bool) {
	g := t.grid(0)
	if g.Fits() {
		return g, true
	}
	least := max(terminal.MinName, int(t.l.cut*float64(t.Style.Columns())))
	name := g.Widths[0] - (g.Width() - t.Style.Columns())
	if t.l.cut == 0 || name < least {
		if !t.l.half || t.l.cut == 0 {
			return g, false
		}
		name = max(name, terminal.MinName)
	}
	g = t.grid(name)
	return g, g.Fits()
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

// grid is the table with names cut to name cells, 0 being not at all.
func (t *columnTable) grid(name int) *terminal.Grid {
	g := &terminal.Grid{Style: t.Style, Cols: []terminal.Column{{Limit: name}, {Align: terminal.Point, Gap: 3, Limit: 20}, {Align: terminal.Right, Gap: 1}}}
	if t.l.half {
		g.Cols[colBase].Limit = 12
	}
	for range t.variants {
		gap := 3
		if t.l.values {
			gap = 2
		}
		g.Cols = append(g.Cols, terminal.Column{Align: terminal.Point, Gap: 3}, terminal.Column{Align: terminal.Right, Gap: 1},
			terminal.Column{Align: terminal.Point, Gap: 2}, terminal.Column{Align: terminal.Point, Gap: gap},
			terminal.Interval(t.l.half), terminal.Column{Gap: 2}, terminal.Column{Align: terminal.Right, Gap: 2}, terminal.Column{Gap: 2})
	}
	t.heads(g, t.sections[0].Bench)
	t.l.n = t.l.n && t.varies()
	for i, sec := range t.sections {
		if i > 0 && sec.Bench != "" {
			g.Blank()
			t.heads(g, sec.Bench)
		} else if i > 0 && (len(sec.Entries) > 0 || len(t.sections[i-1].Facts) == 0 && t.sections[i-1].Title != sheet.GeomeanWord) {
			g.Blank()
		}
		t.section(g, sec, i == 0 || sec.Bench != "")
	}
	return g
}

// heads prints the names of the variants over their columns, and of the
// benchmark where it opens a table.
func (t *columnTable) heads(g *terminal.Grid, bench string) {
	spans := []terminal.Span{{Text: bench}, {From: colBase, To: colBase, Text: t.Result.Base, Align: terminal.Right}}
	for i, v := range t.variants {
		at := colFirst + i*colsPerVariant
		spans = append(spans, terminal.Span{From: at, To: at + colNote, Text: v})
	}
	g.Head(spans...)
}

func (t *columnTable) section(g *terminal.Grid, sec sheet.Section, first bool) {
	if len(sec.Entries) > 0 {
		spans := []terminal.Span{{Text: sec.Title}}
		if sec.Aside != "" && !first {
			spans[0] = terminal.Span{To: len(g.Cols) - 1, Text: sec.Title + " " + sec.Aside}
		}
		if first {
			spans = append(spans, terminal.Span{From: colBase, To: colBase, Text: "base", Align: terminal.Right})
			for i := range t.variants {
				at := colFirst + i*colsPerVariant
				if t.l.diff {
					spans = append(spans, terminal.Span{From: at + colDiff, To: at + colDiff, Text: "difference", Align: terminal.Right})
				}
				spans = append(spans, terminal.Span{From: at + colChange, To: at + colVerdict, Text: "vs base"})
				if t.l.n {
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
		g.Row(t.cells(e)...)
	}
	t.sparklines(g, sec.Latency, t.variants)
	if sec.Tail != "" {
		g.Text("", sec.Tail)
	}
	for _, f := range sec.Facts {
		if terminal.Width(f.Lead) > max(minLead, t.Style.NameLimit()) {
			g.Text("", f.Lead+": "+f.Text) // many metrics would make the column of names too wide
			continue
		}
		g.Text(f.Lead, f.Text)
	}
}

func (t *columnTable) cells(e sheet.Entry) []sheet.Cell {
	out := []sheet.Cell{sheet.Word(e.Label), e.BaseCell(), sheet.SpreadCell(e.Base, e.Spread)}
	for _, v := range t.variants {
		f := t.Fields(e, v)
		cs := make([]sheet.Cell, colsPerVariant)
		cs[colChange], cs[colInterval], cs[colVerdict] = f.Change, f.Extent(t.l.half), f.Verdict
		if t.l.values {
			cs[colValue], cs[colSpread] = f.Value, f.Spread
		}
		if t.l.diff {
			cs[colDiff] = f.Diff
		}
		if c, ok := e.Of(v); ok && t.l.n {
			cs[colN] = sheet.Number(printable.Int(c.N), "")
		}
		if t.l.notes {
			cs[colNote] = sheet.Word(f.Note)
			switch {
			case sheet.Saturated(e, v):
				cs[colNote] = sheet.Cell{}
			case f.Note == "" && t.l.asides:
				cs[colNote] = sheet.Word(f.Aside)
			}
		}
		out = append(out, cs...)
	}
	return out
}

// varies reports whether the number of blocks differs between cells that are
// not exact; where it does not, the header says it.
func (t *columnTable) varies() bool {
	n := -1
	for _, sec := range t.sections {
		for _, e := range sec.Entries {
			for _, v := range t.variants {
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
