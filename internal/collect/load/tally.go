package load

import (
	"fmt"
	"maps"
	"math"
	"slices"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// maxDistinct is the number of distinct latencies in a tally.
const maxDistinct = 1 << 16

// A tally counts latencies. It keeps up to maxDistinct of them exactly; beyond that it
// drops digits of all, so that its memory is bounded. Ten million latencies in
// nanoseconds between 0.1 ms and 100 ms are kept to better than 1 in 4,000. The result
// does not depend on the order.
type tally struct {
	counts map[float64]int
	// drop is the number of cleared mantissa bits.
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

func (t *tally) floor(v float64) float64 {
	return math.Float64frombits(math.Float64bits(v) &^ (1<<t.drop - 1))
}

// coarsen drops bits, at first those below 1 in 65,536, then one at a time.
func (t *tally) coarsen() {
	t.drop = max(t.drop+1, 36)
	old := t.counts
	t.counts = make(map[float64]int, maxDistinct)
	for v, n := range old {
		t.counts[t.floor(v)] += n
	}
}

// histogram returns the latencies, or the middles of the dropped ranges.
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
