package report

import (
	"cmp"
	"slices"

	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/sheet/chain"
)

// arcs are the machines whose results have steps.
func (g *gathered) arcs() (panels []chain.Panel) {
	for i := range g.m.Machines {
		if m := &g.m.Machines[i]; m.Result.Arc != nil {
			panels = append(panels, chain.Panel{Name: cmp.Or(m.Name, "?"), Result: &m.Result})
		}
	}
	return panels
}

// apart says how to read machines side by side.
func (g *gathered) apart() {
	panels := g.arcs()
	if len(panels) < 2 {
		return
	}
	text, sep := "read each machine against itself", " · noise "
	for _, x := range panels {
		if n := x.Result.Noise; n.Control != "" && n.Known() {
			text += sep + sheet.PlusMinus(n.Floor) + " % " + x.Name
			sep = ", "
		}
	}
	g.p.out.Labelled("", sheet.Plain, text)
}

// size is the size of a merged result: in steps where any machine has them.
func (g *gathered) size(benchmarks, variants int) []string {
	panels := g.arcs()
	if len(panels) == 0 {
		if benchmarks == 0 {
			return nil
		}
		return []string{printable.Count(benchmarks, "benchmark") + " × " + printable.Count(variants, "variant")}
	}
	longest := slices.MaxFunc(panels, func(a, b chain.Panel) int { return cmp.Compare(len(a.Result.Arc.Steps), len(b.Result.Arc.Steps)) })
	return chain.Size(longest.Result, benchmarks)
}
