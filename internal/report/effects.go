package report

import (
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// effectLayouts are those of effects and lineups, in the order in which they are tried.
var effectLayouts = []sheet.Layout{{Notes: true}, {}, {Half: true}}

// effects prints what each switch does, for every metric that has effects.
func (p *printer) effects() {
	for _, table := range p.Result.Tables {
		if len(table.Effects) == 0 || sheet.OneFactor(table.Effects) {
			continue
		}
		i := p.FirstFit(len(effectLayouts), -1, func(i int) *sheet.Table {
			limit := p.Style.Columns()/2 - 2
			if effectLayouts[i].Half {
				limit = p.Style.Columns() - 32
			}
			t := p.EffectTable(table, effectLayouts[i])
			t.Columns[0].Limit = max(terminal.MinName, limit)
			for k := range t.Rows {
				t.Rows[k].Lead = p.Style.Middle(t.Rows[k].Lead, t.Columns[0].Limit)
			}
			return t
		})
		if !effectLayouts[i].Notes {
			p.notes.KeepEffects(p.Sheet, table)
		}
	}
}
