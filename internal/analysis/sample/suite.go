package sample

import (
	"math"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/stats"
)

// Geomean is the whole suite as one sample: per block the mean of D over the
// common benchmarks, in the blocks in which all of them ran, and beside it that of the
// control where all have it. It is nil with
// fewer than two benchmarks, or where a ratio does not exist. Never a geomean
// of point estimates: that has no interval.
func (set *Set) Geomean(metric, variant string) *Sample {
	return set.geomeans.Get(set.Trials, [2]string{metric, variant}, func() *Sample { return set.makeGeomean(metric, variant) })
}

func (set *Set) makeGeomean(metric, variant string) *Sample {
	common := set.Common(metric)
	if len(common) < 2 {
		return nil
	}
	g := &Sample{E: 1, step: 1}
	counts, sums := make([]int, set.Blocks+1), make([]float64, set.Blocks+1)
	baseSums, controlSums := make([]float64, set.Blocks+1), make([]float64, set.Blocks+1)
	floor := 0.0
	for _, b := range common {
		s := b.Samples[metric][variant]
		if s == nil {
			return nil
		}
		floor += s.Floor() / float64(len(common))
		g.Varied = g.Varied || s.Varied
		for i, block := range s.Blocks {
			counts[block]++
			sums[block] += s.D[i]
			baseSums[block] += math.Log(s.Base[i])
			controlSums[block] += s.controlAt(i)
		}
	}
	for block, n := range counts {
		if n == len(common) {
			g.Blocks = append(g.Blocks, block)
			g.D = append(g.D, sums[block]/float64(n))
			g.Base = append(g.Base, math.Exp(baseSums[block]/float64(n)))
			g.Value = append(g.Value, math.Exp((baseSums[block]+sums[block])/float64(n)))
			g.again = append(g.again, math.Exp((baseSums[block]+controlSums[block])/float64(n)))
			g.addControl(controlSums[block] / float64(n))
		}
	}
	if len(g.D) == 0 {
		return nil
	}
	// The resolution of a mean of ratios, as a share of the base.
	g.step = floor * stats.Median(g.Base)
	return g
}

// Common are the benchmarks that all variants have, and whose metric has a ratio
// for every variant that has run on them.
func (set *Set) Common(metric string) []*Benchmark {
	var out []*Benchmark
next:
	for _, b := range set.Active() {
		if !set.Everywhere(b) {
			continue
		}
		for _, v := range set.Variants {
			if set.NotYet(b, v) {
				continue
			}
			if s := b.Samples[metric][v]; s == nil || s.Zero || len(s.D) == 0 || set.IsSaturated(b, metric, v) {
				continue next
			}
		}
		out = append(out, b)
	}
	return out
}

// Suite is the whole suite as one sample: the geomean, or the only benchmark. It is
// nil where there is neither, and of the base.
func (set *Set) Suite(metric, variant string) *Sample {
	if variant == set.Plan.Study.Base {
		return nil
	}
	if g := set.Geomean(metric, variant); g != nil {
		return g
	}
	if b := set.Only(metric); b != nil {
		return set.Unsaturated(b, metric, variant)
	}
	return nil
}

// Only is the benchmark that is the whole suite: there is no other, or in a chain
// the one that all steps have. Nil where there are several, or none.
func (set *Set) Only(metric string) *Benchmark {
	bs := set.Active()
	if len(bs) > 1 && len(set.Chain.Links) > 0 {
		bs = set.Common(metric)
	}
	if len(bs) != 1 {
		return nil
	}
	return bs[0]
}

// SuiteBase is the base's geometric mean over the suite, or its median on the
// only benchmark, over the blocks of the variant that has most.
func (set *Set) SuiteBase(metric string) (x float64, ok bool) {
	most := 0
	for _, v := range set.Variants {
		if s := set.Suite(metric, v); s != nil && !s.Zero && len(s.D) > most {
			most, x, ok = len(s.D), stats.Median(s.Base), true
		}
	}
	return x, ok
}

// SuiteName is what stands for the benchmark of a comparison of the whole suite.
func (set *Set) SuiteName(metric string) assay.Benchmark {
	if b := set.Only(metric); b != nil {
		return b.Plan.Benchmark
	}
	return SuiteName(set.Active())
}

// SuiteName is what stands for the benchmark of a comparison over these benchmarks.
func SuiteName(active []*Benchmark) assay.Benchmark {
	if len(active) == 1 {
		return active[0].Plan.Benchmark
	}
	return assay.Benchmark{Name: "geomean"}
}
