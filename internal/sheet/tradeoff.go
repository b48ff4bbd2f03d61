package sheet

import (
	"math"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// UnknownRel stands for the relative uncertainty of a value without an interval: it gives
// three digits.
const UnknownRel = 0.01

// TradeTable has the points of a trade-off, with the changes of their values or without.
func (s *Sheet) TradeTable(changes bool) *Table {
	t := &Table{Columns: []Column{{Head: "trade-off", Whole: true}}}
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
	places := TradePlaces(trade)
	rows, left := tradeRows(places, s.all)
	for _, i := range rows {
		x := trade.Points[i]
		row := []Cell{Word(x.Variant)}
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
		t.Row(append(row, Word(places[i].Text))...)
	}
	if left > 0 {
		t.Text("", "… "+printable.Int(left)+" more behind the front "+s.ShowAll())
	}
	return t
}

// A TradePlace says where a point of a trade-off stands.
type TradePlace struct {
	// Text is "on the front", "beaten by NAME", or "? behind NAME" if that is not proved.
	Text string
	// Front is true if no other point has better values on one metric and values as good
	// on the other, and none is proved to beat it.
	Front bool
}

// TradePlaces returns the place of each point of a trade-off.
func TradePlaces(t *assay.Tradeoff) []TradePlace {
	out := make([]TradePlace, len(t.Points))
	for i, x := range t.Points {
		switch by := ahead(t, x); {
		case x.Beaten != "":
			out[i].Text = "beaten by " + x.Beaten
		case by != "":
			out[i].Text = "? behind " + by
		default:
			out[i] = TradePlace{"on the front", true}
		}
	}
	return out
}

// ahead returns the point furthest ahead of another by the estimates, "" for none.
func ahead(t *assay.Tradeoff, x assay.TradeoffPoint) string {
	name, most := "", 0.0
	for _, y := range t.Points {
		gain, worse := 0.0, false
		for j, m := range t.Metrics {
			if NotFinite(x.Values[j]) || NotFinite(y.Values[j]) || x.Values[j] <= 0 || y.Values[j] <= 0 {
				worse = true
				continue
			}
			by := m.Loss() * (math.Log(x.Values[j]) - math.Log(y.Values[j]))
			gain, worse = gain+by, worse || by < 0
		}
		if !worse && gain > most {
			name, most = y.Variant, gain
		}
	}
	return name
}

// tradeRows are the points that are printed: the whole front, and of the others what
// there is room for.
func tradeRows(places []TradePlace, all bool) (rows []int, left int) {
	room := MaxRows
	for _, x := range places {
		if x.Front {
			room--
		}
	}
	for i, x := range places {
		switch {
		case x.Front || all:
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
