package load

import (
	"errors"
	"fmt"
	"math"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Limits of what one run can contain.
const (
	maxRequests = math.MaxInt32
	// maxSeconds is the longest latency or run: 30 years.
	maxSeconds = 1e9
	// maxRows is the maximum number of intervals, printed percentiles and metrics.
	maxRows = 1 << 16
)

// check returns an error for an impossible result.
func (r Result) check() error {
	switch {
	case r.Requests < 0 || r.Errors < 0 || r.Requests > maxRequests || r.Errors > maxRequests:
		return fmt.Errorf("counts %d requests and %d errors", r.Requests, r.Errors)
	case r.Requests+r.Errors == 0 && len(r.Metrics) == 0:
		return errors.New("counts no requests")
	case !plausible(r.Seconds) || !finite(r.Rate) || !finite(r.Intended):
		return fmt.Errorf("has a run of %g s at %g/s of %g/s", r.Seconds, r.Rate, r.Intended)
	case len(r.Percentiles) > maxRows || len(r.Intervals) > maxRows || len(r.Metrics) > maxRows:
		return fmt.Errorf("has more than %d percentiles, intervals or metrics", maxRows)
	}
	for _, p := range r.Percentiles {
		if !(p.P >= 0 && p.P <= 1) || !plausible(p.Seconds) {
			return fmt.Errorf("has a %g-quantile of %g s", p.P, p.Seconds)
		}
	}
	for _, i := range r.Intervals {
		if !finite(i.At) || !finite(i.Rate) || !finite(i.Latency) || !finite(i.Errors) {
			return fmt.Errorf("has an interval at %g s that is not a number", i.At)
		}
	}
	for name, v := range r.Metrics {
		if math.IsNaN(v) || math.IsInf(v, 0) || name == "" || name != printable.Brief(name) {
			return fmt.Errorf("has metric %q of %g", printable.Brief(name), v)
		}
	}
	return checkHistogram(r.Latency)
}

// checkHistogram returns an error for a histogram whose values do not ascend, or with
// impossible counts.
func checkHistogram(h assay.Histogram) error {
	if len(h.Values) != len(h.Counts) {
		return fmt.Errorf("has a histogram of %d values and %d counts", len(h.Values), len(h.Counts))
	}
	total, last := 0, -1.0
	for i, v := range h.Values {
		if !plausible(v) || v <= last {
			return fmt.Errorf("has a histogram in which %g s comes after %g s", v, last)
		}
		if n := h.Counts[i]; n < 1 || n > maxRequests-total {
			return fmt.Errorf("has a histogram that counts %d requests at %g s", n, v)
		}
		total, last = total+h.Counts[i], v
	}
	return nil
}

// plausible reports whether v can be a time in seconds.
func plausible(v float64) bool { return v >= 0 && v <= maxSeconds }

func finite(v float64) bool { return v >= 0 && v <= math.MaxFloat64 }
