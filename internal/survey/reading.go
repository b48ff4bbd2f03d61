package survey

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-1318a441/assay/internal/trial"
)

// A reference is measured at another time, when the machine may be a good deal faster:
// these are for what no machine does.
const nearReference, ratioReference = 0.47, 0.405 // ln 1.6, ln 1.5

// A reading is what the reference run of a variant told.
type reading struct {
	PerOp  float64 // seconds
	RSS    float64 // bytes, at most
	Bytes  float64 // B/op
	Allocs float64 // allocs/op
	Busy   float64 // CPUs that the process kept busy on average
	// Broken says why it failed; "" where it did not.
	Broken string
}

// readings are those of the variants of a benchmark, in the order of these.
type readings []reading

// oneCPU reports whether every variant keeps one CPU busy, and no more.
func (rs readings) oneCPU(most float64) bool {
	return !slices.ContainsFunc(rs, func(r reading) bool { return r.Busy < minBusy || r.Busy > most })
}

// perOp is the time of an operation in the quickest variant, in seconds.
func (rs readings) perOp() float64 {
	least := math.Inf(1)
	for _, r := range rs {
		least = min(least, r.PerOp)
	}
	return least
}

// shortest is that of a benchmark whose runs, of n iterations, are not made longer yet.
// Every variant runs as often, so that what one iteration costs is the mean: of a chain of
// steps the first may take several times as long as the last.
func (rs readings) shortest(n int) shortest {
	s := shortest{n: n}
	for _, r := range rs {
		s.perOp += r.PerOp / float64(len(rs))
	}
	return s
}

// excess is by how much longer the variants take than in the references, in ln units.
func (rs readings) excess(level []float64) (sum float64) {
	for i, r := range rs {
		sum += (level[i] - math.Log(r.PerOp)) / float64(len(rs))
	}
	return sum
}

// grows reports whether the memory of a variant would still grow in longer runs: it is
// smaller than that of its reference.
func (rs readings) grows(outs []trial.Outcome) bool {
	for i, out := range outs {
		if rs[i].RSS > grown*float64(out.PeakRSS)+grownBytes {
			return true
		}
	}
	return false
}

// apart says where a gear disagrees with the reference: with its time, and with the part
// of it in which the process ran. The median of slices leaves out that others had the
// CPU, the mean of a second does not.
func (rs readings) apart(what string, level []float64) string {
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
			return ""
		}
		least = min(least, max(far, differ))
	}
	return fmt.Sprintf("%s by %.0f %%", what, 100*math.Expm1(least))
}

// distance is how far the values of two lists are apart at most, and by how much that
// differs at most.
func distance(a, b []float64) (far, differ float64) {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
		far = max(far, math.Abs(d[i]))
	}
	return far, slices.Max(d) - slices.Min(d)
}
