package httpload

import (
	"maps"
	"math/bits"
	"slices"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/collect/load"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A tally adds up the answers to the requests of a schedule.
type tally struct {
	schedule
	timeout time.Duration

	succeeded, failed int
	latency           histogram
	// first is when the first measured request was answered, and answered counts all
	// answers from then on for as long as the load is measured. That is the attained
	// rate: the intended one if the server keeps up, however long an answer takes, and
	// otherwise what the server bears.
	first    time.Time
	answered int
	failures []Failure
}

// A Failure is one way in which requests failed.
type Failure struct {
	Text string // one printable line
	N    int
}

// maxFailures is the number of ways that are distinguished.
const maxFailures = 5

// add takes the outcome of one request. They come in the order of the answers, within a
// few microseconds.
func (t *tally) add(r *vegeta.Result) {
	end := r.Timestamp.Add(r.Latency)
	measured := r.Seq >= uint64(t.warmup)
	if measured && t.first.IsZero() {
		t.first = end
	}
	if !t.first.IsZero() && !end.Before(t.first) && end.Before(t.first.Add(t.window())) {
		t.answered++
	}
	if !measured {
		return
	}
	if r.Error == "" {
		t.succeeded++
	} else {
		t.failed++
		t.note(r.Error)
		if r.Latency < t.timeout {
			return // a connection that was refused at once is not a fast answer
		}
	}
	t.latency.add(end.Sub(t.due(r.Seq)))
}

// note counts a way to fail. Beyond the first few, which may differ in a port only, they
// count as the last one.
func (t *tally) note(text string) {
	text = printable.Brief(text)
	i := slices.IndexFunc(t.failures, func(f Failure) bool { return f.Text == text })
	switch {
	case i >= 0:
	case len(t.failures) < maxFailures:
		i = len(t.failures)
		t.failures = append(t.failures, Failure{Text: text})
	default:
		i = maxFailures - 1
		t.failures[i].Text = "others"
	}
	t.failures[i].N++
}

// allFailures includes the requests that were never sent.
func (t *tally) allFailures() []Failure {
	if n := t.measured - t.succeeded - t.failed; n > 0 {
		return append(t.failures, Failure{Text: "never sent: no connection was free in time", N: n})
	}
	return t.failures
}

// window returns how long the measured requests take to be due.
func (t *tally) window() time.Duration {
	return time.Duration(float64(t.measured) / t.rate * float64(time.Second))
}

// result counts the requests that were never sent among the errors.
func (t *tally) result(h assay.HTTPLoad) load.Result {
	r := load.Result{
		Latency: t.latency.export(), Requests: t.succeeded, Errors: t.measured - t.succeeded,
		Seconds: t.window().Seconds(), Intended: h.Rate,
		Arrivals: h.Arrivals, Seed: h.Seed,
	}
	// Rate is that of successful requests, whose share is the same among all answers.
	if n := t.succeeded + t.failed; n > 0 {
		// A backlog of the warm-up that is worked off is no higher rate.
		r.Rate = float64(min(t.answered, t.measured)) / r.Seconds * float64(t.succeeded) / float64(n)
	}
	return r
}

// A histogram counts latencies in buckets that are at most 1/1024 of their values wide,
// so that there are at most 1024 for each doubling.
type histogram map[int64]int

// bucketBits are the leading bits of a latency in nanoseconds that count; shorter ones
// are exact.
const bucketBits = 11

func (h histogram) add(d time.Duration) { h[bucket(max(d.Nanoseconds(), 0))]++ }

// bucket returns the middle of the bucket of a value in nanoseconds.
func bucket(ns int64) int64 {
	drop := bits.Len64(uint64(ns)) - bucketBits
	if drop <= 0 {
		return ns
	}
	return ns>>drop<<drop + 1<<(drop-1)
}

func (h histogram) export() assay.Histogram {
	var out assay.Histogram
	for _, ns := range slices.Sorted(maps.Keys(h)) {
		out.Values = append(out.Values, float64(ns)/1e9)
		out.Counts = append(out.Counts, h[ns])
	}
	return out
}
