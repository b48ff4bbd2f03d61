package sample

import (
	"maps"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/fault"
	"github.com/seed-1318a441/assay/internal/stats"
)

// Read fills a new set from files: it pairs each variant's values with the base's, block by block.
func (set *Set) Read(s *assay.Samples) {
	type key struct {
		b      assay.Benchmark
		metric string
	}
	base, control := map[key]assay.Sample{}, map[key]assay.Sample{}
	rank := blockRanks(s)
	set.Blocks = len(rank)
	for i := range s.Samples {
		x := &s.Samples[i]
		for j, b := range x.Blocks {
			x.Blocks[j] = rank[b]
		}
		sortBlocks(x)
		if x.Variant == s.Base {
			base[key{x.Benchmark, x.Metric}] = *x
		}
		if x.Variant == set.Control {
			control[key{x.Benchmark, x.Metric}] = *x
		}
		set.Trials = max(set.Trials, len(x.Values))
	}
	for _, x := range s.Samples {
		k := key{x.Benchmark, x.Metric}
		b, ok := base[k]
		if !ok || x.Variant == s.Base {
			continue
		}
		if !slices.Contains(set.Metrics, x.Metric) {
			set.Metrics = append(set.Metrics, x.Metric)
		}
		beside := control[k]
		if set.besides(x.Variant) == "" {
			beside = assay.Sample{}
		}
		paired := set.index[x.Benchmark].sample(x.Metric, x.Variant)
		paired.Relinked = set.relinked[x.Variant]
		paired.pair(b, x, beside)
	}
	for _, b := range set.Benchmarks {
		for metric := range b.Samples {
			b.spreadVariance(metric, set.Control)
		}
	}
}

// blockRanks numbers the existing blocks from 1. Those of the pilot, for one, are not
// exported.
func blockRanks(s *assay.Samples) map[int]int {
	seen := map[int]bool{}
	for _, x := range s.Samples {
		for _, b := range x.Blocks {
			seen[b] = true
		}
	}
	rank := map[int]int{}
	for i, b := range slices.Sorted(maps.Keys(seen)) {
		rank[b] = i + 1
	}
	return rank
}

// sortBlocks sorts the values of a sample by block: files may have been joined in any order.
func sortBlocks(s *assay.Sample) {
	if slices.IsSorted(s.Blocks) {
		return
	}
	order := make([]int, len(s.Blocks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return s.Blocks[i] - s.Blocks[j] })
	blocks, values := make([]int, len(order)), make([]float64, len(order))
	for i, at := range order {
		blocks[i], values[i] = s.Blocks[at], s.Values[at]
	}
	s.Blocks, s.Values = blocks, values
}

// pair adds the blocks that the base and the value have, with the control if it has them
// too.
func (s *Sample) pair(base, value, control assay.Sample) {
	b, v, c := cursor{Sample: base}, cursor{Sample: value}, cursor{Sample: control}
	for v.i < len(value.Blocks) {
		block := value.Blocks[v.i]
		values := v.values(block)
		if bases := b.values(block); len(bases) > 0 {
			s.Add(block, bases, values, c.values(block))
		}
	}
}

// A cursor walks through the blocks of a sample, which ascend: maps of blocks took twice
// the memory of all else for a file of a million values.
type cursor struct {
	assay.Sample
	i int
}

// values returns the values of a block, none if the sample has none, and stands behind it.
func (c *cursor) values(block int) []float64 {
	for c.i < len(c.Blocks) && c.Blocks[c.i] < block {
		c.i++
	}
	from := c.i
	for c.i < len(c.Blocks) && c.Blocks[c.i] == block {
		c.i++
	}
	return c.Values[from:c.i]
}

// Prepare computes the intervals and estimates of all cells in parallel, into the caches that
// the serial code then reads: a file may hold 25,000 benchmarks.
func (set *Set) Prepare() {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, b := range set.Benchmarks {
		for _, byVariant := range b.Samples {
			for _, s := range byVariant {
				if !s.Exact(set.From) {
					g.Go(func() error {
						defer fault.Exit()
						if lo, hi, ok := s.Interval(1 / set.Plan.Study.Decide.Alpha()); ok {
							s.Centre(lo, hi, stats.Slack)
						}
						return nil
					})
				}
			}
		}
	}
	_ = g.Wait() // no function fails
}
