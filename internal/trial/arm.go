package trial

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/child"
	"github.com/seed-1318a441/assay/internal/collect"
	"github.com/seed-1318a441/assay/internal/fault"
	"github.com/seed-1318a441/assay/internal/printable"
)

// An arm is one test binary among those that run slices.
type arm struct {
	GoTest
	*child.Stepped
	parsed *collect.BenchWriter
	stderr *collect.StderrWriter

	kept child.Excerpt // kept part of its output
	exit child.Exit
	err  error
}

func (s Slices) run(ctx context.Context) (out []Outcome, err error) {
	ctx, cancel := context.WithCancel(ctx)
	var ends sync.WaitGroup
	var arms []*arm
	// In every case nothing of the arms is left behind.
	defer func() {
		cancel()
		for _, a := range arms {
			a.Close()
		}
		ends.Wait()
	}()
	for _, g := range s.Arms {
		a, err := s.start(ctx, g)
		if err != nil {
			return nil, err
		}
		arms = append(arms, a)
		ends.Go(func() {
			defer fault.Exit()
			a.exit, a.err = a.End(ctx)
		})
	}
	ended, err := s.rounds(arms)
	for _, a := range arms {
		a.Close() // arms that wait for their turn end by their next write
	}
	if err != nil {
		return nil, err
	}
	ends.Wait()
	late := errors.Is(context.Cause(ctx), errLate)
	for _, a := range arms {
		if a.err != nil && !late {
			return nil, a.err
		}
		a.exit.TimedOut, a.exit.Stdout = late, a.kept.Bytes()
		o := s.outcome(a.GoTest, a.exit, a.parsed.Output(), a.stderr)
		if ended != nil && ended != a && !late {
			o.Status, o.Reason = assay.StatusSkipped, "another variant ended early"
		}
		out = append(out, o)
	}
	return out, nil
}

// start starts an arm, which runs its first slice at once.
func (s Slices) start(ctx context.Context, g GoTest) (*arm, error) {
	a := &arm{GoTest: g, parsed: collect.NewBenchWriter(g.Procs), stderr: new(collect.StderrWriter)}
	g.Warm, g.Rounds = s.Warm, s.Rounds
	c := g.command()
	c.CPUs, c.Timeout, c.Stderr = s.CPUs, 0, a.stderr
	// Package testing collects before every run. If several Ps share one CPU, the caller
	// spins until the sweeper has had the CPU: that and everything else outside the
	// operations took 4.5 ms a slice, and 0.8 ms with the world stopped. Setting 1 leaves
	// the sweep concurrent. Nothing is collected in the slice itself.
	c.Env = withGODEBUG(c.Env, "gcstoptheworld=2")
	var err error
	if a.Stepped, err = child.StartStepped(ctx, c); err != nil {
		return nil, err
	}
	return a, nil
}

// rounds runs all rounds. It returns the arm that ended before that, if one did. The
// error is ErrPrints.
func (s Slices) rounds(arms []*arm) (ended *arm, err error) {
	for _, a := range arms {
		if !a.begin() {
			return a, nil
		}
	}
	for round := range s.Warm + s.Rounds - 1 {
		for _, i := range s.Order(round) {
			if ok, err := arms[i].slice(); !ok {
				return arms[i], err
			}
		}
	}
	for _, a := range arms {
		if ok, err := a.result(); !ok {
			return a, err
		}
		for a.receive() != nil {
		}
	}
	return nil, nil
}

// begin reads everything before the first name and waits for the result of the first
// slice, which stays in the pipe. It returns false if the arm has ended.
func (a *arm) begin() bool {
	for {
		switch p := a.receive(); {
		case p == nil:
			return false
		case isName(p):
			return a.Await()
		}
	}
}

// slice takes the previous slice's result, which lets the process run another, and waits
// until that one's result is in the pipe.
func (a *arm) slice() (ok bool, err error) {
	if ok, err := a.result(); !ok {
		return false, err
	}
	p := a.receive()
	if p != nil && !isName(p) {
		return false, a.unexpectedWrite(p)
	}
	return p != nil && a.Await(), nil
}

// result reads the result of a slice from the pipe.
func (a *arm) result() (ok bool, err error) {
	before := a.parsed.Results()
	p := a.receive()
	if p != nil && a.parsed.Results() != before+1 {
		return false, a.unexpectedWrite(p)
	}
	return p != nil, nil
}

// isName reports whether a write is the name of a benchmark that package testing is about
// to run.
func isName(p []byte) bool {
	return bytes.HasPrefix(p, []byte("Benchmark")) && bytes.HasSuffix(p, []byte("\t")) && !bytes.Contains(p, []byte("\n"))
}

// unexpectedWrite returns the meaning of a write that is neither a name nor a result. Either the
// benchmark failed, as its outcome shows, or it prints.
func (a *arm) unexpectedWrite(p []byte) error {
	if !bytes.HasPrefix(p, []byte("--- FAIL")) {
		return fmt.Errorf("%w: %q", ErrPrints, printable.Brief(string(p)))
	}
	for a.receive() != nil {
	}
	return nil
}

// receive reads one write of the arm; nil is its end.
func (a *arm) receive() []byte {
	p := a.Next()
	_, _ = a.parsed.Write(p)
	_, _ = a.kept.Write(p)
	return p
}
