package trial

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"time"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/child"
	"github.com/seed-1318a441/assay/internal/collect/load"
	"github.com/seed-1318a441/assay/internal/fault"
)

// LoadTurns are trials of several services whose servers run at once, with one at a time
// under load. Changes of the machine's speed from second to second then affect all alike.
//
// The servers are prepared, started and warmed up one after the other. When all loads are
// over they are stopped in reverse order, so that none is under load meanwhile. A server
// without a turn is not stopped by signals: its work without requests, such as collecting
// garbage, runs beside the turns of others.
type LoadTurns struct {
	// Services have separate folders and ports.
	Services []Service
	// Runs is the number of turns of each service; its load generator runs anew in each.
	// With 0, one process of the load generator takes all turns: it prints load.TurnLine
	// when it has stopped, and waits for a byte on its standard input.
	Runs int
	// Order is the order of the services in each round of turns. They start in the order
	// of round 0.
	Order func(round int) []int
}

// anotherEnded is the reason of a trial that was given up.
const anotherEnded = "another variant ended early"

// Run runs the trials and returns an outcome for each service, in order. If one fails,
// those that have not ended are given up and skipped. The errors are those of
// Service.Run; even then no process of the trials is left.
//
// Readings are of all turns together (load.Merge). The CPU time of a server is from its
// first measured turn to the end of its last, including the time between its turns, which
// is mostly remaining work for its requests. If a server is busy without requests, it
// needs more the more others there are. The same holds for its memory and its collector.
// gc.cycles/min is per time under load; the rate of allocation is omitted.
func (t LoadTurns) Run(ctx context.Context) ([]Outcome, error) {
	seats, err := t.seats()
	if err != nil {
		return nil, err
	}
	complete := true
	var up []*loadSeat
	for _, i := range t.Order(0) {
		s := seats[i]
		go s.run(ctx)
		up = append(up, s)
		if complete = s.arrives(); !complete {
			break
		}
	}
	complete = complete && t.give(seats)
	for _, s := range slices.Backward(up) {
		s.complete = complete
		close(s.leave)
		<-s.ended
	}
	return outcomes(seats)
}

// seats returns the trials, not yet begun.
func (t LoadTurns) seats() (out []*loadSeat, err error) {
	for _, service := range t.Services {
		s := &loadSeat{runs: t.Runs, arrived: make(chan struct{}), turns: make(chan struct{}), stands: make(chan bool),
			leave: make(chan struct{}), ended: make(chan struct{})}
		s.outcome = Outcome{Status: assay.StatusSkipped, Reason: anotherEnded}
		if s.trial, err = newServing(service); err != nil {
			return nil, err
		}
		s.trial.seat = s
		out = append(out, s)
	}
	return out, nil
}

// give gives turns until all loads are over; it returns false if one failed.
func (t LoadTurns) give(seats []*loadSeat) bool {
	over := make([]bool, len(seats))
	for round := 1; slices.Contains(over, false); round++ {
		for _, i := range t.Order(round) {
			if over[i] {
				continue
			}
			more, ok := seats[i].turn()
			if !ok {
				return false
			}
			over[i] = !more
		}
	}
	return true
}

// outcomes returns those of trials that have all ended.
func outcomes(seats []*loadSeat) (outs []Outcome, err error) {
	for _, s := range seats {
		// The first error that is not caused by the end of ctx is the most specific.
		if s.err != nil && (err == nil || errors.Is(err, context.Canceled)) {
			err = s.err
		}
		if s.outcome.Status == assay.StatusSkipped {
			s.outcome.Reason = anotherEnded
		}
		outs = append(outs, s.outcome)
	}
	if err != nil {
		return nil, err
	}
	return outs, nil
}

// A loadSeat is the place of one service among LoadTurns: the trial waits in it for
// turns.
type loadSeat struct {
	trial    *serving
	runs     int
	arrived  chan struct{} // closed when the server is warmed up and the load can begin
	turns    chan struct{} // has an element for each turn
	stands   chan bool     // and this after each: whether there is more to come
	leave    chan struct{} // closed when all loads are over
	complete bool          // all have completed; set before leave is closed
	ended    chan struct{} // closed when no process of the trial is left
	// outcome and err are set then.
	outcome Outcome
	err     error
}

// run runs the trial.
func (s *loadSeat) run(ctx context.Context) {
	defer fault.Exit()
	defer close(s.ended)
	s.outcome, s.err = s.trial.runTimed(ctx)
}

// arrives waits until the load can begin, and reports whether it can.
func (s *loadSeat) arrives() bool {
	select {
	case <-s.arrived:
		return true
	case <-s.ended:
		return false
	}
}

// turn gives a turn. ok is false if the trial has ended.
func (s *loadSeat) turn() (more, ok bool) {
	select {
	case s.turns <- struct{}{}:
	case <-s.ended:
		return false, false
	}
	select {
	case more = <-s.stands:
		return more, true
	case <-s.ended:
		return false, false
	}
}

// await waits for a turn; it returns false if there will be none.
func (s *loadSeat) await(ctx context.Context) bool {
	select {
	case <-s.turns:
		return true
	case <-s.leave:
		return false
	case <-ctx.Done():
		return false
	}
}

// endTurn ends a turn.
func (s *loadSeat) endTurn(ctx context.Context, more bool) {
	select {
	case s.stands <- more:
	case <-ctx.Done():
	}
}

// loadInRuns runs the load generator anew in each turn.
func (r *serving) loadInRuns(ctx context.Context) (*measurement, Outcome, error) {
	var runs []*measurement
	o := Outcome{Status: assay.StatusOK}
	close(r.seat.arrived)
	for n := range r.seat.runs {
		if !r.seat.await(ctx) {
			return nil, Outcome{Status: assay.StatusSkipped}, nil
		}
		if n == 0 {
			r.traceFrom(time.Now())
		}
		m, one, err := r.loadOnce(ctx)
		if err != nil || one.Status != assay.StatusOK {
			return nil, one, err
		}
		o.Stdout, o.Stderr = append(o.Stdout, one.Stdout...), append(o.Stderr, one.Stderr...)
		runs = append(runs, m)
		r.seat.endTurn(ctx, n+1 < r.seat.runs)
	}
	return r.awaitAllLoads(ctx, mergeRuns(runs), o)
}

// awaitAllLoads waits until all loads are over: stopping the server must not disturb them.
func (r *serving) awaitAllLoads(ctx context.Context, m *measurement, o Outcome) (*measurement, Outcome, error) {
	if r.seat.await(ctx); ctx.Err() == nil && !r.seat.complete {
		return nil, Outcome{Status: assay.StatusSkipped}, nil
	}
	return m, o, nil
}

// mergeRuns returns the measurement of all runs.
func mergeRuns(runs []*measurement) *measurement {
	m := &measurement{from: runs[0].from, to: runs[len(runs)-1].to}
	var results []load.Result
	for _, one := range runs {
		results = append(results, one.result)
		m.usage, m.active = append(m.usage, one.usage...), m.active+one.active
	}
	m.result = load.Merge(results)
	return m
}

// loadInTurns lets one process of the load generator take all turns.
func (r *serving) loadInTurns(ctx context.Context) (*measurement, Outcome, error) {
	in, ask, err := os.Pipe()
	if err != nil {
		return nil, Outcome{}, err
	}
	defer in.Close()
	printed := &spool{dir: r.Dir}
	defer printed.close()
	lines := &turnLines{to: printed, stands: make(chan bool, 1)}
	c := r.loadCommand()
	c.Stdin, c.Stdout, c.Timeout = in, lines, 0 // it is stopped most of the time, which limit excludes
	limited, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var e child.Exit
	done := make(chan struct{})
	go func() {
		defer fault.Exit()
		defer close(done)
		e, err = child.Run(limited, c)
	}()
	m := r.takeTurns(ctx, ask, lines, done, &allowance{left: r.Timeout, over: func() { cancel(errLate) }})
	ask.Close() // ends a load that is not over
	<-done
	if errors.Is(err, errLate) {
		e.TimedOut, err = true, nil
	}
	_, _ = printed.Write(lines.line) // the last line, without end
	e.Stdout = withoutTurns(e.Stdout)
	if m == nil && err == nil && ctx.Err() == nil {
		return nil, Outcome{Status: assay.StatusSkipped}, nil
	}
	if m == nil {
		m = &measurement{}
	}
	o, err := r.readLoad(m, e, err, printed, nil)
	if o.Status == assay.StatusOK && m.to.IsZero() {
		o.Status, o.Reason = assay.StatusFailed, phaseLoad+": it ended before its first turn"
	}
	if err != nil || o.Status != assay.StatusOK {
		return nil, o, err
	}
	m.active = time.Duration(m.result.Seconds * float64(time.Second))
	r.seat.endTurn(ctx, false)
	return r.awaitAllLoads(ctx, m, o)
}

// An allowance is the time limit of a load, which counts in its turns only.
type allowance struct {
	left time.Duration // 0 is no limit
	over func()
}

// begin starts the clock; end stops it.
func (a *allowance) begin() (end func()) {
	if a.left == 0 {
		return func() {}
	}
	begin, timer := time.Now(), time.AfterFunc(a.left, a.over)
	return func() {
		timer.Stop()
		a.left = max(a.left-time.Since(begin), 1)
	}
}

// takeTurns passes turns on to a load generator until it has ended. It returns nil if the
// load was given up.
func (r *serving) takeTurns(ctx context.Context, ask io.Writer, lines *turnLines, done chan struct{}, limit *allowance) *measurement {
	m := &measurement{}
	end := limit.begin()
	select {
	case <-lines.stands:
		end()
	case <-done:
		return m // with the reason
	}
	sampler := child.StartSampling(r.server.PID())
	defer func() { m.usage = sampler.End() }()
	close(r.seat.arrived)
	for r.seat.await(ctx) {
		begin := time.Now()
		if m.from.IsZero() {
			r.traceFrom(begin)
		}
		end := limit.begin()
		if _, err := ask.Write([]byte{'\n'}); err != nil {
			return m
		}
		select {
		case measured := <-lines.stands:
			end()
			if measured && m.from.IsZero() {
				m.from = begin
			}
			r.seat.endTurn(ctx, true)
		case <-done:
			m.to = time.Now()
			if m.from.IsZero() {
				m.from = begin
			}
			return m
		}
	}
	return nil
}

// withoutTurns returns a load generator's output without the lines about turns.
func withoutTurns(printed []byte) (out []byte) {
	for line := range bytes.Lines(printed) {
		if !isTurn(line) {
			out = append(out, line...)
		}
	}
	return out
}

func isTurn(line []byte) bool {
	text := string(bytes.TrimSpace(line))
	return text == load.TurnLine || text == load.WarmLine
}

// turnLines parses the output of a load generator in turns. Lines about turns are passed
// on as whether anything has been measured; all else goes to the writer.
type turnLines struct {
	to     io.Writer
	stands chan bool
	line   []byte // unfinished line
}

// Write never fails.
func (l *turnLines) Write(p []byte) (int, error) {
	for _, b := range p {
		if l.line = append(l.line, b); b != '\n' {
			continue
		}
		if isTurn(l.line) {
			select {
			case l.stands <- string(bytes.TrimSpace(l.line)) == load.TurnLine:
			default: // nobody waits
			}
		} else {
			_, _ = l.to.Write(l.line)
		}
		l.line = l.line[:0]
	}
	return len(p), nil
}
