package load

import (
	"fmt"
	"strings"
)

// readWrk2 reads the output of wrk2, which counts latency from the intended start of a
// request. Its histogram is the percentile spectrum of --latency. That excludes requests
// of the calibration in the first ten seconds; uncorrected distributions (--u_latency)
// are ignored. wrk2 does not report the intended rate, so Intended is 0. Timeouts are
// requests without a response so far.
func readWrk2(in Input) (Result, error) {
	src, err := in.single()
	if err != nil {
		return Result{}, err
	}
	var w wrk2
	if err := eachLine(src, w.line); err != nil {
		return Result{}, err
	}
	if w.spectrum.begun {
		if w.Latency, err = w.spectrum.histogram(); err != nil {
			return Result{}, err
		}
	}
	return w.result(w.status)
}

// A wrk2 is the state of reading.
type wrk2 struct {
	wrk
	spectrum spectrum
	// uncorrected is true from the heading of such a distribution to its end.
	uncorrected bool
}

func (w *wrk2) line(n int, line string) error {
	switch {
	case strings.Contains(line, "Latency Distribution"):
		w.uncorrected = strings.Contains(line, "Uncorrected")
	case wrkRequests.MatchString(line):
		w.uncorrected = false
	}
	if w.uncorrected {
		return nil
	}
	took, err := w.spectrum.read(line)
	if err == nil && !took {
		err = w.read(line)
	}
	if err != nil {
		return fmt.Errorf("%w in line %d", err, n)
	}
	return nil
}
