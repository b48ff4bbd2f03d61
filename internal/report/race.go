package report

import (
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// race prints how a race of variants went: who won and how sure that is, who left when,
// and what was saved.
func (p *printer) race() {
	if p.sheet.Result.Race == nil {
		return
	}
	p.out.Blank()
	p.out.Labelled("race", sheet.Plain, sheet.RaceWinner(p.sheet.Result), sheet.RaceTime(p.sheet.Result))
	if len(p.sheet.Result.Race.Runners) > 0 {
		p.out.FirstFit(2, -1, func(i int) *sheet.Table {
			t := p.sheet.RaceTable(i == 1)
			t.Columns[0].Limit = max(terminal.MinName, p.out.Style.Columns()*2/5)
			return t
		})
	}
}
