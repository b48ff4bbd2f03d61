package report

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/sheet/chain"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// movers prints the benchmarks that a step moved below it, for who asks for all or
// where there is no change over the suite to show.
func (a *arc) movers(g *terminal.Grid, s assay.StepResult, extras []string, l stepLayout) {
	for _, b := range a.Moved(s) {
		g.Row(append(a.cells([]sheet.Cell{{}, {}, sheet.Word("  " + b.Name)}, extras, l,
			func(x chain.Panel, t *assay.Table) (assay.Comparison, bool) { return x.Moved(t, s.Variant, b) },
			func(x chain.Panel, t *assay.Table) (assay.Comparison, bool) { return x.On(t, s.Variant, b) }), sheet.Cell{})...)
	}
}
