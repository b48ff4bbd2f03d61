package design

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1318a441/assay"
)

func TestFractionSizes(t *testing.T) {
	for _, tc := range []struct {
		sizes []int
		want  int // 0: the product
	}{
		{[]int{2, 2, 2}, 4},
		{[]int{2, 2}, 0},
		{[]int{2, 2, 2, 2}, 8},
		{[]int{2, 2, 2, 2, 2, 2, 2}, 8},
		{[]int{2, 2, 2, 2, 2, 2, 2, 2}, 16},
		{[]int{4, 2, 2, 2}, 8},
		{[]int{4, 2, 2, 2, 2}, 8},
		{[]int{4, 4, 4, 4, 4}, 16},
		{[]int{3, 3, 3}, 9},
		{slices.Repeat([]int{3}, 13), 27},
		{[]int{3, 3, 2}, 9},
		{[]int{5, 2, 2, 2}, 16},
		{[]int{3, 3}, 0},
		{[]int{3, 2, 2, 2}, 8},
		{[]int{5, 5, 5}, 25},
		{[]int{8, 2, 2, 2, 2, 2, 2, 2, 2}, 16},
		{[]int{7}, 0},
		{[]int{6, 3, 3, 2}, 27},
		{[]int{1, 2, 2, 2, 1}, 4},
		{slices.Repeat([]int{2}, 127), 128},
		{slices.Repeat([]int{2}, 128), 0},
	} {
		if got := len(fraction(tc.sizes)); got != tc.want {
			t.Errorf("%v: got %d runs, want %d", tc.sizes, got, tc.want)
		}
	}
}

// Whatever the factors: the base is run 0, no run is there twice, every level
// is there, and any two factors have proportional frequencies, which is what
// telling main effects apart means.
func TestFractionIsOrthogonal(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 400 {
		sizes := make([]int, 2+rnd.IntN(8))
		for i := range sizes {
			sizes[i] = 1 + rnd.IntN(3) + rnd.IntN(2)*rnd.IntN(7)
		}
		runs := fraction(sizes)
		if runs == nil {
			continue
		}
		found++
		if err := orthogonal(runs, sizes); err != nil {
			t.Fatalf("%v, %d runs: %v", sizes, len(runs), err)
		}
	}
	if found < 200 {
		t.Errorf("only %d of 400 mixes had a fraction", found)
	}
}

func orthogonal(runs [][]int, sizes []int) error {
	if len(runs) >= product(sizes) {
		return fmt.Errorf("no smaller than the product")
	}
	seen := map[string]bool{}
	for i, run := range runs {
		if i == 0 && slices.Max(run) != 0 {
			return fmt.Errorf("run 0 is %v", run)
		}
		if seen[fmt.Sprint(run)] {
			return fmt.Errorf("run %v is there twice", run)
		}
		seen[fmt.Sprint(run)] = true
	}
	for a := range sizes {
		for b := range a + 1 {
			if err := proportional(runs, sizes, a, b); err != nil {
				return err
			}
		}
	}
	return nil
}

func proportional(runs [][]int, sizes []int, a, b int) error {
	for x := range sizes[a] {
		for y := range sizes[b] {
			nx, ny, both := 0, 0, 0
			for _, run := range runs {
				nx += btoi(run[a] == x)
				ny += btoi(run[b] == y)
				both += btoi(run[a] == x && run[b] == y)
			}
			if nx == 0 || a != b && both*len(runs) != nx*ny {
				return fmt.Errorf("factors %d and %d, levels %d and %d: %d, %d and %d together", a, b, x, y, nx, ny, both)
			}
		}
	}
	return nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// The base is in the fraction whatever it is, and stands where the product has
// it.
func TestFractionHasTheBase(t *testing.T) {
	s := factorStudy(plain("a", 3), plain("b", 2), plain("c", 2), plain("d", 4), plain("e", 2))
	s.Only, s.Base = assay.OnlyMainEffects, "a2/b1/c0/d3/e1"
	if err := Cross(s); err != nil {
		t.Fatal(err)
	}
	names := variantNames(s)
	if len(names) != 16 || !slices.Contains(names, s.Base) || s.Base != "a2/b1/c0/d3/e1" {
		t.Errorf("%d variants, base %q: %v", len(names), s.Base, names)
	}
	if !slices.IsSorted(names) { // these levels sort by name as by index
		t.Errorf("not in the order of the product: %v", names)
	}
}
