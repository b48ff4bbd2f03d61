package report

import (
	"slices"

	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/sheet/chain"
)

// An arc prints a chain of steps.
type arc struct {
	*chain.Chain
	p    *printer // its result does not count
	side side
}

func newArc(p *printer, panels []chain.Panel) *arc {
	return &arc{Chain: chain.New(panels, p.out.Style.All, p.sheet.BlockNoun()), p: p}
}

// print prints what phases there are and what the chain rests on, the table of steps and the gates.
func (a *arc) print() {
	if len(a.Steps) == 0 {
		return
	}
	if parts := slices.Concat(a.PhaseNames(), a.Over()); len(parts) > 0 {
		a.p.out.Blank()
		a.p.out.Parts("   ", parts...)
	}
	a.table()
	a.gates()
}

// arcBody is what stands between header and answer of a result with steps: the chain,
// unless it stands beside those of other machines, and the last step against the base by
// benchmark.
func (p *printer) arcBody() {
	if !p.chained {
		newArc(p, []chain.Panel{{Result: p.sheet.Result}}).print()
	}
	p.endToEnd()
	p.tradeoff()
}

// tradeoff prints the points of a trade-off, with their changes where there is room.
func (p *printer) tradeoff() {
	if p.sheet.Result.Tradeoff == nil || len(p.sheet.Result.Tradeoff.Points) == 0 {
		return
	}
	p.out.FirstFit(2, 1, func(i int) *sheet.Table {
		t := p.sheet.TradeTable(i == 0)
		t.Columns[len(t.Columns)-1].Limit = p.out.Style.Columns() / 3
		return t
	})
}

// endToEnd prints the benchmarks of the last step that was measured, in brief where they
// are many, and with --all the matrix of all steps.
func (p *printer) endToEnd() {
	last := chain.Panel{Result: p.sheet.Result}.Last()
	if last == "" || last == p.sheet.Result.Base {
		return
	}
	p.of(p.sheet.Only([]string{last}).Brief()).tables()
	if !p.out.Style.All || p.out.Style.Pairs || len(p.sheet.Services) > 0 || len(p.sheet.Shown) < 2 {
		return
	}
	p = p.of(p.sheet.Only(p.sheet.Shown))
	sections := p.sheet.Sections()
	for _, sec := range sections {
		if len(sec.Entries) > 0 {
			matrix{p, sec}.print()
		}
	}
	p.legend(sections)
}
