package trial

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"time"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/child"
	"github.com/seed-1318a441/assay/internal/fault"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A Service is one trial of a server under load.
type Service struct {
	// Name is the benchmark of the reading.
	Name string
	// Service has all placeholders filled in. Its HTTP is ignored: the caller converts it
	// to a Load.
	Service assay.Service
	// Dir is {tmp}, an existing empty folder in which everything runs. The caller removes
	// it.
	Dir string
	// Port is {port}, from FreePort, which must be free again when the server has ended;
	// 0 for none.
	Port int
	// Env is the full environment of the server, LoadEnv that of all other commands, from
	// Environ. A program named without a slash is looked up in the PATH of its
	// environment.
	Env, LoadEnv []string
	// GCTrace makes the server trace its collector: gctrace=1 is added to the GODEBUG of
	// Env.
	GCTrace bool
	// AroundLoad, if not nil, calls the function that it gets, which puts the server under
	// load. It fails the trial with its error.
	AroundLoad func(ctx context.Context, load func()) error
	// Timeout is the limit of each step: of every command of prepare, set-up, warm-up and
	// clean-up, and of the load; 0 means no limit.
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

// Run runs the trial: prepare, start, wait until it is ready, set-up, warm-up, load,
// stop, clean-up. If Status is ok, the reading has the load generator's measurements and
// the server's resources under the load, for N = 1. When Run returns, no process of the
// trial is left, whatever happened; except that on systems other than Linux, a process
// that left the server's process group may be.
//
// The error says that the server or the load generator is missing or could not be started
// (the lab has looked them up before, and knows their packages), that the description is
// invalid, or is the cause of ctx's end. All other failures are outcomes, whose Reason
// names the phase and ends with the server's last lines.
func (s Service) Run(ctx context.Context) (Outcome, error) {
	r, err := newServing(s)
	if err != nil {
		return Outcome{}, err
	}
	begin := time.Now()
	o, err := r.run(ctx)
	o.Start, o.Wall = begin, time.Since(begin)
	o.Server = r.log.Bytes()
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return o, err
}

// newServing checks for errors that would make every trial fail.
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

// A serving is a running trial of a Service.
type serving struct {
	Service
	probe          probe // nil: a line of the log shows readiness
	log            *serverLog
	trace          *tracer // nil: not requested
	cpus, loadCPUs []int
	// results is Service.Results relative to Dir.
	results string
	server  *child.Process
	// phase is the current phase of the trial.
	phase string
}

// run does everything in order. In every case the folder is cleaned up and the port
// checked.
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

// steps runs commands one after another, up to the first failure.
func (r *serving) steps(ctx context.Context, phase string, list [][]string) Outcome {
	p := Program{Dir: r.Dir, Env: r.LoadEnv, Timeout: r.Timeout}
	for _, args := range list {
		if o := p.step(ctx, phase+": "+filepath.Base(args[0]), args); o.Status != assay.StatusOK {
			return o
		}
	}
	return Outcome{Status: assay.StatusOK}
}

// failed returns the outcome of a trial that failed.
func (r *serving) failed(format string, args ...any) Outcome {
	return Outcome{Status: assay.StatusFailed, Reason: r.log.explain(fmt.Sprintf(format, args...))}
}

// serve runs the server and everything that needs it.
func (r *serving) serve(ctx context.Context) (Outcome, error) {
	var err error
	if r.server, err = r.start(ctx); err != nil {
		return Outcome{}, err
	}
	m, o, err := r.drive(ctx)
	died := hasEnded(r.server.Ended(), o.Status)
	if o.Status != assay.StatusOK {
		o.Reason = r.log.explain(o.Reason) // before its messages about stopping
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

// drive does everything that needs the running server. The error says that the load
// generator could not be started.
func (r *serving) drive(ctx context.Context) (m *measurement, o Outcome, err error) {
	alive, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer fault.Exit()
		select {
		case <-r.server.Ended():
			cancel() // no step outlives the server
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

// crashGrace is how long a crashing server may take to end after those that talked to it
// saw it crash.
const crashGrace = 500 * time.Millisecond

// hasEnded reports whether the server has ended by itself, in a trial with this status.
func hasEnded(ended <-chan struct{}, status assay.Status) bool {
	wait := time.Duration(0)
	if status != assay.StatusOK {
		wait = crashGrace
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

// stop ends the server, and reports whether it had to be killed because it ignored the
// signal.
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
		// Any other failure was a consequence.
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

// died returns the outcome of a trial whose server ended by itself.
func (r *serving) died(e child.Exit) Outcome {
	what := "the server died " + duringPhase[r.phase] + ": "
	if crash := stderrOf(e).Crash(); crash != "" {
		// The last lines of the log are then those of stacks.
		return Outcome{Status: assay.StatusFailed, Reason: printable.Brief(what + crash)}
	}
	if e.Signal != "" {
		return r.failed("%ssignal: %s", what, e.Signal)
	}
	return r.failed("%sexit status %d", what, e.Code)
}
