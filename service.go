package assay

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Service is a server that is started, waited for, put under load and
// stopped: one trial. Its command lines are lists of arguments, for no shell,
// and run in {tmp}, a folder that is empty and the trial's own. {bin} in them is
// the program that was built, {port} a TCP port that is free on loopback, {tmp}
// the folder, {study} the study's folder, {name} the benchmark. A service with
// several names is measured once for each.
type Service struct {
	// Start is the server. It has to stay in the foreground.
	Start []string `json:"start"`
	// Prepare runs before the server is started, Setup when it is ready, Warmup
	// after that; Cleanup when it has ended. None of them is measured.
	Prepare [][]string `json:"prepare,omitempty"`
	Setup   [][]string `json:"setup,omitempty"`
	Warmup  [][]string `json:"warmup,omitempty"`
	Cleanup [][]string `json:"cleanup,omitempty"`
	Ready   Ready      `json:"ready"`

	// Load is the load generator, whose result is measured; HTTP is the one that
	// is built in. A service has one of the two.
	Load []string  `json:"load,omitempty"`
	HTTP *HTTPLoad `json:"http,omitempty"`
	// Parse names the format of what Load leaves; see package collect/load.
	Parse string `json:"parse,omitempty"`
	// Results is the file, or the pattern of files, that Load leaves its result
	// in; empty means its standard output.
	Results string `json:"results,omitempty"`

	// Stop is the signal that ends the server: StopInterrupt, StopTerminate or
	// StopKill; empty means StopTerminate. StopWithin is how long it may take
	// then; 0 means 10 s.
	Stop       string        `json:"stop,omitempty"`
	StopWithin time.Duration `json:"stop_within_ns,omitempty"`

	// CPUs and LoadCPUs are the processors that the server and the load generator
	// may use, as in "0" or "0-3,6"; empty means all.
	CPUs     string `json:"cpus,omitempty"`
	LoadCPUs string `json:"load_cpus,omitempty"`
}

// LeastAttained is the share of the intended rate of an open load below which a
// comparison of latencies is saturated (docs/methodology.md).
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
	// DefaultServiceTimeout is Measure.Timeout of a study of services: no step of a
	// trial takes longer.
	DefaultServiceTimeout = 15 * time.Minute
	// DefaultServiceConfidence: at 99 % nothing is decided before 9 blocks, at 95 % before 7
	// (docs/methodology.md).
	DefaultServiceConfidence = 0.95
)

// Ready says when a server is ready: the first of TCP, HTTP and Log that is
// set. With none it is TCP on the loopback port {port}.
type Ready struct {
	// TCP is an address that accepts a connection.
	TCP string `json:"tcp,omitempty"`
	// HTTP is a URL that answers with a status below 400.
	HTTP string `json:"http,omitempty"`
	// Log is a regular expression that a line of its output matches.
	Log string `json:"log,omitempty"`
	// Within ends the trial; 0 means DefaultReadyWithin.
	Within time.Duration `json:"within_ns,omitempty"`
}

// An HTTPLoad is an open load: requests start at a fixed rate, whether earlier
// ones have been answered or not, and latency counts from the intended start.
type HTTPLoad struct {
	URL    string `json:"url"`
	Method string `json:"method,omitempty"` // empty means GET
	Body   string `json:"body,omitempty"`
	// Headers of every request.
	Headers map[string]string `json:"headers,omitempty"`
	// Rate is in requests a second.
	Rate float64 `json:"rate"`
	// Duration is measured; Warmup comes before it at the same rate and is not.
	Duration time.Duration `json:"duration_ns"`
	Warmup   time.Duration `json:"warmup_ns,omitempty"`
	// Connections bounds the connections; 0 means 10000, as vegeta has it.
	Connections int `json:"connections,omitempty"`
	// Timeout of a request; 0 means 30 s. A request that takes longer is an
	// error.
	Timeout time.Duration `json:"timeout_ns,omitempty"`
}

// validate reports the first thing that keeps the service from being run.
func (s *Service) validate() error {
	switch {
	case s == nil || len(s.Start) == 0:
		return errors.New("there is no start")
	case len(s.Load) == 0 && s.HTTP == nil:
		return errors.New("there is no load")
	case len(s.Load) > 0 && s.HTTP != nil:
		return errors.New("load and http are both set")
	case len(s.Load) > 0 && s.Parse == "":
		return errors.New("there is no parse")
	case s.HTTP != nil && (s.HTTP.Rate <= 0 || s.HTTP.Duration <= 0 || s.HTTP.URL == ""):
		return errors.New("http needs url, rate and duration")
	}
	return nil
}

// CPUList reads a list of processors as taskset has it, such as "0-3,6": numbers
// from 0, in ascending order, each once. "" is nil.
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

// FormatCPUs writes processors, which ascend, as CPUList reads them: "0-3,6".
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
