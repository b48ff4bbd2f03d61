package report

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// effectLayouts are those of effects and lineups, in the order in which they are tried.
var effectLayouts = []sheet.Layout{{Notes: true}, {}, {Half: true}}

// effects prints what each switch does, for every metric that has effects. Those on metrics
// of which nothing is proved share a line.
func (p *printer) effects() {
	open := openEffects(p.sheet.Result, p.out.Style)
	for _, table := range effectTables(p.sheet.Result) {
		if len(open) > 0 && sheet.NoEffect(table) {
			continue
		}
		i := p.out.FirstFit(len(effectLayouts), -1, func(i int) *sheet.Table {
			limit := p.out.Style.Columns()/2 - 2
			if effectLayouts[i].Half {
				limit = p.out.Style.Columns() - 32
			}
			t := p.sheet.EffectTable(table, effectLayouts[i])
			t.Columns[0].Limit = max(terminal.MinName, limit)
			for k := range t.Rows {
				t.Rows[k].Lead = p.out.Style.Middle(t.Rows[k].Lead, t.Columns[0].Limit)
			}
			return t
		})
		if !effectLayouts[i].Notes {
			p.notes.KeepEffects(p.sheet, table)
		}
	}
	if text := sheet.EffectStanding(open); text != "" && !p.short() {
		t := &sheet.Table{Columns: []sheet.Column{{}}}
		t.Text("effects", text)
		p.out.Table(t)
	}
}

// effectTables are the tables with effects that no other table has.
func effectTables(r *assay.Result) (out []assay.Table) {
	for _, t := range r.Tables {
		if len(t.Effects) > 0 && !sheet.OneFactor(t.Effects) {
			out = append(out, t)
		}
	}
	return out
}

// openEffects are the tables of several in which no effect is decided, none with --all.
func openEffects(r *assay.Result, s terminal.Style) []assay.Table {
	tables := effectTables(r)
	if len(tables) < 2 || s.All {
		return nil
	}
	return slices.DeleteFunc(tables, func(t assay.Table) bool { return !sheet.NoEffect(t) })
}
