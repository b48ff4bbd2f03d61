package load

import (
	"cmp"
	"strings"

	assay "github.com/seed-1318a441/assay"
)

// A wrk reads the output of wrk 4, which has percentiles with --latency and never a
// histogram. A response later than --timeout counts as failed; wrk counts it and those
// with an error status among its requests.
type wrk struct {
	Result
	// responses counts all responses.
	responses int
	// status counts those with an error status; connections and timeouts are errors
	// without one.
	status, connections, timeouts int
	perSecond                     float64
	counted, ended                bool
}

var wrkRequests = lazy(`^ +(\d+) requests in ([\d.]+(?:us|ms|s|m|h)), `)

var wrkRules = []rule[*wrk]{
	{lazy(`^ *([\d.]+)% +([\d.]+(?:us|ms|s|m|h)) *$`), (*wrk).percentile},
	{wrkRequests, func(w *wrk, m []string) (err error) {
		w.counted = true
		if w.Seconds, err = duration(m[2]); err != nil {
			return err
		}
		return setCount(&w.responses, m[1])
	}},
	{lazy(`^ +Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)`), (*wrk).sockets},
	{lazy(`^ +Non-2xx or 3xx responses: (\d+)`), func(w *wrk, m []string) error { return setCount(&w.status, m[1]) }},
	{lazy(`^Requests/sec: +([\d.]+)$`), func(w *wrk, m []string) error { return setNumber(&w.perSecond, m[1], seconds) }},
}

func (w *wrk) read(line string) error {
	// When the last line begins, everything read before it is complete.
	w.ended = w.ended || strings.HasPrefix(line, "Transfer/sec:")
	return parseLine(wrkRules, w, line)
}

func (w *wrk) percentile(m []string) error {
	if len(w.Percentiles) == maxRows {
		return nil
	}
	var q assay.Percentile
	var err error
	if q.Seconds, err = duration(m[2]); err != nil {
		return err
	}
	err = setNumber(&q.P, m[1], -2)
	w.Percentiles = append(w.Percentiles, q)
	return err
}

func (w *wrk) sockets(m []string) error {
	w.connections = 0
	return cmp.Or(addCount(&w.connections, m[1]), addCount(&w.connections, m[2]), addCount(&w.connections, m[3]),
		setCount(&w.timeouts, m[4]))
}

func (w *wrk) result() (Result, error) { return w.sum(w.status + w.timeouts) }

// sum combines the parts. failed is the number of responses that do not count as
// successful.
func (w *wrk) sum(failed int) (Result, error) {
	if !w.counted || !w.ended {
		return Result{}, errCut
	}
	w.Requests = max(0, w.responses-failed)
	w.Errors = w.status + w.connections + w.timeouts
	w.Rate = w.perSecond
	if w.Requests != w.responses {
		w.Rate *= ratio(float64(w.Requests), float64(w.responses))
	}
	return w.Result, nil
}
