package report

import (
	"fmt"
	"math"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// race prints how a race of variants went: who won and how sure that is, who
// left when, and what was saved.
func (p *printer) race() {
	if p.r.Race == nil {
		return
	}
	r := *p.r.Race
	p.out.WriteString("\n")
	p.labelled("race", plain, p.raceWinner(r), p.raceTime(r))
	if len(r.Runners) == 0 {
		return
	}
	for i, half := range []bool{false, true} {
		g := p.raceGrid(r, half)
		g.measure()
		if g.width() <= p.s.width() || i == 1 {
			p.grid(g)
			return
		}
	}
}

// raceWinner is "ram won: within 2 % of the best of 24 variants, 99 %".
func (p *printer) raceWinner(r assay.Race) string {
	of := printable.Count(len(r.Runners)+1, "variant")
	if r.Sure {
		return fmt.Sprintf("%s won: within %s of the best of %s on %s, %s sure", r.Winner, margin(r.Margin), of, r.Metric, margin(p.r.Rule.Confidence))
	}
	open := 0
	for _, x := range r.Runners {
		if x.Left == 0 {
			open++
		}
	}
	return fmt.Sprintf("%s leads %s on %s, but is not sure to be within %s of the best: %s still in the race",
		r.Winner, of, r.Metric, margin(r.Margin), printable.Count(open, "other"))
}

// raceTime is what the race took, and what all variants to the end would have.
func (p *printer) raceTime(r assay.Race) string {
	took := p.r.Spent.Time
	if r.Saved <= 0 || bogus(r.Saved) || took <= 0 {
		return ""
	}
	all := float64(took) * r.Saved
	if all > math.MaxInt64/2 {
		return ""
	}
	return fmt.Sprintf("%s; all variants in as many blocks: %s, %.1f times as long", printable.Duration(took), printable.Duration(time.Duration(all)), r.Saved)
}

func (p *printer) raceGrid(r assay.Race, half bool) *grid {
	intervals := pair
	if half {
		intervals = right
	}
	g := &grid{style: p.s, cols: []column{{limit: max(minName, p.s.width()*2/5)}, {align: right, gap: 3}, {align: point, gap: 3}, {align: intervals, gap: 1}}}
	g.head(span{text: "runner"}, span{from: 1, to: 1, text: "left after", align: right}, span{from: 2, to: 3, text: "vs the winner"})
	runners := r.Runners
	if len(runners) > maxRows && !p.s.All {
		runners = runners[:maxRows]
	}
	for _, x := range runners {
		g.row(raceCells(x, half)...)
	}
	if n := len(r.Runners) - len(runners); n > 0 {
		g.text("", "… "+printable.Int(n)+" more that left earlier "+p.showAll())
	}
	return g
}

func raceCells(x assay.Runner, half bool) []cell {
	left := "at the end"
	if x.Left > 0 {
		left = "block " + printable.Int(x.Left)
	}
	if x.Interval == nil || bogus(float64(x.Behind)) {
		return []cell{word(x.Variant), word(left), word(none), {}}
	}
	w := x.Interval.Half()
	cs := []cell{word(x.Variant), word(left), number(percent(x.Behind, w), "%"), word(x.Interval.String())}
	if half {
		cs[3] = word(plusMinus(w))
	}
	return cs
}
