package schedule

import (
	"fmt"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
)

// many is a plan of a base, so many others, and the control, with a limit for a block. With
// steps the others are a chain.
func many(others, together int, steps bool) *assay.Plan {
	p := &assay.Plan{Together: together, Study: assay.Study{Base: "base", Decide: assay.Decide{Confidence: 0.99}}, Variants: []assay.Variant{{Name: "base"}}}
	if steps {
		p.Study.Steps = &assay.Steps{}
	}
	for i := range others {
		name := fmt.Sprintf("s%02d", i)
		p.Variants = append(p.Variants, assay.Variant{Name: name})
		if steps {
			p.Study.Steps.List = append(p.Study.Steps.List, assay.Step{Variant: name})
		}
	}
	p.Variants = append(p.Variants, assay.Variant{Name: assay.ControlName, Control: true})
	return p
}

// The width of a block is that of the widest one which design draws, of all variants or of
// those that are left.
func TestWidth(t *testing.T) {
	for _, steps := range []bool{false, true} {
		for others := 1; others <= 16; others++ {
			for _, together := range []int{0, 3, 4, 6} {
				p := many(others, together, steps)
				for left := 1; left <= others; left++ {
					var names []string
					for _, v := range p.Variants[1 : 1+left] {
						names = append(names, v.Name)
					}
					want := 0.0
					for block := 1; block <= 2*others; block++ {
						want = max(want, float64(len(design.Present(p, assay.NextBlock{Variants: names}, block))))
					}
					if got := Width(p, names); got != want {
						t.Errorf("%d of %d variants, %d together, steps %t: width %g, design has %g", left, others, together, steps, got, want)
					}
					if got := Width(p, nil); left == others && got != want {
						t.Errorf("all of %d variants, %d together, steps %t: width %g, design has %g", others, together, steps, got, want)
					}
				}
			}
		}
	}
}

// Variants share the places of a block, besides those of the base and the control, if there
// are more of them. They miss blocks then, and also those of an earlier run.
func TestSubsets(t *testing.T) {
	for _, c := range []struct {
		others, together int
		earlier          string
		scale            int
		subsets, partial bool
	}{
		{12, 0, "", 1, false, false},
		{5, 6, "", 1, false, false},
		{6, 6, "", 2, true, true},
		{12, 6, "", 3, true, true},
		{3, 1, "", 3, true, true},
		{5, 6, "r1", 1, false, true},
	} {
		p := many(c.others, c.together, false)
		p.Earlier = c.earlier
		if Scale(p) != c.scale || Subsets(p) != c.subsets || Partial(p) != c.partial {
			t.Errorf("%+v: scale %d, subsets %t, partial %t", c, Scale(p), Subsets(p), Partial(p))
		}
	}
}

// The first verdicts come after the blocks that a verdict takes, times those in which every
// variant has had a turn; neighbours in a chain share windows.
func TestFirstVerdict(t *testing.T) {
	for _, c := range []struct {
		others, together int
		steps            bool
		least            int // blocks = N-
		want             int
	}{
		{1, 0, false, 0, 5},
		{1, 0, false, 4, 5},
		{1, 0, false, 8, 8},
		{12, 6, false, 0, 15}, // three draws of four
		{12, 6, true, 0, 20},  // windows of four have three pairs, of twelve in a ring
		{12, 6, true, 8, 32},
	} {
		p := many(c.others, c.together, c.steps)
		p.Study.Decide.MinBlocks = c.least
		if got := FirstVerdict(p); got != c.want {
			t.Errorf("%+v: first verdicts after %d blocks", c, got)
		}
	}
}

// In a chain the largest number of blocks is that of each pair of neighbours, and blocks of
// an earlier run do not count.
func TestLastOfChain(t *testing.T) {
	for _, c := range []struct {
		most, earlier int
		steps         bool
		want          int
	}{{4, 0, false, 4}, {4, 7, false, 4}, {4, 0, true, 16}, {4, 7, true, 23}, {0, 7, true, 0}} {
		p := many(12, 6, c.steps)
		p.Study.Decide.MaxBlocks = c.most
		if got := Last(p, c.earlier); got != c.want {
			t.Errorf("%+v: ends after %d blocks", c, got)
		}
	}
}
