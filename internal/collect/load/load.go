// Package load reads what load generators leave: sysbench, wrk and others, in
// the form that they print or write it.
//
// A format is one file with one function, named in readers. A reader refuses
// what is cut off or does not add up, because a wrong number is worse than a
// failed trial; and as a load generator's output is text of unknown origin, its
// memory is bounded and it says nothing that is not fit to print. What a reader
// finds are numbers in seconds.
//
// It runs nothing (trial does), compares nothing (analysis does). Its neighbour
// collect has the parsers of what the thing under test prints.
package load

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// readers has a function for each format, by its name in parse = "...".
var readers = map[string]func(Input) (Result, error){
	"assay":           readAssay,
	"benchfmt":        readBenchfmt,
	"csv":             readCSV,
	"ghz":             readGhz,
	"hdr":             readHDR,
	"hdr-percentiles": readSpectrum,
	"hey":             readHey,
	"k6":              readK6,
	"oha":             readOha,
	"pgbench":         readPgbench,
	"redis-benchmark": readRedis,
	"sysbench":        readSysbench,
	"vegeta":          readVegeta,
	"wrk":             readWrk,
	"wrk2":            readWrk2,
}

// An Input is where a load generator left its result.
type Input struct {
	// Stdout is what it printed; nil for nothing.
	Stdout io.Reader
	// Files are those that Service.Results names. A format that asks for neither
	// reads the one file there is, or Stdout without one.
	Files []io.Reader
}

// A Result is what one run of a load generator measured.
type Result struct {
	// Latency is in seconds; empty where only percentiles are known.
	Latency assay.Histogram `json:"latency,omitzero"`
	// Percentiles are as printed.
	Percentiles []assay.Percentile `json:"percentiles,omitempty"`
	Intervals   []assay.Interim    `json:"intervals,omitempty"`
	// Requests are the transactions that succeeded, Errors those that did not.
	Requests int `json:"requests"`
	Errors   int `json:"errors"`
	// Seconds is the time measured; 0 where it is not told.
	Seconds float64 `json:"seconds,omitempty"`
	// Rate is in successful transactions a second; 0 where it is not told.
	Rate float64 `json:"rate,omitempty"`
	// Intended is the rate of an open load; 0 for a closed one, and where it is
	// not told.
	Intended float64 `json:"intended,omitempty"`
	// Metrics are others, by name.
	Metrics map[string]float64 `json:"metrics,omitempty"`
}

// Formats are the names that Parse knows, sorted.
func Formats() []string { return slices.Sorted(maps.Keys(readers)) }

// Parse reads the result of a run in one of Formats. An error says what is
// wrong and where; it is one printable line.
func Parse(format string, in Input) (Result, error) {
	read, ok := readers[format]
	if !ok {
		return Result{}, fmt.Errorf("read load output: no format %q (there are %s)",
			printable.Brief(format), strings.Join(Formats(), ", "))
	}
	head := in.head()
	r, err := read(in)
	if err == nil {
		err = r.check()
	}
	if err != nil {
		return Result{}, fmt.Errorf("%s output %w%s", format, err, likeAnother(format, head))
	}
	return r, nil
}

var (
	errEmpty = errors.New("is empty")
	errCut   = errors.New("ends before its summary")
)

// single is the one file of an input, or its stdout where there is none.
func (in Input) single() (io.Reader, error) {
	switch {
	case len(in.Files) > 1:
		return nil, fmt.Errorf("is in %d files, not in one", len(in.Files))
	case len(in.Files) == 1:
		return filled(in.Files[0])
	}
	return filled(in.Stdout)
}

// several are the files of an input, or its stdout where there is none.
func (in Input) several() []io.Reader {
	if len(in.Files) == 0 {
		return []io.Reader{in.Stdout}
	}
	return in.Files
}

// filled refuses a reader without a byte.
func filled(r io.Reader) (io.Reader, error) {
	if r == nil {
		return nil, errEmpty
	}
	b := bufio.NewReaderSize(r, 64<<10)
	if _, err := b.Peek(1); err == io.EOF {
		return nil, errEmpty
	} else if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	return b, nil
}
