package load

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/seed-1318a441/assay/internal/printable"
)

// A requestLog adds up single requests.
type requestLog struct {
	latency          tally
	requests, errors int
	begun            bool
	start, end       float64 // of all, in seconds
}

// The outcomes of a request.
type outcome int

const (
	succeeded outcome = iota
	failed
	// timedOut is a failed request whose waiting time still counts as a latency: without
	// it a server that hangs would look fast.
	timedOut
)

func statusOutcome(code int) outcome {
	if code >= 200 && code < 400 {
		return succeeded
	}
	return failed
}

// add counts a request that began at start and took latency, in seconds.
func (l *requestLog) add(start, latency float64, o outcome) error {
	if !finite(start) || !plausible(latency) {
		return fmt.Errorf("has a request of %g s at %g s", latency, start)
	}
	if !l.begun || start < l.start {
		l.begun, l.start = true, start
	}
	l.end = max(l.end, start+latency)
	if o == succeeded {
		l.requests++
	} else {
		l.errors++
	}
	if o == failed {
		return nil
	}
	return l.latency.add(latency, 1)
}

// result returns the result, with the rate over the time from the first start to the last
// end.
func (l *requestLog) result() Result {
	r := Result{Latency: l.latency.histogram(), Requests: l.requests, Errors: l.errors, Seconds: max(0, l.end-l.start)}
	r.Rate = ratio(float64(r.Requests), r.Seconds)
	return r
}

// readRequests reads a CSV file with a line for each request that was answered. The
// arguments name the columns: times in seconds, and the HTTP status.
func readRequests(src io.Reader, startColumn, latencyColumn, statusColumn string) (Result, error) {
	var t requestTable
	var log requestLog
	err := eachWholeLine(src, func(line string) error {
		ok, err := t.row(line, startColumn, latencyColumn, statusColumn)
		if !ok || err != nil {
			return err
		}
		var start, latency float64
		var status int
		err = cmp.Or(setNumber(&start, t.cell(startColumn), seconds), setNumber(&latency, t.cell(latencyColumn), seconds), setCount(&status, t.cell(statusColumn)))
		if err != nil {
			return err
		}
		return log.add(start, latency, statusOutcome(status))
	})
	if err != nil {
		return Result{}, err
	}
	return log.result(), nil
}

// A requestTable is a CSV file with the names of its columns in the first line.
type requestTable struct{ columns, cells []string }

// row reads a line. ok is false for the first, an error means a row that is torn or lacks
// one of the columns.
func (t *requestTable) row(line string, columns ...string) (ok bool, err error) {
	if t.cells, err = cellsOf(line); err != nil {
		return false, err
	}
	if t.columns == nil {
		t.columns = t.cells
		return false, nil
	}
	if len(t.cells) != len(t.columns) {
		return false, fmt.Errorf("has %d columns, not %d,", len(t.cells), len(t.columns))
	}
	for _, name := range columns {
		if !slices.Contains(t.columns, name) {
			return false, fmt.Errorf("has no column %s", name)
		}
	}
	return true, nil
}

// cell returns the cell of the row in a column that row has checked.
func (t *requestTable) cell(column string) string {
	return t.cells[slices.Index(t.columns, column)]
}

func startsWith(src *bufio.Reader, prefix string) bool {
	b, _ := src.Peek(len(prefix))
	return string(b) == prefix
}

func (r *Result) addStatus(code string, n int) error {
	c, err := count(code)
	switch {
	case err != nil:
		return err
	case n < 0 || n > maxRequests:
		return fmt.Errorf("counts %d responses of status %s", n, printable.Brief(code))
	case statusOutcome(c) == succeeded:
		r.Requests += n
	default:
		r.Errors += n
	}
	return nil
}
