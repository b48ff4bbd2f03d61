// Package load reads the results of load generators: sysbench, wrk and others, in the
// format that they print or write. docs/load.md lists what each of them reports.
//
// A format is one file, named in readers. A reader returns an error for results that are
// incomplete or inconsistent, because a wrong number is worse than a failed trial. A load
// generator's output is untrusted: memory is bounded and errors are safe to print. All
// results are numbers in seconds. Latencies include failed responses unless a reader says
// otherwise, and an HTTP status of 400 or more is a failure.
//
// It runs nothing (trial does) and compares nothing (analysis does). Package collect
// parses the output of the program under test.
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
	"assay":           fromOne(readAssay),
	"benchfmt":        fromOne(readBenchfmt),
	"csv":             fromEach(func() filesReader { return new(csvTable) }),
	"ghz":             fromOne(readJSON[ghzReport]),
	"hdr":             fromEach(func() filesReader { return new(hdrLogs) }),
	"hdr-percentiles": byLine(func() linesReader { return new(spectrum) }),
	"hey":             fromOne(readHey),
	"k6":              fromEach(func() filesReader { return new(k6) }),
	"oha":             fromOne(readOha),
	"pgbench":         readPgbench,
	"redis-benchmark": byLine(func() linesReader { return new(redis) }),
	"sysbench":        byLine(func() linesReader { return &sysbench{sql: -1, events: -1} }),
	"vegeta":          fromOne(readVegeta),
	"wrk":             byLine(func() linesReader { return new(wrk) }),
	"wrk2":            byLine(func() linesReader { return new(wrk2) }),
}

// An Input is the output of a load generator.
type Input struct {
	// Stdout is its standard output; nil for none.
	Stdout io.Reader
	// Files are those named by Service.Results. A format that does not require one or the
	// other reads the only file, or Stdout if there is none.
	Files []io.Reader
	// Metrics are the metrics to find in the text, as assay.ParsePattern parses them, in
	// place of a format.
	Metrics []string
}

// A Result is the measurement of one run of a load generator.
type Result struct {
	// Latency is in seconds; empty if only percentiles are known.
	Latency assay.Histogram `json:"latency,omitzero"`
	// Percentiles are as printed.
	Percentiles []assay.Percentile `json:"percentiles,omitempty"`
	Intervals   []assay.Interim    `json:"intervals,omitempty"`
	// Requests are the successful transactions, Errors the failed ones.
	Requests int `json:"requests"`
	Errors   int `json:"errors"`
	// Seconds is the measured time; 0 if unknown.
	Seconds float64 `json:"seconds,omitempty"`
	// Rate is in successful transactions per second; 0 if unknown.
	Rate float64 `json:"rate,omitempty"`
	// Intended is the rate of an open load; 0 for a closed one, and if unknown.
	Intended float64 `json:"intended,omitempty"`
	// Arrivals and Seed are those of the built-in load.
	Arrivals assay.Arrivals `json:"arrivals,omitempty"`
	Seed     uint64         `json:"seed,omitempty"`
	// Metrics are other metrics, by name.
	Metrics map[string]float64 `json:"metrics,omitempty"`
}

// Formats returns the names that Parse accepts, sorted.
func Formats() []string { return slices.Sorted(maps.Keys(readers)) }

// Parse reads the result of a run in one of Formats, or finds in.Metrics in it. An error
// says what is wrong and where, in one printable line.
func Parse(format string, in Input) (Result, error) {
	if len(in.Metrics) > 0 {
		return findMetrics(in)
	}
	read, ok := readers[format]
	if !ok {
		return Result{}, fmt.Errorf("read load output: no format %q (there are %s; another tool's latencies can be given as csv, or as assay's JSON: docs/load.md)",
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

// fromOne makes a reader of the only file of an input, or of its stdout if there is none.
func fromOne(read func(*bufio.Reader) (Result, error)) func(Input) (Result, error) {
	return func(in Input) (Result, error) {
		files := in.files()
		if len(files) > 1 {
			return Result{}, fmt.Errorf("is in %d files, not in one", len(files))
		}
		src, err := nonEmpty(files[0])
		if err != nil {
			return Result{}, err
		}
		return read(src)
	}
}

// A linesReader reads an output line by line.
type linesReader interface {
	read(line string) error
	result() (Result, error)
}

// byLine makes a reader of a single output of lines. start returns the state before the
// first line.
func byLine(start func() linesReader) func(Input) (Result, error) {
	return fromOne(func(src *bufio.Reader) (Result, error) { return readLines(src, start()) })
}

func readLines(src *bufio.Reader, state linesReader) (Result, error) {
	if err := eachLine(src, state.read); err != nil {
		return Result{}, err
	}
	return state.result()
}

// A filesReader reads the files of an output one after the other.
type filesReader interface {
	file(src *bufio.Reader) error
	result() (Result, error)
}

// fromEach makes a reader of the files of an input, or of its stdout if there are none.
// start returns the state before the first file.
func fromEach(start func() filesReader) func(Input) (Result, error) {
	return func(in Input) (Result, error) {
		state := start()
		for _, f := range in.files() {
			src, err := nonEmpty(f)
			if err == nil {
				err = state.file(src)
			}
			if err != nil {
				return Result{}, err
			}
		}
		return state.result()
	}
}

// files returns the files of an input, or its stdout if there are none.
func (in Input) files() []io.Reader {
	if len(in.Files) == 0 {
		return []io.Reader{in.Stdout}
	}
	return in.Files
}

// mismatch is the error of an output that counts the same thing twice, as a and as b.
func mismatch(format string, a, b int) error {
	return errors.New("does not add up: " + fmt.Sprintf(format, printable.Int(a), printable.Int(b)))
}

// nonEmpty returns an error for an empty reader.
func nonEmpty(r io.Reader) (*bufio.Reader, error) {
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
