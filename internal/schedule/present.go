package schedule

import "github.com/seed-1318a441/assay"

// With many variants a block holds the base, the control and a random choice of the
// others. Each of those has values of some blocks only.

// Subsets reports whether a block of the plan holds only a choice of the variants.
func Subsets(p *assay.Plan) bool { return Scale(p) > 1 }

// Partial reports whether variants may have values of some blocks only: a block holds a
// choice of them, or the first blocks come from an earlier run without some steps.
func Partial(p *assay.Plan) bool { return Subsets(p) || p.Earlier != "" }

// Scale returns the number of blocks that give each variant one value.
func Scale(p *assay.Plan) int { return blocksFor(p, others(p)) }

// blocksFor returns the number of blocks in which n variants each have a turn: as few as
// the room besides the base allows (see package design).
func blocksFor(p *assay.Plan, n int) int {
	room := max(p.Together-1, 1)
	if p.Together == 0 || n <= room {
		return 1
	}
	return (n + room - 1) / room
}

// Width returns the number of variants in a block that chooses among variants (nil means
// all), including the base and the control's part. If blocks differ in the number of others it
// is the larger one.
func Width(p *assay.Plan, variants []string) float64 {
	others := others(p)
	n := others
	if variants != nil {
		n = len(variants)
	}
	if p.Study.Steps != nil && len(p.Study.Steps.List) > 0 && Subsets(p) { // windows are full, see package design
		return Always(p) + float64(min(n, max(p.Together-1, 1)))
	}
	k := blocksFor(p, n)
	return Always(p) + float64((n+k-1)/k)
}

// Always returns the mean number of variants in a block that have no turns: the base, and
// the control's part.
func Always(p *assay.Plan) float64 {
	if p.ControlVariant() == "" {
		return 1
	}
	return 1 + 1/float64(max(p.ControlEvery, 1))
}
