package design

import (
	"fmt"
	"slices"
	"testing"

	"github.com/seed-1318a441/assay"
)

func manyPlan(others, together int) *assay.Plan {
	s := assay.Study{Base: "base", Variants: []assay.Variant{{Name: "base"}}}
	for i := range others {
		s.Variants = append(s.Variants, assay.Variant{Name: fmt.Sprintf("v%02d", i)})
	}
	vs, _ := Variants(&s, nil)
	return &assay.Plan{Study: s, Seed: 7, Variants: vs, Together: together}
}

func present(p *assay.Plan, next assay.NextBlock, block int) (names []string) {
	for _, v := range Present(p, next, block) {
		names = append(names, v.Name)
	}
	return names
}

// Whatever the sizes: base and control in every block, never more than there is
// room for, and after every cycle each of the others as often as any.
func TestChunksAreFair(t *testing.T) {
	for others := 1; others <= 14; others++ {
		for together := 2; together <= 8; together++ {
			p := manyPlan(others, together)
			count := map[string]int{}
			for block := 1; block <= 60; block++ {
				names := present(p, assay.NextBlock{}, block)
				if names[0] != "base" || names[len(names)-1] != assay.ControlName {
					t.Fatalf("%d others, room %d: block %d has %v", others, together, block, names)
				}
				if got, want := len(names)-1, max(together, 1); got > want {
					t.Fatalf("%d others: block %d has %d variants, want %d at most", others, block, got, want)
				}
				for _, n := range slices.Compact(names) {
					count[n]++
				}
				delete(count, "base")
				delete(count, assay.ControlName)
				low, high := 1<<30, 0
				for i := range others {
					n := count[fmt.Sprintf("v%02d", i)]
					low, high = min(low, n), max(high, n)
				}
				if high-low > 1 {
					t.Fatalf("%d others, room %d: after block %d between %d and %d each", others, together, block, low, high)
				}
			}
		}
	}
}

func TestChunksAreDrawnAnewEachCycle(t *testing.T) {
	p := manyPlan(10, 6)
	seen := map[string]int{}
	for block := 1; block <= 40; block++ { // 20 cycles of two blocks
		seen[fmt.Sprint(present(p, assay.NextBlock{}, block))]++
	}
	if len(seen) < 30 { // of C(10,5) = 252
		t.Errorf("40 blocks hold only %d different choices", len(seen))
	}
}

func TestPresentFollowsTheRule(t *testing.T) {
	p := manyPlan(9, 0)
	next := assay.NextBlock{Variants: []string{"v07", "base", "v02"}}
	want := []string{"base", "v02", "v07", assay.ControlName}
	if got := present(p, next, 3); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := len(present(p, assay.NextBlock{}, 3)); got != 11 {
		t.Errorf("no list: got %d variants, want all 11", got)
	}
	if got, want := present(p, assay.NextBlock{Variants: []string{}}, 3), []string{"base", assay.ControlName}; !slices.Equal(got, want) {
		t.Errorf("an empty list: got %v, want %v", got, want)
	}
}

// A second attempt runs the same variants in another order.
func TestAttemptKeepsItsVariants(t *testing.T) {
	p := manyPlan(9, 6)
	next := assay.NextBlock{Turns: turns("X")}
	ran := func(attempt int) (out []string) {
		for _, s := range BlockOf(p, next, 4, attempt).Slots {
			out = append(out, s.Variant)
		}
		return out
	}
	a, b := ran(1), ran(2)
	if slices.Equal(a, b) {
		t.Error("the second attempt has the order of the first")
	}
	slices.Sort(a)
	slices.Sort(b)
	if !slices.Equal(a, b) {
		t.Errorf("attempt 1 ran %v, attempt 2 %v", a, b)
	}
}

func TestTogether(t *testing.T) {
	for _, tc := range []struct {
		others int
		want   int
	}{{5, 0}, {6, 6}, {23, 6}} {
		p := manyPlan(tc.others, 0)
		if got := Together(&p.Study, p.Variants); got != tc.want {
			t.Errorf("%d others: got %d, want %d", tc.others, got, tc.want)
		}
		p.Study.Decide.Race = true
		if got := Together(&p.Study, p.Variants); got != 0 {
			t.Errorf("a race of %d others: got %d, want all", tc.others, got)
		}
	}
}
