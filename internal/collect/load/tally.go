package load

import (
	"fmt"
	"maps"
	"math"
	"slices"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// maxDistinct is the number of different latencies that a tally keeps apart.
const maxDistinct = 1 << 16

// A tally counts latencies. While they are few it keeps them as they are; where
// they are more than maxDistinct it drops digits of all of them, so that its
// memory is bounded. Ten million latencies in nanoseconds between 0.1 ms and
// 100 ms come out to better than 1 in 4,000. What comes out does not depend on
// the order.
type tally struct {
	counts map[float64]int
	// drop is the number of mantissa bits that are cleared.
	drop  uint
	total int
}

// add counts n requests of a latency.
func (t *tally) add(seconds float64, n int) error {
	switch {
	case !plausible(seconds):
		return fmt.Errorf("has a latency of %g s", seconds)
	case n < 0 || n > maxRequests-t.total:
		return fmt.Errorf("counts more than %s requests", printable.Int(maxRequests))
	case n == 0:
		return nil
	}
	if t.counts == nil {
		t.counts = map[float64]int{}
	}
	t.total += n
	t.counts[t.floor(seconds)] += n
	for len(t.counts) > maxDistinct {
		t.coarsen()
	}
	return nil
}

// floor clears the bits of v that are not kept.
func (t *tally) floor(v float64) float64 {
	return math.Float64frombits(math.Float64bits(v) &^ (1<<t.drop - 1))
}

// coarsen drops bits, at first those that say less than 1 in 65,536, then one at
// a time.
func (t *tally) coarsen() {
	t.drop = max(t.drop+1, 36)
	old := t.counts
	t.counts = make(map[float64]int, maxDistinct)
	for v, n := range old {
		t.counts[t.floor(v)] += n
	}
}

// histogram has the latencies as they were, or the middles of what was dropped.
func (t *tally) histogram() assay.Histogram {
	if t.total == 0 {
		return assay.Histogram{}
	}
	h := assay.Histogram{Values: slices.Sorted(maps.Keys(t.counts))}
	for i, v := range h.Values {
		h.Counts = append(h.Counts, t.counts[v])
		if t.drop > 0 && v > 0 {
			h.Values[i] = math.Float64frombits(math.Float64bits(v) | 1<<(t.drop-1))
		}
	}
	return h
}
