package sheet

import (
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// UnknownRel stands for the relative uncertainty of a value without an interval: it gives
// three digits.
const UnknownRel = 0.01

// TradeTable has the points of a trade-off, with their marks in its picture, and with the
// changes of their values or without.
func (s *Sheet) TradeTable(changes bool) *Table {
	t := &Table{Columns: []Column{{Head: "trade-off", Over: 1, Whole: true}, {Gap: 2}}}
	trade := s.Result.Tradeoff
	for _, m := range trade.Metrics {
		t.Columns = append(t.Columns, Column{Head: m.Name, Align: Point, Gap: 3})
		if changes {
			t.Columns[len(t.Columns)-1].Over = 1
			t.Columns = append(t.Columns, Column{Align: Point, Gap: 2})
		}
	}
	t.Columns = append(t.Columns, Column{Head: "place", Gap: 3})
	t.Heads()
	marks := PointMarks(trade.Points)
	rows, left := tradeRows(trade.Points, s.all)
	for _, i := range rows {
		x := trade.Points[i]
		row := []Cell{Word(string(marks[i])), Word(x.Variant)}
		for j, m := range trade.Metrics {
			row = append(row, ValueCell(m.Name, x.Values[j], UnknownRel))
			switch c := x.Changes[j]; {
			case !changes:
			case x.Variant == s.Result.Base:
				row = append(row, Word("base"))
			default:
				row = append(row, Number(ChangeDigits(c, UnknownRel*(1+c)), "%"))
			}
		}
		place := "on the front"
		if x.Beaten != "" {
			place = "beaten by " + x.Beaten
		}
		t.Row(append(row, Word(place))...)
	}
	if left > 0 {
		t.Text("", "… "+printable.Int(left)+" more that are beaten "+s.ShowAll())
	}
	return t
}

// tradeRows are the points that are printed: the whole front, and of the beaten ones what
// there is room for.
func tradeRows(points []assay.TradeoffPoint, all bool) (rows []int, left int) {
	room := MaxRows
	for _, x := range points {
		if x.Beaten == "" {
			room--
		}
	}
	for i, x := range points {
		switch {
		case x.Beaten == "" || all:
			rows = append(rows, i)
		case room > 0:
			rows = append(rows, i)
			room--
		default:
			left++
		}
	}
	return rows, left
}

// PointMarks gives each point its sign in the picture: a capital letter on the front, a
// small one where it is beaten. With more points than letters, the letters go to the
// front, and beaten points are dots.
func PointMarks(points []assay.TradeoffPoint) []rune {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	marks := make([]rune, len(points))
	front := 0
	for i, x := range points {
		switch {
		case len(points) <= len(letters) && x.Beaten == "":
			marks[i] = rune(letters[i])
		case len(points) <= len(letters):
			marks[i] = rune(strings.ToLower(letters)[i])
		case x.Beaten != "":
			marks[i] = '.'
		case front < len(letters):
			marks[i] = rune(letters[front])
			front++
		default:
			marks[i] = '*'
		}
	}
	return marks
}
