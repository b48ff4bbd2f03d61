package trial

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"time"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/child"
	"github.com/seed-1318a441/assay/internal/collect"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A Service is one trial of a server under load.
type Service struct {
	// Name of the benchmark, which the reading is of.
	Name string
	// Service has all placeholders filled in. Its HTTP is not looked at: the
	// caller makes it a Load.
	Service assay.Service
	// Dir is {tmp}: it exists, is empty, everything runs in it, and the caller
	// removes it.
	Dir string
	// Port is {port}, from FreePort: what has to be free again when the server has
	// ended; 0 for none.
	Port int
	// Env is the full environment of the server, LoadEnv that of all other
	// commands, from Environ. A program named without a slash is looked for in
	// the PATH of its own.
	Env, LoadEnv []string
	// GCTrace has the server trace its collector: gctrace=1 is added to the GODEBUG
	// of Env.
	GCTrace bool
	// Timeout is of each step: of every command of prepare, set-up, warm-up and
	// clean-up, and of the load; 0 means none.
	Timeout time.Duration
}

// The phases of a trial, as reasons name them.
const (
	phasePrepare = "prepare"
	phaseReady   = "start"
	phaseSetup   = "set-up"
	phaseWarmup  = "warm-up"
	phaseLoad    = "load"
	phaseCleanup = "clean-up"
)

// Run runs the trial: prepare, start, wait until it is ready, set-up, warm-up,
// load, stop, clean-up. The reading, where Status is ok, has what the load
// generator measured and what the server needed under the load, for N = 1. When
// Run returns, nothing of the trial runs any more, whatever happened; on other
// systems than Linux, a process that left the server's process group may.
//
// The error says that the server or the load generator is not there or could not
// be started (the lab has looked them up before, and knows the packages that have
// them), that the description is wrong, or is the cause of ctx's end. All else that goes
// wrong is an outcome, whose Reason names the phase and ends with the server's
// last words.
func (s Service) Run(ctx context.Context) (Outcome, error) {
	r, err := newServing(s)
	if err != nil {
		return Outcome{}, err
	}
	return r.runTimed(ctx)
}

// runTimed runs the trial, and tells how long it took.
func (r *serving) runTimed(ctx context.Context) (Outcome, error) {
	begin := time.Now()
	o, err := r.run(ctx)
	o.Start, o.Wall = begin, time.Since(begin)
	o.Server = r.log.Bytes()
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return o, err
}

// newServing checks what would make every trial fail.
func newServing(s Service) (r *serving, err error) {
	r = &serving{Service: s, phase: phasePrepare}
	var p probe
	p, line, err := newProbe(s.Service.Ready, s.Port)
	if err != nil {
		return nil, err
	}
	r.probe, r.log = p, newServerLog(line)
	if s.GCTrace {
		r.trace = newLateTracer()
	}
	if s.Service.Results != "" {
		if r.results, err = localPattern(s.Dir, s.Service.Results); err != nil {
			return nil, err
		}
	}
	if r.cpus, err = assay.CPUList(s.Service.CPUs); err != nil {
		return nil, fmt.Errorf("cpus %q %w", s.Service.CPUs, err)
	}
	if r.loadCPUs, err = assay.CPUList(s.Service.LoadCPUs); err != nil {
		return nil, fmt.Errorf("load_cpus %q %w", s.Service.LoadCPUs, err)
	}
	return r, nil
}

// A serving is a trial of a Service on its way.
type serving struct {
	Service
	probe          probe // nil: a line of the log tells
	log            *serverLog
	trace          *tracer // nil: not asked for
	cpus, loadCPUs []int
	// results is Service.Results as seen from Dir.
	results string
	server  *child.Process
	seat    *loadSeat // nil: the load is not given in turns
	// phase is where the trial is.
	phase string
}

// run does everything in its order; whatever came of the trial, the folder is
// cleaned up and the port looked at.
func (r *serving) run(ctx context.Context) (o Outcome, err error) {
	switch o = r.steps(ctx, phasePrepare, r.Service.Service.Prepare); {
	case o.Status != assay.StatusOK:
	case r.Port != 0 && portTaken(r.Port):
		return r.failed("port %d is already taken%s", r.Port, holder(r.Port)), nil
	default:
		o, err = r.serve(ctx)
	}
	after, stop := outlivingContext(ctx)
	defer stop()
	if c := r.steps(after, phaseCleanup, r.Service.Service.Cleanup); c.Status != assay.StatusOK {
		o = spoil(o, c)
	}
	if r.Port != 0 && err == nil && staysTaken(r.Port) {
		o = spoil(o, r.failed("port %d is still held after the server ended%s", r.Port, holder(r.Port)))
	}
	return o, err
}

// steps runs commands one after another, up to the first that fails.
func (r *serving) steps(ctx context.Context, phase string, list [][]string) Outcome {
	p := Program{Dir: r.Dir, Env: r.LoadEnv, Timeout: r.Timeout}
	for _, args := range list {
		if o := p.step(ctx, phase+": "+filepath.Base(args[0]), args); o.Status != assay.StatusOK {
			return o
		}
	}
	return Outcome{Status: assay.StatusOK}
}

// failed is a trial that went wrong.
func (r *serving) failed(format string, args ...any) Outcome {
	return Outcome{Status: assay.StatusFailed, Reason: r.log.explain(fmt.Sprintf(format, args...))}
}

// serve runs the server and all that needs it.
func (r *serving) serve(ctx context.Context) (Outcome, error) {
	var err error
	if r.server, err = r.start(ctx); err != nil {
		return Outcome{}, err
	}
	m, o, err := r.drive(ctx)
	died := hasEnded(r.server.Ended(), o.Status)
	if o.Status != assay.StatusOK {
		o.Reason = r.log.explain(o.Reason) // before it says that it stops
	}
	refused := r.stop(ctx)
	e, waitErr := r.server.Wait()
	if err == nil {
		err = waitErr
	}
	o.PeakRSS = e.PeakRSS
	return r.judge(o, m, e, died, refused), err
}

// start starts the server.
func (r *serving) start(ctx context.Context) (*child.Process, error) {
	r.phase = phaseReady
	stdout, stderr := r.log.stream(), r.log.stream()
	env := r.Env
	if r.trace != nil {
		env, stderr = withGCTrace(env), r.trace.tee(stderr)
	}
	args := r.Service.Service.Start
	return child.Start(ctx, child.Command{
		Path: findProgram(args[0], env), Args: args[1:], Dir: r.Dir, Env: withPWD(env, r.Dir), CPUs: r.cpus,
		Stdout: stdout, Stderr: stderr,
	})
}

// drive does what needs the running server. The error is that the load generator
// could not be started.
func (r *serving) drive(ctx context.Context) (m *measurement, o Outcome, err error) {
	alive, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-r.server.Ended():
			cancel() // and no step outlives the server
		case <-alive.Done():
		}
	}()
	if reason := awaitReady(alive, r.Service.Service.Ready, r.probe, r.log); reason != "" {
		return nil, Outcome{Status: assay.StatusFailed, Reason: reason}, nil
	}
	for _, step := range []struct {
		phase string
		list  [][]string
	}{{phaseSetup, r.Service.Service.Setup}, {phaseWarmup, r.Service.Service.Warmup}} {
		r.phase = step.phase
		if o := r.steps(alive, step.phase, step.list); o.Status != assay.StatusOK {
			return nil, o, nil
		}
	}
	r.phase = phaseLoad
	m, o, err = r.load(alive)
	if alive.Err() != nil {
		err = nil // the end of the server or of ctx is the reason
	}
	return m, o, err
}

// linger is how long a server that crashes may take to end, and to be heard,
// after those that talked to it saw it crash.
const linger = 500 * time.Millisecond

// hasEnded reports whether the server has ended by itself, in a trial with this
// status.
func hasEnded(ended <-chan struct{}, status assay.Status) bool {
	wait := time.Duration(0)
	if status != assay.StatusOK {
		wait = linger
	}
	select {
	case <-ended:
		return true
	default:
	}
	select {
	case <-ended:
		return true
	case <-time.After(wait):
		return false
	}
}

// stop ends the server, and reports whether it had to be killed because it did
// not obey.
func (r *serving) stop(ctx context.Context) (refused bool) {
	within := time.NewTimer(cmp.Or(r.Service.Service.StopWithin, assay.DefaultStopWithin))
	defer within.Stop()
	r.server.Stop(r.stopSignal())
	select {
	case <-r.server.Ended():
		return false
	case <-ctx.Done():
	case <-within.C:
		refused = true
	}
	r.server.Stop(assay.StopKill)
	return refused
}

func (r *serving) stopSignal() string { return cmp.Or(r.Service.Service.Stop, assay.StopTerminate) }

// judge completes an outcome with how the server ended.
func (r *serving) judge(o Outcome, m *measurement, e child.Exit, died, refused bool) Outcome {
	bad := Outcome{Status: assay.StatusOK}
	switch {
	case died:
		// Whatever else went wrong did so because of it.
		bad, o.Status = r.died(e), assay.StatusOK
	case refused:
		within := cmp.Or(r.Service.Service.StopWithin, assay.DefaultStopWithin)
		bad = r.failed("did not stop within %v of %s; killed", within, r.stopSignal())
	case e.Escaped > 0:
		noun := "processes"
		if e.Escaped == 1 {
			noun = "process"
		}
		bad = r.failed("left %d %s behind, killed", e.Escaped, noun)
	}
	switch {
	case bad.Status != assay.StatusOK:
		return spoil(o, bad)
	case o.Status == assay.StatusOK:
		return r.report(o, m)
	}
	return o
}

// duringPhase are the phases in which a server can die.
var duringPhase = map[string]string{
	phaseReady: "before it was ready", phaseSetup: "during the set-up", phaseWarmup: "during the warm-up", phaseLoad: "under load",
}

// died is a trial whose server ended by itself.
func (r *serving) died(e child.Exit) Outcome {
	what := "the server died " + duringPhase[r.phase] + ": "
	var stderr collect.StderrWriter
	_, _ = stderr.Write(e.Stderr)
	if crash := stderr.Crash(); crash != "" {
		// The last lines of the log are then those of stacks.
		return Outcome{Status: assay.StatusFailed, Reason: printable.Brief(what + crash)}
	}
	if e.Signal != "" {
		return r.failed("%ssignal: %s", what, e.Signal)
	}
	return r.failed("%sexit status %d", what, e.Code)
}
