package design

import (
	"fmt"
	"slices"

	"github.com/seed-1318a441/assay"
)

// A Block is all that the design draws for one attempt at a block.
type Block struct {
	plan           *assay.Plan
	index, attempt int
	// Slots are its trials, in running order.
	Slots []Slot
}

// A Slot is one trial to run: a benchmark, a variant, and its place.
type Slot struct {
	Benchmark assay.Benchmark
	Variant   string
	// Round counts the repetitions from 1, the traced one last; Position counts trials.
	Round, Position int
	// Traced marks a trial that traces the collector beside the measured ones.
	Traced bool
	// Link is what it runs.
	Link Link
}

// A Link names a binary of a block by the variant that owns it (LinkOf), which others may
// share, and its layout seed (Layout).
type Link struct {
	Owner    string
	Workload int
	Package  string
	Layout   uint64
}

// BlockOf draws one block attempt, for the variants from Present. The order of benchmarks
// is drawn for each block. Inside a benchmark every round is an independent uniform
// permutation of the variants: the symmetry of the test depends on it
// (docs/methodology.md). Trials that trace the collector come after the rounds of the
// benchmark, so that they change no order.
//
// A variant that lacks a benchmark (PlannedBenchmark.Missing) does not run it. A
// benchmark is omitted if, of the block's variants, only the base and the control have
// it: there is nothing to compare.
func BlockOf(p *assay.Plan, next assay.NextBlock, index, attempt int) *Block {
	b := &Block{plan: p, index: index, attempt: attempt}
	present := Present(p, next, index)
	links := map[string]Link{}
	for _, v := range present {
		links[v.Name] = Link{Owner: LinkOf(p, v.Name), Layout: Layout(p, v.Name, index)}
	}
	for _, i := range Rand(p.Seed, "benchmarks", fmt.Sprint(names(next.Turns)), index, attempt).Perm(len(next.Turns)) {
		having := variantsWith(p, next.Turns[i].Benchmark, present)
		planned, _ := p.Planned(next.Turns[i].Benchmark)
		slots := slices.Concat(turnSlots(p.Seed, next.Turns[i], having, index, attempt), tracedSlots(p, next.Turns[i], having, index, attempt))
		for _, s := range slots {
			s.Position, s.Link = len(b.Slots)+1, links[s.Variant]
			s.Link.Workload, s.Link.Package = planned.Workload, planned.Package
			b.Slots = append(b.Slots, s)
		}
	}
	return b
}

// Links returns what the block runs, each link once.
func (b *Block) Links() (out []Link) {
	for _, s := range b.Slots {
		if !slices.Contains(out, s.Link) {
			out = append(out, s.Link)
		}
	}
	return out
}

// Trial returns all of a slot's trial that is drawn before it runs.
func (b *Block) Trial(s Slot) assay.Trial {
	planned, _ := b.plan.Planned(s.Benchmark)
	return assay.Trial{Block: b.index, Attempt: b.attempt, Of: len(b.Slots),
		Position: s.Position, Round: s.Round, Variant: s.Variant, Benchmark: s.Benchmark, Traced: s.Traced,
		Layout: s.Link.Layout, N: planned.N}
}
