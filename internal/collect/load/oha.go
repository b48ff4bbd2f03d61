package load

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/seed-1318a441/assay/internal/printable"
)

// An ohaReport is the needed part of oha's JSON; times are in seconds. A latency is null
// if there was no response.
type ohaReport struct {
	Summary struct {
		Total float64 `json:"total"`
	} `json:"summary"`
	Percentiles map[string]*float64 `json:"latencyPercentiles"`
	Histogram   map[string]int      `json:"responseTimeHistogram"`
	Statuses    map[string]int      `json:"statusCodeDistribution"`
	Errors      map[string]int      `json:"errorDistribution"`
}

// ohaDeadline is oha's name for requests that it gave up when the time of -z was over.
// They did not fail.
const ohaDeadline = "aborted due to deadline"

// readOha reads the output of oha --output-format json (-j in older versions), or csv.
// The JSON has percentiles and a useless histogram of eleven buckets. The CSV has all
// latencies, but lacks the requests without an answer.
func readOha(src *bufio.Reader) (Result, error) {
	if startsWith(src, "request-start,") {
		return readRequests(src, "request-start", "request-duration", "status")
	}
	return readJSON[ohaReport](src)
}

func (o ohaReport) result() (Result, error) {
	if o.Statuses == nil || o.Percentiles == nil || o.Summary.Total == 0 {
		return Result{}, errors.New("has no latencyPercentiles, statusCodeDistribution or total")
	}
	r := Result{Seconds: o.Summary.Total}
	for code, n := range o.Statuses {
		if err := r.addStatus(code, n); err != nil {
			return Result{}, err
		}
	}
	bars := 0
	for _, n := range o.Histogram {
		bars += n
	}
	if bars != r.Requests+r.Errors {
		return Result{}, mismatch("the histogram counts %s requests, the statuses %s", bars, r.Requests+r.Errors)
	}
	for text, n := range o.Errors {
		if n < 0 || n > maxRequests {
			return Result{}, fmt.Errorf("counts %d errors", n)
		}
		if text != ohaDeadline {
			r.Errors += n
		}
	}
	if r.Requests == 0 && r.Errors > 0 {
		return Result{}, fmt.Errorf("has no successful request; %s", o.firstError())
	}
	var err error
	r.Percentiles, err = namedPercentiles(o.Percentiles, "p", "", seconds)
	r.Rate = ratio(float64(r.Requests), r.Seconds)
	return r, err
}

// firstError is the most frequent error, or status.
func (o ohaReport) firstError() string {
	text, most := "", 0
	for _, counts := range []map[string]int{o.Statuses, o.Errors} {
		for _, t := range slices.Sorted(maps.Keys(counts)) {
			if counts[t] > most {
				text, most = t, counts[t]
			}
		}
	}
	return printable.Int(most) + " times: " + printable.Brief(text)
}
