package design

import (
	"fmt"
	"slices"

	"github.com/seed-1318a441/assay"
)

const (
	// maxTogether is the number of variants, the base counted, up to which all of
	// them run in every block. A block is a comparison of neighbours in time: the
	// longer it is, the more the machine changes inside it.
	maxTogether = 6
	// maxWhole is the size up to which a fraction of a crossing runs whole: its
	// main effects are contrasts of all its variants, and a block that lacks one
	// has none of them.
	maxWhole = 16
)

// Together is what Plan.Together should be for these variants: 6 where there
// are more than 6 beside the control, else 0, which puts all of them into every
// block; 0 too for the fraction of a crossing (Study.Only) up to 16, and for a
// race, whose losers thin the blocks out: what two variants are to each other is
// seen only in blocks that hold both, and a simulated race of 24 took 1.7 times
// as many trials with 6 together.
func Together(s *assay.Study, variants []assay.Variant) int {
	n := 0
	for _, v := range variants {
		if !v.Control {
			n++
		}
	}
	if n <= maxTogether || s.Decide.Race || s.Only == assay.OnlyMainEffects && n <= maxWhole {
		return 0
	}
	return maxTogether
}

// Present lists the variants that a block runs, in the order of the plan: the
// base, the control, and of the others those in question (next.Variants). Where
// these are more than Plan.Together allows, they are drawn: see chunk. All
// attempts at a block run the same variants, so that what cut the first one off
// cannot choose.
func Present(p *assay.Plan, next assay.NextBlock, block int) []assay.Variant {
	var candidates []string
	always := func(v assay.Variant) bool { return v.Control || v.Name == p.Study.Base }
	for _, v := range p.Variants {
		if !always(v) && (next.Variants == nil || slices.Contains(next.Variants, v.Name)) {
			candidates = append(candidates, v.Name)
		}
	}
	if room := max(p.Together-1, 1); p.Together > 0 && len(candidates) > room {
		candidates = chunk(p.Seed, candidates, room, block)
	}
	var out []assay.Variant
	for _, v := range p.Variants {
		if always(v) || slices.Contains(candidates, v.Name) {
			out = append(out, v)
		}
	}
	return out
}

// chunk draws the candidates of a block, room at most. The candidates are
// shuffled once a cycle and cut into as few chunks as room allows, as equal as
// can be: seven for five places are four and three. So each runs once in every
// cycle, and at any time none is more than one block ahead of another; filling
// a last chunk up from the next cycle would put a variant into one block twice.
// The draw knows the list, the cycle and the seed, and no measured value.
func chunk(seed uint64, candidates []string, room, block int) []string {
	n := len(candidates)
	chunks := (n + room - 1) / room
	cycle, part := (block-1)/chunks, (block-1)%chunks
	order := permutation(n, seed, "together", fmt.Sprintf("%q", candidates), cycle)
	var out []string
	for _, i := range order[part*n/chunks : (part+1)*n/chunks] {
		out = append(out, candidates[i])
	}
	return out
}
