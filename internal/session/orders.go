package session

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
)

// Orders returns, for each benchmark of the plan, the names of the variants in the
// running order of a block.
func Orders(p *assay.Plan, block int) (out [][]string) {
	for _, b := range p.Benchmarks {
		turn := assay.Turn{Benchmark: b.Benchmark, Inner: 1}
		var names []string
		for _, slot := range design.BlockOf(p, assay.NextBlock{Turns: []assay.Turn{turn}}, block, 1).Slots {
			if !slot.Traced {
				names = append(names, slot.Variant)
			}
		}
		out = append(out, names)
	}
	return out
}
