package report

import (
	"math"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/sheet/account"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// The number of rows of each list of a profile where not all is asked for.
const (
	maxFunctions  = 12
	maxCategories = 10
	maxSource     = 8
)

// othersName is the part that sums up what was too small for a row.
const othersName = "others"

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
	for i, half := range []bool{false, true} {
		g := x.timeGrid(x.Explanation.CPU, half)
		g.Measure()
		if g.Width() <= x.Style.Columns() || i == 1 {
			x.Grid(g)
			break
		}
	}
	x.seen(x.Explanation.CPU)
}

func (x *explained) timeGrid(c *assay.CPUChange, half bool) *terminal.Grid {
	intervals, room := terminal.Pair, 49
	if half {
		intervals, room = terminal.Right, 36
	}
	g := &terminal.Grid{Style: x.Style, Cols: []terminal.Column{{Limit: max(minName, x.Style.Columns()-room)}, {Align: terminal.Point, Gap: 3, Limit: nameWidth},
		{Align: terminal.Point, Gap: 3, Limit: nameWidth}, {Align: terminal.Point, Gap: 3}, {Align: intervals, Gap: 1}}}
	t := &parts{x: x, g: g, scale: sheet.ScaleFor(x.Explanation.Metric, x.Explanation.BaseValue, 0.01), half: half}
	x.partHeads(g, "time by function", terminal.Span{From: partPoints, To: partInterval, Text: "points", Whole: true})
	t.list(c.Functions, maxFunctions)
	t.row(assay.NotSeen, c.NotSeen)
	t.row("measured difference", c.Difference)
	t.group("by kind of work", c.Categories, maxCategories)
	if x.Style.All {
		t.group("by package", c.Packages, maxFunctions)
	}
	t.lines(c.Lines)
	return g
}

// nameWidth is the room for the name of a variant over a column of values; longer
// ones are called by what they are.
const nameWidth = 12

// partHeads prints a title, and the names of the sides over their columns.
func (x *explained) partHeads(g *terminal.Grid, title string, further ...terminal.Span) {
	base, variant := x.Sides()
	g.Head(append([]terminal.Span{{Text: title}, {From: partBase, To: partBase, Text: base, Align: terminal.Right},
		{From: partVariant, To: partVariant, Text: variant, Align: terminal.Right}}, further...)...)
}

// A parts prints parts of a difference as rows, in one unit with one number of
// decimals, so that they can be added up.
type parts struct {
	x     *explained
	g     *terminal.Grid
	scale sheet.Scale
	half  bool
	rows  []assay.Part // those that have a row
}

// list prints parts in their order, what is summed up last. Those beyond most
// become one row.
func (t *parts) list(list []assay.Part, most int) {
	var rest assay.Part
	n, rows := 0, 0
	for _, p := range list {
		switch {
		case p.Name == othersName:
			rest = sum(rest, p)
		case rows >= most && !t.x.Style.All:
			rest = sum(rest, p)
			n++
		default:
			t.row(t.x.FunctionName(p.Name), p)
			rows++
		}
	}
	switch {
	case n > 0:
		t.row(othersName+", "+printable.Int(n)+" of them with --all", rest)
	case rest.Name != "":
		t.row(othersName, rest)
	}
}

// sum adds a part. The interval of a sum of several is not known: the parts hang
// together.
func sum(a, b assay.Part) assay.Part {
	if a.Name == "" {
		return b
	}
	return assay.Part{Name: othersName, Base: a.Base + b.Base, Variant: a.Variant + b.Variant, Change: a.Change + b.Change}
}

// group prints another way to cut the same time.
func (t *parts) group(title string, list []assay.Part, most int) {
	if len(list) == 0 {
		return
	}
	t.g.Blank()
	t.g.Head(terminal.Span{Text: title})
	t.list(list, most)
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
		t.row(t.lineName(p), p)
	}
}

// lineName is "malloc.go:1318 nextFreeFast": the place in full, and as much of the
// function as there is room for.
func (t *parts) lineName(p assay.Part) string {
	name := t.x.FunctionName(p.Name)
	if head, _, _ := account.CutAny(name, "[("); !t.x.Style.All {
		at := strings.LastIndexByte(head, '/') + 1
		if dot := strings.IndexByte(name[at:], '.'); dot >= 0 {
			name = name[at+dot+1:]
		}
	}
	place, name := t.x.Style.Text(account.FileLine(p.File, p.Line)), t.x.Style.Text(name)
	if room := t.g.Cols[partName].Limit - terminal.Width(place) - 1; room >= minName {
		name = t.x.Style.Middle(name, room)
	}
	return sheet.JoinWords(" ", place, name)
}

func (t *parts) row(name string, p assay.Part) {
	cs := []sheet.Cell{sheet.Word(name), t.value(p.Base), t.value(p.Variant), sheet.Number(sheet.Points(p.Change, p.Interval), ""), {}}
	if span := sheet.PointSpan(p.Interval); span != "" {
		cs[partPoints].Tone = partTone(p)
		cs[partInterval] = sheet.Word(span)
		if t.half {
			cs[partInterval] = sheet.Word(sheet.PlusMinus(p.Interval.Half()))
		}
	}
	t.g.Row(cs...)
	t.rows = append(t.rows, p)
}

// partTone paints a part that is sure: time that came or went.
func partTone(p assay.Part) sheet.Tone {
	switch {
	case p.Interval.Covers(0):
		return sheet.Faint
	case p.Change < 0:
		return sheet.Good
	}
	return sheet.Bad
}

// value prints a time with three digits of the whole, as every row of the table
// has it; a part that a side does not have is a dash.
func (t *parts) value(v float64) sheet.Cell {
	if v == 0 || !(math.Abs(v/t.x.Explanation.BaseValue) < sheet.MaxPoints) {
		return sheet.Word(sheet.None)
	}
	places := max(0, 2-sheet.Decade(t.x.Explanation.BaseValue/t.scale.Div))
	return sheet.Cell{Text: printable.Group(strconv.FormatFloat(v/t.scale.Div, 'f', min(places, 9), 64)), Unit: t.scale.Unit, Num: true}
}

// seen says what the profiles rest on.
func (x *explained) seen(c *assay.CPUChange) {
	base, _ := x.Sides()
	x.Blank()
	x.hang("", x.SeenText(c)+"; a point is 1 % of the time of "+base, 3)
}
