package report

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet/account"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// The number of rows of each list of a profile where not all is asked for.
const (
	maxFunctions  = 12
	maxCategories = 10
	maxSource     = 8
)

// The columns of a table of parts.
const (
	partName = iota
	partBase
	partVariant
	partPoints
	partInterval
)

// time prints where the time went: the profiles' difference by function, which
// with what they have not seen adds up to the measured one; by kind of work; and
// by line.
func (x *explained) time() {
	if x.Explanation.CPU == nil {
		return
	}
	x.FirstFit(2, func(i int) *terminal.Grid { return x.timeGrid(x.Explanation.CPU, i == 1) })
	x.seen(x.Explanation.CPU)
}

func (x *explained) timeGrid(c *assay.CPUChange, half bool) *terminal.Grid {
	room := 49
	if half {
		room = 36
	}
	g := &terminal.Grid{Style: x.Style, Cols: []terminal.Column{{Limit: max(terminal.MinName, x.Style.Columns()-room)}, {Align: terminal.Point, Gap: 3, Limit: account.NameWidth},
		{Align: terminal.Point, Gap: 3, Limit: account.NameWidth}, {Align: terminal.Point, Gap: 3}, terminal.Interval(half)}}
	t := &parts{x: x, g: g, half: half}
	x.partHeads(g, "time by function", terminal.Span{From: partPoints, To: partInterval, Text: "points", Whole: true})
	t.rows(x.PartRows(c.Functions, maxFunctions)...)
	t.rows(x.PartRow(assay.NotSeen, c.NotSeen), x.PartRow("measured difference", c.Difference))
	t.group("by kind of work", c.Categories, maxCategories)
	if x.Style.All {
		t.group("by package", c.Packages, maxFunctions)
	}
	t.lines(c.Lines)
	return g
}

// partHeads prints a title, and the names of the sides over their columns.
func (x *explained) partHeads(g *terminal.Grid, title string, further ...terminal.Span) {
	g.Head(append([]terminal.Span{{Text: title}, {From: partBase, To: partBase, Text: x.Base, Align: terminal.Right},
		{From: partVariant, To: partVariant, Text: x.Variant, Align: terminal.Right}}, further...)...)
}

// A parts prints parts of a difference as rows.
type parts struct {
	x    *explained
	g    *terminal.Grid
	half bool
}

func (t *parts) rows(rows ...account.PartRow) {
	for _, r := range rows {
		if t.half {
			r.Cells[partInterval] = r.Half
		}
		t.g.Row(r.Cells...)
	}
}

// group prints another way to cut the same time.
func (t *parts) group(title string, list []assay.Part, most int) {
	if len(list) == 0 {
		return
	}
	t.g.Blank()
	t.g.Head(terminal.Span{Text: title})
	t.rows(t.x.PartRows(list, most)...)
}

// lines prints the lines of the functions that changed most.
func (t *parts) lines(list []assay.Part) {
	if len(list) == 0 {
		return
	}
	t.g.Blank()
	t.g.Head(terminal.Span{Text: "by line"})
	for i, p := range list {
		if i >= maxSource && !t.x.Style.All {
			t.g.Text("", "… "+printable.Int(len(list)-i)+" more (--all)")
			return
		}
		place, function := t.x.LineOf(p)
		t.rows(t.x.PartRow(t.x.Style.Beside(place, function, t.g.Cols[partName].Limit), p))
	}
}

// seen says what the profiles rest on.
func (x *explained) seen(c *assay.CPUChange) {
	x.Blank()
	x.hang("", x.SeenText(c)+"; a point is 1 % of the time of "+x.Base, 3)
}
