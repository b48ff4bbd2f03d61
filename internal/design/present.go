package design

import (
	"fmt"
	"slices"

	"github.com/seed-1318a441/assay"
)

// maxTogether is the maximum number of variants, including the base, that all run in every
// block. A block compares neighbours in time: in a longer one the machine changes more.
const maxTogether = 6

// Together returns Plan.Together for these variants: 6 if there are more than 6 besides
// the control, else 0, which puts all of them into every block. It is also 0 for a race, in
// which losers drop out, and only blocks that hold two variants compare them: a simulated
// race of 24 took 1.7 times as many trials with 6 together.
func Together(s *assay.Study, variants []assay.Variant) int {
	n := 0
	for _, v := range variants {
		if !v.Control {
			n++
		}
	}
	if n <= maxTogether || s.Decide.Race {
		return 0
	}
	return maxTogether
}

// Present lists the variants that a block runs, in the order of the plan: the base, the
// control if the block has it, and those of next.Variants. If these are more than Plan.Together allows, some
// are drawn: see chunk, and window for studies with steps. Variants that lack all
// benchmarks of the block get no place. All attempts at a block run the same variants, so
// that the cause of an interruption cannot influence the choice.
func Present(p *assay.Plan, next assay.NextBlock, block int) []assay.Variant {
	var candidates []string
	for _, v := range p.Variants {
		if !inEveryBlock(p, v) && (next.Variants == nil || slices.Contains(next.Variants, v.Name)) && hasAny(p, next.Turns, v.Name) {
			candidates = append(candidates, v.Name)
		}
	}
	if room := freePlaces(p); p.Together > 0 && len(candidates) > room {
		if inChain(p, room) {
			candidates = window(p.Seed, candidates, room, block)
		} else {
			candidates = chunk(p.Seed, candidates, room, block)
		}
	}
	var out []assay.Variant
	for _, v := range p.Variants {
		if inEveryBlock(p, v) && (!v.Control || controlIn(p, block)) || slices.Contains(candidates, v.Name) {
			out = append(out, v)
		}
	}
	return out
}

// ControlEvery is how many blocks of a new plan have the control once. It shows the noise,
// and one in four is enough for that; in every block it took a third of the time. The first
// BeforeControl blocks never have it: a run that ends soon after them would have too few
// controls to say anything, and 16 benchmarks in 86 s had 8 blocks with two controls, 9
// without.
const (
	ControlEvery  = 4
	BeforeControl = 8
)

// controlIn reports whether a block has the control. Of every Plan.ControlEvery blocks one is
// drawn: always the first, say, could fall in step with a disturbance that comes as often.
func controlIn(p *assay.Plan, block int) bool {
	every := max(p.ControlEvery, 1)
	if every > 1 && block <= BeforeControl {
		return false
	}
	return Rand(p.Seed, "control", (block-1)/every).IntN(every) == (block-1)%every
}

// hasAny reports whether a variant has a benchmark of the turns, if there are any.
func hasAny(p *assay.Plan, turns []assay.Turn, variant string) bool {
	return len(turns) == 0 || slices.ContainsFunc(turns, func(t assay.Turn) bool { return !slices.Contains(lacking(p, t.Benchmark), variant) })
}

// lacking returns the variants that lack a benchmark.
func lacking(p *assay.Plan, b assay.Benchmark) []string {
	planned, _ := p.Planned(b)
	return planned.Missing
}

// inEveryBlock reports whether no block that may hold a variant leaves it out for others.
func inEveryBlock(p *assay.Plan, v assay.Variant) bool { return v.Control || v.Name == p.Study.Base }

// freePlaces returns the number of places in a block besides the base and the control.
func freePlaces(p *assay.Plan) int { return max(p.Together-1, 1) }

// CycleLength returns the number of blocks in which each of the candidates (variants
// besides the base and the control) runs once, and in studies with steps together with
// both its neighbours. It is 1 if a block holds all.
func CycleLength(p *assay.Plan, candidates int) int {
	room := freePlaces(p)
	switch {
	case p.Together == 0 || candidates <= room:
		return 1
	case inChain(p, room):
		return windows(candidates, room-1)
	}
	return (candidates + room - 1) / room
}

// chunk draws the candidates of a block, at most room. It shuffles the candidates once a
// cycle and cuts them into as few chunks as possible, of about equal size: seven for five
// places become four and three. So each runs once a cycle, and is never more than one
// block ahead of another. Filling the last chunk from the next cycle would put a variant
// into one block twice. The draw depends on the list, the cycle and the seed alone.
func chunk(seed uint64, candidates []string, room, block int) []string {
	n := len(candidates)
	chunks := (n + room - 1) / room
	cycle, part := (block-1)/chunks, (block-1)%chunks
	order := Rand(seed, "together", fmt.Sprintf("%q", candidates), cycle).Perm(n)
	var out []string
	for _, i := range order[part*n/chunks : (part+1)*n/chunks] {
		out = append(out, candidates[i])
	}
	return out
}
