package report

import (
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
	p.Blank()
	p.Labelled("race", sheet.Plain, sheet.RaceWinner(p.Result), sheet.RaceTime(p.Result))
	if len(p.Result.Race.Runners) > 0 {
		p.FirstFit(2, func(i int) *terminal.Grid { return p.raceGrid(i == 1) })
	}
}

func (p *printer) raceGrid(half bool) *terminal.Grid {
	g := &terminal.Grid{Style: p.Style, Cols: []terminal.Column{{Limit: max(terminal.MinName, p.Style.Columns()*2/5)}, {Align: terminal.Right, Gap: 3}, {Align: terminal.Point, Gap: 3}, terminal.Interval(half)}}
	g.Head(terminal.Span{Text: "runner"}, terminal.Span{From: 1, To: 1, Text: "left after", Align: terminal.Right}, terminal.Span{From: 2, To: 3, Text: "vs the winner"})
	for i, x := range p.Result.Race.Runners {
		if i == sheet.MaxRows && !p.Style.All {
			g.Text("", "… "+printable.Int(len(p.Result.Race.Runners)-i)+" more that left earlier "+p.ShowAll())
			break
		}
		g.Row(sheet.RaceCells(x, half)...)
	}
	return g
}
