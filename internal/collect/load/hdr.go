package load

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"strings"

	assay "github.com/seed-1318a441/assay"
)

// hdrLogs reads interval logs of HdrHistogram, versions 1.2 and 1.3 (.hlog). If a log has
// tags, only the intervals without one count, as in the Java tools; if all have one, all
// count.
//
// A log has no unit. Values are nanoseconds, as in the Java tools, unless the column
// Interval_Max, in milliseconds, shows that they are microseconds.
type hdrLogs struct{ plain, tagged hdrLog }

func (l *hdrLogs) file(src *bufio.Reader) error {
	return eachLine(src, func(line string) error {
		if rest, ok := strings.CutPrefix(line, "Tag="); ok {
			_, line, _ = strings.Cut(rest, ",")
			return l.tagged.line(line)
		}
		return l.plain.line(line)
	})
}

func (l *hdrLogs) result() (Result, error) {
	if l.plain.latency.total == 0 {
		return l.tagged.result()
	}
	return l.plain.result()
}

// An hdrLog adds up intervals.
type hdrLog struct {
	// latency assumes values in nanoseconds.
	latency   tally
	intervals []assay.Interim
	// start is that of the first interval, end the last moment of all.
	begun      bool
	start, end float64
	// milliseconds is the largest Interval_Max, value the one that belongs to it.
	milliseconds, value float64
}

// line reads an interval: its start and length in seconds, its maximum, its histogram.
func (l *hdrLog) line(line string) error {
	if line == "" || line[0] == '#' || strings.HasPrefix(line, `"StartTimestamp"`) {
		return nil
	}
	cells := strings.Split(line, ",")
	if len(cells) != 4 {
		return fmt.Errorf("has %d columns, not 4,", len(cells))
	}
	var start, length, top float64
	err := cmp.Or(setNumber(&start, cells[0], seconds), setNumber(&length, cells[1], seconds), setNumber(&top, cells[2], seconds))
	if err != nil {
		return err
	}
	before, highest := l.latency.total, 0.0
	err = decodeHDR(strings.TrimSpace(cells[3]), func(value float64, n int) error {
		highest = value
		return l.latency.add(value/1e9, n)
	})
	if err != nil {
		return err
	}
	if top > l.milliseconds {
		l.milliseconds, l.value = top, highest
	}
	l.interval(start, length, l.latency.total-before)
	return nil
}

func (l *hdrLog) interval(start, length float64, n int) {
	if !l.begun {
		l.begun, l.start = true, start
	}
	l.end = max(l.end, start+length)
	if len(l.intervals) < maxRows {
		l.intervals = append(l.intervals, assay.Interim{At: max(0, start+length-l.start), Rate: ratio(float64(n), length)})
	}
}

func (l *hdrLog) result() (Result, error) {
	if l.latency.total == 0 {
		return Result{}, errors.New("counts no requests")
	}
	h := l.latency.histogram()
	micro, err := l.isMicro()
	if err != nil {
		return Result{}, err
	}
	if micro {
		for i := range h.Values {
			h.Values[i] *= 1e3
		}
	}
	r := Result{Latency: h, Requests: l.latency.total, Intervals: l.intervals, Seconds: max(0, l.end-l.start)}
	r.Rate = ratio(float64(r.Requests), r.Seconds)
	return r, nil
}

// isMicro reports whether values are microseconds. A maximum below a tenth of a
// millisecond has too few digits to decide.
func (l *hdrLog) isMicro() (bool, error) {
	perMilli := l.value / max(l.milliseconds, 0.1)
	switch {
	case l.milliseconds < 0.1, perMilli > 0.9e6 && perMilli < 1.1e6:
		return false, nil
	case perMilli > 0.9e3 && perMilli < 1.1e3:
		return true, nil
	}
	return false, fmt.Errorf("has values in an unknown unit: an Interval_Max of %g ms is %g of them, which is neither ns nor µs",
		l.milliseconds, l.value)
}
