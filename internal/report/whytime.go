package report

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/sheet/account"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// The number of rows of each list of a profile without --all.
const (
	maxFunctions  = 12
	maxCategories = 10
	maxSource     = 8
)

// time prints where the time went: the difference of the profiles by function, which adds
// up to the measured one with what they have not seen; by kind of work; and by line.
func (x *explained) time() {
	if x.account.Explanation.CPU == nil {
		return
	}
	x.out.FirstFit(2, -1, func(i int) *sheet.Table { return x.timeTable(x.account.Explanation.CPU, i == 1) })
	x.seen(x.account.Explanation.CPU)
}

func (x *explained) timeTable(c *assay.CPUChange, half bool) *sheet.Table {
	room := 49
	if half {
		room = 36
	}
	t := &parts{x: x, half: half, Table: x.account.SidesTable("time by function", sheet.Point,
		sheet.Column{Head: "points", Over: 1, Whole: true, Align: sheet.Point, Gap: 3}, sheet.Interval(half))}
	t.Columns[0].Limit = max(terminal.MinName, x.out.Style.Columns()-room)
	t.rows(x.account.PartRows(c.Functions, maxFunctions)...)
	t.rows(x.account.PartRow(assay.NotSeen, c.NotSeen), x.account.PartRow("measured difference", c.Difference))
	t.group("by kind of work", c.Categories, maxCategories)
	if x.out.Style.All {
		t.group("by package", c.Packages, maxFunctions)
	}
	t.lines(c.Lines)
	return t.Table
}

// named prints a table whose names may be cut to what other columns leave.
func (x *explained) named(t *sheet.Table, others int) {
	t.Columns[0].Limit = max(terminal.MinName, x.out.Style.Columns()-others)
	x.out.Table(t)
}

// A parts prints parts of a difference as rows.
type parts struct {
	x *explained
	*sheet.Table
	half bool
}

func (t *parts) rows(rows ...account.PartRow) {
	for _, r := range rows {
		if t.half {
			r.Cells[len(r.Cells)-1] = r.Half
		}
		t.Row(r.Cells...)
	}
}

// group prints another way to cut the same time.
func (t *parts) group(title string, list []assay.Part, most int) {
	if len(list) > 0 {
		t.Blank()
		t.Title(title)
		t.rows(t.x.account.PartRows(list, most)...)
	}
}

// lines prints the lines of the functions that changed most.
func (t *parts) lines(list []assay.Part) {
	if len(list) == 0 {
		return
	}
	t.Blank()
	t.Title("by line")
	shown, left := firstOf(list, maxSource, t.x.out.Style)
	for _, p := range shown {
		place, function := t.x.account.LineOf(p)
		t.rows(t.x.account.PartRow(t.x.out.Style.Beside(place, function, t.Columns[0].Limit), p))
	}
	if left > 0 {
		t.Text("", "… "+printable.Int(left)+" more (--all)")
	}
}

// seen says how much the profiles have seen.
func (x *explained) seen(c *assay.CPUChange) {
	x.out.Blank()
	x.hang("", x.account.SeenText(c)+"; a point is 1 % of the time of "+x.account.Base, 3)
}
