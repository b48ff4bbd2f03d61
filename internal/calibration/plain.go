package calibration

import (
	"math"
	"slices"
)

// A benchmark whose CPU time is between these shares of its wall time keeps one CPU busy. One
// below waits, or the machine had no time for it. One goroutine keeps 1.00 to 1.02 busy. Two that
// hand over to each other keep 1.09 to 1.18, and with one CPU take another time: 36 % more in
// short slices.
const minBusy, maxBusy = 0.7, 1.05

// A Plain is the result of a plain run, as users have it.
type Plain struct {
	N      int     // operations
	PerOp  float64 // seconds
	RSS    float64 // bytes, the peak
	Bytes  float64 // B/op
	Allocs float64 // allocs/op
	Busy   float64 // CPUs that the process kept busy on average
	// Untrue means that the time it reports is not that of its operations: an author may
	// report another number as ns/op.
	Untrue bool
	// Broken says why it failed; "" if it did not. Still means that its timer stood still
	// for so long that it was ended.
	Broken string
	Still  bool
}

// Plains are those of a benchmark's variants, in their order.
type Plains []Plain

// OneCPU reports whether every variant keeps one CPU busy, and no more.
func (ps Plains) OneCPU() bool {
	return !slices.ContainsFunc(ps, func(p Plain) bool { return p.Busy < minBusy || p.Busy > maxBusy })
}

// Allocate reports whether a variant allocates, and so has to collect.
func (ps Plains) Allocate() bool {
	return slices.ContainsFunc(ps, func(p Plain) bool { return p.Allocs > 0 || p.Bytes > 0 })
}

// Fastest returns the time of an operation in the fastest variant, in seconds.
func (ps Plains) Fastest() float64 {
	least := math.Inf(1)
	for _, p := range ps {
		least = min(least, p.PerOp)
	}
	return least
}

// Typical returns the geometric mean of the times of an operation, in seconds.
func (ps Plains) Typical() float64 {
	sum := 0.0
	for _, p := range ps {
		sum += math.Log(p.PerOp) / float64(len(ps))
	}
	return math.Exp(sum)
}

// Off returns how much larger values are than the references, by variant. level has their
// logarithms.
func (ps Plains) Off(level []float64) []float64 {
	out := make([]float64, len(ps))
	for i, p := range ps {
		out[i] = level[i] - math.Log(p.PerOp)
	}
	return out
}
