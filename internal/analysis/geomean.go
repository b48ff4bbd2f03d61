package analysis

import (
	"math"

	"github.com/seed-1318a441/assay/internal/stats"
)

// geomean is the whole suite as one sample: per block the mean of D over the
// common benchmarks, in the blocks in which all of them ran, and beside it that of the
// control where all have it. It is nil with
// fewer than two benchmarks, or where a ratio does not exist. Never a geomean
// of point estimates: that has no interval.
func (set *Set) geomean(metric, variant string) *sample {
	return set.geomeans.get(set.trials, [2]string{metric, variant}, func() *sample { return set.makeGeomean(metric, variant) })
}

func (set *Set) makeGeomean(metric, variant string) *sample {
	common := set.common(metric)
	if len(common) < 2 {
		return nil
	}
	g := &sample{e: 1, step: 1}
	counts, sums := make([]int, set.blocks+1), make([]float64, set.blocks+1)
	baseSums, controlSums := make([]float64, set.blocks+1), make([]float64, set.blocks+1)
	floor := 0.0
	for _, b := range common {
		s := b.samples[metric][variant]
		if s == nil {
			return nil
		}
		floor += s.floor() / float64(len(common))
		g.varied = g.varied || s.varied
		for i, block := range s.blocks {
			counts[block]++
			sums[block] += s.d[i]
			baseSums[block] += math.Log(s.base[i])
			controlSums[block] += s.controlAt(i)
		}
	}
	for block, n := range counts {
		if n == len(common) {
			g.blocks = append(g.blocks, block)
			g.d = append(g.d, sums[block]/float64(n))
			g.base = append(g.base, math.Exp(baseSums[block]/float64(n)))
			g.value = append(g.value, math.Exp((baseSums[block]+sums[block])/float64(n)))
			g.again = append(g.again, math.Exp((baseSums[block]+controlSums[block])/float64(n)))
			g.addControl(controlSums[block] / float64(n))
		}
	}
	if len(g.d) == 0 {
		return nil
	}
	// The resolution of a mean of ratios, as a share of the base.
	g.step = floor * stats.Median(g.base)
	return g
}

// common are the benchmarks that all variants have, and whose metric has a ratio
// for every variant that has run on them.
func (set *Set) common(metric string) []*benchmark {
	var out []*benchmark
next:
	for _, b := range set.active() {
		if !set.everywhere(b) {
			continue
		}
		for _, v := range set.variants {
			if set.notYet(b, v) {
				continue
			}
			if s := b.samples[metric][v]; s == nil || s.zero || len(s.d) == 0 || set.isSaturated(b, metric, v) {
				continue next
			}
		}
		out = append(out, b)
	}
	return out
}
