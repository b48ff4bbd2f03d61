package load

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay/internal/printable"
)

// csvUnits are the columns that may hold the latency, with their units.
var csvUnits = map[string]int{
	"latency": seconds, "latency_s": seconds, "latency_sec": seconds, "latency_seconds": seconds, "seconds": seconds,
	"latency_ms": milliseconds, "ms": milliseconds, "milliseconds": milliseconds,
	"latency_us": microseconds, "us": microseconds, "microseconds": microseconds,
	"latency_ns": nanoseconds, "ns": nanoseconds, "nanoseconds": nanoseconds,
}

// A csvTable reads latencies, one a line, of successful requests. The first line that is
// neither empty nor begins with "#" may name the comma-separated columns: the latency is
// in the first of csvUnits, and "latency" is in seconds. Without such a line there is one
// column, in seconds. The result file of JMeter is read, too: elapsed, in milliseconds, with
// failed requests.
type csvTable struct {
	latency tally
	// columns is their number, 0 before the first line. The latency is in column, times
	// ten to the power of shift.
	columns, column, shift int
	// success is the column that says whether a request succeeded, as JMeter's; 0 for none.
	success, failed int
}

func (c *csvTable) file(src *bufio.Reader) error {
	c.columns = 0
	return eachLine(src, c.line)
}

func (c *csvTable) result() (Result, error) {
	return Result{Latency: c.latency.histogram(), Requests: c.latency.total - c.failed, Errors: c.failed}, nil
}

func (c *csvTable) line(line string) error {
	if strings.TrimSpace(line) == "" || line[0] == '#' {
		return nil
	}
	cells, err := cellsOf(line)
	if err != nil {
		return err
	}
	return c.row(cells)
}

func cellsOf(line string) ([]string, error) {
	if !strings.Contains(line, `"`) {
		return strings.Split(line, ","), nil
	}
	r := csv.NewReader(strings.NewReader(line))
	cells, err := r.Read()
	if err != nil {
		return nil, errors.New("has quotes that do not match")
	}
	return cells, nil
}

func (c *csvTable) row(cells []string) error {
	if c.columns == 0 {
		c.columns, c.column, c.shift = len(cells), 0, seconds
		if _, err := number(strings.TrimSpace(cells[0]), 0); err != nil || len(cells) > 1 {
			return c.header(cells)
		}
	}
	if len(cells) != c.columns {
		return fmt.Errorf("has %d columns, not %d,", len(cells), c.columns)
	}
	v, err := number(strings.TrimSpace(cells[c.column]), c.shift)
	if err != nil {
		return err
	}
	if c.success > 0 && strings.TrimSpace(cells[c.success]) != "true" {
		c.failed++
	}
	return c.latency.add(v, 1)
}

func (c *csvTable) header(cells []string) error {
	// JMeter's "Latency" is the time to the first byte, and in milliseconds.
	if i := slices.Index(cells, "elapsed"); i >= 0 && slices.Contains(cells, "success") && slices.Contains(cells, "responseCode") {
		c.column, c.shift, c.success = i, milliseconds, slices.Index(cells, "success")
		return nil
	}
	for i, cell := range cells {
		name := strings.ToLower(strings.TrimSpace(strings.TrimPrefix(cell, "\ufeff")))
		if shift, ok := csvUnits[name]; ok {
			c.column, c.shift = i, shift
			return nil
		}
	}
	return fmt.Errorf("has no column latency, latency_ms, latency_us or latency_ns but %q",
		printable.Brief(strings.Join(cells, ",")))
}
