package analysis

import (
	"math"

	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/stats"
)

// Which differences of a list are claimed. There are two kinds of lists. Of many
// benchmarks some false claims are bearable: e-BH keeps their expected share within
// falseClaims. What an answer rests on, the variants on the whole suite, is a list of
// few: Holm keeps the probability of any false claim within the study's level.

// falseClaims is q, the share of false claims in a list that e-BH allows
// (Wang and Ramdas 2022).
const falseClaims = 0.05

// A claim says what evidence a difference of a list takes. In the zero claim its
// interval alone decides: that 0 has left it once is a claim at the study's level,
// whatever the e-value does later.
type claim struct {
	at   float64 // the e-value that it takes
	ever bool    // the largest e-value so far counts, not the present one
	list int     // the number of comparisons in the list
}

// alone is the claim of a comparison that is in no list.
var alone = claim{list: 1}

// holds reports whether a sample whose e-values are up to date has the evidence.
func (c claim) holds(s *sample.Sample) bool {
	if c.ever {
		return s.Top >= c.at
	}
	return s.E >= c.at
}

func verdictE(c cell) float64 { return c.E }

// gateE is the evidence that a cell fails a gate.
func gateE(c cell) float64 { return c.Gate }

// eBH is what e-BH asks of a list: m/(q k*). A list of one needs no control beyond
// its own interval.
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

// A cell is a sample with where it stands.
type cell struct {
	*sample.Sample
	b       *sample.Benchmark
	variant string
}

// evidence is the e-value that a sample lies beyond a limit, as seen from 0: nothing
// where its centre does not. A cell far within its limit is no failure, however sure
// that is, and must not count as one among the claims of e-BH.
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
