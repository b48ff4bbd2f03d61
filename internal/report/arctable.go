package report

import (
	"strings"

	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/sheet/chain"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// A side says what the changes of a table are against.
type side int

const (
	sides side = iota // both with --all, where steps are compared with the previous one
	previousOnly
	baseOnly
)

// minRemark is the least room that remarks have beside a step; with less they stand below
// it.
const minRemark = 20

// A stepLayout says how the table of steps is printed.
type stepLayout struct {
	half   bool // half-widths in place of symmetric intervals
	extras int  // at most so many columns of further metrics
	below  bool // remarks below their steps
	least  int  // the cut of names
}

// stepLayouts are tried in this order; the change and its mark stay in all.
var stepLayouts = []stepLayout{
	{extras: 9, least: 30},
	{half: true, extras: 9, least: 18},
	{half: true, extras: 1, least: 18},
	{half: true, extras: 9, below: true, least: 14},
	{half: true, extras: 1, below: true, least: terminal.MinName},
	{half: true, below: true, least: terminal.MinName},
}

// table prints what each step did, and the last one against the base. Machines that do
// not fit beside each other go into tables of their own, and so do changes against the
// previous step and against the base: no interval is cut.
func (a *arc) table() {
	a.grids()
	a.legend()
}

func (a *arc) grids() {
	for i, l := range stepLayouts {
		g, fits := a.fit(l)
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
		if !fits && a.both() {
			apart := *a
			for _, apart.side = range []side{previousOnly, baseOnly} {
				apart.grids()
			}
			return
		}
		a.p.out.Grid(g)
		return
	}
}

// fit lays the table out: names are cut before remarks are.
func (a *arc) fit(l stepLayout) (*terminal.Grid, bool) {
	extras := a.Extras()
	t := a.Table(chain.Layout{Both: a.both(), Base: a.side == baseOnly, Half: l.half, Extras: extras[:min(l.extras, len(extras))], Hint: a.showAll()})
	g := terminal.NewGrid(a.p.out.Style, a.remarked(t, 0))
	width, name := a.p.out.Style.Columns(), g.Widths[chain.NameColumn]
	if a.p.out.Style.All && !l.below {
		l.least = max(l.least, min(a.p.out.Style.NameLimit(), 30)) // benchmarks are named, too
	}
	longest := 0
	if !l.below && a.side != baseOnly {
		longest = terminal.Width(a.remark(a.TotalRemark()))
		for _, s := range a.Steps {
			longest = max(longest, terminal.Width(a.remark(a.Remark(s))))
		}
	}
	room := width - g.Width() - 2
	if want := min(longest, max(minRemark, width*3/10)); longest > 0 && room < want {
		name = max(min(name, l.least), name-(want-room))
		room = width - (g.Width() - g.Widths[chain.NameColumn] + name) - 2
	}
	if longest > 0 && room < min(longest, minRemark) {
		return nil, false
	}
	if over := g.Width() - g.Widths[chain.NameColumn] + name - width; over > 0 {
		name = max(min(name, l.least), name-over)
	}
	t.Columns[chain.NameColumn].Limit = name
	g = terminal.NewGrid(a.p.out.Style, a.remarked(t, min(room, longest)))
	return g, g.Fits()
}

// both reports whether the changes against the base stand beside those against the
// previous step, as with --all.
func (a *arc) both() bool { return a.side == sides && a.p.out.Style.All && a.Compares() }

func (a *arc) showAll() string {
	if len(a.Panels) > 1 || a.Panels[0].Name != "" {
		return "(--all shows them)"
	}
	return a.p.sheet.ShowAll()
}

// remarked is a table of steps with its remarks in a column of room cells, or without
// room below their steps.
func (a *arc) remarked(t *sheet.Table, room int) *sheet.Table {
	const indent = 6
	out := &sheet.Table{Columns: t.Columns}
	last := len(t.Columns) - 1
	for _, r := range t.Rows {
		if len(r.Cells) <= last {
			out.Rows = append(out.Rows, r)
			continue
		}
		remark, cells := a.remark(r.Cells[last].Text), r.Cells[:last:last]
		if remark == "" || room <= 0 {
			out.Row(cells...)
		}
		switch {
		case remark == "":
		case room > 0:
			for _, line := range terminal.WrapPercent(remark, room) {
				out.Row(append(cells, sheet.Word(line))...)
				cells = make([]sheet.Cell, last)
			}
		default:
			for _, line := range terminal.WrapPercent(remark, a.p.out.Style.Columns()-indent) {
				out.Draw(strings.Repeat(" ", indent) + line)
			}
		}
	}
	return out
}

// remark is what stands beside a step, cut unless everything is to be shown: a compiler
// may say a lot.
func (a *arc) remark(text string) string {
	if a.All {
		return a.p.out.Style.Text(text)
	}
	return a.p.out.Style.Middle(text, chain.MaxRemark)
}

// legend explains the marks that occur in the table.
func (a *arc) legend() {
	var marks sheet.Legend
	for _, x := range a.Panels {
		for _, s := range a.Steps {
			if c, ok := a.Comparison(x, x.First(), s.Variant); ok {
				marks.Add(c)
			}
			if c, ok := x.Direct(x.First(), s.Variant); ok && a.both() {
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
