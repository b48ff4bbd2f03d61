package report

import "github.com/seed-1318a441/assay/internal/sheet/chain"

// An arc prints a chain of steps.
type arc struct {
	*chain.Chain
	p    *printer // its result does not count
	side side
}

func newArc(p *printer, panels []chain.Panel) *arc {
	return &arc{Chain: chain.New(panels, p.out.Style.All, p.sheet.BlockNoun()), p: p}
}

// print prints the curve, the table of steps and the gates.
func (a *arc) print() {
	if len(a.Steps) == 0 {
		return
	}
	a.curve()
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
