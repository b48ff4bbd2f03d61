package gctrace

import (
	"maps"
	"math"
	"slices"

	"github.com/seed-1318a441/assay/internal/stats"
)

// A tally counts values. The trace prints two or three digits, so few of them are
// distinct. Beyond maxDistinct, values are rounded to three digits.
type tally struct {
	// counts is keyed by the bits of the value, which hash faster.
	counts map[uint64]int
	n      int
	coarse bool
}

const maxDistinct = 1 << 14

func (t *tally) add(v float64) {
	if t.counts == nil {
		t.counts = map[uint64]int{}
	}
	if t.coarse {
		v = threeDigits(v)
	}
	t.counts[math.Float64bits(v)]++
	t.n++
	if len(t.counts) > maxDistinct && !t.coarse {
		t.coarsen()
	}
}

func (t *tally) coarsen() {
	t.coarse = true
	counts := map[uint64]int{}
	for v, n := range t.counts {
		counts[math.Float64bits(threeDigits(math.Float64frombits(v)))] += n
	}
	t.counts = counts
}

func threeDigits(v float64) float64 {
	if v <= 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(v))-2)
	return math.Round(v/unit) * unit
}

// quantile returns the Harrell-Davis estimate (package stats) from the counts.
func (t *tally) quantile(p float64) float64 {
	var values []float64
	var counts []int
	for _, bits := range slices.Sorted(maps.Keys(t.counts)) { // sorts like the values, which have no sign
		values, counts = append(values, math.Float64frombits(bits)), append(counts, t.counts[bits])
	}
	return stats.HarrellDavisCounts(values, counts, p)
}
