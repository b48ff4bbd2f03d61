package page

import (
	"fmt"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// Method says how a run was measured, one fact a line: what is true of every run, and
// what its plan chose. Nothing in it is a finding.
func Method(p *assay.Plan) []string {
	out := []string{
		"each block runs every variant that is still in question once, in an order drawn afresh" + seedText(p.Seed) + "; each block yields one value, ln(variant/base)",
		"no observation was removed: a benchmark with a failed trial is excluded for all variants and listed",
	}
	out = append(out, sheet.GearMethods(p)...)
	for _, g := range p.Gears() {
		out = append(out, g.Benchmark.Name+": "+sheet.Gear(g))
	}
	if p.Together > 0 {
		out = append(out, fmt.Sprintf("a block holds the base and a random choice of the others, %s at most", printable.Count(p.Together, "variant")))
	}
	if c := p.ControlVariant(); c != "" {
		out = append(out, p.Study.Base+" runs a second time in each block, as "+c+": what the two differ by is noise (A/A)")
	}
	if n := p.Study.Measure.Layouts; n == 0 && p.Relink > 1 {
		out = append(out, fmt.Sprintf("every %d blocks each variant is relinked with the functions in another order, and the blocks between take turns over these links; intervals are wider by what other links could be", p.Relink))
	} else if n == 0 && p.Link > 0 {
		out = append(out, "each block runs binaries relinked with the functions in another order: where code lies in memory is part of the noise")
	}
	if m := p.Study.Decide; len(m.Metrics) > 0 {
		out = append(out, fmt.Sprintf("%s decides; intervals hold at every look (confidence sequences, %s), claims in the list by e-BH at 5 %%",
			strings.Join(m.Metrics, ", "), printable.Level(m.Confidence)))
	}
	return out
}

func seedText(seed uint64) string {
	if seed == 0 {
		return ""
	}
	return fmt.Sprintf(" (seed %#x)", seed)
}
