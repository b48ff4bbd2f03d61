package search

import (
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/stats"
)

// data holds, by variant, ln(variant/base) of the whole suite block by block,
// with the sign turned where higher is better: less is better here.
type data map[string]series

// A series is one variant's numbers.
type series struct {
	blocks []int // ascending
	d      []float64
	floor  float64 // resolution of one datum
}

// A pair is what two variants' common blocks say: ln(variant/other), above 0
// where the variant is worse.
type pair struct {
	d     []float64
	floor float64
}

// data asks the tracker for every variant. The base has 0 in every block in which
// any other has a number.
func (r *Race) data() data {
	out := data{}
	seen := map[int]bool{}
	for _, v := range r.names {
		blocks, d, floor := r.tracker.Whole(r.metric.Name, v)
		if r.metric.Better == assay.BetterHigher {
			d = negated(d)
		}
		out[v] = series{blocks, d, floor}
		for _, b := range blocks {
			seen[b] = true
		}
	}
	var base series
	for b := range seen {
		base.blocks = append(base.blocks, b)
	}
	slices.Sort(base.blocks)
	base.d = make([]float64, len(base.blocks))
	out[r.plan.Study.Base] = base
	return out
}

func negated(d []float64) []float64 {
	out := make([]float64, len(d))
	for i, x := range d {
		out[i] = -x
	}
	return out
}

// against pairs two variants. The base's values cancel: ln(v/base) -
// ln(w/base) is ln(v/w).
func (d data) against(v, w string) pair {
	a, b := d[v], d[w]
	p := pair{floor: max(a.floor, b.floor)}
	j := 0
	for i, block := range a.blocks {
		for j < len(b.blocks) && b.blocks[j] < block {
			j++
		}
		if j < len(b.blocks) && b.blocks[j] == block {
			p.d = append(p.d, a.d[i]-b.d[j])
		}
	}
	return p
}

// best is the variant in the race with the smallest mean. The choice needs no
// more than to be made from what has been measured: see the package comment.
func (r *Race) best(d data) string {
	best, least := r.leader, math.Inf(1)
	for _, v := range r.In() {
		if s := d[v]; len(s.d) > 0 {
			if m := stats.Mean(s.d); m < least {
				best, least = v, m
			}
		}
	}
	return best
}
