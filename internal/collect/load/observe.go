package load

import (
	"maps"
	"math"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/stats"
)

// Observations returns the metrics of a run, by name. A latency quantile is that of
// Harrell and Davis from the histogram, or else the printed percentile. It is omitted if
// fewer than assay.MinBeyond requests lie beyond it. tx/s needs a rate, errors/tx a
// count.
func (r Result) Observations() map[string]float64 {
	values := map[string]float64{}
	for _, q := range assay.Quantiles {
		if v, ok := r.quantile(q.P); ok {
			values[q.Metric()] = v
		}
	}
	if r.Rate > 0 {
		values[assay.MetricRequests] = r.Rate
	}
	if n := r.Requests + r.Errors; n > 0 {
		values[assay.MetricErrors] = float64(r.Errors) / float64(n)
	}
	maps.Copy(values, r.Metrics)
	return values
}

func (r Result) quantile(p float64) (seconds float64, ok bool) {
	if h := r.Latency; len(h.Values) > 0 {
		if h.Beyond(p) < assay.MinBeyond {
			return 0, false
		}
		return stats.HarrellDavisBuckets(h.Values, h.Counts, p), true
	}
	if assay.Beyond(r.Requests, p) < assay.MinBeyond {
		return 0, false
	}
	for _, printed := range r.Percentiles {
		// A latency of 0.00 ms has too few digits.
		if math.Abs(printed.P-p) < 1e-9 && printed.Seconds > 0 {
			return printed.Seconds, true
		}
	}
	return 0, false
}
