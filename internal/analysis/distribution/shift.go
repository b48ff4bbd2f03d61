package distribution

import (
	"maps"
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/stats"
)

// shiftGrid are the quantiles of a shift, round numbers: a few in the low half, and about
// six for every factor of ten in the upper tail.
var shiftGrid = []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85,
	0.9, 0.93, 0.95, 0.97, 0.98, 0.985, 0.99, 0.993, 0.995, 0.997, 0.998, 0.9985,
	0.999, 0.9993, 0.9995, 0.9997, 0.9998, 0.99985, 0.9999, 0.99995, 0.99999, 0.999995, 0.999999}

// A latencies adds up the latencies of one benchmark.
type latencies struct {
	grids map[string]*grid // by variant
	runs  map[string]int
	// curves has ln of the quantiles of shiftGrid, by block and variant: the sum over the
	// rounds of a block, and their number.
	curves   map[int]map[string]*curve
	from, to int // the part of shiftGrid that every run so far supports
	least    int // requests of the shortest run
}

// A curve is a sum of n curves.
type curve struct {
	ln []float64 // by index of shiftGrid; of some only from..to is there
	n  int
}

func newLatencies() latencies {
	return latencies{grids: map[string]*grid{}, runs: map[string]int{}, curves: map[int]map[string]*curve{},
		to: len(shiftGrid), least: math.MaxInt}
}

// add adds one run.
func (l *latencies) add(block int, variant string, h assay.Histogram) {
	total := h.Total()
	if total == 0 {
		return
	}
	entry(l.grids, variant, newGrid).add(h)
	l.runs[variant]++
	l.least = min(l.least, total)
	l.narrow(total)
	curves := entry(l.curves, block, func() map[string]*curve { return map[string]*curve{} })
	c := entry(curves, variant, func() *curve { return &curve{ln: make([]float64, len(shiftGrid))} })
	c.n++
	for i := l.from; i < l.to; i++ {
		q := stats.HarrellDavisBuckets(h.Values, h.Counts, shiftGrid[i])
		if q <= 0 {
			l.from = i + 1 // no ratio to zero exists
			continue
		}
		c.ln[i] += math.Log(q)
	}
}

// narrow drops the quantiles beyond which a run of so many requests has too few: above in
// the upper half, below in the lower one.
func (l *latencies) narrow(total int) {
	for l.to > 0 && assay.Beyond(total, shiftGrid[l.to-1]) < assay.MinBeyond {
		l.to--
	}
	for l.from < l.to && assay.Beyond(total, 1-shiftGrid[l.from]) < assay.MinBeyond {
		l.from++
	}
}

// picture returns the result's part, of a result with so many bands; ok is false if no run
// had latencies.
func (l *latencies) picture(p *assay.Plan, b assay.Benchmark, variants []string, bands int) (out assay.Latency, ok bool) {
	if len(l.grids) == 0 {
		return out, false
	}
	out.Benchmark = b
	var grids []*grid
	for _, g := range l.grids {
		grids = append(grids, g)
	}
	w := width(grids, coarse)
	for _, v := range variants {
		if g := l.grids[v]; g != nil {
			out.Variants = append(out.Variants, assay.Distribution{Variant: v, Runs: l.runs[v], Total: g.total, Histogram: g.histogram(w)})
		}
		if s, ok := l.shift(p, variants[0], v, bands); ok {
			out.Shifts = append(out.Shifts, s)
		}
	}
	for _, q := range assay.Quantiles {
		if seen := assay.Beyond(l.least, q.P); seen < assay.MinBeyond {
			out.Refused = append(out.Refused, assay.Refused{Metric: q.Metric(), Seen: seen})
		}
	}
	return out, true
}

// shift compares a variant's quantiles with the base's. Its band is one of several, all of
// which hold with the study's confidence (Bonferroni).
func (l *latencies) shift(p *assay.Plan, base, variant string, bands int) (s assay.Shift, ok bool) {
	if variant == base || l.from >= l.to {
		return s, false
	}
	curves := l.against(base, variant)
	if len(curves) == 0 {
		return s, false
	}
	decide := p.Study.Decide
	s = assay.Shift{Variant: variant, N: len(curves), Confidence: decide.Confidence, P: slices.Clone(shiftGrid[l.from:l.to])}
	mid, lo, hi := stats.SimultaneousBand(curves, 1-(1-decide.Confidence)/float64(bands), p.Seed)
	s.Change = changes(mid)
	if lo != nil && len(curves) >= design.LeastBlocks(p) {
		s.Lo, s.Hi = changes(lo), changes(hi)
		s.Text = shiftText(s, p.Metric(assay.Quantiles[0].Metric()).MinEffect)
	}
	return s, true
}

// against returns ln(QB/QA) at every quantile, for each block in which both ran.
func (l *latencies) against(base, variant string) (out [][]float64) {
	for _, block := range slices.Sorted(maps.Keys(l.curves)) {
		a, b := l.curves[block][base], l.curves[block][variant]
		if a == nil || b == nil {
			continue
		}
		d := make([]float64, 0, l.to-l.from)
		for i := l.from; i < l.to; i++ {
			d = append(d, b.ln[i]/float64(b.n)-a.ln[i]/float64(a.n))
		}
		out = append(out, d)
	}
	return out
}

func changes(ln []float64) []assay.Change {
	out := make([]assay.Change, len(ln))
	for i, x := range ln {
		out[i] = assay.ChangeOfLog(x)
	}
	return out
}
