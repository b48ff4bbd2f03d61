package sheet

import (
	"math"
	"testing"

	"github.com/seed-1318a441/assay"
)

// Only points that no other is ahead of are on the front, proved or not.
func TestTradePlaces(t *testing.T) {
	point := func(name string, time, rate float64, beaten string) assay.TradeoffPoint {
		return assay.TradeoffPoint{Variant: name, Values: [2]float64{time, rate}, Beaten: beaten}
	}
	trade := &assay.Tradeoff{
		Metrics: [2]assay.Metric{{Name: "sec/op", Better: assay.BetterLower}, {Name: "tx/s", Better: assay.BetterHigher}},
		Points: []assay.TradeoffPoint{
			point("a", 1, 10, ""), point("b", 2, 21, ""), point("c", 2, 15, ""), point("d", 3, 9, ""), point("e", 3, 8, "a"),
			point("f", 1, 10, ""), point("g", math.NaN(), 30, ""), point("h", 0.99, 5, "a"),
		},
	}
	want := []TradePlace{
		{"on the front", true}, {"on the front", true}, {"? behind b", false}, {"? behind b", false}, {"beaten by a", false},
		{"on the front", true}, {"on the front", true}, {"beaten by a", false},
	}
	for i, got := range TradePlaces(trade) {
		if got != want[i] {
			t.Errorf("%s: %v, want %v", trade.Points[i].Variant, got, want[i])
		}
	}
}
