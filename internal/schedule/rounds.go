package schedule

import (
	"time"

	"github.com/seed-1318a441/assay"
)

// Turns gives each active benchmark its turn in a block: every variant once. Means of
// several trials in a block are 8 to 14 % wider in equal time than as many blocks
// (docs/methodology.md).
func Turns(active []assay.PlannedBenchmark) []assay.Turn {
	var out []assay.Turn
	for _, b := range active {
		out = append(out, assay.Turn{Benchmark: b.Benchmark, Inner: 1})
	}
	return out
}

// Blocks returns the expected time of n blocks that run these benchmarks.
func (c *Costs) Blocks(n int, benchmarks ...assay.PlannedBenchmark) time.Duration {
	return time.Duration(n) * c.Block(Turns(benchmarks), Width(c.plan, nil))
}

// Until returns the expected time until each benchmark has the blocks that it needs.
func (c *Costs) Until(need map[assay.Benchmark]int, least int) time.Duration {
	var sum time.Duration
	width, longest := Width(c.plan, nil), max(least, 0)
	for b, n := range need {
		n = max(n, least, 0)
		sum += time.Duration(float64(n) * width * float64(c.Trial(b)))
		longest = max(longest, n)
	}
	return sum + time.Duration(longest)*c.Links(width)
}
