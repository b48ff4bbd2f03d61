package account

import (
	"math"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/explain/group"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// Others is the name of the part for all that was too small for a row.
const Others = "others"

// A PartRow is a row of a table of parts: the name, both values, the points and their
// interval; Half is its half-width. All rows have the same unit and decimals, so that
// they add up.
type PartRow struct {
	assay.Part
	Cells []sheet.Cell
	Half  sheet.Cell
}

// PartRows returns the rows of parts in their order, the sum of the others last. Unless
// all are wanted, parts beyond most become one row.
func (a *Account) PartRows(list []assay.Part, most int) []PartRow {
	var left assay.Part
	var rows []PartRow
	n := 0
	for _, p := range list {
		switch {
		case p.Name == Others:
			left = sum(left, p)
		case len(rows) >= most && !a.all:
			left = sum(left, p)
			n++
		default:
			rows = append(rows, a.PartRow(a.FunctionName(p.Name), p))
		}
	}
	switch {
	case n > 0:
		rows = append(rows, a.PartRow(Others+", "+printable.Int(n)+" of them with --all", left))
	case left.Name != "":
		rows = append(rows, a.PartRow(Others, left))
	}
	return rows
}

// GroupRows returns the rows of the groups of causes that a difference divides into, nil if
// it has none but the unexplained. Their points add up as printed.
func (a *Account) GroupRows() (rows []PartRow) {
	groups := group.Of(a.Explanation)
	if len(groups) < 2 {
		return nil
	}
	for _, g := range groups {
		row := a.PartRow(g.Name, g.Part)
		row.Cells[3].Text = g.Points
		rows = append(rows, row)
	}
	return rows
}

// sum adds two parts. The interval of a sum is not known, since parts depend on each
// other.
func sum(a, b assay.Part) assay.Part {
	if a.Name == "" {
		return b
	}
	return assay.Part{Name: Others, Base: a.Base + b.Base, Variant: a.Variant + b.Variant, Change: a.Change + b.Change}
}

// PartRow returns the row of one part, with a name.
func (a *Account) PartRow(name string, p assay.Part) PartRow {
	row := PartRow{Part: p, Cells: []sheet.Cell{sheet.Word(name), a.partValue(p.Base), a.partValue(p.Variant), sheet.Number(sheet.Points(p.Change, p.Interval), ""), {}}}
	if span := sheet.PointSpan(p.Interval); span != "" {
		row.Cells[3].Tone = partTone(p)
		row.Cells[4], row.Half = sheet.Word(span), sheet.Word(sheet.PlusMinus(p.Interval.Half()))
	}
	return row
}

// partTone returns the colour of a part: time gained, lost, or uncertain.
func partTone(p assay.Part) sheet.Tone {
	switch {
	case p.Interval.Covers(0):
		return sheet.Faint
	case p.Change < 0:
		return sheet.Good
	}
	return sheet.Bad
}

// partValue formats a time with three digits of the whole, like all rows of the table. A
// missing part is a dash.
func (a *Account) partValue(v float64) sheet.Cell {
	whole := a.Explanation.BaseValue
	if v == 0 || !(math.Abs(v/whole) < sheet.MaxPoints) {
		return sheet.Word(sheet.None)
	}
	scale := sheet.ScaleFor(a.Explanation.Metric, whole, 0.01)
	places := max(0, 2-sheet.Decade(whole/scale.Div))
	return sheet.Cell{Text: printable.Group(strconv.FormatFloat(v/scale.Div, 'f', min(places, 9), 64)), Unit: scale.Unit, Num: true}
}

// LineOf returns the place of a line, and its function without the package, unless all is
// wanted.
func (a *Account) LineOf(p assay.Part) (place, function string) {
	function = a.FunctionName(p.Name)
	if !a.all {
		at := strings.LastIndexByte(bareName(function), '/') + 1
		if dot := strings.IndexByte(function[at:], '.'); dot >= 0 {
			function = function[at+dot+1:]
		}
	}
	return fileLine(p.File, p.Line), function
}
