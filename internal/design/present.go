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
// these are more than Plan.Together allows, they are drawn: see chunk, and window
// for studies with steps. Who lacks all benchmarks of the block has no place in it.
// All attempts at a block run the same variants, so that what cut the first one off
// cannot choose.
func Present(p *assay.Plan, next assay.NextBlock, block int) []assay.Variant {
	var candidates []string
	for _, v := range p.Variants {
		if !always(p, v) && (next.Variants == nil || slices.Contains(next.Variants, v.Name)) && hasAny(p, next.Turns, v.Name) {
			candidates = append(candidates, v.Name)
		}
	}
	if room := room(p); p.Together > 0 && len(candidates) > room {
		if inChain(p, room) {
			candidates = window(p.Seed, candidates, room, block)
		} else {
			candidates = chunk(p.Seed, candidates, room, block)
		}
	}
	var out []assay.Variant
	for _, v := range p.Variants {
		if always(p, v) || slices.Contains(candidates, v.Name) {
			out = append(out, v)
		}
	}
	return out
}

// hasAny reports whether a variant has one of the benchmarks of some turns; true
// where there are no turns.
func hasAny(p *assay.Plan, turns []assay.Turn, variant string) bool {
	return len(turns) == 0 || slices.ContainsFunc(turns, func(t assay.Turn) bool { return !slices.Contains(lacking(p, t.Benchmark), variant) })
}

// lacking are the variants that lack a benchmark.
func lacking(p *assay.Plan, b assay.Benchmark) []string {
	planned, _ := p.Planned(b)
	return planned.Missing
}

// always reports whether a variant runs in every block.
func always(p *assay.Plan, v assay.Variant) bool { return v.Control || v.Name == p.Study.Base }

// room is the number of variants that a block holds beside the base and the
// control.
func room(p *assay.Plan) int { return max(p.Together-1, 1) }

// CycleLength is the number of blocks in which each of so many candidates
// (variants beside the base and the control) has its turn; in studies with steps,
// in which each has met both its neighbours. It is 1 where a block holds all.
func CycleLength(p *assay.Plan, candidates int) int {
	room := room(p)
	switch {
	case p.Together == 0 || candidates <= room:
		return 1
	case inChain(p, room):
		return windows(candidates, room-1)
	}
	return (candidates + room - 1) / room
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
