package search

import (
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/stats"
)

// logRatios holds ln(variant/base) of the whole suite, block by block, by variant. If
// higher is better the sign is reversed: less is better here.
type logRatios map[string]analysis.SuiteSeries

// data gets every variant's values from the tracker. The base has 0 in every block in
// which another variant has a value.
func (r *Race) data() logRatios {
	out := logRatios{}
	seen := map[int]bool{}
	for _, v := range r.names {
		s := r.tracker.Whole(r.metric.Name, v)
		if r.metric.Better == assay.BetterHigher {
			s.D, s.Control = negated(s.D), negated(s.Control)
		}
		out[v] = s
		for _, b := range s.Blocks {
			seen[b] = true
		}
	}
	var base analysis.SuiteSeries
	for b := range seen {
		base.Blocks = append(base.Blocks, b)
	}
	slices.Sort(base.Blocks)
	base.D = make([]float64, len(base.Blocks))
	out[r.plan.Study.Base] = base
	return out
}

func negated(d []float64) []float64 {
	if d == nil {
		return nil
	}
	out := make([]float64, len(d))
	for i, x := range d {
		out[i] = -x
	}
	return out
}

// against returns ln(v/w) over the common blocks of two variants, above 0 if v is worse.
// The base's values cancel: ln(v/base) - ln(w/base) is ln(v/w). Only comparisons with the
// base have a control.
func (r *Race) against(d logRatios, v, w string) stats.Series {
	switch base := r.plan.Study.Base; {
	case w == base:
		return d[v].Series
	case v == base:
		s := d[w].Series
		s.D, s.Control = negated(s.D), negated(s.Control)
		return s
	}
	return d[v].Minus(d[w], 1).Series
}

// best returns the variant in the race with the smallest mean. It may be chosen from the
// data: see the package comment.
func (r *Race) best(d logRatios) string {
	best, least := r.leader, math.Inf(1)
	for _, v := range r.In() {
		if s := d[v]; len(s.D) > 0 {
			if m := stats.Mean(s.D); m < least {
				best, least = v, m
			}
		}
	}
	return best
}
