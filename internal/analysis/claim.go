package analysis

import (
	"math"

	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/stats"
)

// There are two kinds of lists. Among many benchmarks some false claims are bearable:
// e-BH keeps their expected share within falseClaims. An answer rests on a short list,
// the variants on the whole suite: Holm keeps the probability of any false claim within
// the study's level.

// falseClaims is q, the share of false claims that e-BH allows (Wang and Ramdas 2022).
const falseClaims = 0.05

// A claim is the evidence that a difference in a list needs. For the zero claim its
// interval alone decides: once it excludes 0 that is a claim at the study's level,
// whatever later e-values are.
type claim struct {
	at   float64 // the e-value that it takes
	ever bool    // the largest e-value so far counts, not the present one
	list int     // the number of comparisons in the list
}

// alone is the claim of a comparison outside any list.
var alone = claim{list: 1}

// holds reports whether a sample, whose e-values are up to date, has the evidence.
func (c claim) holds(s *sample.Sample) bool {
	if c.ever {
		return s.Top >= c.at
	}
	return s.E >= c.at
}

func verdictE(c cell) float64 { return c.E }

// gateE is the evidence that a cell fails a gate.
func gateE(c cell) float64 { return c.Gate }

// eBH returns the claim of e-BH for a list: m/(q k*). For a list of one its interval is
// enough.
func eBH(cells []cell, e func(cell) float64) claim {
	if len(cells) < 2 {
		return alone
	}
	values := make([]float64, len(cells))
	for i, c := range cells {
		values[i] = e(c)
	}
	k := max(stats.EBH(values, falseClaims), 1)
	return claim{at: float64(len(values)) / (falseClaims * float64(k)), list: len(values)}
}

// A cell is a sample with its place in the tables.
type cell struct {
	*sample.Sample
	b       *sample.Benchmark
	variant string
}

// evidence returns the e-value for a sample beyond a limit, seen from 0; 0 if its median
// is not beyond. A cell far within its limit is no failure, however sure that is, and
// must not count among the claims of e-BH.
func (c cell) evidence(limit float64) float64 {
	if c.Zero || math.Copysign(1, limit)*(stats.Median(c.D)-limit) <= 0 {
		return 0
	}
	return c.EValue(limit)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
