package design

import (
	"fmt"
	"slices"
	"testing"

	"github.com/seed-1318a441/assay"
)

// The order of turns is a permutation, drawn anew for every round, block and attempt,
// and the same when it is drawn again.
func TestTurns(t *testing.T) {
	b := assay.Benchmark{Package: "p", Name: "X"}
	text := func(block, attempt int) string {
		order, out := Turns{7, b, 3, block, attempt}.Order(), ""
		for round := range 40 {
			p := order(round)
			out += fmt.Sprint(p)
			if slices.Sort(p); !slices.Equal(p, []int{0, 1, 2}) {
				t.Fatalf("round %d: %v is no permutation", round, p)
			}
		}
		return out
	}
	first := text(1, 1)
	if again := text(1, 1); again != first {
		t.Error("the same block is drawn in two ways")
	}
	if first == text(1, 2) || first == text(2, 1) {
		t.Error("another block or attempt has the same order")
	}
}

// A block of one CPU draws it among those that can be used; others are not bound.
func TestCPUs(t *testing.T) {
	b := assay.PlannedBenchmark{Benchmark: assay.Benchmark{Name: "X"}, OneCPU: true}
	seen := map[int]bool{}
	for block := range 40 {
		cpus := CPUs(7, b, block+1, 1, []int{2, 5})
		if len(cpus) != 1 || cpus[0] != 2 && cpus[0] != 5 {
			t.Fatalf("block %d has CPUs %v", block+1, cpus)
		}
		seen[cpus[0]] = true
	}
	if len(seen) != 2 {
		t.Errorf("only CPUs %v were drawn", seen)
	}
	if cpus := CPUs(7, b, 1, 1, nil); cpus != nil {
		t.Errorf("CPUs %v of none", cpus)
	}
	b.OneCPU = false
	if cpus := CPUs(7, b, 1, 1, []int{2, 5}); cpus != nil {
		t.Errorf("a benchmark of all CPUs is bound to %v", cpus)
	}
}
