package survey

import (
	"fmt"
	"math"
	"slices"
)

// A reference is measured at another time, when the machine may be much faster: these are
// differences that no machine causes.
const nearReference, ratioReference = 0.47, 0.405 // ln 1.6, ln 1.5

// A reading is the result of a variant's reference run.
type reading struct {
	PerOp  float64 // seconds
	RSS    float64 // bytes, the peak
	Bytes  float64 // B/op
	Allocs float64 // allocs/op
	Busy   float64 // CPUs that the process kept busy on average
	// Broken says why it failed; "" if it did not.
	Broken string
}

// readings are those of a benchmark's variants, in their order.
type readings []reading

// oneCPU reports whether every variant keeps one CPU busy, and no more.
func (rs readings) oneCPU(most float64) bool {
	return !slices.ContainsFunc(rs, func(r reading) bool { return r.Busy < minBusy || r.Busy > most })
}

// perOp returns the time of an operation in the fastest variant, in seconds.
func (rs readings) perOp() float64 {
	least := math.Inf(1)
	for _, r := range rs {
		least = min(least, r.PerOp)
	}
	return least
}

// excess returns how much longer the variants take than in the references, in ln units.
func (rs readings) excess(level []float64) (sum float64) {
	for i, r := range rs {
		sum += (level[i] - math.Log(r.PerOp)) / float64(len(rs))
	}
	return sum
}

// apart returns a misfit if a gear disagrees with the references: both with their times,
// and with the times that the processes actually ran. The median of slices excludes time when others had
// the CPU; the mean of a second includes it.
func (rs readings) apart(what string, level []float64) error {
	wall, ran := make([]float64, len(rs)), make([]float64, len(rs))
	for i, r := range rs {
		wall[i] = math.Log(r.PerOp)
		ran[i] = wall[i]
		if r.Busy > 0 {
			ran[i] += math.Log(min(r.Busy, 1))
		}
	}
	least := math.Inf(1)
	for _, refs := range [][]float64{wall, ran} {
		far, differ := distance(level, refs)
		if far <= nearReference && differ <= ratioReference {
			return nil
		}
		least = min(least, max(far, differ))
	}
	return misfit(fmt.Sprintf("%s by %.0f %%", what, 100*math.Expm1(least)))
}

// distance returns the largest difference of two lists, and how much it varies.
func distance(a, b []float64) (far, differ float64) {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
		far = max(far, math.Abs(d[i]))
	}
	return far, slices.Max(d) - slices.Min(d)
}
