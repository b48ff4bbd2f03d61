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

// Slices runs one benchmark of several test binaries side by side: all are alive at
// once, and in every round each runs one slice of GoTest.N iterations, in an order
// of its own, while the others wait. What changes the speed of a CPU from second to
// second, or from CPU to CPU, then meets all arms alike.
//
// No code is added to the binaries and nothing is signalled. A binary runs with
// -test.count, and its standard output is a pipe with room for one write. Package
// testing writes the name of a benchmark, runs it, and writes the result: a result
// that is left unread fills the pipe, and the process waits in its next write. To
// read it lets the process run one slice.
type Slices struct {
	// Arms are the trials, each of one benchmark. What they say of CPU time is
	// left out of the outcomes: package testing collects garbage before every slice.
	Arms []GoTest
	// Warm is the number of slices of each arm that do not count, at least 1; Rounds
	// is the number of those that do.
	Warm, Rounds int
	// Order is the order of the arms in a round, counted from 0, the warm ones before
	// the others.
	Order func(round int) []int
	// CPUs are the processors that the arms share; nil is any.
	CPUs []int
	// Timeout ends all arms; 0 means none.
	Timeout time.Duration
}

// ErrPrints says that a benchmark prints while it runs, so that its slices cannot be
// told apart. ErrNoSlices says that this system has no such pipes, and no such signals.
var (
	ErrPrints   = errors.New("the benchmark prints to standard output")
	ErrNoSlices = errors.New("trials run side by side on Linux only")
)

// Run runs all rounds. There is an outcome for each arm, in their order, whose
// Slices have a value for each round; where one has a status other than ok, the
// others may have run fewer. The errors are those of GoTest.Run, ErrPrints and
// ErrNoSlices.
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

// outcome is what an arm left: its readings in the order of the rounds.
func (s Slices) outcome(g GoTest, exit child.Exit, out collect.Output, stderr *collect.StderrWriter) Outcome {
	o := Outcome{Exit: exit, Readings: out.Readings, Better: out.Better}
	o.Status, o.Reason = g.judge(o, out, stderr)
	o.Broken = broken(o, out, stderr)
	o.Exit.User, o.Exit.Sys = 0, 0
	o.Slices = series(g, s.Warm, s.Rounds, out.Readings)
	return o
}

// series are the values of the rounds that count, by metric. Those that do not have a
// value in every round are left out.
func series(g GoTest, warm, rounds int, readings []collect.Reading) map[string][]float64 {
	name := g.Names[0]
	readings = slices.DeleteFunc(slices.Clone(readings), func(r collect.Reading) bool {
		_, own := r.Values[assay.MetricAllocs] // as in Outcome.reading
		return r.N != g.N || !own || r.Name != name && !strings.HasSuffix(r.Name, "Benchmark"+name)
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
