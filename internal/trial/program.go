package trial

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/child"
	"github.com/seed-1318a441/assay/internal/collect"
	"github.com/seed-1318a441/assay/internal/collect/load"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A Program is one trial of a command, without a shell.
type Program struct {
	// Path of the program; PATH is not searched.
	Path string
	// Args are without the program's name.
	Args []string
	// Dir is the folder it runs in; empty means this process's.
	Dir string
	// Env is the full environment, from Environ.
	Env []string
	// Stdin is the file for standard input; "" means no input.
	Stdin string
	// Prepare and Cleanup run before and after it, in the same folder and environment and
	// with the same Timeout, and are not measured; nil means none. A program named
	// without a slash is looked up in the PATH of Env.
	Prepare, Cleanup []string
	// Output is the hex SHA-256 that its standard output must have; "" accepts all.
	Output string
	// Parse and Metrics say what its standard output contains, as in assay.Workload.
	Parse   string
	Metrics []string
	// Name is the benchmark of the reading.
	Name string
	// Timeout ends it; 0 means no limit.
	Timeout time.Duration
	// Counters requests Exit.Counters.
	Counters bool
	// GCTrace traces the collector of a Go program, as in GoTest.
	GCTrace bool
}

// Run runs the trial. If Status is ok its reading has the wall time as sec/op, and the
// rest of Exit's measurements, for N = 1. Clean-up always runs, but no longer than a
// moment after ctx has ended.
//
// The error says that the program could not be started or its input not be opened, or is
// the cause of ctx's end. Everything that the program does is an outcome, and so is a
// failed preparation.
func (p Program) Run(ctx context.Context) (Outcome, error) {
	o := p.step(ctx, "prepare", p.Prepare)
	var err error
	if o.Status == assay.StatusOK {
		o, err = p.measure(ctx)
	}
	if len(p.Cleanup) > 0 {
		after, stop := outlivingContext(ctx)
		defer stop()
		if c := p.step(after, "clean-up", p.Cleanup); c.Status != assay.StatusOK {
			o = spoil(o, c)
		}
	}
	if err == nil {
		err = context.Cause(ctx)
	}
	return o, err
}

// spoil returns the outcome after a failed clean-up c. An earlier failure is more
// specific.
func spoil(o, c Outcome) Outcome {
	o.Stderr = append(o.Stderr, c.Stderr...)
	if o.Status == assay.StatusOK {
		o.Status, o.Reason, o.Readings = c.Status, c.Reason, nil
	}
	return o
}

// outlivingContext returns a context that ends a moment after ctx does.
func outlivingContext(ctx context.Context) (after context.Context, stop func()) {
	after, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	undo := context.AfterFunc(ctx, func() {
		t := time.AfterFunc(child.Grace, func() { cancel(context.Cause(ctx)) })
		context.AfterFunc(after, func() { t.Stop() })
	})
	return after, func() { undo(); cancel(nil) }
}

// step runs one of the commands around the program. If it fails its output is kept, as
// stderr.
func (p Program) step(ctx context.Context, what string, args []string) Outcome {
	if len(args) == 0 {
		return Outcome{Status: assay.StatusOK}
	}
	env := withPWD(p.Env, p.Dir)
	e, err := child.Run(ctx, child.Command{Path: findProgram(args[0], env), Args: args[1:], Dir: p.Dir, Env: env, Timeout: p.Timeout})
	o := Outcome{Exit: child.Exit{Start: e.Start, Stderr: append(e.Stdout, e.Stderr...)}, Status: assay.StatusFailed}
	switch {
	case err != nil:
		o.Reason = err.Error()
	case e.TimedOut:
		o.Reason = timeoutReason(p.Timeout)
	case e.Code != 0:
		o.Reason = deathOf(e)
	default:
		return Outcome{Status: assay.StatusOK}
	}
	o.Reason = printable.Brief(what + ": " + o.Reason)
	return o
}

// measure runs the program itself.
func (p Program) measure(ctx context.Context) (Outcome, error) {
	env := p.Env
	var stderr io.Writer
	var trace *tracer
	if p.GCTrace {
		env, trace = withGCTrace(env), newTracer()
		stderr = &trace.writer
	}
	c := child.Command{Path: p.Path, Args: p.Args, Dir: p.Dir, Env: withPWD(env, p.Dir), Timeout: p.Timeout, Counters: p.Counters}
	if p.Stdin != "" {
		f, err := openInput(p.Stdin)
		if err != nil {
			return Outcome{}, fmt.Errorf("open input: %w", err)
		}
		defer f.Close()
		c.Stdin = f
	}
	stdout, printed := digest{sum: sha256.New()}, new(spool)
	defer printed.close()
	c.Stdout, c.Stderr = &stdout, stderr
	if p.reads() {
		c.Stdout = io.MultiWriter(&stdout, printed)
	}
	e, err := child.Run(ctx, c)
	if err != nil {
		return Outcome{Exit: e}, err
	}
	o := Outcome{Exit: e, Output: hex.EncodeToString(stdout.sum.Sum(nil))}
	o.Status, o.Reason = p.judge(o, stdout.n)
	if o.Status == assay.StatusFailed {
		o.RuntimeFault = runtimeFault(o, stderrOf(e))
	}
	values := exitValues(e)
	if trace != nil {
		var traced map[string]float64
		o.Collected, traced = trace.whole(e, 1)
		maps.Copy(values, traced)
	}
	if o.Status == assay.StatusOK && p.reads() {
		if err := p.addPrinted(values, printed); err != nil {
			o.Status, o.Reason = assay.StatusNoResult, err.Error()
		}
	}
	if o.Status == assay.StatusOK {
		o.Readings = []collect.Reading{{Name: p.Name, N: 1, Values: values}}
	}
	return o, nil
}

// reads reports whether metrics are in the standard output.
func (p Program) reads() bool { return p.Parse != "" || len(p.Metrics) > 0 }

// addPrinted adds the metrics in the standard output. They take the place of values of the
// same name: a program that prints ns/op knows better than its wall time.
func (p Program) addPrinted(values map[string]float64, printed *spool) error {
	text, err := printed.reader()
	if err != nil {
		return err
	}
	r, err := load.Parse(p.Parse, load.Input{Stdout: text, Metrics: p.Metrics})
	if err == nil {
		maps.Copy(values, r.Observations())
	}
	return err
}

// openInput opens a file. Opening a named pipe would block until somebody writes.
func openInput(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() || info.Mode()&os.ModeNamedPipe != 0 {
		return nil, fmt.Errorf("%s is not a file", name)
	}
	return os.Open(name)
}

// exitValues returns the measurements of an Exit by metric. Observations adds user and
// system time and the peak memory.
func exitValues(e child.Exit) map[string]float64 {
	v := map[string]float64{assay.MetricTime: e.Wall.Seconds()}
	if e.HasUsage {
		v[assay.MetricMinorFaults] = float64(e.MinorFaults)
		v[assay.MetricMajorFaults] = float64(e.MajorFaults)
		v[assay.MetricVoluntary] = float64(e.VoluntarySwitches)
		v[assay.MetricInvoluntary] = float64(e.InvoluntarySwitches)
	}
	maps.Copy(v, e.Counters)
	return v
}

// judge returns how the program ended, having printed size bytes, and why.
func (p Program) judge(o Outcome, size int64) (assay.Status, string) {
	switch {
	case o.TimedOut:
		return assay.StatusTimeout, timeoutReason(p.Timeout)
	case o.Code != 0:
		return assay.StatusFailed, deathOf(o.Exit)
	case p.Output != "" && !strings.EqualFold(p.Output, o.Output):
		return assay.StatusWrong, p.difference(o, size)
	}
	return assay.StatusOK, ""
}

func timeoutReason(timeout time.Duration) string {
	return fmt.Sprintf("ended after %v without finishing", timeout)
}

// deathOf returns the most specific reason for an exit status other than 0.
func deathOf(e child.Exit) string {
	return death(Outcome{Exit: e}, stderrOf(e), "")
}

// stderrOf parses what a program printed, only after its end: the parser is slower than
// programs can print.
func stderrOf(e child.Exit) *collect.StderrWriter {
	stderr := new(collect.StderrWriter)
	_, _ = stderr.Write(e.Stderr)
	return stderr
}

// difference describes an unexpected output.
func (p Program) difference(o Outcome, size int64) string {
	want := fmt.Sprintf("expected sha256 %.12s", p.Output)
	if size == 0 {
		return "printed nothing, " + want
	}
	lines := strings.Split(strings.TrimSpace(string(o.Stdout)), "\n")
	text := fmt.Sprintf("begins %q", brief(lines[0]))
	if len(lines) > 1 {
		text += fmt.Sprintf(", ends %q", brief(lines[len(lines)-1]))
	}
	return printable.Brief(fmt.Sprintf("printed %d bytes, sha256 %.12s, %s; %s", size, o.Output, want, text))
}

// brief returns the beginning of a line, safe to print.
func brief(line string) string {
	r := []rune(printable.Brief(line))
	if len(r) > 60 {
		return string(r[:57]) + "..."
	}
	return string(r)
}

// A digest is the hash and the length of what is written to it.
type digest struct {
	sum hash.Hash
	n   int64
}

func (d *digest) Write(b []byte) (int, error) {
	d.n += int64(len(b))
	return d.sum.Write(b)
}

// withPWD returns env with PWD set to the process's folder, as a shell would set it.
func withPWD(env []string, dir string) []string {
	if dir == "" {
		return env
	}
	isPWD := func(kv string) bool { return strings.HasPrefix(kv, "PWD=") }
	return append(slices.DeleteFunc(slices.Clone(env), isPWD), "PWD="+dir)
}

// findProgram looks up a program in the PATH of env. If it is not found name is returned,
// so that the start fails.
func findProgram(name string, env []string) string {
	if filepath.Base(name) != name {
		return name
	}
	for _, kv := range env {
		list, ok := strings.CutPrefix(kv, "PATH=")
		if !ok {
			continue
		}
		for _, dir := range filepath.SplitList(list) {
			// Like package os/exec, nothing from our own current folder.
			if p, err := exec.LookPath(filepath.Join(dir, name)); err == nil && filepath.IsAbs(p) {
				return p
			}
		}
	}
	return name
}
