package code

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/explain/cputime"
)

// Levels compares functions of one binary that two variants in it run, each its own, heaviest
// first. The heaviest two are compared with each other; for the others nothing says which of
// them do the same job. There are no whole binaries to compare.
func Levels(in Input, base, variant []cputime.Hot) *assay.CodeChange {
	c := &comparison{in: in, base: newSide(sideBase, in.Base, in.BaseDecisions), variant: newSide(sideVariant, in.Variant, in.VariantDecisions)}
	c.pair()
	w := &wanted{at: map[[2]string]*target{}}
	bs, vs := c.base.ownTargets(base), c.variant.ownTargets(variant)
	if len(bs) > 0 && len(vs) > 0 {
		w.add(target{b: bs[0].b, v: vs[0].b, weight: max(bs[0].weight, vs[0].weight)})
		bs, vs = bs[1:], vs[1:]
	}
	for _, t := range bs {
		w.add(t)
	}
	for _, t := range vs {
		w.add(target{v: t.b, weight: t.weight})
	}
	out := &assay.CodeChange{}
	for _, t := range w.list {
		out.Hot++
		if !c.differs(*t) {
			out.SameHot++
		}
	}
	c.changes(out, w.list)
	out.Missing = append(c.unread(), c.missing...)
	return out
}

// ownTargets finds functions by the names that profiles have. One that is inlined everywhere
// has no code of its own.
func (s *side) ownTargets(list []cputime.Hot) (out []target) {
	for _, h := range list {
		for _, symbol := range s.names.symbols(h.Name) {
			out = append(out, target{b: symbol, weight: h.Weight})
		}
	}
	return out
}

// variantName is the name of the variant's function if it is another one than the base's.
func (t *target) variantName() string {
	if t.b == "" || t.v == "" || binary.PlainName(t.b) == binary.PlainName(t.v) {
		return ""
	}
	return binary.ReadableName(t.v)
}
