package trial

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/child"
	"github.com/seed-1318a441/assay/internal/collect"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A GoTest is one trial of a Go test binary.
type GoTest struct {
	// Binary is its absolute path. Dir is the folder of its package, where it runs.
	Binary, Dir string
	// Emulator is the program that runs Binary, "" for none.
	Emulator string
	// Env is the full environment, from Environ.
	Env []string
	// Procs is the GOMAXPROCS that Env sets.
	Procs int
	// Names are the benchmarks to run, as in assay.Benchmark. If there are none, Pattern
	// is a -bench pattern.
	Names   []string
	Pattern string
	// N is the number of iterations; discovery uses 1. If it is 0, package testing finds
	// the number that takes Time.
	N    int
	Time time.Duration
	// Warm is the number of warm-up runs of N iterations, and Rounds the number of runs
	// that count, all in one process; 0 Rounds means one. A benchmark that allocates grows
	// its heap in its first run. Only Slices has more Rounds.
	Warm, Rounds int
	// GCTrace traces the collector. The program then prints a line for each cycle, which
	// costs time. The reading of a trial of one benchmark then has the metrics gc.*, over
	// the whole process.
	GCTrace bool
	// Profile makes it profile itself: assay.CollectCPU, or assay.CollectMem with every
	// object in it, which costs some microseconds per object. "" is none.
	Profile string
	// CPUs are the processors that it may use, as in Command.
	CPUs []int
	// TestFlags are as in assay.Workload; Args follow them.
	TestFlags, Args []string
	// Timeout ends the trial; 0 means no limit.
	Timeout time.Duration
}

// An Outcome is the result of a GoTest, a Program or a Service.
type Outcome struct {
	child.Exit
	Status assay.Status
	// Reason says in one printable line why Status is not ok.
	Reason string
	// RuntimeFault is as in assay.Trial.
	RuntimeFault string
	// Readings are all printed results, even if Status is not ok.
	Readings []collect.Reading
	// Broken maps the benchmarks that failed, and the one that ended the process, to the
	// reason.
	Broken map[string]string
	// Passed is true if package testing printed PASS: a GoTest ran to its end.
	Passed bool
	// Skipped maps the benchmarks that skipped themselves to their messages. Only a trial
	// of a Pattern has them.
	Skipped map[string]string
	// Better holds the directions printed by the program, by metric.
	Better map[string]assay.Better
	// GCCycles is the number of unforced GC cycles of the whole process, 0
	// without GCTrace.
	GCCycles int
	// Output is the hex SHA-256 of a Program's stdout; "" for others.
	Output string
	// Intended is the rate of an open load, in transactions per second; 0 for others.
	Intended float64
	// Collected is the trial's other data; nil for none.
	Collected *assay.Collected
	// Slices are the values of each round by metric, where there are rounds.
	Slices map[string][]float64
	// Runs is the number of runs of N iterations in the process, including warm-up; 0
	// means one.
	Runs int
	// Profile is the profile requested by GoTest.Profile, in pprof's format; nil for
	// none. If it is missing the Status is no-result.
	Profile []byte
	// Server has the head and the tail of a Service's server output, stdout and stderr;
	// nil for others. With it, Stdout and Stderr are the load generator's, Start and Wall
	// are those of the whole trial, and Exit has otherwise only PeakRSS, the server's.
	Server []byte
}

// Run runs the trial. The error says that the binary could not be started, or is the
// cause of ctx's end; everything that the binary does is an outcome.
func (g GoTest) Run(ctx context.Context) (Outcome, error) {
	if g.Profile != "" {
		return g.runProfiled(ctx)
	}
	return g.run(ctx)
}

func (g GoTest) run(ctx context.Context) (Outcome, error) {
	stdout := collect.NewBenchWriter(g.Procs)
	stderr := new(collect.StderrWriter)
	var w io.Writer = stderr
	var trace *tracer
	if g.GCTrace {
		trace = newTracer()
		w = trace.tee(w)
	}
	c := g.command()
	c.Stdout, c.Stderr = stdout, w
	exit, err := child.Run(ctx, c)
	if err != nil {
		return Outcome{Exit: exit}, err
	}
	out := stdout.Output()
	o := Outcome{Exit: exit, Readings: out.Readings, Passed: out.Pass, Skipped: out.Skipped, Better: out.Better, GCCycles: stderr.GCCycles(), Runs: g.runs()}
	o.Status, o.Reason = g.judge(o, out, stderr)
	o.RuntimeFault = runtimeFault(o, stderr)
	o.Broken = brokenBenchmarks(o, out, stderr)
	if trace != nil {
		g.addTrace(&o, trace)
	}
	return o, nil
}

// addTrace adds the metrics of the collector's trace. The cycles are those of the
// process, so they belong to a benchmark only if it ran alone. Forced collections, such
// as the testing package's before each run, do not count.
func (g GoTest) addTrace(o *Outcome, trace *tracer) {
	c, values := trace.whole(o.Exit, g.N)
	o.Collected = c
	if len(g.Names) != 1 {
		return
	}
	if r, ok := o.reading(g.Names[0], g.N); ok {
		maps.Copy(r.Values, values)
	}
}

func (g GoTest) command() child.Command {
	env := g.Env
	if g.GCTrace {
		env = withGCTrace(env)
	}
	env = withPWD(env, g.Dir)
	path, args := g.Binary, g.args()
	if g.Emulator != "" {
		path, args = g.Emulator, append([]string{g.Binary}, args...)
	}
	return child.Command{Path: path, Args: args, Dir: g.Dir, Env: env, Timeout: g.Timeout, CPUs: g.CPUs}
}

func (g GoTest) args() []string {
	args := []string{
		"-test.run=^$", "-test.benchtime=" + g.benchtime(), "-test.benchmem", countFlag + strconv.Itoa(g.runs()),
		"-test.timeout=0", // ours tells more, and ends the whole group
	}
	if len(g.Names) == 0 {
		// Verbose, so that a benchmark's name is printed before it crashes.
		args = append(args, "-test.bench="+g.Pattern, "-test.v")
	} else {
		bench, skip := selection(g.Names)
		args = append(args, "-test.bench="+bench, "-test.skip="+skip)
	}
	for _, f := range g.TestFlags {
		args = append(args, testFlag(f))
	}
	return append(args, g.Args...)
}

func (g GoTest) benchtime() string {
	if g.N == 0 {
		return g.Time.String()
	}
	return strconv.Itoa(g.N) + "x"
}

// countFlag is the flag for the number of runs of each benchmark.
const countFlag = "-test.count="

// runs returns the number of runs in the process.
func (g GoTest) runs() int { return g.Warm + max(g.Rounds, 1) }

// testFlags are the flags of package testing that go test accepts under short names (go
// help testflag).
var testFlags = map[string]bool{
	"artifacts": true, "bench": true, "benchmem": true, "benchtime": true, "blockprofile": true,
	"blockprofilerate": true, "count": true, "coverprofile": true, "cpu": true, "cpuprofile": true,
	"failfast": true, "fullpath": true, "fuzz": true, "fuzzminimizetime": true, "fuzztime": true,
	"list": true, "memprofile": true, "memprofilerate": true, "mutexprofile": true,
	"mutexprofilefraction": true, "outputdir": true, "parallel": true, "run": true, "short": true,
	"shuffle": true, "skip": true, "timeout": true, "trace": true, "v": true,
}

// testFlag adds the "test." that a test binary expects. A package's own flags, and
// separate values of flags, stay as they are.
func testFlag(f string) string {
	name := strings.TrimPrefix(strings.TrimPrefix(f, "-"), "-")
	word, _, _ := strings.Cut(name, "=")
	if name != f && testFlags[word] {
		return "-test." + name
	}
	return f
}

// withGCTrace adds gctrace=1 to the environment's GODEBUG.
func withGCTrace(env []string) []string { return withGODEBUG(env, "gctrace=1") }

// withGODEBUG adds a setting to the environment's GODEBUG.
func withGODEBUG(env []string, setting string) []string {
	out := slices.Clone(env)
	for i, kv := range out {
		if old, ok := strings.CutPrefix(kv, "GODEBUG="); ok && old != "" {
			out[i] = kv + "," + setting
			return out
		}
	}
	return append(out, "GODEBUG="+setting)
}

// judge says how the trial ended and why.
func (g GoTest) judge(o Outcome, out collect.Output, stderr *collect.StderrWriter) (assay.Status, string) {
	switch {
	case o.TimedOut:
		return assay.StatusTimeout, timeoutReason(g.Timeout)
	case o.Code != 0:
		return assay.StatusFailed, failure(o, out, stderr)
	}
	for _, name := range g.Names {
		if _, ok := o.reading(name, g.N); !ok {
			if why := out.Failed[name]; why != "" {
				return assay.StatusFailed, cmp.Or(stderr.Crash(), why)
			}
			return assay.StatusNoResult, g.missing(o, out, name)
		}
	}
	switch {
	case out.Running != "" && !out.Pass:
		return assay.StatusNoResult, "exited with status 0 before it printed a result"
	case len(o.Readings) == 0 && !out.Pass:
		return assay.StatusNoResult, withWords("exited with status 0 before its first benchmark", stderr.Last(), out.Last)
	case len(o.Readings) == 0:
		return assay.StatusNoResult, "no benchmark printed a result"
	}
	return assay.StatusOK, ""
}

// failure returns the most specific reason for an exit status other than 0: the message
// of a --- FAIL, else what ended the process.
func failure(o Outcome, out collect.Output, stderr *collect.StderrWriter) string {
	if o.Limit != "" {
		return o.Limit
	}
	for _, f := range out.Failures {
		if !strings.HasPrefix(f, "--- FAIL") {
			return f
		}
	}
	if len(out.Failures) > 0 && stderr.Crash() == "" {
		return out.Failures[0]
	}
	return death(o, stderr, out.Last)
}

// death returns a crash's first line, else the signal or status with the last lines of
// stderr and stdout.
func death(o Outcome, stderr *collect.StderrWriter, printed string) string {
	if o.Limit != "" {
		return o.Limit
	}
	if crash := stderr.Crash(); crash != "" {
		return crash
	}
	status := fmt.Sprintf("exit status %d", o.Code)
	if o.Signal != "" {
		status = "ended by signal: " + o.Signal
	}
	return withWords(status, stderr.Last(), printed)
}

// runtimeFault returns the fault of the Go runtime that is the reason of an outcome, ""
// for another reason: a benchmark may have failed before, or report the crash of a
// program that it runs. The runtime exits with status 2.
func runtimeFault(o Outcome, stderr *collect.StderrWriter) string {
	if o.Code != 2 || o.Reason != stderr.Crash() {
		return ""
	}
	return stderr.RuntimeFault()
}

// withWords adds the last lines, if any.
func withWords(status, stderr, stdout string) string {
	switch {
	case stderr != "" && stdout != "":
		return printable.Brief(status + ": " + stderr + "; on stdout: " + stdout)
	case stderr+stdout != "":
		return printable.Brief(status + ": " + stderr + stdout)
	}
	return status
}

// missing says why there is no reading of name.
func (g GoTest) missing(o Outcome, out collect.Output, name string) string {
	for _, r := range o.Readings {
		if r.Name == name {
			return fmt.Sprintf("its result is for %d iterations, not %d", r.N, g.N)
		}
	}
	if !out.Pass {
		return "exited with status 0 before it printed a result"
	}
	return "printed no result: it was skipped, or is not there"
}

// Observations returns the trial's measurements: the metrics of the last reading of that
// name and number of iterations, user-sec/op and sys-sec/op (the CPU time of the whole
// process, set-up included, over n and the runs), and peak-RSS-bytes if known. It returns
// nil without such a reading. CPU and memory are meaningful only if the trial ran one
// benchmark. A Service has no CPU time except in its reading: that of its whole life
// would include set-up and warm-up.
func (o Outcome) Observations(name string, n int) map[string]float64 {
	r, ok := o.reading(name, n)
	if !ok {
		return nil
	}
	obs := make(map[string]float64, len(r.Values)+3)
	maps.Copy(obs, r.Values)
	if o.Server == nil {
		obs[assay.MetricUser] = o.User.Seconds() / float64(n*max(o.Runs, 1))
		obs[assay.MetricSys] = o.Sys.Seconds() / float64(n*max(o.Runs, 1))
	}
	if o.PeakRSS > 0 {
		obs[assay.MetricRSS] = float64(o.PeakRSS)
	}
	return obs
}

// Reading returns a GoTest's reading of a benchmark, with any number of iterations.
func (o Outcome) Reading(name string) (collect.Reading, bool) { return o.reading(name, 0) }

// reading finds the reading of a benchmark, of n iterations unless n is 0, among those
// that the program may have printed itself: the last that has allocs/op, which trials
// always request, else the last. The name may follow output that ended without newline.
func (o Outcome) reading(name string, n int) (collect.Reading, bool) {
	var found collect.Reading
	for _, r := range slices.Backward(o.Readings) {
		if n != 0 && r.N != n || r.Name != name && !strings.HasSuffix(r.Name, assay.BenchmarkFunction(name)) {
			continue
		}
		if _, ok := r.Values[assay.MetricAllocs]; ok {
			return r, true
		}
		if found.N == 0 {
			found = r
		}
	}
	return found, found.N > 0
}
