package report

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// race prints how a race of variants went: who won and how sure that is, who
// left when, and what was saved.
func (p *printer) race() {
	if p.Result.Race == nil {
		return
	}
	r := *p.Result.Race
	p.Blank()
	p.Labelled("race", sheet.Plain, sheet.RaceWinner(p.Result), sheet.RaceTime(p.Result))
	if len(r.Runners) == 0 {
		return
	}
	for i, half := range []bool{false, true} {
		g := p.raceGrid(r, half)
		g.Measure()
		if g.Width() <= p.Style.Columns() || i == 1 {
			p.Grid(g)
			return
		}
	}
}

func (p *printer) raceGrid(r assay.Race, half bool) *terminal.Grid {
	intervals := terminal.Pair
	if half {
		intervals = terminal.Right
	}
	g := &terminal.Grid{Style: p.Style, Cols: []terminal.Column{{Limit: max(terminal.MinName, p.Style.Columns()*2/5)}, {Align: terminal.Right, Gap: 3}, {Align: terminal.Point, Gap: 3}, {Align: intervals, Gap: 1}}}
	g.Head(terminal.Span{Text: "runner"}, terminal.Span{From: 1, To: 1, Text: "left after", Align: terminal.Right}, terminal.Span{From: 2, To: 3, Text: "vs the winner"})
	runners := r.Runners
	if len(runners) > sheet.MaxRows && !p.Style.All {
		runners = runners[:sheet.MaxRows]
	}
	for _, x := range runners {
		g.Row(sheet.RaceCells(x, half)...)
	}
	if n := len(r.Runners) - len(runners); n > 0 {
		g.Text("", "… "+printable.Int(n)+" more that left earlier "+p.ShowAll())
	}
	return g
}
