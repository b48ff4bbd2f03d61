package report

import (
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// race prints how a race of variants went: who won and how sure that is, who left when,
// and what was saved.
func (p *printer) race() {
	if p.Result.Race == nil {
		return
	}
	p.Blank()
	p.Labelled("race", sheet.Plain, sheet.RaceWinner(p.Result), sheet.RaceTime(p.Result))
	if len(p.Result.Race.Runners) > 0 {
		p.FirstFit(2, -1, func(i int) *sheet.Table {
			t := p.RaceTable(i == 1)
			t.Columns[0].Limit = max(terminal.MinName, p.Style.Columns()*2/5)
			return t
		})
	}
}
