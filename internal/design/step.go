package design

import (
	"fmt"
	"slices"

	"github.com/seed-1318a441/assay"
)

// chainOf is what of the steps is part of a study's identity: which variants, in
// which order.
func chainOf(s *assay.Steps) *assay.Steps {
	if s == nil {
		return nil
	}
	chain := &assay.Steps{Range: s.Range, Module: s.Module, Every: s.Every, Touching: s.Touching}
	for _, step := range s.List {
		chain.List = append(chain.List, assay.Step{Variant: step.Variant})
	}
	return chain
}

// leastRoom is the room beside the base that windows need: two neighbours, and one
// more that is drawn.
const leastRoom = 3

// inChain reports whether blocks hold neighbours in a chain of steps.
func inChain(p *assay.Plan, room int) bool { return p.Study.Steps != nil && room >= leastRoom }

// window draws the candidates of a block of a chain: room-1 that follow each other
// and one of the rest. Each step is compared with the one before it, and two that
// stand in one block are compared within seconds, so neighbours run together; the
// one of the rest ties distant parts of the chain to each other, so that a drift of
// the machine that a window shares does not pass for a step.
//
// The candidates are taken as a ring, so that none is at an end and all run equally
// often. Windows begin where the one before ends or earlier: any two neighbours are
// together in one block of a cycle at least, the last and the first as well. Where
// they begin is drawn for each cycle, since the candidate that two windows share
// runs twice in it; the order of the windows and the one more are drawn, too. The
// draws know the list, the cycle and the seed, and no measured value.
//
// Neighbours are neighbours in the list: who asks for a step alone, without the one
// before it, gets blocks that do not hold both.
func window(seed uint64, candidates []string, room, block int) []string {
	n, width := len(candidates), room-1
	k := windows(n, width)
	cycle, part := (block-1)/k, (block-1)%k
	list := fmt.Sprintf("%q", candidates)
	shift := Rand(seed, "shift", list, cycle).IntN(n)
	at := shift + permutation(k, seed, "windows", list, cycle)[part]*n/k
	var out []string
	for i := range width {
		out = append(out, candidates[(at+i)%n])
	}
	one := Rand(seed, "rest", list, block).IntN(n - width)
	return append(out, candidates[(at+width+one)%n])
}

// windows is the number of windows that cover a ring of n pairs of neighbours, each
// window having width-1 of them.
func windows(n, width int) int { return (n + width - 2) / (width - 1) }

// Extends reports whether a study asks what an old one asked, of the same chain
// with more steps: everything that Plan.StudyHash looks at is the same, but for
// the range that the steps come from and the variants that are only in the new
// one. Those of the old stand in the new in the same order, with the same
// settings. Both must have a base and steps.
func Extends(old, new *assay.Study) bool {
	if old.Steps == nil || new.Steps == nil || len(old.Variants) < 2 || len(new.Variants) <= len(old.Variants) {
		return false
	}
	common := slices.DeleteFunc(slices.Clone(new.Variants), func(v assay.Variant) bool {
		return !slices.ContainsFunc(old.Variants, func(w assay.Variant) bool { return w.Name == v.Name })
	})
	cut := *new
	cut.Variants = common
	return StudyHash(withoutChain(&cut)) == StudyHash(withoutChain(old))
}

// withoutChain is a study of the same variants that were listed by hand.
func withoutChain(s *assay.Study) *assay.Study {
	c := *s
	c.Steps = &assay.Steps{}
	return &c
}
