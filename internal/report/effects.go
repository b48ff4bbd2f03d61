package report

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// The columns of a table of effects.
const (
	effName = iota
	effChange
	effInterval
	effVerdict
	effNote
)

// An effectLayout says how effects are printed.
type effectLayout struct{ notes, half bool }

var effectLayouts = []effectLayout{{notes: true}, {}, {half: true}}

// effects prints what each switch does, for every metric that has them: those
// of one switch, in groups by what was held, then those of two.
func (p *printer) effects() {
	for _, t := range p.Result.Tables {
		if len(t.Effects) == 0 || sheet.OneFactor(t.Effects) {
			continue
		}
		for i, l := range effectLayouts {
			g := p.effectGrid(t, l)
			g.Measure()
			if g.Width() > p.Style.Columns() && i < len(effectLayouts)-1 {
				continue
			}
			if !l.notes {
				p.KeepEffects(p.notes, t)
			}
			p.Grid(g)
			break
		}
	}
}

func (p *printer) effectGrid(t assay.Table, l effectLayout) *terminal.Grid {
	intervals := terminal.Pair
	if l.half {
		intervals = terminal.Right
	}
	g := &terminal.Grid{Style: p.Style, Cols: []terminal.Column{{Limit: p.labelLimit(l)}, {Align: terminal.Point, Gap: 3}, {Align: intervals, Gap: 1}, {Gap: 2}, {Gap: 2}}}
	heading := ""
	for _, e := range t.Effects {
		if !p.Printed(e) {
			continue
		}
		if h := sheet.EffectHeading(e); h != heading {
			p.effectHead(g, t, e)
			heading = h
		}
		p.effectRows(g, t, e, l)
	}
	if tail := p.UnclearInteractions(t); tail != "" {
		g.Text("", tail)
	}
	return g
}

// labelLimit is the room that the names of switches may take.
func (p *printer) labelLimit(l effectLayout) int {
	if l.half {
		return max(terminal.MinName, p.Style.Columns()-32)
	}
	return max(terminal.MinName, p.Style.Columns()/2-2)
}

// effectHead opens a group.
func (p *printer) effectHead(g *terminal.Grid, t assay.Table, e assay.Effect) {
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
	g.Head(terminal.Span{Text: sheet.EffectHeading(e)}, terminal.Span{From: effChange, To: effNote, Text: what, Whole: true})
}

// effectRows prints an effect on the whole suite, and on each benchmark where
// everything is asked for.
func (p *printer) effectRows(g *terminal.Grid, t assay.Table, e assay.Effect, l effectLayout) {
	label := sheet.SwitchLabel(e)
	if e.Whole.Verdict == assay.SameCoded {
		limit := g.Cols[effName].Limit
		g.Text(p.Style.Middle(label, limit), "–  "+sheet.NoEffect(e.Whole.Reason))
		return
	}
	g.Row(p.effectCells(label, t.Metric, e.Whole, l)...)
	if !p.Style.All {
		return
	}
	for _, c := range e.Cells {
		g.Row(p.effectCells("  "+c.Benchmark.Name, t.Metric, c, l)...)
	}
}

func (p *printer) effectCells(label string, m assay.Metric, c assay.Comparison, l effectLayout) []sheet.Cell {
	f := p.Fields(sheet.EffectEntry(m, c), c.Variant)
	cs := []sheet.Cell{sheet.Word(label), f.Change, f.Interval, f.Verdict, {}}
	if l.half {
		cs[effInterval] = f.Half
	}
	if l.notes {
		cs[effNote] = sheet.Word(f.Note)
	}
	return cs
}
