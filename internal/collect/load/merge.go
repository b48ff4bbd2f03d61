package load

import (
	"slices"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/stats"
)

// Merge combines the results of several short runs of the same load against the same
// server.
//
// Requests, errors and seconds are added up. The rate is requests by seconds, the mean
// over the measured time, as in one long run; if the runs have no duration it is the mean
// of the rates. Histograms are added up, so that quantiles are those of all requests. A
// printed percentile becomes the median over the runs: the percentile of all cannot be
// computed from those of parts, and one disturbed run would move a mean. It is omitted if
// no request of a run lies beyond it. Other metrics are means.
func Merge(runs []Result) Result {
	if len(runs) == 1 {
		return runs[0]
	}
	var m Result
	var histograms []assay.Histogram
	for _, r := range runs {
		for _, i := range r.Intervals {
			i.At += m.Seconds
			m.Intervals = append(m.Intervals, i)
		}
		m.Requests, m.Errors, m.Seconds = m.Requests+r.Requests, m.Errors+r.Errors, m.Seconds+r.Seconds
		m.Intended = r.Intended
		histograms = append(histograms, r.Latency)
	}
	m.Latency, m.Rate = assay.Merge(histograms...), mergedRate(runs)
	m.Percentiles, m.Metrics = mergedPercentiles(runs), meanMetrics(runs)
	return m
}

// mergedRate returns the rate of all runs together, 0 if one has none.
func mergedRate(runs []Result) float64 {
	var mean, sum, seconds float64
	timed := true
	for _, r := range runs {
		if r.Rate == 0 && r.Requests > 0 {
			return 0
		}
		timed = timed && r.Seconds > 0
		mean, sum, seconds = mean+r.Rate/float64(len(runs)), sum+r.Rate*r.Seconds, seconds+r.Seconds
	}
	if !timed {
		return mean
	}
	// Weighted by time: a tool's rate need not be its requests by its seconds.
	return sum / seconds
}

// mergedPercentiles returns those that every run has.
func mergedPercentiles(runs []Result) (out []assay.Percentile) {
	for _, first := range runs[0].Percentiles {
		var all []float64
		for _, r := range runs {
			i := slices.IndexFunc(r.Percentiles, func(p assay.Percentile) bool { return p.P == first.P })
			if i >= 0 && assay.Beyond(r.Requests, first.P) > 0 {
				all = append(all, r.Percentiles[i].Seconds)
			}
		}
		if len(all) == len(runs) {
			out = append(out, assay.Percentile{P: first.P, Seconds: stats.Median(all)})
		}
	}
	return out
}

// meanMetrics returns the means of the metrics that every run has; nil for none.
func meanMetrics(runs []Result) (out map[string]float64) {
	for name := range runs[0].Metrics {
		var sum float64
		n := 0
		for _, r := range runs {
			if v, ok := r.Metrics[name]; ok {
				sum, n = sum+v, n+1
			}
		}
		if n < len(runs) {
			continue
		}
		if out == nil {
			out = map[string]float64{}
		}
		out[name] = sum / float64(n)
	}
	return out
}
