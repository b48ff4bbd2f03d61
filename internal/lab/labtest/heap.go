package labtest

import (
	"cmp"
	"time"
)

// program is what a process has in memory beside its heap, in bytes.
const program = 10 << 20

// heap is what a variant allocates from one collection to the next, in bytes.
func (b Benchmark) heap(variant string) float64 { return (4 << 20) * cmp.Or(b.Heap[variant], 1) }

// resident is the memory of a process after n operations, in bytes.
func (b Benchmark) resident(variant string, n int) uint64 {
	return program + uint64(min(b.Bytes*float64(n), b.heap(variant)))
}

// collecting is what a run of n operations takes for memory, after some runs of as many
// in the same process: its collections, of which it starts right after one, and the
// growth of the heap.
func (b Benchmark) collecting(variant string, n, before int) time.Duration {
	cycles := int(b.Bytes * float64(n) / b.heap(variant))
	growth := b.resident(variant, n*(before+1)) - b.resident(variant, n*before)
	return time.Duration(cycles)*b.Cycle + time.Duration(float64(growth)/(1<<20)*float64(b.Fault))
}
