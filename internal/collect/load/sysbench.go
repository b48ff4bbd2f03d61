package load

import (
	"cmp"
	"strings"

	assay "github.com/seed-1318a441/assay"
)

// A sysbench reads the output of sysbench 1.0 and 1.1. Transactions are those of its SQL
// statistics, or the events of a test without SQL. A transaction repeated after an
// ignored error or a lost connection counts as a failed one, and as a successful one if
// the repeat succeeded; the latency includes both. With --rate the starts are random, so
// a short run misses the rate by chance, and Intended is 0.
//
// The buckets of --histogram=on have their geometric middles as values.
type sysbench struct {
	Result
	latency tally
	// inHistogram is true from the heading to the first line that is not a row.
	inHistogram, histogram bool
	// sql and events are the two numbers of transactions; -1 for none.
	sql, events int
	ended       bool
}

var (
	sysbenchInterval = lazy(`^\[ (\d+)s \] thds: \d+ [te]ps: ([\d.]+) .*?lat \(ms,\d+%\): ([\d.]+)(?: err/s: ([\d.]+))?(?: reconn/s: ([\d.]+))?`)
	sysbenchRow      = lazy(`^ *([\d.]+) \|\** +(\d+)$`)
	sysbenchQuantile = lazy(`^(\d+)\w\w percentile$`)
)

func (s *sysbench) read(line string) error {
	if m := sysbenchInterval().FindStringSubmatch(line); m != nil {
		return s.interval(m)
	}
	if s.inHistogram {
		if m := sysbenchRow().FindStringSubmatch(line); m != nil {
			return s.row(m)
		}
		s.inHistogram = strings.Contains(line, "distribution")
	}
	if strings.HasPrefix(line, "Latency histogram (values are in milliseconds)") {
		s.inHistogram, s.histogram, s.latency = true, true, tally{}
		return nil
	}
	key, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
	words := strings.Fields(rest)
	if len(words) == 0 {
		return nil
	}
	return s.summary(key, words[0])
}

// interval parses a line of --report-interval.
func (s *sysbench) interval(m []string) error {
	if len(s.Intervals) == maxRows {
		return nil
	}
	var i assay.Interim
	var reconnects float64
	err := cmp.Or(setNumber(&i.At, m[1], seconds), setNumber(&i.Rate, m[2], seconds), setNumber(&i.Latency, m[3], milliseconds),
		setNumber(&i.Errors, cmp.Or(m[4], "0"), seconds), setNumber(&reconnects, cmp.Or(m[5], "0"), seconds))
	i.Errors += reconnects
	s.Intervals = append(s.Intervals, i)
	return err
}

func (s *sysbench) row(m []string) error {
	var latency float64
	var n int
	if err := cmp.Or(setNumber(&latency, m[1], milliseconds), setCount(&n, m[2])); err != nil {
		return err
	}
	return s.latency.add(latency, n)
}

// summary parses a value of the statistics.
func (s *sysbench) summary(key, value string) error {
	switch key {
	case "transactions":
		return setCount(&s.sql, value)
	case "total number of events":
		return setCount(&s.events, value)
	case "ignored errors", "reconnects":
		return addCount(&s.Errors, value)
	case "total time", "time elapsed":
		return setNumber(&s.Seconds, strings.TrimSuffix(value, "s"), seconds)
	case "execution time (avg/stddev)":
		s.ended = true
	}
	if m := sysbenchQuantile().FindStringSubmatch(key); m != nil {
		return s.percentile(m[1], value)
	}
	return nil
}

func (s *sysbench) percentile(p, value string) error {
	var q assay.Percentile
	err := cmp.Or(setNumber(&q.P, p, -2), setNumber(&q.Seconds, value, milliseconds))
	s.Percentiles = []assay.Percentile{q}
	return err
}

func (s *sysbench) result() (Result, error) {
	if !s.ended || s.events < 0 || s.Seconds == 0 {
		return Result{}, errCut
	}
	if s.histogram && s.latency.total != s.events {
		return Result{}, mismatch("the histogram counts %s transactions, the summary %s", s.latency.total, s.events)
	}
	s.Requests = s.events
	if s.sql >= 0 {
		s.Requests = s.sql
	}
	s.Rate = ratio(float64(s.Requests), s.Seconds)
	s.Latency = s.latency.histogram()
	return s.Result, nil
}
