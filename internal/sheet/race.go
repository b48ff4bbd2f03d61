package sheet

import (
	"fmt"
	"math"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/printable"
)

// RaceWinner is "ram won: within 2 % of the best of 24 variants, 99 %".
func RaceWinner(res *assay.Result) string {
	r := res.Race
	of := printable.Count(len(r.Runners)+1, "variant")
	if r.Sure {
		return fmt.Sprintf("%s won: within %s of the best of %s on %s, %s sure", answer.Subject(r.Winner), printable.Percent(r.Margin), of, r.Metric, printable.Level(res.Rule.Confidence))
	}
	open := 0
	for _, x := range r.Runners {
		if x.Left == 0 {
			open++
		}
	}
	return fmt.Sprintf("%s leads %s on %s, but is not sure to be within %s of the best: %s still in the race",
		answer.Subject(r.Winner), of, r.Metric, printable.Percent(r.Margin), printable.Count(open, "other"))
}

// RaceTime is how long the race took, and how long it would have taken with all variants
// to the end.
func RaceTime(res *assay.Result) string {
	r, took := res.Race, res.Spent.Time
	if r.Saved <= 0 || NotFinite(r.Saved) || took <= 0 {
		return ""
	}
	all := float64(took) * r.Saved
	if all > math.MaxInt64/2 {
		return ""
	}
	return fmt.Sprintf("%s; all variants in as many blocks: %s, %.1f times as long", printable.Duration(took), printable.Duration(time.Duration(all)), r.Saved)
}

// RaceEstimate says what a change against the winner is where there are several
// benchmarks: the geomeans of tables are estimated otherwise.
const RaceEstimate = "vs the winner: median over blocks; geomeans above: mean over benchmarks"

// RaceTable has the runners of a race in the order in which they left: when that was, and
// how far each is behind the winner.
func (s *Sheet) RaceTable(half bool) *Table {
	t := &Table{Columns: []Column{{Head: "runner"}, {Head: "left after", Align: Right, Gap: 3}, {Head: "vs the winner", Over: 1, Align: Point, Gap: 3}, Interval(half)}}
	t.Heads()
	runners := s.Result.Race.Runners
	for i, x := range runners {
		if i == MaxRows && !s.all {
			t.Text("", "… "+printable.Int(len(runners)-i)+" more that left earlier "+s.ShowAll())
			break
		}
		t.Row(raceCells(x, half)...)
	}
	if s.Benchmarks() > 1 {
		t.Text("", RaceEstimate)
	}
	return t
}

// raceCells are the row of a runner, with an interval or the half-width of one.
func raceCells(x assay.Runner, half bool) []Cell {
	left := "at the end"
	if x.Left > 0 {
		left = "block " + printable.Int(x.Left)
	}
	if x.Interval == nil || x.Interval.SaysNothing() || NotFinite(float64(x.Behind)) {
		return []Cell{Word(x.Variant), Word(left), Word(None), {}}
	}
	f := Fields{Interval: Word(x.Interval.String()), Half: HalfOrInterval(x.Behind, *x.Interval)}
	return []Cell{Word(x.Variant), Word(left), Number(ChangeDigits(x.Behind, x.Interval.Half()), "%"), f.Extent(half)}
}
