package assay

import (
	"maps"
	"slices"
)

// A Histogram counts values, such as the latencies of one run.
type Histogram struct {
	// Values ascend strictly, one for each bucket; latencies are in seconds.
	Values []float64 `json:"values"`
	// Counts has as many entries as Values.
	Counts []int `json:"counts"`
}

// Total returns the number of values.
func (h Histogram) Total() int {
	n := 0
	for _, c := range h.Counts {
		n += c
	}
	return n
}

// Beyond is the number of values beyond the p-quantile. A quantile needs MinBeyond.
func (h Histogram) Beyond(p float64) int { return Beyond(h.Total(), p) }

// Beyond is the number of n values beyond their p-quantile.
func Beyond(n int, p float64) int { return int(float64(n)*(1-p) + 1e-9) }

// MinBeyond is the minimum number of requests beyond a reported quantile
// (docs/methodology.md): p99.99 of 20,000 requests is two requests.
const MinBeyond = 10

// NewHistogram counts values, which may be in any order. It does not change values.
func NewHistogram(values []float64) Histogram {
	var h Histogram
	for _, v := range slices.Sorted(slices.Values(values)) {
		h.push(v, 1)
	}
	return h
}

// Merge adds up histograms.
func Merge(hs ...Histogram) Histogram {
	counts := map[float64]int{}
	for _, h := range hs {
		for i, v := range h.Values {
			counts[v] += h.Counts[i]
		}
	}
	var h Histogram
	for _, v := range slices.Sorted(maps.Keys(counts)) {
		h.push(v, counts[v])
	}
	return h
}

// push counts n times the value v, which must not be below the last one.
func (h *Histogram) push(v float64, n int) {
	if last := len(h.Values) - 1; last >= 0 && h.Values[last] == v {
		h.Counts[last] += n
		return
	}
	h.Values = append(h.Values, v)
	h.Counts = append(h.Counts, n)
}
