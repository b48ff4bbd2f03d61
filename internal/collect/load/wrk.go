package load

import (
	"cmp"
	"fmt"
	"strings"

	assay "github.com/seed-1318a441/assay"
)

// readWrk reads the output of wrk 4, which has percentiles with --latency and never a
// histogram. Its latencies are those of all responses, including failed ones. A response
// with a status of 400 or more counts as failed, and so does one later than --timeout;
// wrk counts both among its requests.
func readWrk(in Input) (Result, error) {
	src, err := in.single()
	if err != nil {
		return Result{}, err
	}
	var w wrk
	if err := eachLine(src, w.line); err != nil {
		return Result{}, err
	}
	return w.result(w.status + w.timeouts)
}

// A wrk is the state of reading the output of wrk or wrk2.
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

var (
	wrkQuantile = lazy(`^ *([\d.]+)% +([\d.]+(?:us|ms|s|m|h)) *$`)
	wrkRequests = lazy(`^ +(\d+) requests in ([\d.]+(?:us|ms|s|m|h)), `)
	wrkSockets  = lazy(`^ +Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)`)
	wrkStatus   = lazy(`^ +Non-2xx or 3xx responses: (\d+)`)
	wrkRate     = lazy(`^Requests/sec: +([\d.]+)$`)
)

func (w *wrk) line(n int, line string) error {
	if err := w.read(line); err != nil {
		return fmt.Errorf("%w in line %d", err, n)
	}
	return nil
}

func (w *wrk) read(line string) (err error) {
	if m := wrkQuantile.FindStringSubmatch(line); m != nil {
		return w.percentile(m[1], m[2])
	}
	if m := wrkRequests.FindStringSubmatch(line); m != nil {
		w.counted = true
		if w.Seconds, err = duration(m[2]); err != nil {
			return err
		}
		return setCount(&w.responses, m[1])
	}
	if m := wrkSockets.FindStringSubmatch(line); m != nil {
		return w.sockets(m[1:4], m[4])
	}
	if m := wrkStatus.FindStringSubmatch(line); m != nil {
		return setCount(&w.status, m[1])
	}
	if m := wrkRate.FindStringSubmatch(line); m != nil {
		return set(&w.perSecond, m[1], seconds)
	}
	// When the last line begins, everything read before it is complete.
	w.ended = w.ended || strings.HasPrefix(line, "Transfer/sec:")
	return nil
}

func (w *wrk) percentile(p, value string) error {
	if len(w.Percentiles) == maxRows {
		return nil
	}
	var q assay.Percentile
	var err error
	if q.Seconds, err = duration(value); err != nil {
		return err
	}
	err = set(&q.P, p, -2)
	w.Percentiles = append(w.Percentiles, q)
	return err
}

func (w *wrk) sockets(connections []string, timeouts string) error {
	w.connections = 0
	var errs []error
	for _, text := range connections {
		n, err := count(text)
		w.connections += n
		errs = append(errs, err)
	}
	return cmp.Or(append(errs, setCount(&w.timeouts, timeouts))...)
}

// result combines the parts. failed is the number of responses that do not count as
// successful.
func (w *wrk) result(failed int) (Result, error) {
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
