// Package speed is what the speed benchmarks of package lab measure: three kinds of
// work, of which PLANT=10 does 1 % more, and PLANT=30 3 %, and one with a large heap.
package speed

import (
	"os"
	"slices"
	"strconv"
	"testing"
)

// repeats is the work of one operation: 1,000 units and what is planted.
var repeats = func() int {
	more, _ := strconv.Atoi(os.Getenv("PLANT"))
	return 1000 + more
}()

var sink any

func BenchmarkLoop(b *testing.B) {
	x := make([]int, 8)
	for range b.N {
		for range repeats {
			for i := range x {
				x[i] = i * 7919 % 8
			}
			slices.Sort(x)
		}
	}
}

func BenchmarkAlloc(b *testing.B) {
	for range b.N {
		for range repeats {
			sink = &[4]int64{}
		}
	}
}

// table is larger than the caches.
var table = func() []uint32 {
	x := make([]uint32, 8<<20)
	for i := range x {
		x[i] = uint32(i*2654435761) % uint32(len(x))
	}
	return x
}()

func BenchmarkMemory(b *testing.B) {
	at := uint32(1)
	for range b.N {
		for k := range repeats {
			at = table[(at+uint32(k))%uint32(len(table))]
		}
	}
	sink = at
}

type node struct {
	left, right *node
	pad         [4]uint64
}

func tree(depth int) *node {
	if depth == 0 {
		return nil
	}
	return &node{left: tree(depth - 1), right: tree(depth - 1)}
}

var live *node // about 16 MB

// Heap makes garbage beside a large live heap, so that GOGC matters.
func BenchmarkHeap(b *testing.B) {
	if live == nil {
		live = tree(18)
	}
	for range b.N {
		sink = tree(8)
	}
}
