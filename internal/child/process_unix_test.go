//go:build unix

package child

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	assay "github.com/seed-1318a441/assay"
)

// mode is a process of this binary that does what modes says.
func mode(name string, args ...string) Command {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return Command{Path: self, Args: args, Env: []string{"CHILD_TEST_MODE=" + name}}
}

// printingTo is the command with writers for what it prints.
func (c Command) printingTo(stdout, stderr io.Writer) Command {
	c.Stdout, c.Stderr = stdout, stderr
	return c
}

func init() {
	modes["polite"] = func() { // says which signal ended it
		fmt.Println("goodbye:", <-ready(syscall.SIGINT, syscall.SIGTERM))
		os.Exit(3)
	}
	modes["stubborn"] = func() { // only says which signals it got
		for s := range ready(syscall.SIGINT, syscall.SIGTERM) {
			fmt.Println("ignored:", s)
		}
	}
	modes["daemon"] = func() { // stays, and so does its daemon
		stop := ready(syscall.SIGTERM)
		_ = alone("detach", os.Args[1], nil).Wait()
		<-stop
	}
	modes["daemonize"] = func() { // leaves its daemon behind
		_ = alone("detach", os.Args[1], nil).Wait()
	}
	modes["detach"] = func() { // leaves the daemon to whom it may concern
		alone("held", os.Args[1], nil)
	}
	modes["held"] = func() { // holds the fifo open for good
		hold(os.Args[1])
		time.Sleep(time.Hour) // an empty select would be a deadlock, which ends it
	}
	modes["helped"] = func() { // has a helper that ends when this does
		r, w, err := os.Pipe()
		if err != nil {
			panic(err)
		}
		stop := ready(syscall.SIGTERM)
		alone("helper", os.Args[1], r)
		<-stop
		_ = w.Close()
	}
	modes["helper"] = func() { // outlives the leader by a moment
		hold(os.Args[1])
		_, _ = io.ReadAll(os.Stdin)
		time.Sleep(10 * time.Millisecond)
	}
}

// ready takes signals, and says so.
func ready(signals ...os.Signal) <-chan os.Signal {
	c := make(chan os.Signal, 9)
	signal.Notify(c, signals...)
	fmt.Println("ready")
	return c
}

// alone starts a mode in a session of its own.
func alone(name, fifo string, stdin *os.File) *exec.Cmd {
	c := mode(name, fifo)
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Env, cmd.SysProcAttr, cmd.Stdin = c.Env, &syscall.SysProcAttr{Setsid: true}, stdin
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	return cmd
}

// hold opens a fifo for good and tells those at the other end.
func hold(fifo string) {
	f, err := os.OpenFile(fifo, os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	held = f
	_, _ = f.WriteString("ready\n")
}

// held keeps a file from being closed by the garbage collector.
var held *os.File

// said has the lines that a process prints, if it prints one at a time.
type said chan string

func (s said) Write(p []byte) (int, error) {
	s <- strings.TrimSpace(string(p))
	return len(p), nil
}

func (s said) await(t *testing.T, want string) {
	t.Helper()
	// A test that hangs here fails at go test's timeout, and rightly so.
	if got := <-s; got != want {
		t.Fatalf("it said %q, want %q", got, want)
	}
}

// running fails the test when the process has ended.
func running(t *testing.T, p *Process) {
	t.Helper()
	select {
	case <-p.Ended():
		e, err := p.Wait()
		t.Fatalf("ended: %+v, %v", e, err)
	default:
	}
}

// TestStop: a process that gets a signal ends in its own way, and its last output
// arrives.
func TestStop(t *testing.T) {
	for ask, want := range map[string]string{assay.StopInterrupt: "interrupt", assay.StopTerminate: "terminated", "": "terminated"} {
		said := make(said, 10)
		before := time.Now()
		p, err := Start(t.Context(), mode("polite").printingTo(said, nil))
		if err != nil {
			t.Fatal(err)
		}
		said.await(t, "ready")
		running(t, p)
		if s := p.Started(); s.Before(before.Add(-time.Millisecond)) || s.After(time.Now()) {
			t.Errorf("started %v, asked for %v", s, before)
		}
		p.Stop(ask)
		e, err := p.Wait()
		if err != nil || e.Code != 3 || e.Signal != "" || e.TimedOut || string(e.Stdout) != "ready\ngoodbye: "+want+"\n" {
			t.Errorf("asked by %q: code %d, signal %q, error %v, output %q", ask, e.Code, e.Signal, err, e.Stdout)
		}
		if d := e.Start.Sub(p.Started()).Abs(); d > time.Millisecond {
			t.Errorf("started %v, says the end %v", p.Started(), e.Start)
		}
		<-p.Ended()
		p.Stop(assay.StopKill) // nobody
		if again, err := p.Wait(); err != nil || !reflect.DeepEqual(again, e) {
			t.Errorf("waited again: %v, %v", again, err)
		}
	}
}

// TestStopIgnored: what does not obey is killed, and its group with it.
func TestStopIgnored(t *testing.T) {
	said := make(said, 10)
	p, err := Start(t.Context(), mode("stubborn").printingTo(said, nil))
	if err != nil {
		t.Fatal(err)
	}
	said.await(t, "ready")
	for range 2 {
		p.Stop(assay.StopTerminate)
		said.await(t, "ignored: terminated")
	}
	p.Stop(assay.StopInterrupt)
	said.await(t, "ignored: interrupt")
	running(t, p)
	p.Stop(assay.StopKill)
	if e, err := p.Wait(); err != nil || e.Signal != "killed" || e.Code != -1 {
		t.Errorf("code %d, signal %q, error %v", e.Code, e.Signal, err)
	}

	fifo, ready, abandoned := newFifo(t)
	if p, err = Start(t.Context(), forking(fifo)); err != nil {
		t.Fatal(err)
	}
	ready()
	p.Stop(assay.StopKill)
	if e, err := p.Wait(); err != nil || e.Signal != "killed" || e.Escaped != 0 {
		t.Errorf("group: signal %q, %d escaped, error %v", e.Signal, e.Escaped, err)
	}
	abandoned()
}

func TestPID(t *testing.T) {
	p, err := Start(t.Context(), shell(t, "echo $$"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := p.Wait()
	if got, want := string(e.Stdout), fmt.Sprintln(p.PID()); err != nil || got != want {
		t.Errorf("it is %q, said to be %q, error %v", got, want, err)
	}
}

// TestStartOver: a process that ends at once is a process nonetheless, and those
// that follow it get no order that was for it.
func TestStartOver(t *testing.T) {
	for i := range 50 {
		said := make(said, 10)
		p, err := Start(t.Context(), shell(t, "echo end; echo oops >&2; exit 7").printingTo(nil, said))
		if err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			go p.Stop(assay.StopTerminate) // may come too late, or in time
		} else {
			<-p.Ended()
			p.Stop(assay.StopKill)
		}
		e, err := p.Wait()
		if asked := e.Signal == "terminated" && i%2 == 0; err != nil || e.Code != 7 && !asked {
			t.Fatalf("code %d, signal %q, error %v", e.Code, e.Signal, err)
		}
		if e.Code == 7 {
			said.await(t, "oops")
		}
	}
}

func TestStartErrors(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	if _, err := Start(t.Context(), Command{Path: missing}); err == nil || err.Error() != "start "+missing+": no such file or directory" {
		t.Errorf("missing program: %v", err)
	}
	c := shell(t, "true")
	c.Dir = missing
	if _, err := Start(t.Context(), c); err == nil || !strings.Contains(err.Error(), "stat "+missing) {
		t.Errorf("missing folder: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	if _, err := Start(ctx, shell(t, "true")); !errors.Is(err, enough) {
		t.Errorf("cancelled before: %v, want %v", err, enough)
	}
}

// TestStartCancel: the group ends with the context.
func TestStartCancel(t *testing.T) {
	fifo, ready, abandoned := newFifo(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p, err := Start(ctx, forking(fifo))
	if err != nil {
		t.Fatal(err)
	}
	ready()
	running(t, p)
	cancel()
	if e, err := p.Wait(); !errors.Is(err, context.Canceled) || e.Signal != "killed" {
		t.Errorf("error %v, signal %q", err, e.Signal)
	}
	abandoned()
}

func TestStartTimeout(t *testing.T) {
	c := shell(t, "exec sleep 1000")
	c.Timeout = 100 * time.Millisecond
	begin := time.Now()
	p, err := Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if e, err := p.Wait(); err != nil || !e.TimedOut || e.Signal != "quit" || time.Since(begin) < c.Timeout {
		t.Errorf("timed out %v after %v, signal %q, error %v", e.TimedOut, time.Since(begin), e.Signal, err)
	}
}

// TestOutput: both outputs go to one writer, which is not locked, and the race
// detector sees it if they do so at a time.
func TestOutput(t *testing.T) {
	const lines = 2000
	count := 0
	p, err := Start(t.Context(), shell(t, `i=0; while [ $i -lt 2000 ]; do echo a; echo b >&2; i=$((i+1)); done`).printingTo(counting{&count}, counting{&count}))
	if err != nil {
		t.Fatal(err)
	}
	e, err := p.Wait()
	if err != nil || count != 2*lines || len(e.Stdout) != 2*lines || len(e.Stderr) != 2*lines {
		t.Errorf("%d lines, outputs of %d and %d bytes, error %v", count, len(e.Stdout), len(e.Stderr), err)
	}
}

type counting struct{ lines *int }

func (c counting) Write(p []byte) (int, error) {
	*c.lines += strings.Count(string(p), "\n")
	return len(p), nil
}

// BenchmarkIdle tells what a process that runs and prints nothing costs this one, as
// part of one core.
func BenchmarkIdle(b *testing.B) {
	p, err := Start(b.Context(), shell(b, "exec sleep 1000"))
	if err != nil {
		b.Fatal(err)
	}
	before := ownCPU(b)
	for b.Loop() {
		time.Sleep(time.Second)
	}
	used := ownCPU(b) - before
	b.ReportMetric(100*used.Seconds()/b.Elapsed().Seconds(), "%core")
	p.Stop(assay.StopTerminate)
	if _, err := p.Wait(); err != nil {
		b.Fatal(err)
	}
}

func ownCPU(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
