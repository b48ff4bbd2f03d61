//go:build unix

package trial

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	assay "github.com/seed-1318a441/assay"
)

// buildServer builds testdata/server.
var buildServer = sync.OnceValues(func() (string, error) {
	bin := filepath.Join(scratch, "server")
	out, err := exec.Command("go", "build", "-o", bin, "./testdata/server").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return bin, nil
})

func server(t testing.TB) string {
	t.Helper()
	bin, err := buildServer()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// newService is a trial of testdata/server: mode as in playServer,
// path what 50 requests are made for.
func newService(t testing.TB, mode, path string) Service {
	t.Helper()
	self := server(t)
	port, err := FreePort()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	env := Environ(os.Environ(), 2, nil)
	s := Service{
		Name: "requests", Dir: dir, Port: port, Env: env, LoadEnv: env, Timeout: never,
		Service: assay.Service{
			Start: []string{self, "role-server", strconv.Itoa(port), mode}, Parse: "assay",
			Ready: assay.Ready{Within: never}, StopWithin: never,
		},
	}
	s.Service.Load = s.requests(path, 50, "")
	t.Cleanup(func() { s.mustBeGone(t) })
	return s
}

func (s Service) url(path string) string { return fmt.Sprintf("http://127.0.0.1:%d%s", s.Port, path) }

func (s Service) requests(path string, n int, mode string) []string {
	return []string{s.Service.Start[0], "role-load", s.url(path), strconv.Itoa(n), mode}
}

func (s Service) hang(file string) []string { return []string{s.Service.Start[0], "role-hang", file} }

// mustBeGone fails where a process of the trial still runs.
func (s Service) mustBeGone(t testing.TB) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(s.Dir, "pid-*"))
	for _, f := range files {
		pid, _ := strconv.Atoi(strings.TrimPrefix(filepath.Base(f), "pid-"))
		if err := syscall.Kill(pid, 0); err == nil {
			t.Errorf("process %d still runs", pid)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// pids is how many processes played a part in the trial.
func (s Service) pids() int {
	files, _ := filepath.Glob(filepath.Join(s.Dir, "pid-*"))
	return len(files)
}

func mustServe(t testing.TB, s Service) Outcome {
	t.Helper()
	o, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if (o.Status == assay.StatusOK) != (len(o.Readings) == 1) {
		t.Errorf("%s, and readings %v", o.Status, o.Readings)
	}
	if o.Server == nil || o.Start.IsZero() || o.Wall <= 0 {
		t.Errorf("server printed %q; %v, took %v", o.Server, o.Start, o.Wall)
	}
	s.mustBeGone(t)
	return o
}

// TestConcurrentService: what a load measures, and what the server needed for it.
func TestConcurrentService(t *testing.T) {
	t.Parallel()
	s := newService(t, "good", "/")
	s.GCTrace = true
	s.Service.Ready = assay.Ready{HTTP: s.url("/soon"), Within: never}
	s.Service.Setup = [][]string{s.requests("/burn", 20, ""), s.requests("/", 50, "")}
	s.Service.Load = s.requests("/work", 300, "")
	o := mustServe(t, s)
	if o.Status != assay.StatusOK {
		t.Fatalf("%s: %s\n%s%s", o.Status, o.Reason, o.Stderr, o.Server)
	}
	got := o.Observations("requests", 1)
	for _, name := range []string{"latency.p50", "tx/s", "mean-RSS-bytes", "cpu-sec/ktx", "peak-RSS-bytes", "gc.cycles/min", "gc.cycles/ktx", "gc.mark", "gc.cpu-share"} {
		if strings.Contains(name, "peak") && (runtime.GOOS != "linux" || raceEnabled) {
			continue // a starter with the race detector is larger than the server
		}
		if got[name] <= 0 {
			t.Errorf("%s is %g", name, got[name])
		}
	}
	for _, name := range []string{"user-sec/op", "sys-sec/op", "sec/op", "minor-faults/op", "gc.cycles/op"} {
		if v, ok := got[name]; ok {
			t.Errorf("%s is %g, and should not be there", name, v)
		}
	}
	if v, ok := got["errors/tx"]; v != 0 || !ok {
		t.Errorf("errors/tx %g, %v", v, ok)
	}
	if mean, peak := got["mean-RSS-bytes"], got["peak-RSS-bytes"]; mean < 1<<20 || peak > 0 && mean > 1.1*peak {
		t.Errorf("mean %g, peak %g", mean, peak)
	}
	// A MB for each request, and some MB of heap before each cycle.
	if v := got["gc.cycles/ktx"]; v < 20 || v > 1000 {
		t.Errorf("%g cycles per thousand requests", v)
	}
	if o.Intended != 1000 || !strings.Contains(string(o.Server), "accepting on") || !strings.HasPrefix(string(o.Stdout), "{") {
		t.Errorf("intended %g, server printed %q, load %.20q", o.Intended, o.Server, o.Stdout)
	}
	testCollected(t, o)
}

// testCollected: what is for pictures is of the load alone.
func testCollected(t *testing.T, o Outcome) {
	t.Helper()
	c := o.Collected
	if c == nil || c.Latency == nil || c.Latency.Total() != 300 || len(c.Memory) == 0 {
		t.Fatalf("collected %+v", c)
	}
	if len(c.GC) < 5 || c.GC[0].N < 5 || c.GC[0].At < 0.1 {
		t.Errorf("%d cycles from %+v on: with those of the set-up", len(c.GC), c.GC[:min(1, len(c.GC))])
	}
	first, last := c.Memory[0], c.Memory[len(c.Memory)-1]
	if last.At < first.At || last.At > o.Wall.Seconds() || first.Bytes < 1<<20 {
		t.Errorf("memory from %+v to %+v", first, last)
	}
	traced := strings.Count(string(o.Server), "%: ")
	if traced <= len(c.GC) {
		t.Errorf("%d cycles of %d that were traced", len(c.GC), traced)
	}
}

// TestServiceCPU: the CPU time is that of the measured requests, without what
// came before, the load generator's own warm-up too.
func TestServiceCPU(t *testing.T) {
	t.Parallel()
	s := newService(t, "thrifty", "/")
	s.Service.Warmup = [][]string{s.requests("/burn", 100, "")}
	s.Service.Load = s.requests("/burn", 100, "warm")
	o := mustServe(t, s)
	// A third of all requests is measured; how much that is, the server knows.
	m := regexp.MustCompile(`used (\d+) ns`).FindSubmatch(o.Server)
	if m == nil {
		t.Fatalf("%s %s: server printed %q", o.Status, o.Reason, o.Server)
	}
	whole, err := strconv.ParseFloat(string(m[1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	got := o.Observations("requests", 1)["cpu-sec/ktx"] * 100 / 1000 / (whole / 1e9)
	if got < 0.2 || got > 0.5 {
		t.Errorf("%.2f of the server's CPU time, want a third", got)
	}
	if _, ok := o.Observations("requests", 1)["gc.cycles/min"]; ok || o.Collected.GC != nil {
		t.Error("traced without being asked to")
	}
}

// TestServiceEnds: what went wrong, in one line.
func TestServiceEnds(t *testing.T) {
	left := "left 1 process behind, killed; last log: version 1"
	if runtime.GOOS != "linux" || portable {
		left = "" // see TestServicePort
	}
	for _, test := range []struct {
		name, mode, path string
		change           func(*Service)
		status           assay.Status
		reason           string
	}{
		{"good", "good", "/", nil, "ok", ""},
		{"log", "good", "/", func(s *Service) { s.Service.Ready.Log = `^accepting on \d+$` }, "ok", ""},
		{"tcp", "good", "/", func(s *Service) { s.Service.Ready.TCP = address(s.Port) }, "ok", ""},
		{"grumpy", "grumpy", "/", nil, "ok", ""},
		{"by its signal", "good", "/", func(s *Service) { s.Service.Stop = assay.StopInterrupt }, "ok", ""},
		{"killed", "deaf", "/", func(s *Service) { s.Service.Stop = assay.StopKill }, "ok", ""},
		{"long output", "good", "/", func(s *Service) { s.Service.Load[4] = "long" }, "ok", ""},
		{"never ready", "silent", "/", func(s *Service) { s.Service.Ready.Within = 100 * time.Millisecond }, "failed",
			"never ready: nothing accepts connections on 127.0.0.1:PORT after 100ms…"},
		{"wrong port", "good", "/", func(s *Service) {
			s.Service.Ready = assay.Ready{TCP: "127.0.0.1:1", Within: 200 * time.Millisecond}
		}, "failed", "never ready: nothing accepts connections on 127.0.0.1:1 after 200ms…"},
		{"wrong page", "good", "/", func(s *Service) {
			s.Service.Ready = assay.Ready{HTTP: "http://127.0.0.1:1/", Within: 200 * time.Millisecond}
		}, "failed", "never ready: nothing answers at http://127.0.0.1:1/ after 200ms…"},
		{"no such line", "good", "/", func(s *Service) {
			s.Service.Ready = assay.Ready{Log: "^ready$", Within: 200 * time.Millisecond}
		}, "failed", `never ready: no line of its output matches "^ready$" after 200ms…`},
		{"dies at once", "dies", "/", nil, "failed", "the server died before it was ready: exit status 3; last log: version 1 | no data folder"},
		{"dies in the set-up", "good", "/", func(s *Service) { s.Service.Setup = [][]string{s.requests("/panic", 1, "stays")} }, "failed",
			"the server died during the set-up: panic: out of cheese"},
		{"dies in the warm-up", "good", "/", func(s *Service) { s.Service.Warmup = [][]string{s.requests("/killed", 1, "stays")} }, "failed",
			"the server died during the warm-up: signal: killed; last log: version 1 | accepting on PORT"},
		{"dies under load", "good", "/killed", func(s *Service) { s.Service.Load[4] = "stays" }, "failed", "the server died under load: signal: killed; last log: version 1 | accepting on PORT"},
		{"refuses", "deaf", "/", func(s *Service) { s.Service.StopWithin = 100 * time.Millisecond }, "failed",
			"did not stop within 100ms of terminate; killed; last log: version 1 | accepting on PORT"},
		{"daemon", "daemon", "/", nil, "failed", left},
		{"prepare", "good", "/", func(s *Service) { s.Service.Prepare = [][]string{{"sh", "-c", "echo no >&2; exit 4"}} }, "failed", "prepare: sh: exit status 4: no"},
		{"set-up", "good", "/", func(s *Service) { s.Service.Setup = [][]string{{"true"}, s.requests("/", 0, "fails")} }, "failed",
			"set-up: LOAD: exit status 2: lost a thread; last log: version 1 | accepting on PORT"},
		{"set-up hangs", "good", "/", func(s *Service) { s.Timeout, s.Service.Setup = time.Second, [][]string{{"sleep", "1000"}} }, "failed",
			"set-up: sleep: ended after 1s without finishing; last log: version 1 | accepting on PORT"},
		{"no such program", "good", "/", func(s *Service) { s.Service.Setup = [][]string{{"no-such-program"}} }, "failed",
			"set-up: no-such-program: start no-such-program: no such file or directory; last log: version 1 | accepting on PORT"},
		{"load cut", "good", "/", func(s *Service) { s.Service.Load[4] = "cut" }, "failed",
			"load: assay output is not the JSON that was expected: …"}, // what is wrong with it depends on where it was cut
		{"load fails", "good", "/", func(s *Service) { s.Service.Load[4] = "fails" }, "failed",
			"load: LOAD: exit status 2: lost a thread; last log: version 1 | accepting on PORT"},
		{"load complains", "good", "/", func(s *Service) { s.Service.Load[4] = "complains" }, "failed",
			"load: LOAD: exit status 1: FATAL: unable to connect; last log: version 1 | accepting on PORT"},
		{"load hangs", "good", "/", func(s *Service) {
			s.Timeout, s.Service.Load = time.Second, []string{"sleep", "1000"}
		}, "timeout", "load: sleep: ended after 1s without finishing; last log: version 1 | accepting on PORT"},
		{"clean-up", "good", "/", func(s *Service) { s.Service.Cleanup = [][]string{{"sh", "-c", "kill $$"}} }, "failed", "clean-up: sh: ended by signal: terminated"},
	} {
		if test.reason == "" && test.status != assay.StatusOK {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newService(t, test.mode, test.path)
			if strings.Contains(test.reason, "accepting on") {
				s.Service.Ready.Log = "^accepting on" // else it may be read too late for the reason
			}
			if test.change != nil {
				test.change(&s)
			}
			want := strings.NewReplacer("PORT", strconv.Itoa(s.Port), "LOAD", filepath.Base(s.Service.Start[0])).Replace(test.reason)
			o := mustServe(t, s)
			// A server may be slow to print what its reason would end with.
			want, open := strings.CutSuffix(want, "…")
			if o.Status != test.status || !strings.HasPrefix(o.Reason, want) || !open && o.Reason != want {
				t.Errorf("%s %q, want %s %q\n%s", o.Status, o.Reason, test.status, want, o.Stderr)
			}
			if portTaken(s.Port) {
				t.Error("the port is still held")
			}
		})
	}
}

// TestServicePort: what holds the port and is not the trial's is named, and left alone.
func TestServicePort(t *testing.T) {
	t.Parallel()
	s := newService(t, "good", "/")
	l, err := net.Listen("tcp4", address(s.Port))
	if err != nil {
		t.Fatal(err)
	}
	o := mustServe(t, s)
	if want := fmt.Sprintf("port %d is already taken (by pid %d, ", s.Port, os.Getpid()); !strings.HasPrefix(o.Reason, want) {
		t.Errorf("%q, want %q", o.Reason, want)
	}
	if s.pids() != 0 {
		t.Error("something was started")
	}
	if !portTaken(s.Port) {
		t.Error("the port is free")
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestServicePortHeld: somebody else takes the port while the trial runs.
func TestServicePortHeld(t *testing.T) {
	t.Parallel()
	s := newService(t, "silent", "/")
	s.Service.Ready.Log = "loading"
	s.Service.Setup = [][]string{{"sh", "-c", "touch reached; until [ -e go ]; do sleep 0.01; done"}}
	s.Service.Load = []string{"echo", `{"requests": 100, "latency": {"values": [0.001], "counts": [100]}}`}
	var wg sync.WaitGroup
	wg.Go(func() {
		awaitFile(t, filepath.Join(s.Dir, "reached"))
		l, err := net.Listen("tcp4", address(s.Port))
		if err != nil {
			t.Error(err)
			return
		}
		t.Cleanup(func() { _ = l.Close() })
		if err := os.WriteFile(filepath.Join(s.Dir, "go"), nil, 0o600); err != nil {
			t.Error(err)
		}
	})
	o := mustServe(t, s)
	wg.Wait()
	if want := fmt.Sprintf("port %d is still held after the server ended (by pid %d, ", s.Port, os.Getpid()); !strings.HasPrefix(o.Reason, want) {
		t.Errorf("%s %q, want %q", o.Status, o.Reason, want)
	}
}

// awaitFile waits until a file is there.
func awaitFile(t testing.TB, name string) {
	for t.Context().Err() == nil {
		if _, err := os.Stat(name); err == nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// TestServiceResults: the result is in files, and those of the warm-up are not
// the load's.
func TestServiceResults(t *testing.T) {
	t.Parallel()
	s := newService(t, "good", "/")
	s.Service.Results = "out-*.json"
	s.Service.Load = s.requests("/", 30, "file")
	s.Service.Warmup = [][]string{s.requests("/", 20, "file")}
	o := mustServe(t, s)
	if o.Status != assay.StatusOK || o.Collected.Latency.Total() != 30 {
		t.Fatalf("%s %s: %+v", o.Status, o.Reason, o.Collected)
	}
	s.Service.Results = filepath.Join(s.Dir, "missing.json")
	if o := mustServe(t, s); !strings.HasPrefix(o.Reason, `load: left no file that matches "missing.json"`) {
		t.Errorf("%s %q", o.Status, o.Reason)
	}
	s.Service.Results = "/etc/*"
	if _, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "names no files in the folder of the trial") {
		t.Errorf("%v", err)
	}
}

// TestServiceErrors: what would make every trial fail is an error.
func TestServiceErrors(t *testing.T) {
	for _, test := range []struct {
		change func(*Service)
		want   string
	}{
		{func(s *Service) { s.Service.Load = []string{"my-load"} }, "start my-load: "},
		{func(s *Service) { s.Service.Load = []string{"/nowhere/load"} }, "start /nowhere/load: no such file or directory"},
		{func(s *Service) { s.Service.Start = []string{"/nowhere/server"} }, "start /nowhere/server: no such file or directory"},
		{func(s *Service) { s.Service.Ready.Log = "(" }, "ready.log: error parsing regexp: missing closing ): `(`"},
		{func(s *Service) { s.Port = 0 }, "ready: there is nothing to wait for: set tcp, http or log, or use {port}"},
		{func(s *Service) { s.Service.CPUs = "0-" }, `cpus "0-" is not a list of processors such as "0" or "0-3,6"`},
	} {
		s := newService(t, "good", "/")
		s.LoadEnv = []string{"PATH=" + s.Dir}
		test.change(&s)
		if _, err := s.Run(t.Context()); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

// TestConcurrentServiceCancel: in whatever phase it comes, nothing runs any more.
func TestConcurrentServiceCancel(t *testing.T) {
	for _, phase := range []string{phasePrepare, phaseReady, phaseSetup, phaseWarmup, phaseLoad, phaseCleanup} {
		t.Run(phase, func(t *testing.T) {
			t.Parallel()
			s := newService(t, "deaf", "/")
			file := filepath.Join(s.Dir, "reached")
			hang := [][]string{s.hang(file)}
			switch phase {
			case phasePrepare:
				s.Service.Prepare = hang
			case phaseReady:
				s.Service.Start, s.Service.Ready.Log = hang[0], "never"
			case phaseSetup:
				s.Service.Setup = hang
			case phaseWarmup:
				s.Service.Warmup = hang
			case phaseLoad:
				s.Service.Load = hang[0]
			case phaseCleanup:
				s.Service.Cleanup, s.Service.Stop = hang, assay.StopKill
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			enough := errors.New("enough")
			go func() { awaitFile(t, file); cancel(enough) }()
			o, err := s.Run(ctx)
			if !errors.Is(err, enough) {
				t.Errorf("error %v; %s %s", err, o.Status, o.Reason)
			}
			if s.pids() == 0 {
				t.Error("nothing was started")
			}
			s.mustBeGone(t)
		})
	}
}

// TestProgramTrace: a traced command tells of its collector, another does not.
func TestProgramTrace(t *testing.T) {
	t.Parallel()
	p := Program{Path: server(t), Args: []string{"role-garbage"}, Dir: t.TempDir(), Env: Environ(os.Environ(), 2, nil), Name: "garbage", GCTrace: true}
	o := mustRunProgram(t, p)
	got := o.Observations("garbage", 1)
	if n := got["gc.cycles/op"]; n < 5 || n != float64(len(o.Collected.GC)) || got["gc.mark"] <= 0 || got["sec/op"] <= 0 {
		t.Errorf("%g cycles, %d collected, mark %g", n, len(o.Collected.GC), got["gc.mark"])
	}
	p.GCTrace = false
	if o := mustRunProgram(t, p); hasGC(o) || o.Collected != nil {
		t.Error("traced without being asked to")
	}
}
