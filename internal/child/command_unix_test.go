//go:build unix

package child

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// shell runs a script; these tests are about processes, and sh has them.
func shell(t testing.TB, script string, args ...string) Command {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	return Command{Path: sh, Args: append([]string{"-c", script, "sh"}, args...), Env: []string{"PATH=" + os.Getenv("PATH")}}
}

// forking is a command whose leader and two descendants hold fifo open; one
// of them ignores polite signals. It must not need a testing.T.
func forking(fifo string) Command {
	const script = `
		(trap '' TERM INT QUIT HUP; echo ready >"$1"; exec sleep 1000 >"$1") &
		sleep 1000 >"$1" &
		exec sleep 1000 >"$1"`
	return Command{Path: "/bin/sh", Args: []string{"-c", script, "sh", fifo}, Env: []string{"PATH=" + os.Getenv("PATH")}}
}

// newFifo returns a pipe by name and a function that waits until "ready" has
// been written to it, and one that waits until nobody has it open for writing.
func newFifo(t *testing.T) (path string, ready, abandoned func()) {
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

func TestRun(t *testing.T) {
	dir := t.TempDir()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	c := shell(t, `echo "$1|$2|$3|$WORD|$(/bin/pwd)"; cat; echo oops >&2; exit 7`, "a b", "", "$HOME")
	c.Dir, c.Stdin = dir, strings.NewReader("in\nput")
	c.Env = append(c.Env, "WORD=*", "PWD=")
	before := time.Now()
	e, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(e.Stdout), "a b||$HOME|*|"+dir+"\nin\nput"; got != want {
		t.Errorf("stdout %q, want %q", got, want)
	}
	if got, want := string(e.Stderr), "oops\n"; got != want {
		t.Errorf("stderr %q, want %q", got, want)
	}
	if e.Code != 7 || e.Signal != "" || e.TimedOut {
		t.Errorf("code %d, signal %q, timed out %v; want 7 alone", e.Code, e.Signal, e.TimedOut)
	}
	if e.Start.Before(before.Add(-time.Second)) || e.Wall <= 0 || e.Wall > time.Since(before) || e.PeakRSS == 0 && runtime.GOOS == "darwin" {
		t.Errorf("start %v, wall %v, peak %d", e.Start, e.Wall, e.PeakRSS)
	}
}

// TestNothingInherited: no environment and no input but what was given.
func TestNothingInherited(t *testing.T) {
	t.Setenv("CHILD_TEST_SECRET", "1")
	env, err := exec.LookPath("env")
	if err != nil {
		t.Skip("no env")
	}
	e, err := Run(t.Context(), Command{Path: env})
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Stdout) > 0 {
		t.Errorf("environment %q, want none", e.Stdout)
	}
}

// TestFiles: a trial has the open files that it has without us.
func TestFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	const script = "cat; exec ls /proc/self/fd"
	e, err := Run(t.Context(), shell(t, script))
	if err != nil {
		t.Fatal(err)
	}
	want, err := exec.Command("sh", "-c", script).Output()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(e.Stdout, want) {
		t.Errorf("open files %q, want %q", e.Stdout, want)
	}
}

func TestRunInputFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(name, []byte("from a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	c := shell(t, "cat")
	c.Stdin = f
	e, err := Run(t.Context(), c)
	if err != nil || string(e.Stdout) != "from a file" {
		t.Errorf("stdout %q, error %v", e.Stdout, err)
	}
	if err := f.Close(); err != nil {
		t.Errorf("the caller's file: %v", err)
	}
}

func TestRunErrors(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	if _, err := Run(t.Context(), Command{Path: missing}); err == nil || err.Error() != "start "+missing+": no such file or directory" {
		t.Errorf("missing program: %v", err)
	}
	c := shell(t, "true")
	c.Dir = missing
	if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "stat "+missing) {
		t.Errorf("missing folder: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	if _, err := Run(ctx, shell(t, "true")); !errors.Is(err, enough) {
		t.Errorf("cancelled before: %v, want %v", err, enough)
	}
}

func TestSignal(t *testing.T) {
	e, err := Run(t.Context(), shell(t, "kill -TERM $$"))
	if err != nil || e.Code != -1 || e.Signal != "terminated" {
		t.Errorf("code %d, signal %q, error %v", e.Code, e.Signal, err)
	}
}

// TestCancel: the group ends on cancel, the part that ignores signals too.
func TestCancel(t *testing.T) {
	t.Parallel()
	fifo, ready, abandoned := newFifo(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { ready(); cancel() }()
	e, err := Run(ctx, forking(fifo))
	if !errors.Is(err, context.Canceled) || e.Signal != "killed" {
		t.Errorf("error %v, signal %q", err, e.Signal)
	}
	abandoned()
}

// TestOrphans: what the leader leaves behind ends with it.
func TestOrphans(t *testing.T) {
	t.Parallel()
	fifo, ready, abandoned := newFifo(t)
	done := make(chan struct{})
	go func() { ready(); close(done) }()
	e, err := Run(t.Context(), shell(t, `exec 9>"$1"; sleep 1000 & echo ready >&9; exit 3`, fifo))
	if err != nil || e.Code != 3 {
		t.Errorf("code %d, error %v", e.Code, err)
	}
	<-done
	abandoned()
}

// TestTimeout: a leader that ignores SIGQUIT is killed after the grace.
func TestTimeout(t *testing.T) {
	t.Parallel()
	longEnough(t, func(limit time.Duration) bool {
		fifo, ready, abandoned := newFifo(t)
		done := make(chan struct{})
		go func() { ready(); close(done) }()
		c := forking(fifo)
		c.Args[1] = "trap '' QUIT; " + c.Args[1]
		c.Timeout = limit
		begin := time.Now()
		e, err := Run(t.Context(), c)
		took := time.Since(begin)
		if e.Signal == "quit" {
			return false // it had not come to its trap
		}
		if err != nil || !e.TimedOut || e.Signal != "killed" || took < limit+Grace {
			t.Errorf("timed out %v after %v, signal %q, error %v", e.TimedOut, took, e.Signal, err)
		}
		<-done
		abandoned()
		return true
	})
}

// TestEscape: a process that left the group and holds stdout does not hold us,
// whether it can be found or not.
func TestEscape(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("no setsid")
	}
	e, err := Run(t.Context(), shell(t, "setsid sleep 100000 & echo $!"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(e.Stdout)))
	if err != nil || pid < 2 {
		t.Fatalf("stdout %q, error %v", e.Stdout, err)
	}
	_ = syscall.Kill(pid, syscall.SIGKILL) // where it could not be found
}

func TestLimited(t *testing.T) {
	var whole []byte
	for i := range 3 * excerptHalf / 4 {
		whole = append(whole, byte(i>>16), byte(i>>8), byte(i), '\n')
	}
	for _, size := range []int{0, 1, excerptHalf - 1, excerptHalf, excerptHalf + 1, 2 * excerptHalf, 2*excerptHalf + 1, len(whole)} {
		for _, chunk := range []int{1 << 10, 4099, excerptHalf, len(whole)} {
			var l Excerpt
			for rest := whole[:size]; len(rest) > 0; rest = rest[min(chunk, len(rest)):] {
				_, _ = l.Write(rest[:min(chunk, len(rest))])
			}
			got := l.Bytes()
			if size <= 2*excerptHalf {
				if !bytes.Equal(got, whole[:size]) {
					t.Errorf("%d bytes by %d: changed", size, chunk)
				}
				continue
			}
			if !bytes.HasPrefix(got, whole[:excerptHalf]) || !bytes.HasSuffix(got, whole[size-excerptHalf:size]) || len(got) > 2*excerptHalf+100 {
				t.Errorf("%d bytes by %d: wrong head, tail or length %d", size, chunk, len(got))
			}
			if !bytes.Contains(got, []byte(" bytes omitted ...\n")) {
				t.Errorf("%d bytes by %d: no note", size, chunk)
			}
		}
	}
}

// TestManyTrials: more trials than one starter does, several at a time.
func TestManyTrials(t *testing.T) {
	const trials = 600
	work := make(chan int)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range work {
				e, err := Run(t.Context(), Command{Path: "/bin/echo", Args: []string{strconv.Itoa(i)}})
				if got, want := string(e.Stdout), strconv.Itoa(i)+"\n"; err != nil || got != want {
					t.Errorf("trial %d: %q, %v", i, got, err)
				}
			}
		})
	}
	for i := range trials {
		work <- i
	}
	close(work)
	wg.Wait()
}
