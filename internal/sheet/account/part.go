package account

import (
	"math"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// Others is the part that sums up what was too small for a row.
const Others = "others"

// A PartRow is a row of a table of parts: the name, the values of base and variant, the
// points and their interval, which Half has as a half-width. All rows have one unit and
// one number of decimals, so that they can be added up.
type PartRow struct {
	assay.Part
	Cells []sheet.Cell
	Half  sheet.Cell
}

// PartRows are parts in their order, what is summed up last. Those beyond most become
// one row, but for who asks for all.
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

// sum adds a part. The interval of a sum of several is not known: the parts hang
// together.
func sum(a, b assay.Part) assay.Part {
	if a.Name == "" {
		return b
	}
	return assay.Part{Name: Others, Base: a.Base + b.Base, Variant: a.Variant + b.Variant, Change: a.Change + b.Change}
}

// PartRow is the row of one part under a name.
func (a *Account) PartRow(name string, p assay.Part) PartRow {
	row := PartRow{Part: p, Cells: []sheet.Cell{sheet.Word(name), a.partValue(p.Base), a.partValue(p.Variant), sheet.Number(sheet.Points(p.Change, p.Interval), ""), {}}}
	if span := sheet.PointSpan(p.Interval); span != "" {
		row.Cells[3].Tone = partTone(p)
		row.Cells[4], row.Half = sheet.Word(span), sheet.Word(sheet.PlusMinus(p.Interval.Half()))
	}
	return row
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

// partValue prints a time with three digits of the whole, as every row of the table
// has it; a part that a side does not have is a dash.
func (a *Account) partValue(v float64) sheet.Cell {
	whole := a.Explanation.BaseValue
	if v == 0 || !(math.Abs(v/whole) < sheet.MaxPoints) {
		return sheet.Word(sheet.None)
	}
	scale := sheet.ScaleFor(a.Explanation.Metric, whole, 0.01)
	places := max(0, 2-sheet.Decade(whole/scale.Div))
	return sheet.Cell{Text: printable.Group(strconv.FormatFloat(v/scale.Div, 'f', min(places, 9), 64)), Unit: scale.Unit, Num: true}
}

// LineOf names the place of a line and its function, which without its package is enough
// where not all is asked for.
func (a *Account) LineOf(p assay.Part) (place, function string) {
	function = a.FunctionName(p.Name)
	if head, _, _ := cutAny(function, "[("); !a.all {
		at := strings.LastIndexByte(head, '/') + 1
		if dot := strings.IndexByte(function[at:], '.'); dot >= 0 {
			function = function[at+dot+1:]
		}
	}
	return fileLine(p.File, p.Line), function
}
