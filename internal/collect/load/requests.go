package load

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

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

// statusOutcome returns the outcome for an HTTP status.
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

// A requestTable is a CSV file with a line for each request, and the names of its columns
// in the first line.
type requestTable struct {
	// start, latency and status are the names of the columns, of times in seconds and of
	// the HTTP status.
	start, latency, status string

	columns []string
	log     requestLog
}

// read reads the lines of src, which has no requests without an answer.
func (t *requestTable) read(src io.Reader) (Result, error) {
	if err := eachWholeLine(src, t.line); err != nil {
		return Result{}, err
	}
	return t.log.result(), nil
}

func (t *requestTable) line(n int, line string) error {
	cells := strings.Split(line, ",")
	if t.columns == nil {
		t.columns = cells
		return nil
	}
	err := error(nil)
	if len(cells) != len(t.columns) {
		err = fmt.Errorf("has %d columns, not %d,", len(cells), len(t.columns))
	} else {
		err = t.row(cells)
	}
	if err != nil {
		return fmt.Errorf("%w in line %d", err, n)
	}
	return nil
}

func (t *requestTable) row(cells []string) error {
	var start, latency float64
	var status int
	for i, name := range t.columns {
		var err error
		switch name {
		case t.start:
			err = set(&start, cells[i], seconds)
		case t.latency:
			err = set(&latency, cells[i], seconds)
		case t.status:
			err = setCount(&status, cells[i])
		}
		if err != nil {
			return err
		}
	}
	return t.log.add(start, latency, statusOutcome(status))
}

var errTorn = errors.New("ends in the middle of a line")

// eachWholeLine is eachLine for text that must end with a complete line: otherwise it has
// been cut off.
func eachWholeLine(src io.Reader, f func(n int, line string) error) error {
	last := &lastByte{Reader: src}
	if err := eachLine(last, f); err != nil {
		return err
	}
	if last.b != '\n' {
		return errTorn
	}
	return nil
}

// A lastByte remembers the last byte read.
type lastByte struct {
	io.Reader
	b byte
}

func (l *lastByte) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	if n > 0 {
		l.b = p[n-1]
	}
	return n, err
}

// startsWith reports whether the text to be read next begins with prefix.
func startsWith(src *bufio.Reader, prefix string) bool {
	b, _ := src.Peek(len(prefix))
	return string(b) == prefix
}

// addStatus counts n responses of an HTTP status.
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

// wholeCount converts a number of requests, which JSON may write with a point.
func wholeCount(v float64) (int, error) {
	if !(v >= 0 && v <= maxRequests) || v != math.Trunc(v) {
		return 0, fmt.Errorf("has %g where a number of requests belongs", v)
	}
	return int(v), nil
}
