package sample

import (
	"math"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
)

// Limits of the series for run charts, which show how good the measuring was.
const (
	maxSeriesBenchmarks = 200
	maxSeriesPoints     = 40_000
)

// A Series is one variant against the base, block by block in the order of measurement,
// for a run chart. No verdict depends on it.
type Series struct {
	// Machine is the index of the machine in a page.
	Machine int    `json:"machine"`
	Metric  string `json:"metric"`
	// Benchmark is empty for the geomean.
	Benchmark assay.Benchmark `json:"benchmark"`
	Variant   string          `json:"variant"`
	// Block counts from 1 over the blocks that carry verdicts.
	Block []int `json:"block"`
	// LN is ln(variant/base) in each block, Start its start in seconds after that of the
	// first.
	LN    []float64 `json:"ln"`
	Start []float64 `json:"start"`
}

// BlockSeries returns the series of the metrics that decide: the geomean if there is one,
// then one for each benchmark. left is the number of benchmarks without series because
// there are too many. Benchmarks whose values may be zero have no ratio and no series.
func BlockSeries(p *assay.Plan, blocks [][]assay.Trial) (out []Series, left int) {
	set := NewSet(p)
	for _, b := range blocks {
		set.Add(b)
	}
	starts := blockStarts(blocks)
	each := max(1, len(set.Plan.Study.Decide.Metrics)*len(set.Variants)*set.Blocks)
	keep := min(len(set.Benchmarks), maxSeriesBenchmarks, max(1, maxSeriesPoints/each))
	for _, metric := range set.Plan.Study.Decide.Metrics {
		for _, v := range set.Variants {
			out = append(out, newSeries(metric, assay.Benchmark{}, v, set.Suite(metric).Geomean(v), starts))
			for _, b := range set.Benchmarks[:keep] {
				out = append(out, newSeries(metric, b.Plan.Benchmark, v, b.Samples[metric][v], starts))
			}
		}
	}
	out = slices.DeleteFunc(out, func(s Series) bool { return len(s.Block) == 0 })
	return out, len(set.Benchmarks) - keep
}

// blockStarts returns the starts of the blocks that carry verdicts, in seconds after that
// of the first, rounded to tenths.
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

// newSeries returns the series of a sample, empty for nil and for values that may be 0.
func newSeries(metric string, b assay.Benchmark, variant string, s *Sample, starts []float64) Series {
	out := Series{Metric: metric, Benchmark: b, Variant: variant}
	if s == nil || s.Zero {
		return out
	}
	for i, block := range s.Blocks {
		if ln := s.D[i]; !math.IsNaN(ln) && !math.IsInf(ln, 0) && block >= 1 && block <= len(starts) {
			out.Block = append(out.Block, block)
			out.LN = append(out.LN, math.Round(1e5*ln)/1e5) // a thousandth of a percent
			out.Start = append(out.Start, starts[block-1])
		}
	}
	return out
}
