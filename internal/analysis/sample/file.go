package sample

import (
	"maps"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/seed-1318a441/assay"
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
	for i, x := range s.Samples {
		for j, b := range x.Blocks {
			s.Samples[i].Blocks[j] = rank[b]
		}
		if x.Variant == s.Base {
			base[key{x.Benchmark, x.Metric}] = x
		}
		if x.Variant == set.Control {
			control[key{x.Benchmark, x.Metric}] = x
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

// pair adds the blocks that the base and the value have, with the control if it has them
// too.
func (s *Sample) pair(base, value, control assay.Sample) {
	bases, values, controls := byBlock(base), byBlock(value), byBlock(control)
	for _, block := range slices.Sorted(maps.Keys(values)) {
		if len(bases[block]) > 0 {
			s.Add(block, bases[block], values[block], controls[block])
		}
	}
}

// byBlock returns the values of each block.
func byBlock(s assay.Sample) map[int][]float64 {
	out := map[int][]float64{}
	for i, block := range s.Blocks {
		out[block] = append(out[block], s.Values[i])
	}
	return out
}

// Prepare computes the intervals of all cells in parallel, into the caches that the serial
// code then reads: a file may hold 25,000 benchmarks.
func (set *Set) Prepare() {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, b := range set.Benchmarks {
		for _, byVariant := range b.Samples {
			for _, s := range byVariant {
				if !s.Exact(set.From) {
					g.Go(func() error {
						s.Interval(1 / set.Plan.Study.Decide.Alpha())
						return nil
					})
				}
			}
		}
	}
	_ = g.Wait() // no function fails
}
