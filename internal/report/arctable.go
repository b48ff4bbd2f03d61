package report

import (
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/sheet/chain"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// The first columns of the table of steps. Behind them are three a machine against the
// previous step, three a machine against the base, one a further metric, and the remarks.
const (
	stepNumber = iota
	stepPhase
	stepName
)

// minRemark is the least room that remarks have beside a step; with less they
// stand below it.
const minRemark = 20

// A stepLayout says how the table of steps is printed.
type stepLayout struct {
	full   bool // whole intervals, not half-widths
	extras int  // at most so many columns of further metrics
	below  bool // remarks below their steps
	least  int  // the cut of names
}

// stepLayouts are tried in this order; the change and its mark stay in all.
var stepLayouts = []stepLayout{
	{full: true, extras: 9, least: 30},
	{extras: 9, least: 18},
	{extras: 1, least: 18},
	{extras: 9, below: true, least: 14},
	{extras: 1, below: true, least: terminal.MinName},
	{below: true, least: terminal.MinName},
}

// table prints what each step did, and the last one against the base. Machines that
// do not fit beside each other go into tables of their own.
func (a *arc) table() {
	extras := a.Extras()
	for i, l := range stepLayouts {
		l.extras = min(l.extras, len(extras))
		g, fits := a.fit(extras[:l.extras], l)
		if !fits && i < len(stepLayouts)-1 {
			continue
		}
		if !fits && len(a.Panels) > 1 {
			for _, x := range a.Panels {
				alone := *a
				alone.Panels = []chain.Panel{x}
				alone.table()
			}
			return
		}
		a.p.Grid(g)
		break
	}
	a.legend()
}

// fit builds the table in a layout: names are cut before remarks are.
func (a *arc) fit(extras []string, l stepLayout) (*terminal.Grid, bool) {
	g := terminal.NewGrid(a.p.Style, a.grid(extras, l, 0, 0))
	width, name := a.p.Style.Columns(), g.Widths[stepName]
	if a.p.Style.All && !l.below {
		l.least = max(l.least, min(a.p.Style.NameLimit(), 30)) // benchmarks are named, too
	}
	longest := 0
	if !l.below {
		longest = a.longestRemark()
	}
	room := width - g.Width() - 2
	if want := min(longest, max(minRemark, width*3/10)); longest > 0 && room < want {
		name = max(min(name, l.least), name-(want-room))
		room = width - (g.Width() - g.Widths[stepName] + name) - 2
	}
	if longest > 0 && room < min(longest, minRemark) {
		return nil, false
	}
	if over := g.Width() - g.Widths[stepName] + name - width; over > 0 {
		name = max(min(name, l.least), name-over)
	}
	g = terminal.NewGrid(a.p.Style, a.grid(extras, l, name, min(room, longest)))
	return g, g.Fits()
}

// longestRemark is the width that remarks would like to have.
func (a *arc) longestRemark() int {
	n := 0
	for _, s := range a.Steps {
		n = max(n, terminal.Width(a.remarkText(s)))
	}
	return n
}

// grid is the table with names cut to name cells, 0 being not at all, and remarks in a
// column of room cells.
func (a *arc) grid(extras []string, l stepLayout, name, room int) *sheet.Table {
	t := &sheet.Table{Columns: []sheet.Column{{Head: "step", Over: stepName, Align: sheet.Right}, {Gap: 1}, {Gap: 1, Limit: name}}}
	titles := []string{"vs previous", "vs base"}
	if !a.Compares() {
		titles = titles[1:]
	}
	var names []sheet.Head
	for i := range a.sides() * len(a.Panels) {
		title := titles[i/len(a.Panels)]
		if i == 0 {
			title = sheet.EffectMetric(a.Metric()) + " " + title
		}
		at := len(t.Columns)
		names = append(names, sheet.Head{From: at, To: at + 2, Text: a.Panels[i%len(a.Panels)].Name})
		t.Columns = append(t.Columns, sheet.Column{Head: title, Over: 2, Whole: true, Align: sheet.Point, Gap: 2},
			sheet.Interval(!l.full), sheet.Column{Gap: 1})
	}
	for _, m := range extras {
		t.Columns = append(t.Columns, sheet.Column{Head: sheet.MetricWords(m), Align: sheet.Right, Gap: 2})
	}
	t.Columns = append(t.Columns, sheet.Column{Gap: 2})
	if a.Panels[0].Name != "" {
		t.Rows = append(t.Rows, sheet.Row{Heads: names})
	}
	t.Heads()
	steps, left := a.Shown()
	for _, s := range steps {
		a.row(t, s, extras, l, room)
	}
	if left > 0 {
		t.Text("", "… "+printable.Count(left, "more step")+" with the least changes "+a.showAll())
	}
	a.total(t, extras, l)
	return t
}

// sides is 2 where the changes against the base stand beside those against the
// previous step, which is for who asks for all.
func (a *arc) sides() int {
	if a.p.Style.All && a.Compares() {
		return 2
	}
	return 1
}

func (a *arc) showAll() string {
	if len(a.Panels) > 1 || a.Panels[0].Name != "" {
		return "(--all shows them)"
	}
	return a.p.ShowAll()
}

// row prints a step, and its remarks and movers beside or below it.
func (a *arc) row(g *sheet.Table, s assay.StepResult, extras []string, l stepLayout, room int) {
	lead := []sheet.Cell{sheet.Word(printable.Int(s.Number)), sheet.Word(a.Star(s.Number - 1)), sheet.Word(s.Variant)}
	cs := a.cells(lead, extras, l,
		func(x chain.Panel, t *assay.Table) (assay.Comparison, bool) { return a.Comparison(x, t, s.Variant) },
		func(x chain.Panel, t *assay.Table) (assay.Comparison, bool) { return x.Direct(t, s.Variant) })
	remark := a.remarkText(s)
	switch {
	case remark == "":
		g.Row(append(cs, sheet.Cell{})...)
	case room > 0:
		for _, line := range terminal.WrapWhole(remark, room) {
			g.Row(append(cs, sheet.Word(line))...)
			cs = make([]sheet.Cell, len(cs))
		}
	default:
		g.Row(append(cs, sheet.Cell{})...)
		a.below(g, remark)
	}
	a.movers(g, s, extras, l)
}

// movers prints the benchmarks that a step moved below it, for who asks for all or
// where there is no change over the suite to show.
func (a *arc) movers(g *sheet.Table, s assay.StepResult, extras []string, l stepLayout) {
	for _, b := range a.Moved(s) {
		g.Row(append(a.cells([]sheet.Cell{{}, {}, sheet.Word("  " + b.Name)}, extras, l,
			func(x chain.Panel, t *assay.Table) (assay.Comparison, bool) { return x.Moved(t, s.Variant, b) },
			func(x chain.Panel, t *assay.Table) (assay.Comparison, bool) { return x.On(t, s.Variant, b) }), sheet.Cell{})...)
	}
}

// cells are those of a line: the changes against the previous step, those against
// the base for who asks for all, and those of the further metrics.
func (a *arc) cells(lead []sheet.Cell, extras []string, l stepLayout, of, base chain.CellOf) []sheet.Cell {
	cs := lead
	for i, f := range []chain.CellOf{of, base}[:a.sides()] {
		for _, x := range a.Panels {
			if f == nil || x.First() == nil {
				cs = append(cs, sheet.Cell{}, sheet.Cell{}, sheet.Cell{})
				continue
			}
			c, ok := f(x, x.First())
			cs = append(cs, threeCells(a.Metric(), c, ok, l)...)
		}
		if of == nil && i == 1 {
			of = base
		}
	}
	for _, m := range extras {
		cs = append(cs, a.extraCell(m, of))
	}
	return cs
}

// below prints a text under a step, beneath its name.
func (a *arc) below(g *sheet.Table, text string) {
	const indent = 6
	if text == "" {
		return
	}
	for _, line := range terminal.WrapWhole(text, a.p.Style.Columns()-indent) {
		g.Draw(strings.Repeat(" ", indent) + line)
	}
}

// threeCells are a change, its interval and its mark; grey where it is none.
func threeCells(m assay.Metric, c assay.Comparison, ok bool, l stepLayout) []sheet.Cell {
	if !ok {
		return []sheet.Cell{sheet.Word(sheet.None), {}, {}}
	}
	change, interval, half := chain.ChangeCells(m, c)
	if !l.full {
		interval = half
	}
	t := sheet.ToneOf(c.Verdict)
	if c.Verdict == assay.Same || c.Verdict == assay.Unclear {
		t = sheet.Faint
	}
	change.Tone, interval.Tone = t, t
	return []sheet.Cell{change, interval, sheet.Toned(sheet.Mark(c), t)}
}

// extraCell is the change of a further metric, on all machines. Its mark is left
// out, since the sign says where it went, unless it is not sure.
func (a *arc) extraCell(metric string, of chain.CellOf) sheet.Cell {
	var parts []string
	t := sheet.Plain
	for i, x := range a.Panels {
		text := sheet.None
		table := x.Table(metric)
		if c, ok := of(x, table); ok {
			change, _, _ := chain.ChangeCells(table.Metric, c)
			text = change.Joined()
			switch {
			case c.Verdict == assay.SameCoded:
				text = sheet.Mark(c)
			case change.Num && c.Verdict == assay.Unclear:
				text += " ?"
			}
			if i == 0 || sheet.ToneOf(c.Verdict) == t {
				t = sheet.ToneOf(c.Verdict)
			} else {
				t = sheet.Plain
			}
		}
		parts = append(parts, text)
	}
	return sheet.Toned(strings.Join(parts, " · "), t)
}

// total is the last step against the base, in the columns of changes against it.
func (a *arc) total(g *sheet.Table, extras []string, l stepLayout) {
	if !a.Compares() {
		return // every line says it
	}
	last := func(x chain.Panel, t *assay.Table) (assay.Comparison, bool) { return x.End(t) }
	if a.sides() == 1 {
		g.Row(append(a.cells([]sheet.Cell{{}, {}, sheet.Word("total vs base")}, extras, l, last, nil), sheet.Cell{})...)
		return
	}
	g.Row(append(a.cells([]sheet.Cell{{}, {}, sheet.Word("total")}, extras, l, nil, last), sheet.Cell{})...)
}

// legend explains the marks that occur in the table.
func (a *arc) legend() {
	var marks sheet.Legend
	for _, x := range a.Panels {
		for _, s := range a.Steps {
			if c, ok := a.Comparison(x, x.First(), s.Variant); ok {
				marks.Add(c)
			}
			if c, ok := x.Direct(x.First(), s.Variant); ok && a.sides() > 1 {
				marks.Add(c)
			}
			for _, b := range a.Moved(s) {
				if c, ok := x.Moved(x.First(), s.Variant, b); ok {
					marks.Add(c)
				}
			}
		}
	}
	a.p.printLegend(marks)
}

// remarkText is what stands beside a step, cut but where all is asked for: a compiler
// may say a lot.
func (a *arc) remarkText(s assay.StepResult) string {
	text := a.p.Style.Text(a.Remark(s))
	if a.All {
		return text
	}
	return a.p.Style.Middle(text, chain.MaxRemark)
}
