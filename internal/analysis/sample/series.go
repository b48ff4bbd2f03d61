package sample

import (
	"math"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
)

// Series limits what is kept for run charts: a page that shows how good the
// measuring was needs no 5,000 of them.
const (
	maxSeriesBenchmarks = 200
	maxSeriesPoints     = 40_000
)

// A Series is one variant against the base, block by block, in the order in
// which they were measured: what a run chart shows. No verdict reads it.
type Series struct {
	// Machine is the index of the machine among those of a page.
	Machine int    `json:"machine"`
	Metric  string `json:"metric"`
	// Benchmark is empty for the geomean.
	Benchmark assay.Benchmark `json:"benchmark"`
	Variant   string          `json:"variant"`
	// Block counts from 1 over the blocks that carry verdicts.
	Block []int `json:"block"`
	// LN is ln(variant/base) in each block, Start its begin in seconds after that
	// of the first.
	LN    []float64 `json:"ln"`
	Start []float64 `json:"start"`
}

// BlockSeries returns the series of the metrics that decide: the geomean where there
// is one, then one for each benchmark. left is the number of benchmarks that are
// excluded because there are too many. Benchmarks whose
// values may be zero have no ratio and no series.
func BlockSeries(p *assay.Plan, blocks [][]assay.Trial) (out []Series, left int) {
	set := NewSet(p)
	for _, b := range blocks {
		set.Add(b)
	}
	starts := blockStarts(blocks)
	keep := set.charted()
	for _, metric := range p.Study.Decide.Metrics {
		for _, v := range set.Variants {
			if s := set.wholeSeries(metric, v, starts); len(s.Block) > 0 {
				out = append(out, s)
			}
			for _, b := range set.Benchmarks[:keep] {
				if s := b.series(metric, v, starts); len(s.Block) > 0 {
					out = append(out, s)
				}
			}
		}
	}
	return out, len(set.Benchmarks) - keep
}

// charted is the number of benchmarks that have series of their own.
func (set *Set) charted() int {
	each := max(1, len(set.Plan.Study.Decide.Metrics)*len(set.Variants)*set.Blocks)
	return min(len(set.Benchmarks), maxSeriesBenchmarks, max(1, maxSeriesPoints/each))
}

// blockStarts are the starts of the blocks that carry verdicts, in seconds after
// that of the first, rounded to tenths.
func blockStarts(blocks [][]assay.Trial) []float64 {
	var out []float64
	var first time.Time
	for _, b := range blocks {
		if len(b) == 0 || b[0].Pilot {
			continue
		}
		begin := slices.MinFunc(b, func(x, y assay.Trial) int { return x.Start.Compare(y.Start) }).Start
		if len(out) == 0 {
			first = begin
		}
		out = append(out, math.Round(10*begin.Sub(first).Seconds())/10)
	}
	return out
}

// series is the series of one benchmark.
func (b *Benchmark) series(metric, variant string, starts []float64) Series {
	out := Series{Metric: metric, Benchmark: b.Plan.Benchmark, Variant: variant}
	s := b.Samples[metric][variant]
	if s == nil || s.Zero {
		return out
	}
	for i, block := range s.Blocks {
		out.add(block, s.D[i], starts)
	}
	return out
}

func (s *Series) add(block int, ln float64, starts []float64) {
	if math.IsNaN(ln) || math.IsInf(ln, 0) || block < 1 || block > len(starts) {
		return
	}
	s.Block = append(s.Block, block)
	s.LN = append(s.LN, math.Round(1e5*ln)/1e5) // a thousandth of a percent
	s.Start = append(s.Start, starts[block-1])
}

// wholeSeries is that of the geomean: the same numbers that its comparison is of, in
// the blocks that ran all common benchmarks.
func (set *Set) wholeSeries(metric, variant string, starts []float64) Series {
	out := Series{Metric: metric, Variant: variant}
	g := set.Geomean(metric, variant)
	if g == nil {
		return out
	}
	for i, block := range g.Blocks {
		out.add(block, g.D[i], starts)
	}
	return out
}
