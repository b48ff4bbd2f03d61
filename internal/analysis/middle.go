package analysis

import (
	"iter"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/stats"
)

// The interval and the verdict of a geomean come from the geomeans of single blocks, the
// only values of which the engine's proofs hold. Their median is a poor estimate beside
// the rows: a median of means is no mean of medians, so that it may lie outside the range
// of the benchmarks it is over. It also ignores the blocks in which only some of them ran.
// The estimate is therefore the geomean of the rows' changes, within the interval.

// A middle makes the estimates of geomeans over a list of benchmarks.
type middle map[assay.Benchmark]bool

// middleOf returns the middle of the common benchmarks of a suite.
func middleOf(su sample.Suite) middle {
	out := middle{}
	for _, b := range su.Common() {
		out[b.Plan.Benchmark] = true
	}
	return out
}

// change returns the change of a geomean that was judged, from cells with a comparison for
// each benchmark. It is the judged one if a benchmark has none, or if equality decides.
func (m middle) change(c assay.Comparison, cells iter.Seq[assay.Comparison]) assay.Change {
	sum, n := 0.0, 0
	for x := range cells {
		if m[x.Benchmark] && x.N > 0 {
			sum += x.Change.Log()
			n++
		}
	}
	if c.N == 0 || c.Exact || n == 0 || n < len(m) {
		return c.Change
	}
	mean := sum / float64(n)
	if i := c.Interval; i != nil {
		mean = stats.Inside(mean, i.Lo.Log(), i.Hi.Log())
	}
	return assay.ChangeOfLog(mean)
}
