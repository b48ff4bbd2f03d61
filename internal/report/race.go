package report

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// race prints how a race of variants went: who won and how sure that is, who
// left when, and what was saved.
func (p *printer) race() {
	if p.Result.Race == nil {
		return
	}
	r := *p.Result.Race
	p.blank()
	p.labelled("race", sheet.Plain, p.RaceWinner(r), p.RaceTime(r))
	if len(r.Runners) == 0 {
		return
	}
	for i, half := range []bool{false, true} {
		g := p.raceGrid(r, half)
		g.measure()
		if g.width() <= p.s.columns() || i == 1 {
			p.grid(g)
			return
		}
	}
}

func (p *printer) raceGrid(r assay.Race, half bool) *grid {
	intervals := pair
	if half {
		intervals = right
	}
	g := &grid{style: p.s, cols: []column{{limit: max(minName, p.s.columns()*2/5)}, {align: right, gap: 3}, {align: point, gap: 3}, {align: intervals, gap: 1}}}
	g.head(span{text: "runner"}, span{from: 1, to: 1, text: "left after", align: right}, span{from: 2, to: 3, text: "vs the winner"})
	runners := r.Runners
	if len(runners) > sheet.MaxRows && !p.s.All {
		runners = runners[:sheet.MaxRows]
	}
	for _, x := range runners {
		g.row(sheet.RaceCells(x, half)...)
	}
	if n := len(r.Runners) - len(runners); n > 0 {
		g.text("", "… "+printable.Int(n)+" more that left earlier "+p.ShowAll())
	}
	return g
}
