package trial

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/child"
	"github.com/seed-1318a441/assay/internal/collect"
)

// Slices runs one benchmark of several test binaries side by side: all are alive at once.
// In every round each runs one slice of GoTest.N iterations while the others wait, in an
// order drawn for the round. Changes of a CPU's speed from second to second, or from CPU
// to CPU, then affect all arms alike.
//
// No code is added to the binaries and nothing is signalled. A binary runs with
// -test.count, and its standard output is a pipe with room for one write. Package testing
// writes the name of a benchmark, runs it, and writes the result. An unread result fills
// the pipe, and the process waits in its next write. Reading it lets the process run one
// slice.
type Slices struct {
	// Arms are the trials, each of one benchmark. The outcomes exclude CPU time: package
	// testing collects garbage before every slice.
	Arms []GoTest
	// Warm is the number of warm-up slices of each arm, at least 1; Rounds is the number
	// of slices that count. The first slices of all arms run at the same time.
	Warm, Rounds int
	// Order is the order of the arms in a round, counted from 0, warm-up first.
	Order func(round int) []int
	// CPUs are the processors shared by the arms; nil is any.
	CPUs []int
	// Timeout ends all arms; 0 means no limit.
	Timeout time.Duration
}

// ErrPrints means that a benchmark prints while it runs, so that its slices cannot be
// separated. ErrNoSlices means that this system lacks such pipes, or such signals.
var (
	ErrPrints   = errors.New("the benchmark prints to standard output")
	ErrNoSlices = errors.New("trials run side by side on Linux only")
)

// Run runs all rounds. It returns an outcome for each arm, in order, whose Slices have a
// value for each round. If one has a status other than ok, the others may have run fewer.
// The errors are those of GoTest.Run, ErrPrints and ErrNoSlices.
func (s Slices) Run(ctx context.Context) ([]Outcome, error) {
	if !child.SideBySide {
		return nil, ErrNoSlices
	}
	if s.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, s.Timeout, errLate)
		defer cancel()
	}
	return s.run(ctx)
}

var errLate = errors.New("the time limit is over")

// outcome returns the outcome of an arm, with its readings in the order of the rounds.
func (s Slices) outcome(g GoTest, exit child.Exit, out collect.Output, stderr *collect.StderrWriter) Outcome {
	o := Outcome{Exit: exit, Readings: out.Readings, Better: out.Better, GCCycles: stderr.GCCycles()}
	o.Status, o.Reason = g.judge(o, out, stderr)
	o.RuntimeFault = runtimeFault(o, stderr)
	o.Broken = brokenBenchmarks(o, out, stderr)
	o.Exit.User, o.Exit.Sys = 0, 0
	o.Slices = series(g, s.Warm, s.Rounds, out.Readings)
	return o
}

// series returns the values of the rounds that count, by metric. Metrics without a value
// in every round are omitted.
func series(g GoTest, warm, rounds int, readings []collect.Reading) map[string][]float64 {
	name := g.Names[0]
	readings = slices.DeleteFunc(slices.Clone(readings), func(r collect.Reading) bool {
		_, own := r.Values[assay.MetricAllocs] // as in Outcome.reading
		return r.N != g.N || !own || r.Name != name && !strings.HasSuffix(r.Name, assay.BenchmarkFunction(name))
	})
	if len(readings) < warm+rounds {
		return nil
	}
	out := map[string][]float64{}
	for _, r := range readings[warm : warm+rounds] {
		for metric, x := range r.Values {
			out[metric] = append(out[metric], x)
		}
	}
	for metric, list := range out {
		if len(list) < rounds {
			delete(out, metric)
		}
	}
	return out
}
