package sample

import (
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/stats"
)

// Geomean stands for the benchmark in comparisons of the geometric mean.
var Geomean = assay.Benchmark{Name: "geomean"}

// A Suite is the whole suite on one metric: the geometric mean over the common benchmarks,
// or the only benchmark.
type Suite struct {
	set    *Set
	metric string
}

// Suite returns the whole suite on a metric.
func (set *Set) Suite(metric string) Suite { return Suite{set, metric} }

// Sample returns the geomean of a variant, or its sample on the only benchmark; nil if
// there is neither, and for the base.
func (su Suite) Sample(variant string) *Sample {
	if variant == su.set.Plan.Study.Base {
		return nil
	}
	if g := su.Geomean(variant); g != nil {
		return g
	}
	if b := su.Only(); b != nil {
		return b.Unsaturated(su.metric, variant)
	}
	return nil
}

// Geomean returns the geometric mean of a variant as a sample: for each block in which all
// common benchmarks ran the mean of their D, and beside it that of the control if all have
// one. It is nil for fewer than two benchmarks, or if a ratio does not exist. It is never a
// geomean of point estimates, which would have no interval.
func (su Suite) Geomean(variant string) *Sample {
	return su.set.geomeans.Get(su.set.Trials, [2]string{su.metric, variant}, func() *Sample { return su.makeGeomean(variant) })
}

func (su Suite) makeGeomean(variant string) *Sample {
	common := su.Common()
	if variant == su.set.Control {
		common = slices.DeleteFunc(common, func(b *Benchmark) bool { return b.uncontrolled(su.metric) })
	}
	if len(common) < 2 {
		return nil
	}
	g := &Sample{E: 1, looks: su.set.looks, step: 1, precision: precision{counted: assay.IsCount(su.metric)}}
	type sums struct {
		n                int
		d, base, control float64
	}
	blocks := make([]sums, su.set.Blocks+1)
	floor := 0.0
	for _, b := range common {
		s := b.Samples[su.metric][variant]
		if s == nil {
			return nil
		}
		floor += s.Floor() / float64(len(common))
		g.blur += s.roundingWidth() / float64(len(common))
		g.Varied = g.Varied || s.Varied
		for i, block := range s.Blocks {
			x := &blocks[block]
			x.n++
			x.d += s.D[i]
			x.base += math.Log(s.Base[i])
			x.control += s.controlAt(i)
		}
	}
	for block, x := range blocks {
		if n := float64(x.n); x.n == len(common) {
			g.Blocks = append(g.Blocks, block)
			g.D = append(g.D, x.d/n)
			g.Base = append(g.Base, math.Exp(x.base/n))
			g.Value = append(g.Value, math.Exp((x.base+x.d)/n))
			g.again = append(g.again, math.Exp((x.base+x.control)/n))
			g.addControl(x.control / n)
		}
	}
	if len(g.D) == 0 {
		return nil
	}
	if one := common[0].Samples[su.metric][variant]; variant == su.set.Control {
		g.linkedAs(one, nil)
	} else if one.reuse != nil {
		g.linkedAs(one, su.Geomean(su.set.Control))
	}
	// The resolution of a mean of ratios, as a share of the base.
	g.step = floor * stats.Median(g.Base)
	return g
}

// Common returns the benchmarks that all variants have, and whose metric has a ratio for
// every variant that has run on them. The control may not have: it is in few blocks.
func (su Suite) Common() (out []*Benchmark) {
next:
	for _, b := range su.set.Active() {
		if !b.Everywhere() {
			continue
		}
		for _, v := range su.set.Variants {
			if v == su.set.Control && b.uncontrolled(su.metric) {
				continue
			}
			if s := b.Unsaturated(su.metric, v); !b.NotYet(v) && (s == nil || s.Zero || len(s.D) == 0) {
				continue next
			}
		}
		out = append(out, b)
	}
	return out
}

// Only returns the benchmark that is the whole suite: there is no other, or in a chain it
// is the only one that all steps have. It is nil for several, or none.
func (su Suite) Only() *Benchmark {
	bs := su.set.Active()
	if len(bs) > 1 && len(su.set.Chain.Links) > 0 {
		bs = su.Common()
	}
	if len(bs) != 1 {
		return nil
	}
	return bs[0]
}

// Base returns the base's geometric mean, or its median on the only benchmark, over the
// blocks of the variant that has most; 0 if there is none.
func (su Suite) Base() (x float64) {
	most := 0
	for _, v := range su.set.Variants {
		if s := su.Sample(v); s != nil && !s.Zero && len(s.D) > most {
			most, x = len(s.D), stats.Median(s.Base)
		}
	}
	return x
}

// Name returns what stands for the benchmark in comparisons of the whole suite.
func (su Suite) Name() assay.Benchmark {
	if b := su.Only(); b != nil {
		return b.Plan.Benchmark
	}
	return Geomean
}
