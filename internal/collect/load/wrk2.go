package load

import (
	"errors"
	"strings"
)

// A wrk2 reads the output of wrk2, which counts latency from the intended start of a
// request. Its histogram is the percentile spectrum of --latency, without the requests of
// the calibration in the first ten seconds; uncorrected distributions (--u_latency) are
// ignored. Timeouts are requests without a response so far.
type wrk2 struct {
	wrk
	spectrum spectrum
	// uncorrected is true from the heading of such a distribution to its end.
	uncorrected bool
}

func (w *wrk2) read(line string) error {
	switch {
	case strings.Contains(line, "Latency Distribution"):
		w.uncorrected = strings.Contains(line, "Uncorrected")
	case wrkRequests().MatchString(line):
		w.uncorrected = false
	}
	if w.uncorrected {
		return nil
	}
	if took, err := w.spectrum.take(line); took || err != nil {
		return err
	}
	return w.wrk.read(line)
}

func (w *wrk2) result() (r Result, err error) {
	if w.spectrum.ended && w.spectrum.total == 0 {
		return Result{}, errors.New("has no latency: the first 10 s are its calibration, so -d must be longer")
	}
	if w.spectrum.begun {
		if w.Latency, err = w.spectrum.histogram(); err != nil {
			return Result{}, err
		}
	}
	return w.sum(w.status)
}
