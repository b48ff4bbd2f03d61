package trial

import (
	"context"
	"maps"
	"path/filepath"
	"time"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/child"
	"github.com/seed-1318a441/assay/internal/collect"
	"github.com/seed-1318a441/assay/internal/collect/gctrace"
	"github.com/seed-1318a441/assay/internal/collect/load"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A measurement is the result of a load.
type measurement struct {
	result load.Result
	// from and to are the measured period.
	from, to time.Time
	usage    child.Samples
}

// load puts the server under load. The error says that the load generator could not be
// started.
func (r *serving) load(ctx context.Context) (*measurement, Outcome, error) {
	if r.AroundLoad != nil {
		return r.loadObserved(ctx)
	}
	if r.trace != nil {
		r.trace.keepSince(time.Since(r.server.Started()))
	}
	return r.loadOnce(ctx)
}

// loadObserved puts the server under load inside AroundLoad.
func (r *serving) loadObserved(ctx context.Context) (m *measurement, o Outcome, err error) {
	o.Status = assay.StatusOK
	failed := r.AroundLoad(ctx, func() { m, o, err = r.loadOnce(ctx) })
	if failed != nil && err == nil && o.Status == assay.StatusOK {
		return nil, Outcome{Status: assay.StatusFailed, Reason: phaseLoad + ": " + failed.Error()}, nil
	}
	return m, o, err
}

// loadOnce runs the load generator to its end and reads its result.
func (r *serving) loadOnce(ctx context.Context) (*measurement, Outcome, error) {
	before, err := r.resultsBefore()
	if err != nil {
		return nil, Outcome{}, err
	}
	printed := &spool{dir: r.Dir}
	defer printed.close()
	begin := time.Now()
	sampler := child.StartSampling(r.server.PID())
	c := r.loadCommand()
	c.Stdout = printed
	e, err := child.Run(ctx, c)
	m := &measurement{usage: sampler.End()}
	o, err := r.readLoad(m, e, err, printed, before)
	if err != nil {
		return nil, o, err
	}
	m.from, m.to = loadSpan(begin, e.Start.Add(e.Wall), printed.last, m.result.Seconds)
	return m, o, nil
}

// readLoad reads the result of a load generator that ended with e, or could not be
// started.
func (r *serving) readLoad(m *measurement, e child.Exit, failed error, printed *spool, before map[string]version) (o Outcome, err error) {
	o = Outcome{Exit: child.Exit{Stdout: e.Stdout, Stderr: e.Stderr}}
	if failed != nil {
		o.Status, o.Reason = assay.StatusFailed, printable.Brief(failed.Error())
		return o, failed
	}
	if o.Status, o.Reason = r.judgeLoad(e); o.Status == assay.StatusOK {
		if m.result, err = r.parse(printed, before); err != nil {
			o.Status, o.Reason = assay.StatusFailed, phaseLoad+": "+err.Error()
		}
	}
	return o, nil
}

func (r *serving) loadCommand() child.Command {
	args := r.Service.Service.Load
	return child.Command{
		Path: findProgram(args[0], r.LoadEnv), Args: args[1:], Dir: r.Dir, Env: withPWD(r.LoadEnv, r.Dir),
		Timeout: r.Timeout, CPUs: r.loadCPUs,
	}
}

// loadSpan returns the period measured by a load. A load generator connects and warms up
// first, and prints the result when it has it; then it may take its time to end. So the
// period ends at the last output, or at the end if there is none. It is the whole time if
// the result has no duration: seconds is 0 then.
func loadSpan(begin, end, printed time.Time, seconds float64) (from, to time.Time) {
	if printed.After(begin) && printed.Before(end) {
		end = printed
	}
	if d := time.Duration(seconds * float64(time.Second)); d > 0 && seconds < end.Sub(begin).Seconds() {
		begin = end.Add(-d)
	}
	return begin, end
}

// judgeLoad returns how the load generator ended and why.
func (r *serving) judgeLoad(e child.Exit) (assay.Status, string) {
	what := phaseLoad + ": " + filepath.Base(r.Service.Service.Load[0]) + ": "
	switch {
	case e.TimedOut:
		return assay.StatusTimeout, what + timeoutReason(r.Timeout)
	case e.Code != 0:
		why := deathOf(e)
		if last := collect.LastLines(e.Stdout, 1); len(e.Stderr) == 0 && len(last) > 0 {
			why += ": " + last[0] // some print errors on stdout
		}
		return assay.StatusFailed, what + why
	}
	return assay.StatusOK, ""
}

// resultsBefore returns the files that match the results' pattern before the load.
func (r *serving) resultsBefore() (map[string]version, error) {
	if r.results == "" {
		return nil, nil
	}
	return findResults(r.Dir, r.results)
}

// parse parses the load generator's result.
func (r *serving) parse(printed *spool, before map[string]version) (load.Result, error) {
	stdout, err := printed.reader()
	if err != nil {
		return load.Result{}, err
	}
	in := load.Input{Stdout: stdout, Metrics: r.Service.Service.Metrics}
	if r.results != "" {
		files, closeAll, err := openResults(r.Dir, r.results, before)
		defer closeAll()
		if err != nil {
			return load.Result{}, err
		}
		in.Files = files
	}
	return load.Parse(r.Service.Service.Parse, in)
}

// report completes the outcome of a successful trial.
func (r *serving) report(o Outcome, m *measurement) Outcome {
	values := m.result.Observations()
	cpu := m.usage.CPU(m.from, m.to)
	if n := float64(m.result.Requests); n > 0 && cpu > 0 {
		values[assay.MetricServerCPU] = cpu.Seconds() / n * 1000
	}
	c := &assay.Collected{Percentiles: m.result.Percentiles, Intervals: m.result.Intervals}
	if h := m.result.Latency; len(h.Values) > 0 {
		c.Latency = &h
	}
	var mean float64
	if c.Memory, mean = m.usage.Memory(m.from, m.to); mean > 0 {
		values[assay.MetricMeanRSS] = mean
	}
	if r.trace != nil {
		cycles := r.trace.end()
		if r.trace.lost > 0 {
			return spoil(o, r.failed("gc trace: more than %d cycles under load", maxCycles))
		}
		c.GC = cyclesBetween(cycles, m.from.Sub(r.server.Started()), m.to.Sub(r.server.Started()))
		maps.Copy(values, cycleMetrics(c.GC, gctrace.Over{
			Seconds: m.to.Sub(m.from).Seconds(), CPU: cpu.Seconds(), Transactions: float64(m.result.Requests),
		}))
	}
	o.Readings = []collect.Reading{{Name: r.Name, N: 1, Values: values}}
	o.Collected, o.Intended = c, m.result.Intended
	return o
}
