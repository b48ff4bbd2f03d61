package design

import (
	"fmt"
	"slices"

	"github.com/seed-1318a441/assay"
)

// chainOf returns the part of the steps in a study's identity: the variants in order.
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

// leastRoom is the room that windows need: two neighbours and one drawn variant.
const leastRoom = 3

// inChain reports whether blocks hold neighbours of a chain of steps.
func inChain(p *assay.Plan, room int) bool { return p.Study.Steps != nil && room >= leastRoom }

// window draws the candidates of a block of a chain: room-1 consecutive ones and one of
// the others. Each step is compared with the one before it, and two in one block are
// compared within seconds, so neighbours run together. The extra one links distant parts
// of the chain, so that a drift of the machine within a window does not look like a step.
//
// The candidates form a ring, so that none is at an end and all run equally often.
// Windows begin at the end of the one before, or earlier: any two neighbours, and the
// last and the first, are together in at least one block of a cycle. The start is drawn
// for each cycle, since a candidate shared by two windows runs twice. The order of the
// windows and the extra candidate are drawn, too. The draws depend on the list, the cycle
// and the seed, not on measured values.
//
// Neighbours are neighbours in the list. If a step is selected without the one before it,
// no block holds both.
func window(seed uint64, candidates []string, room, block int) []string {
	n, width := len(candidates), room-1
	k := windows(n, width)
	cycle, part := (block-1)/k, (block-1)%k
	list := fmt.Sprintf("%q", candidates)
	shift := Rand(seed, "shift", list, cycle).IntN(n)
	at := shift + Rand(seed, "windows", list, cycle).Perm(k)[part]*n/k
	var out []string
	for i := range width {
		out = append(out, candidates[(at+i)%n])
	}
	one := Rand(seed, "rest", list, block).IntN(n - width)
	return append(out, candidates[(at+width+one)%n])
}

// windows returns the number of windows, of width-1 pairs each, that cover a ring of n.
func windows(n, width int) int { return (n + width - 2) / (width - 1) }

// Extends reports whether a study is an old one with more steps in its chain. Everything
// in Plan.StudyHash is the same, except the range of the steps and the added variants;
// the old variants keep their order and settings. Both need a base and steps.
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

// withoutChain returns a study of the same variants, as if listed by hand.
func withoutChain(s *assay.Study) *assay.Study {
	c := *s
	c.Steps = &assay.Steps{}
	return &c
}
