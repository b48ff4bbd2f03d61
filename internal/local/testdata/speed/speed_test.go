// Package speed is what the speed benchmarks of package lab measure: three kinds of
// work, of which PLANT=10 does 1 % more, and PLANT=30 3 %, one with a large heap of HEAP
// MB, and one whose cost comes in lumps: with LUMP=100 it does 20 % more, in one lump after
// every 100 ms of its own work.
package speed

import (
	"math"
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

// lump is the number of operations of about 7 µs after which LumpWork does more.
var lump = func() int {
	ms, _ := strconv.Atoi(os.Getenv("LUMP"))
	return ms * 140
}()

var done int

// LumpWork does a fifth more of what it has done, all at once: a buffer that flushes, a map
// that grows.
func BenchmarkLumpWork(b *testing.B) {
	x := make([]int, 8)
	work := func() {
		for range 140 {
			for i := range x {
				x[i] = i * 7919 % 8
			}
			slices.Sort(x)
		}
	}
	for range b.N {
		work()
		if done++; lump > 0 && done%lump == 0 {
			for range lump / 5 {
				work()
			}
		}
	}
}

var live *node // 16 MB unless HEAP says how many

// heap returns how often the live heap is doubled: HEAP=4 has 4 MB.
func heap() int {
	mb, _ := strconv.Atoi(os.Getenv("HEAP"))
	if mb == 0 {
		return 0
	}
	return int(math.Round(math.Log2(float64(mb) / 16)))
}

// Heap makes garbage beside a large live heap, so that GOGC matters.
func BenchmarkHeap(b *testing.B) {
	if live == nil {
		live = tree(18 + heap())
	}
	for range b.N {
		sink = tree(8)
	}
}
