//go:build alloc

package work

// Make makes a point, on the heap.
//
//go:noinline
func Make(i int) *Point { return &Point{i, i + 1, i + 2} }
