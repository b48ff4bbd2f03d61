//go:build unix

package trial

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/child"
)

// script is a trial of a shell script.
func script(t testing.TB, text string, args ...string) Program {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	return Program{Path: sh, Args: append([]string{"-c", text, "sh"}, args...), Env: []string{"PATH=" + os.Getenv("PATH")}, Name: "script", Timeout: never}
}

// makeFifo returns a pipe by name and a function that waits until "ready" has been
// written to it, and one that waits until nobody has it open for writing.
func makeFifo(t *testing.T) (path string, ready, abandoned func()) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	var f *os.File
	ready = func() {
		var err error
		if f, err = os.Open(path); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(f, make([]byte, len("ready\n"))); err != nil {
			t.Fatal(err)
		}
	}
	abandoned = func() {
		defer f.Close()
		// A test that hangs here fails at go test's timeout, and rightly so.
		if _, err := io.ReadAll(f); err != nil {
			t.Fatal(err)
		}
	}
	return path, ready, abandoned
}

func sum(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}

func mustRunProgram(t *testing.T, p Program) Outcome {
	t.Helper()
	o, err := p.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if o.Status != assay.StatusOK && len(o.Readings) > 0 {
		t.Errorf("%s, and yet %v", o.Status, o.Readings)
	}
	return o
}

func TestProgram(t *testing.T) {
	p := script(t, "echo hello; i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done; echo talk >&2")
	p.Output = strings.ToUpper(sum("hello\n"))
	o := mustRunProgram(t, p)
	if o.Status != "ok" || o.Reason != "" || o.Output != sum("hello\n") || string(o.Stdout) != "hello\n" || string(o.Stderr) != "talk\n" {
		t.Fatalf("%+v", o)
	}
	obs := o.Observations("script", 1)
	if got, want := obs["sec/op"], o.Wall.Seconds(); got != want || got <= 0 {
		t.Errorf("sec/op %g, want %g", got, want)
	}
	if cpu := obs["user-sec/op"] + obs["sys-sec/op"]; cpu <= 0 || cpu > 2*obs["sec/op"] {
		t.Errorf("CPU time %g in %g s", cpu, obs["sec/op"])
	}
	for _, name := range []string{"minor-faults/op", "major-faults/op", "voluntary-switches/op", "involuntary-switches/op"} {
		if _, ok := obs[name]; !ok {
			t.Errorf("no %s", name)
		}
	}
	if f := obs["minor-faults/op"]; f < 20 || f > 10000 {
		t.Errorf("%g faults", f)
	}
	if _, ok := obs["instructions/op"]; ok {
		t.Error("counted without being asked to")
	}
	if o.Observations("other", 1) != nil {
		t.Error("observations of another name")
	}
}

// TestGoTestMetrics: tables of Go benchmarks have no faults and switches.
func TestGoTestMetrics(t *testing.T) {
	obs := mustRun(t, goTest(t, 100, "Plain")).Observations("Plain", 100)
	if _, ok := obs["minor-faults/op"]; ok || len(obs) == 0 {
		t.Errorf("observations %v", obs)
	}
}

// TestProgramEnds: what went wrong, in one line.
func TestProgramEnds(t *testing.T) {
	for _, test := range []struct {
		script string
		change func(*Program)
		status assay.Status
		reason string
	}{
		{"exit 0", nil, "ok", ""},
		{"echo a >&2; echo 'out of \033[31mcheese\033[0m' >&2; echo >&2; exit 3", nil, "failed", "exit status 3: out of cheese"},
		{"exit 3", nil, "failed", "exit status 3"},
		{"kill -SEGV $$", nil, "failed", "ended by signal: segmentation fault"},
		{"echo help >&2; kill -KILL $$", nil, "failed", "ended by signal: killed: help"},
		{"printf 'panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n' >&2; exit 2", nil, "failed", "panic: boom"},
		{"exec sleep 1000", func(p *Program) { p.Timeout = 100 * time.Millisecond }, "timeout", "ended after 100ms without finishing"},
		{"echo one; echo two; printf three", func(p *Program) { p.Output = sum("x") }, "wrong-output",
			`printed 13 bytes, sha256 ` + sum("one\ntwo\nthree")[:12] + `, expected sha256 ` + sum("x")[:12] + `; begins "one", ends "three"`},
		{"printf '\033[1m%080d' 0", func(p *Program) { p.Output = sum("x") }, "wrong-output",
			`printed 84 bytes, sha256 ` + sum("\033[1m" + strings.Repeat("0", 80))[:12] + `, expected sha256 ` + sum("x")[:12] + `; begins "` + strings.Repeat("0", 57) + `..."`},
		{"exit 0", func(p *Program) { p.Output = sum("x") }, "wrong-output", "printed nothing, expected sha256 " + sum("x")[:12]},
		{"echo x; exit 1", func(p *Program) { p.Output = "y" }, "failed", "exit status 1"},
		{"exit 0", func(p *Program) { p.Prepare = []string{"sh", "-c", "echo no >&2; exit 4"} }, "failed", "prepare: exit status 4: no"},
		{"exit 0", func(p *Program) { p.Prepare = []string{"no-such-program"} }, "failed", "prepare: start no-such-program: no such file or directory"},
		{"exit 0", func(p *Program) { p.Cleanup = []string{"sh", "-c", "kill $$"} }, "failed", "clean-up: ended by signal: terminated"},
		{"exit 5", func(p *Program) { p.Cleanup = []string{"false"} }, "failed", "exit status 5"},
		{"exit 0", func(p *Program) { p.Timeout, p.Prepare = 200*time.Millisecond, []string{"sleep", "1000"} }, "failed", "prepare: ended after 200ms without finishing"},
	} {
		p := script(t, test.script)
		if test.change != nil {
			test.change(&p)
		}
		if o := mustRunProgram(t, p); o.Status != test.status || o.Reason != test.reason {
			t.Errorf("%s: %s %q, want %s %q", test.script, o.Status, o.Reason, test.status, test.reason)
		}
	}
}

// TestProgramSteps: in this order, in this folder, and nothing of them is in
// what the program did.
func TestProgramSteps(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	note := func(word string) []string {
		return []string{"sh", "-c", "echo noise; pwd >>" + log + "; echo " + word + " >>" + log}
	}
	p := script(t, "pwd; echo run >>"+log)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p.Dir, p.Prepare, p.Cleanup = dir, note("prepare"), note("clean")
	// run runs the steps around the program with an end of its own, and returns the log.
	run := func(end string, timeout time.Duration) (Outcome, string) {
		if err := os.RemoveAll(log); err != nil {
			t.Fatal(err)
		}
		q := p
		q.Args, q.Timeout = []string{"-c", p.Args[1] + end}, timeout
		o := mustRunProgram(t, q)
		text, _ := os.ReadFile(log)
		return o, string(text)
	}
	check := func(end string, o Outcome, got string) {
		t.Helper()
		if ok := o.Status == "ok"; ok != (end == "") {
			t.Errorf("%q: %s %s", end, o.Status, o.Reason)
		}
		if got := string(o.Stdout) + string(o.Stderr); got != dir+"\n" {
			t.Errorf("%q: printed %q", end, got)
		}
		if want := dir + "\nprepare\nrun\n" + dir + "\nclean\n"; got != want {
			t.Errorf("%q: log %q, want %q", end, got, want)
		}
	}
	for _, end := range []string{"", "; exit 3"} {
		o, got := run(end, never)
		check(end, o, got)
	}
	longEnough(t, func(limit time.Duration) bool {
		o, got := run("; sleep 1000", limit)
		if !strings.Contains(got, "\nrun\n") || strings.Contains(string(o.Stderr), "noise") {
			return false // a step took longer
		}
		check("; sleep 1000", o, got)
		return true
	})
}

// TestProgramWall: the time of the steps is not the program's. They tell theirs by
// the files that they make, whose times may be a tick behind.
func TestProgramWall(t *testing.T) {
	dir := t.TempDir()
	touch := func(name string) []string { return []string{"sh", "-c", "sleep 0.1; echo >" + name + "; sleep 0.1"} }
	made := func(name string) time.Time {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime()
	}
	p := script(t, "true")
	p.Dir, p.Prepare, p.Cleanup = dir, touch("before"), touch("after")
	o := mustRunProgram(t, p)
	if before, after := made("before"), made("after"); before.After(o.Start) || after.Before(o.Start.Add(o.Wall)) {
		t.Errorf("prepared at %v, started at %v, ran for %v, cleaned up at %v", before, o.Start, o.Wall, after)
	}
}

// TestProgramStepOutput: what a step printed is kept where it failed.
func TestProgramStepOutput(t *testing.T) {
	p := script(t, "echo run >&2")
	p.Cleanup = []string{"sh", "-c", "echo out; echo err >&2; exit 1"}
	if o := mustRunProgram(t, p); string(o.Stderr) != "run\nout\nerr\n" || o.Output != sum("") || o.Wall == 0 {
		t.Errorf("stderr %q, %+v", o.Stderr, o)
	}
	p.Prepare, p.Cleanup = p.Cleanup, nil
	if o := mustRunProgram(t, p); string(o.Stderr) != "out\nerr\n" || o.Start.IsZero() {
		t.Errorf("stderr %q, %+v", o.Stderr, o)
	}
}

// TestProgramCancel: clean-up comes after a cancelled run, for a moment.
func TestProgramCancel(t *testing.T) {
	t.Parallel()
	cleaned := func() bool {
		fifo, ready, abandoned := makeFifo(t)
		log := filepath.Join(t.TempDir(), "log")
		p := script(t, `exec 9>"$1"; echo ready >&9; sleep 1000`, fifo)
		p.Cleanup = []string{"sh", "-c", "echo cleaning >" + log + "; exec sleep 1000"}
		enough := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() { ready(); cancel(enough) }()
		begin := time.Now()
		if _, err := p.Run(ctx); !errors.Is(err, enough) {
			t.Errorf("error %v", err)
		}
		if d := time.Since(begin); d < child.Grace {
			t.Errorf("took %v, want %v or more", d, child.Grace)
		}
		abandoned()
		got, _ := os.ReadFile(log)
		return string(got) == "cleaning\n"
	}
	for range 20 { // on a busy machine a shell may come to nothing in that moment
		if cleaned() || t.Failed() {
			return
		}
	}
	t.Error("it did not clean up")
}

func TestProgramErrors(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	p := script(t, "cat")
	p.Cleanup = []string{"sh", "-c", "echo cleaning >>" + log}
	p.Stdin = filepath.Join(t.TempDir(), "missing")
	if _, err := p.Run(t.Context()); !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(err.Error(), "open input: ") {
		t.Errorf("missing input: %v", err)
	}
	p.Stdin = t.TempDir()
	if _, err := p.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "is not a file") {
		t.Errorf("folder as input: %v", err)
	}
	p.Stdin, _, _ = makeFifo(t)
	if _, err := p.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "is not a file") {
		t.Errorf("pipe as input: %v", err)
	}
	p.Stdin, p.Path = "", filepath.Join(t.TempDir(), "missing")
	if _, err := p.Run(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "start "+p.Path) {
		t.Errorf("missing program: %v", err)
	}
	if got, _ := os.ReadFile(log); strings.Count(string(got), "cleaning") != 4 {
		t.Errorf("cleaned up %q, want 4 times", got)
	}
}

// TestProgramStdin: every trial reads the file from its beginning.
func TestProgramStdin(t *testing.T) {
	p := script(t, "cat; echo $PWD")
	p.Dir = t.TempDir()
	p.Stdin = filepath.Join(p.Dir, "in")
	in := strings.Repeat("0123456789abcde\n", 100_000)
	if err := os.WriteFile(p.Stdin, []byte(in), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Output = sum(in + p.Dir + "\n")
	for range 2 {
		if o := mustRunProgram(t, p); o.Status != "ok" {
			t.Errorf("%s %s", o.Status, o.Reason)
		}
	}
}

// TestProgramFlood: 100 MB on stdout and as much on stderr cost little memory.
func TestProgramFlood(t *testing.T) {
	if _, err := exec.LookPath("yes"); err != nil {
		t.Skip("no yes")
	}
	const size = 100 << 20
	p := script(t, fmt.Sprintf("yes | head -c %d; yes no | head -c %d >&2; exit $1", size, size), "0")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	o := mustRunProgram(t, p)
	runtime.ReadMemStats(&after)
	if o.Status != "ok" || o.Output != sum(strings.Repeat("y\n", size/2)) || len(o.Stdout) > 1<<20+100 || len(o.Stderr) > 1<<20+100 {
		t.Errorf("%s %s, output %s, %d and %d bytes kept", o.Status, o.Reason, o.Output, len(o.Stdout), len(o.Stderr))
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 20<<20 {
		t.Errorf("allocated %d MB", used>>20)
	}
	p.Args[len(p.Args)-1] = "1"
	if o := mustRunProgram(t, p); o.Reason != "exit status 1: n" {
		t.Errorf("reason %q", o.Reason)
	}
}

// TestProgramFloodDetached: an endless stream from a process that left the
// group ends with the trial.
func TestProgramFloodDetached(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("no setsid")
	}
	p := script(t, "setsid yes & sleep 0.1")
	if o := mustRunProgram(t, p); o.Status != "ok" { // hangs where it waits for the end of the stream
		t.Errorf("%s %s", o.Status, o.Reason)
	}
}

// TestProgramOrphans: children that stay in the group do not outlive it, nor
// hold the trial up.
func TestProgramOrphans(t *testing.T) {
	t.Parallel()
	fifo, ready, abandoned := makeFifo(t)
	done := make(chan struct{})
	go func() { ready(); close(done) }()
	p := script(t, `exec 9>"$1"; sleep 1000 & echo ready >&9; echo done`, fifo)
	if o := mustRunProgram(t, p); o.Status != "ok" || o.Output != sum("done\n") {
		t.Errorf("%s %s", o.Status, o.Reason)
	}
	<-done
	abandoned()
}

func TestFindProgram(t *testing.T) {
	dir := t.TempDir()
	tool := filepath.Join(dir, "tool")
	if err := os.WriteFile(tool, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	env := []string{"A=1", "PATH=.:/nowhere:" + dir}
	for name, want := range map[string]string{"tool": tool, "none": "none", "./tool": "./tool", "/x/tool": "/x/tool"} {
		if got := findProgram(name, env); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// A command that dies of a fault of the runtime says so; what it prints about another
// program's, with another exit status, does not count.
func TestProgramRuntimeFault(t *testing.T) {
	for status, want := range map[int]string{2: "checkdead: runnable g", 1: "", 0: ""} {
		o := mustRunProgram(t, script(t, `echo "fatal error: checkdead: runnable g" >&2; exit "$1"`, strconv.Itoa(status)))
		if o.RuntimeFault != want {
			t.Errorf("exit status %d: %q, want %q", status, o.RuntimeFault, want)
		}
	}
}

// The reason of a process that was killed near a limit of the machine is that limit.
func TestDeathByLimit(t *testing.T) {
	if got := deathOf(child.Exit{Code: -1, Signal: "killed", Limit: "it took all memory"}); got != "it took all memory" {
		t.Errorf("its end is told as %q", got)
	}
}

// TestProgramPrints: metrics in what a program prints, beside those of the process.
func TestProgramPrints(t *testing.T) {
	p := script(t, "echo 7 ops; echo 12.5 ops")
	p.Metrics = []string{"ops/s=/(.+) ops/"}
	obs := mustRunProgram(t, p).Observations("script", 1)
	if obs["ops/s"] != 12.5 || obs["sec/op"] <= 0 {
		t.Errorf("observations %v, want 12.5 ops/s and the time", obs)
	}
	p = script(t, "echo BenchmarkX 10 2000000000 ns/op 3 hits/op")
	p.Parse = "benchfmt"
	if obs := mustRunProgram(t, p).Observations("script", 1); obs["sec/op"] != 2 || obs["hits/op"] != 3 {
		t.Errorf("observations %v, want the 2 s that it printed", obs)
	}
	p = script(t, "echo nothing")
	p.Metrics = []string{"ops/s=/(.+) ops/"}
	o := mustRunProgram(t, p)
	if o.Status != assay.StatusNoResult || o.Reason != "the output has no line that matches /(.+) ops/ (ops/s)" || o.Observations("script", 1) != nil {
		t.Errorf("got %s: %s", o.Status, o.Reason)
	}
	p = script(t, "echo 12 ops; exit 3")
	p.Metrics = []string{"ops/s=/(.+) ops/"}
	if o := mustRunProgram(t, p); o.Status != assay.StatusFailed {
		t.Errorf("got %s, want the exit status first", o.Status)
	}
}
