// Package design decides what runs when, from a study and a seed: the variants made from
// factors, those of a block and their order, the order of benchmarks, and layout seeds.
//
// It is pure: the same arguments give the same bytes. No draw depends on what else ran,
// so a resumed run draws the same orders. Package analysis decides when to stop, and
// package lab runs the blocks.
package design

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/stats"
)

// variantsWith returns the variants of a block that have a benchmark; none if nothing is
// left to compare.
func variantsWith(p *assay.Plan, b assay.Benchmark, present []assay.Variant) []assay.Variant {
	missing := lacking(p, b)
	if len(missing) == 0 {
		return present
	}
	var out []assay.Variant
	compared := false
	for _, v := range present {
		if !slices.Contains(missing, v.Name) {
			out, compared = append(out, v), compared || !inEveryBlock(p, v)
		}
	}
	if !compared {
		return nil
	}
	return out
}

func names(turns []assay.Turn) []string {
	var out []string
	for _, t := range turns {
		out = append(out, t.Benchmark.String())
	}
	return out
}

func turnSlots(seed uint64, t assay.Turn, present []assay.Variant, block, attempt int) []Slot {
	var slots []Slot
	for round := 1; round <= t.Inner; round++ {
		for _, v := range Order(seed, t.Benchmark, len(present), block, attempt, round) {
			slots = append(slots, Slot{Benchmark: t.Benchmark, Variant: present[v].Name, Round: round})
		}
	}
	return slots
}

// tracedSlots returns a turn's traced trials: each present variant once, after the
// rounds, in an order of its own. Tracing costs time, so it has its own trials, except
// for services, whose measured trials are long enough.
func tracedSlots(p *assay.Plan, t assay.Turn, present []assay.Variant, block, attempt int) []Slot {
	planned, _ := p.Planned(t.Benchmark)
	if !p.Study.Measure.Collects(assay.CollectGC) || Serves(p, planned) {
		return nil
	}
	var slots []Slot
	for _, v := range Rand(p.Seed, "traced", t.Benchmark.String(), block, attempt).Perm(len(present)) {
		slots = append(slots, Slot{Benchmark: t.Benchmark, Variant: present[v].Name, Round: t.Inner + 1, Traced: true})
	}
	return slots
}

// Serves reports whether a benchmark is a service.
func Serves(p *assay.Plan, b assay.PlannedBenchmark) bool {
	ws := p.Study.Workloads
	return b.Workload < len(ws) && ws[b.Workload].Kind == assay.KindService
}

// Order draws the order of n variants on a benchmark. The key holds everything that
// distinguishes this draw from others.
func Order(seed uint64, b assay.Benchmark, n, block, attempt, round int) []int {
	return Rand(seed, "order", b.String(), block, attempt, round).Perm(n)
}

// Layout returns the -randlayout seed of a variant's link in a block, never 0 except with
// layouts = 1, which is the linker's own order. It does not depend on the attempt: a
// repeated block measures the same layouts. Variants that share a link (LinkOf) have the
// seed of the variant whose link it is.
func Layout(p *assay.Plan, variant string, block int) uint64 {
	if p.Study.Measure.Layouts == 1 {
		return 0
	}
	// 31 bits: readable in a log, and enough for distinct layouts.
	return Rand(p.Seed, "layout", LinkOf(p, variant), linkNumber(p, block)).Uint64N(1<<31-1) + 1
}

// maxLinks is the largest number of links of a variant that blocks use again: their
// files stay until the end of the run.
const maxLinks = 16

// linkNumber returns which of a variant's links a block uses, from 1. With Plan.Relink, a
// fresh one comes after so many blocks, and the blocks between take turns over those that
// exist.
func linkNumber(p *assay.Plan, block int) int {
	if p.Relink <= 1 {
		return block
	}
	made := LinksMade(p, block)
	if (made-1)*p.Relink == block-1 {
		return made
	}
	return 1 + (block-made-1)%made
}

// LinksMade returns the number of links of a variant after so many blocks of a plan with
// Relink.
func LinksMade(p *assay.Plan, blocks int) int { return min(1+(blocks-1)/p.Relink, maxLinks) }

// Reuses reports whether blocks use links of earlier blocks again.
func Reuses(p *assay.Plan) bool { return p.Relink > 1 }

// LinksBehind returns the number of links of each variant behind so many blocks.
func LinksBehind(p *assay.Plan, blocks int) int {
	switch {
	case p.Study.Measure.Layouts == 1:
		return min(1, blocks)
	case Reuses(p) && blocks > 0:
		return LinksMade(p, blocks)
	}
	return blocks
}

// LeastBlocks returns the number of blocks before the first decision, however large the
// difference: the engine's minimum with a control if one runs beside some variant (Beside),
// else without. Comparisons with the step before have no control.
func LeastBlocks(p *assay.Plan) int {
	control := slices.ContainsFunc(p.Variants, func(v assay.Variant) bool { return Beside(p, v.Name) })
	return stats.FirstBlocks(p.Study.Decide.Alpha(), control && p.Study.Steps == nil)
}

// Beside reports whether the control runs beside a variant as a copy of the base, so that
// without an effect the three are exchangeable in a block, whatever earlier blocks have
// shown. They are not if the variant runs the base's link and the control its own, nor if
// blocks use links again: of two links the same one is always slower.
func Beside(p *assay.Plan, variant string) bool {
	control, base := p.ControlVariant(), p.Study.Base
	if control == "" || variant == control || variant == base {
		return false
	}
	link := LinkOf(p, base)
	switch own, shared := LinkOf(p, control) != link, LinkOf(p, variant) == link; {
	case p.Study.Measure.Layouts == 1: // one file
		return true
	case own:
		return !Reuses(p) && (!shared || p.Study.By != nil)
	default:
		return shared
	}
}

// LinkOf returns the variant whose link another runs in a block: the first of the plan
// with the same build. Variants that differ in run settings only, such as GOGC, or that
// are sub-benchmarks of one binary, are one program. Separate links would cost time and
// mergeLevel noise unrelated to the question.
//
// If any variant has its own link, so has the control: it shows the effect of relinking
// alone. If all run one program they share its placement, and so does the control.
func LinkOf(p *assay.Plan, variant string) string {
	v, ok := p.Variant(variant)
	if !ok || v.Control && !oneBuild(p) {
		return variant
	}
	id := buildOf(p, v)
	for _, w := range p.Variants {
		if !w.Control && buildOf(p, w) == id {
			return w.Name
		}
	}
	return variant
}

// Links returns the number of links in a block that holds every variant.
func Links(p *assay.Plan) int {
	owners := map[string]bool{}
	for _, v := range p.Variants {
		owners[LinkOf(p, v.Name)] = true
	}
	return len(owners)
}

// buildOf returns a key for the build of a variant: its inputs, else the variant's name.
func buildOf(p *assay.Plan, v assay.Variant) string {
	if p.Study.By != nil {
		return "the only binary"
	}
	if v.Name == assay.ControlName {
		v = p.Base()
	}
	for _, a := range p.Artifacts {
		if a.Variant == v.Name && a.ID != "" {
			return a.ID
		}
	}
	return "variant " + v.Name
}

// oneBuild reports whether all variants run the same function of the same program.
func oneBuild(p *assay.Plan) bool {
	if p.Study.By != nil {
		return false
	}
	for _, v := range p.Variants {
		if buildOf(p, v) != buildOf(p, p.Variants[0]) {
			return false
		}
	}
	return true
}

// Variants returns the variants that run in every block: those of the study and the
// control, without gaps and those in same that need not run. A variant with the base's
// code runs in place of the control: its difference from the base is noise by definition.
// A step does not, since a longer chain that extends the record would move it.
func Variants(s *assay.Study, same []assay.SameCode, gaps ...assay.Gap) ([]assay.Variant, []assay.SameCode) {
	same = slices.Clone(same)
	var out []assay.Variant
	control := s.Measure.NoControl
	for _, v := range s.Variants {
		i := slices.IndexFunc(same, func(c assay.SameCode) bool { return c.Variant == v.Name })
		switch {
		case slices.ContainsFunc(gaps, func(g assay.Gap) bool { return g.Variant == v.Name }):
		case i < 0:
			out = append(out, v)
		case same[i].As == s.Base && !control && s.Steps == nil:
			control, same[i].Control, v.Control = true, true, true
			out = append(out, v)
		}
	}
	if !control {
		i := slices.IndexFunc(out, func(v assay.Variant) bool { return v.Name == s.Base })
		c := out[i]
		c.Name, c.Control = assay.ControlName, true
		out = append(out, c)
	}
	return out, same
}

// Asked returns the study of a plan as the user wrote it: the plan also has the layouts
// and the base, filled in if the study left them open. ok is false if no such study has
// the plan's StudyHash. Then assay did not write the plan.
func Asked(p *assay.Plan) (*assay.Study, bool) {
	bases := []string{p.Study.Base}
	if p.Study.By != nil { // found in the binary
		bases = append(bases, "")
		if len(p.Study.Variants) > 0 {
			bases = append(bases, p.Study.Variants[0].Name)
		}
	}
	for _, base := range bases {
		for _, layouts := range []int{p.Study.Measure.Layouts, 0} {
			s := p.Study
			s.Base, s.Measure.Layouts = base, layouts
			if StudyHash(&s) == p.StudyHash {
				return &s, true
			}
		}
	}
	return nil, false
}
