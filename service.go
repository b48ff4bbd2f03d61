package assay

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Service is a server. One trial starts it, waits until it is ready, puts it under load
// and stops it. A service with several names is measured once for each.
//
// Its command lines are lists of arguments, without a shell, and run in {tmp}.
// Placeholders are {bin}, the program that was built; {port}, a free TCP port on
// loopback; {tmp}, an empty folder that is the trial's own; {study}, the study's folder;
// {name}, the benchmark.
type Service struct {
	// Start starts the server, which has to stay in the foreground.
	Start []string `json:"start"`
	// None of these is measured. Prepare runs before the server starts, Setup when it is
	// ready, Warmup after that, and Cleanup when it has ended.
	Prepare [][]string `json:"prepare,omitempty"`
	Setup   [][]string `json:"setup,omitempty"`
	Warmup  [][]string `json:"warmup,omitempty"`
	Cleanup [][]string `json:"cleanup,omitempty"`
	Ready   Ready      `json:"ready"`

	// Load is an external load generator, HTTP the built-in one. A service has one.
	Load []string  `json:"load,omitempty"`
	HTTP *HTTPLoad `json:"http,omitempty"`
	// Parse names the format of Load's result; see package collect/load. Metrics are metrics
	// in it, in the format of ParsePattern. One of them is set.
	Parse   string   `json:"parse,omitempty"`
	Metrics []string `json:"metrics,omitempty"`
	// Results is the file or pattern to which Load writes its result; "" is its output.
	Results string `json:"results,omitempty"`

	// Stop is the signal that ends the server: StopInterrupt, StopTerminate or StopKill;
	// empty means StopTerminate. StopWithin is the time it may then take; 0 means 10 s.
	Stop       string        `json:"stop,omitempty"`
	StopWithin time.Duration `json:"stop_within_ns,omitempty"`

	// CPUs and LoadCPUs are the processors that the server and the load generator
	// may use, as in "0" or "0-3,6"; empty means all.
	CPUs     string `json:"cpus,omitempty"`
	LoadCPUs string `json:"load_cpus,omitempty"`
}

// LeastAttained is the minimum share of an open load's intended rate that must be
// attained. A comparison of latencies below it is saturated (docs/methodology.md).
const LeastAttained = 0.99

// The signals that end a server.
const (
	StopInterrupt = "interrupt"
	StopTerminate = "terminate"
	StopKill      = "kill"
)

// Defaults of a service.
const (
	DefaultReadyWithin = 30 * time.Second
	DefaultStopWithin  = 10 * time.Second
	// DefaultServiceTimeout is the time limit of each step of a service's trial.
	DefaultServiceTimeout = 15 * time.Minute
	// At 99 % the earliest decision takes 5 blocks, at 95 % 4 (docs/methodology.md).
	DefaultServiceConfidence = 0.95
)

// Ready says when a server is ready. The first of TCP, HTTP and Log that is set applies;
// with none it is TCP on the loopback port {port}.
type Ready struct {
	// TCP is an address that accepts a connection.
	TCP string `json:"tcp,omitempty"`
	// HTTP is a URL that answers with a status below 400.
	HTTP string `json:"http,omitempty"`
	// Log is a regular expression that a line of its output matches.
	Log string `json:"log,omitempty"`
	// Within is the time after which the trial fails; 0 means DefaultReadyWithin.
	Within time.Duration `json:"within_ns,omitempty"`
}

// Arrivals is how the requests of an open load arrive at its rate.
type Arrivals string

// The arrivals. Records from before there were two have the zero value.
const (
	// ArrivalsEven are at equal distances.
	ArrivalsEven Arrivals = ""
	// ArrivalsPoisson are independent of each other, as those of many users are: some come
	// close together and queue.
	ArrivalsPoisson Arrivals = "poisson"
)

const evenWord = "even"

// String returns the word for a, as in a study.
func (a Arrivals) String() string { return cmp.Or(string(a), evenWord) }

// Text describes a after a rate: "Poisson arrivals".
func (a Arrivals) Text() string {
	if a == ArrivalsPoisson {
		return "Poisson arrivals"
	}
	return "even arrivals"
}

// ParseArrivals returns the arrivals that a word names.
func ParseArrivals(word string) (Arrivals, error) {
	switch word {
	case evenWord:
		return ArrivalsEven, nil
	case string(ArrivalsPoisson):
		return ArrivalsPoisson, nil
	}
	return "", fmt.Errorf("is neither %q nor %q", string(ArrivalsPoisson), evenWord)
}

// An HTTPLoad is an open load: requests start at a fixed rate, whether or not earlier
// ones have been answered. Latency counts from the intended start.
type HTTPLoad struct {
	URL     string            `json:"url"`
	Method  string            `json:"method,omitempty"` // empty means GET
	Body    string            `json:"body,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	// Rate is in requests per second.
	Rate     float64  `json:"rate"`
	Arrivals Arrivals `json:"arrivals,omitempty"`
	// Seed is that of Poisson arrivals. Of trials it follows from the plan's seed and the
	// block, so that all variants of a block get the same arrivals.
	Seed uint64 `json:"-"`
	// Duration is the measured time. Warmup comes before, at the same rate.
	Duration time.Duration `json:"duration_ns"`
	Warmup   time.Duration `json:"warmup_ns,omitempty"`
	// Connections is the maximum number of connections; 0 means 10000, as in vegeta.
	Connections int `json:"connections,omitempty"`
	// Timeout of a request, after which it is an error; 0 means 30 s.
	Timeout time.Duration `json:"timeout_ns,omitempty"`
}

// validate reports the first error that keeps the service from running.
func (s *Service) validate() error {
	switch {
	case s == nil || len(s.Start) == 0:
		return errors.New("there is no start")
	case len(s.Load) == 0 && s.HTTP == nil:
		return errors.New("there is no load")
	case len(s.Load) > 0 && s.HTTP != nil:
		return errors.New("load and http are both set")
	case len(s.Load) > 0 && (s.Parse == "") == (len(s.Metrics) == 0):
		return errors.New("there is neither parse nor metrics, or both")
	case s.HTTP != nil && (s.HTTP.Rate <= 0 || s.HTTP.Duration <= 0 || s.HTTP.URL == ""):
		return errors.New("http needs url, rate and duration")
	}
	return nil
}

// CPUList parses processors in taskset's format, such as "0-3,6". "" is nil.
func CPUList(s string) ([]int, error) {
	if s == "" {
		return nil, nil
	}
	var list []int
	for part := range strings.SplitSeq(s, ",") {
		from, to, ranged := strings.Cut(part, "-")
		if !ranged {
			to = from
		}
		lo, err := strconv.ParseUint(from, 10, 16)
		hi, err2 := strconv.ParseUint(to, 10, 16)
		switch {
		case err != nil || err2 != nil:
			return nil, errors.New(`is not a list of processors such as "0" or "0-3,6"`)
		case hi < lo:
			return nil, fmt.Errorf("has a range that ends before it begins: %s", part)
		}
		for ; lo <= hi; lo++ {
			list = append(list, int(lo))
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// FormatCPUs formats ascending processors in the format of CPUList: "0-3,6".
func FormatCPUs(cpus []int) string {
	var parts []string
	for i := 0; i < len(cpus); {
		j := i
		for j+1 < len(cpus) && cpus[j+1] == cpus[j]+1 {
			j++
		}
		part := strconv.Itoa(cpus[i])
		if j > i {
			part += "-" + strconv.Itoa(cpus[j])
		}
		parts, i = append(parts, part), j+1
	}
	return strings.Join(parts, ",")
}
