package load

import (
	"errors"
	"fmt"
	"time"

	assay "github.com/seed-1318a441/assay"
)

// A ghzReport is the needed part of the output of ghz -O json; times are in nanoseconds.
// Its details have all latencies; without them, and for more than ghzKept calls, there
// are percentiles only. Latencies of the details are those of successful calls and of
// calls that ran into their deadline.
type ghzReport struct {
	Count   *int    `json:"count"`
	Total   float64 `json:"total"`
	Options struct {
		Rate     float64 `json:"rps"`
		Schedule string  `json:"load-schedule"`
		Async    bool    `json:"async"`
	} `json:"options"`
	Statuses    map[string]int `json:"statusCodeDistribution"`
	Percentiles []struct {
		Percentage float64 `json:"percentage"`
		Latency    float64 `json:"latency"`
	} `json:"latencyDistribution"`
	Details []struct {
		Timestamp time.Time `json:"timestamp"`
		Latency   float64   `json:"latency"`
		Status    string    `json:"status"`
	} `json:"details"`
}

// ghzKept is the number of calls beyond which ghz keeps no details.
const ghzKept = 1_000_000

func (g ghzReport) result() (Result, error) {
	if g.Count == nil || g.Statuses == nil {
		return Result{}, errors.New("has no count or statusCodeDistribution")
	}
	r := Result{Seconds: g.Total / 1e9}
	if g.Options.Async && g.Options.Schedule == "const" {
		r.Intended = g.Options.Rate
	}
	for status, n := range g.Statuses {
		if n < 0 || n > maxRequests {
			return Result{}, fmt.Errorf("counts %d calls of one status", n)
		}
		if status == "OK" {
			r.Requests += n
		} else {
			r.Errors += n
		}
	}
	if n := r.Requests + r.Errors; n != *g.Count {
		return Result{}, mismatch("it counts %s calls, its statuses %s", *g.Count, n)
	}
	r.Rate = ratio(float64(r.Requests), r.Seconds)
	return g.latencies(r)
}

func (g ghzReport) latencies(r Result) (Result, error) {
	for _, p := range g.Percentiles {
		s, err := jsonSeconds(p.Latency, nanoseconds)
		if err != nil {
			return Result{}, err
		}
		r.Percentiles = append(r.Percentiles, assay.Percentile{P: p.Percentage / 100, Seconds: s})
	}
	n := len(g.Details)
	if n == 0 || *g.Count > ghzKept {
		return r, nil
	}
	if n != *g.Count {
		return Result{}, mismatch("it counts %s calls, its details %s", *g.Count, n)
	}
	var log requestLog
	for _, d := range g.Details {
		if err := log.add(float64(d.Timestamp.UnixNano())/1e9, d.Latency/1e9, grpcOutcome(d.Status)); err != nil {
			return Result{}, err
		}
	}
	r.Latency = log.latency.histogram()
	return r, nil
}

func grpcOutcome(status string) outcome {
	switch status {
	case "OK":
		return succeeded
	case "DeadlineExceeded":
		return timedOut
	}
	return failed
}
