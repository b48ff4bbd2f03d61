package load

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A redis reads the output of redis-benchmark 7. A histogram follows from its two tables
// of cumulative counts. Several commands are added up, without those that only make the
// data for another. redis-benchmark ends at the first error, so there are none.
type redis struct {
	tests []redisTest
	// closed is true after the empty line at the end, which follows only the last
	// command.
	closed bool
}

// A redisTest is the result of one command.
type redisTest struct {
	name      string
	rows      []spectrumRow
	completed int
	perSecond float64
	// shares is true in the table whose rows are at given shares.
	shares, ended bool
}

// maxRedisTests is the maximum number of commands of one run.
const maxRedisTests = 256

// redisRules are those of the lines of one command.
var redisRules = []rule[*redisTest]{
	{lazy(`^ +(\d+) requests completed in [\d.]+ seconds$`), func(t *redisTest, m []string) error { return setCount(&t.completed, m[1]) }},
	{lazy(`^ +throughput summary: ([\d.]+) requests per second$`), func(t *redisTest, m []string) error { return setNumber(&t.perSecond, m[1], seconds) }},
	{lazy(`^([\d.]+)% <= ([\d.]+) milliseconds(?: \(cumulative count (\d+)\))?$`), (*redisTest).row},
}

var (
	redisName = lazy(`^====== (.*) ======$`)
	// The last line has avg, min, p50, p95, p99 and max.
	redisEnd   = lazy(`^ +[\d.]+(?: +[\d.]+){5} *$`)
	redisQuiet = lazy(`^.*: [\d.]+ requests per second, p50=`)
)

func (r *redis) read(line string) error {
	// Text before the last return is overwritten progress.
	line = line[strings.LastIndexByte(line, '\r')+1:]
	switch {
	case strings.HasPrefix(line, `"test","rps",`):
		return errors.New("has neither a histogram nor the number of requests: leave out --csv")
	case redisQuiet().MatchString(line):
		return errors.New("has no histogram: leave out -q")
	case strings.HasPrefix(line, "Error from server: "):
		return fmt.Errorf("says %q", printable.Brief(line))
	}
	if m := redisName().FindStringSubmatch(line); m != nil {
		if len(r.tests) == maxRedisTests {
			return fmt.Errorf("has more than %d commands", maxRedisTests)
		}
		r.tests, r.closed = append(r.tests, redisTest{name: m[1]}), false
		return nil
	}
	if len(r.tests) == 0 {
		return nil
	}
	t := &r.tests[len(r.tests)-1]
	r.closed = t.ended && line == ""
	switch line {
	case "Latency by percentile distribution:":
		t.shares = true
	case "Cumulative distribution of latencies:":
		t.shares = false
	}
	t.ended = t.ended || redisEnd().MatchString(line)
	return parseLine(redisRules, t, line)
}

// row parses a row. The share is more precise than the count only in the table of shares.
func (t *redisTest) row(m []string) error {
	if m[3] == "" {
		return errors.New("has no cumulative counts, as redis-benchmark 7 prints them,")
	}
	var row spectrumRow
	err := cmp.Or(setNumber(&row.p, m[1], -2), setNumber(&row.seconds, m[2], milliseconds), setCount(&row.upTo, m[3]))
	switch {
	case err != nil:
		return err
	case row.p > 1:
		return fmt.Errorf("has a share of %g", row.p)
	case len(t.rows) == maxRows:
		return fmt.Errorf("has more than %d rows", maxRows)
	case !t.shares:
		row.p = 1
	}
	t.rows = append(t.rows, row)
	return nil
}

func (t *redisTest) histogram() (assay.Histogram, error) {
	if !t.ended || len(t.rows) == 0 || t.perSecond == 0 {
		return assay.Histogram{}, errCut
	}
	slices.SortStableFunc(t.rows, func(a, b spectrumRow) int {
		return cmp.Or(cmp.Compare(a.seconds, b.seconds), cmp.Compare(a.upTo, b.upTo))
	})
	for i, row := range t.rows[1:] {
		if row.upTo < t.rows[i].upTo {
			return assay.Histogram{}, fmt.Errorf("does not add up: %d requests took %g s at most, %d took %g s",
				t.rows[i].upTo, t.rows[i].seconds, row.upTo, row.seconds)
		}
	}
	total := t.rows[len(t.rows)-1].upTo
	// With -P the last requests of a pipeline are completed but not counted.
	if total == 0 || total > t.completed || t.completed-total > max(t.completed/10, 1000) {
		return assay.Histogram{}, fmt.Errorf("does not add up: the tables count %s requests of %s, %s were completed",
			printable.Int(total), printable.Brief(t.name), printable.Int(t.completed))
	}
	s := spectrum{rows: t.rows, total: total, ended: true}
	return s.histogram()
}

func (r *redis) result() (Result, error) {
	if len(r.tests) == 0 || !r.closed {
		return Result{}, errCut
	}
	var out Result
	var parts []assay.Histogram
	for _, t := range r.tests {
		h, err := t.histogram()
		if err != nil {
			return Result{}, err
		}
		if strings.Contains(t.name, "(needed to benchmark ") {
			continue
		}
		parts = append(parts, h)
		out.Requests += h.Total()
		out.Seconds += ratio(float64(h.Total()), t.perSecond)
	}
	out.Latency = assay.Merge(parts...)
	out.Rate = ratio(float64(out.Requests), out.Seconds)
	return out, nil
}
