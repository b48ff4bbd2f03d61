package report

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// An effectLayout says how effects and lineups are printed.
type effectLayout struct{ notes, half bool }

var effectLayouts = []effectLayout{{notes: true}, {}, {half: true}}

// effects prints what each switch does, for every metric that has them: those
// of one switch, in groups by what was held, then those of two.
func (p *printer) effects() {
	for _, t := range p.Result.Tables {
		if len(t.Effects) == 0 || sheet.OneFactor(t.Effects) {
			continue
		}
		x := &effects{printer: p, table: t}
		if i := p.FirstFit(len(effectLayouts), x.grid); !effectLayouts[i].notes {
			p.KeepEffects(p.notes, t)
		}
	}
}

// effects are those of a table.
type effects struct {
	*printer
	table assay.Table
}

// grid is their table in one of the layouts.
func (p *effects) grid(layout int) *terminal.Grid {
	t, l := p.table, effectLayouts[layout]
	limit := p.Style.Columns()/2 - 2
	if l.half {
		limit = p.Style.Columns() - 32
	}
	g := &terminal.Grid{Style: p.Style, Cols: []terminal.Column{{Limit: max(terminal.MinName, limit)}, {Align: terminal.Point, Gap: 3}, terminal.Interval(l.half), {Gap: 2}, {Gap: 2}}}
	heading := ""
	for _, e := range t.Effects {
		if !p.Printed(e) {
			continue
		}
		if h := sheet.EffectHeading(e); h != heading {
			p.head(g, e)
			heading = h
		}
		p.rows(g, e, l)
	}
	if tail := p.UnclearInteractions(t); tail != "" {
		g.Text("", tail)
	}
	return g
}

// head opens a group.
func (p *effects) head(g *terminal.Grid, e assay.Effect) {
	t := p.table
	if g.Rows() > 0 {
		g.Blank()
	}
	what := "effect on " + sheet.EffectMetric(t.Metric)
	if t.Common > 1 {
		var list []assay.Comparison
		for _, e := range t.Effects {
			list = append(list, e.Whole)
		}
		what += ", " + p.GeomeanWords(t, list)
	}
	if len(e.Switches) > 1 {
		what = "together, beyond each alone"
	}
	g.Head(terminal.Span{Text: sheet.EffectHeading(e)}, terminal.Span{From: 1, To: 4, Text: what, Whole: true})
}

// rows prints an effect on the whole suite, and on each benchmark where
// everything is asked for.
func (p *effects) rows(g *terminal.Grid, e assay.Effect, l effectLayout) {
	label := sheet.SwitchLabel(e)
	if e.Whole.Verdict == assay.SameCoded {
		g.Text(p.Style.Middle(label, g.Cols[0].Limit), "–  "+sheet.NoEffect(e.Whole.Reason))
		return
	}
	g.Row(p.cells(label, e.Whole, l)...)
	if !p.Style.All {
		return
	}
	for _, c := range e.Cells {
		g.Row(p.cells("  "+c.Benchmark.Name, c, l)...)
	}
}

func (p *effects) cells(label string, c assay.Comparison, l effectLayout) []sheet.Cell {
	f := p.Fields(sheet.EffectEntry(p.table.Metric, c), c.Variant)
	cs := []sheet.Cell{sheet.Word(label), f.Change, f.Extent(l.half), f.Verdict}
	if l.notes {
		cs = append(cs, sheet.Word(f.Note))
	}
	return cs
}
