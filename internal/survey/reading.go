package survey

import (
	"math"
	"slices"
)

// A reading is the result of a variant's reference: a plain run, as users have it.
type reading struct {
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

// readings are those of a benchmark's variants, in their order.
type readings []reading

// oneCPU reports whether every variant keeps one CPU busy, and no more.
func (rs readings) oneCPU(most float64) bool {
	return !slices.ContainsFunc(rs, func(r reading) bool { return r.Busy < minBusy || r.Busy > most })
}

// allocate reports whether a variant allocates, and so has to collect.
func (rs readings) allocate() bool {
	return slices.ContainsFunc(rs, func(r reading) bool { return r.Allocs > 0 || r.Bytes > 0 })
}

// perOp returns the time of an operation in the fastest variant, in seconds.
func (rs readings) perOp() float64 {
	least := math.Inf(1)
	for _, r := range rs {
		least = min(least, r.PerOp)
	}
	return least
}

// typical returns the geometric mean of the times of an operation, in seconds.
func (rs readings) typical() float64 {
	sum := 0.0
	for _, r := range rs {
		sum += math.Log(r.PerOp) / float64(len(rs))
	}
	return math.Exp(sum)
}

// off returns how much larger values are than the references, by variant. level has their
// logarithms.
func (rs readings) off(level []float64) []float64 {
	out := make([]float64, len(rs))
	for i, r := range rs {
		out[i] = level[i] - math.Log(r.PerOp)
	}
	return out
}
