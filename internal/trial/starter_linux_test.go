//go:build !portable

package trial

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func init() {
	beKilled = func(fifo string) { _, _ = Run(context.Background(), forking(fifo)) }
}

// TestKilled: SIGKILL to assay itself leaves nothing behind.
func TestKilled(t *testing.T) {
	t.Parallel()
	fifo, ready, abandoned := newFifo(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	assay := exec.Command(self)
	assay.Env = append(os.Environ(), "TRIAL_TEST_KILLED="+fifo)
	if err := assay.Start(); err != nil {
		t.Fatal(err)
	}
	ready()
	if err := assay.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = assay.Wait()
	abandoned()
}

// TestStarterLost: a starter that dies costs the trial that ran, not the next.
func TestStarterLost(t *testing.T) {
	_, err := Run(t.Context(), shell(t, "kill -KILL $PPID; sleep 1000"))
	if err == nil || !strings.Contains(err.Error(), "lost the process that starts trials") {
		t.Errorf("error %v", err)
	}
	e, err := Run(t.Context(), shell(t, "echo again"))
	if err != nil || string(e.Stdout) != "again\n" {
		t.Errorf("after a lost starter: %q, %v", e.Stdout, err)
	}
}

// inProcess makes the test's trials run by a thread of this process, as where
// no starter can be launched, so that the test can change how.
func inProcess(t *testing.T) {
	t.Helper()
	socks, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	idle.Lock()
	defer idle.Unlock()
	others := idle.starters
	idle.starters = []*starter{{sock: socks[0]}}
	go func() {
		runtime.LockOSThread()
		serve(socks[1], nil)
	}()
	t.Cleanup(func() {
		idle.Lock()
		defer idle.Unlock()
		for _, s := range idle.starters {
			s.close()
		}
		idle.starters = others
	})
}

func TestInProcess(t *testing.T) {
	for _, old := range []bool{false, true} {
		inProcess(t)
		noPidFD.Store(old)
		defer noPidFD.Store(false)
		e, err := Run(t.Context(), shell(t, "echo here; exit 4"))
		if err != nil || string(e.Stdout) != "here\n" || e.Code != 4 {
			t.Errorf("without pidfd %v: %q, code %d, error %v", old, e.Stdout, e.Code, err)
		}
		c := shell(t, "trap '' QUIT; echo up; sleep 1000; sleep 1000")
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		if e, err = Run(ctx, c); err == nil || e.Signal != "killed" {
			t.Errorf("without pidfd %v: signal %q, error %v", old, e.Signal, err)
		}
	}
}

// supervised is how a command ended that this goroutine ran, without a starter.
func supervised(t *testing.T, c Command, counters bool) report {
	t.Helper()
	socks, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer closeAll(socks[:])
	var files []int
	for range maxFiles {
		f, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	r := supervise(job{Path: c.Path, Args: c.Args, Env: c.Env, Counters: counters}, files, socks[1], nil)
	if r.Err != "" || r.Code != 0 {
		t.Fatal(r.Err, r.Code)
	}
	return r
}

// TestCounters counts with what every kernel has. Our own work must not be in
// it, and a child's child must.
func TestCounters(t *testing.T) {
	counted := events
	defer func() { events = counted }()
	events = []*event{
		{metric: "clock", kind: unix.PERF_TYPE_SOFTWARE, config: unix.PERF_COUNT_SW_TASK_CLOCK},
		{metric: "faults", kind: unix.PERF_TYPE_SOFTWARE, config: unix.PERF_COUNT_SW_PAGE_FAULTS},
		{metric: "none", kind: unix.PERF_TYPE_SOFTWARE, config: 1 << 40},
	}
	if c := openCounters(true); len(c) == 0 {
		t.Skip("perf_event_open is refused here")
	} else {
		c.close()
	}
	stop := make(chan struct{})
	defer close(stop)
	go func() { // work of ours
		for {
			select {
			case <-stop:
				return
			default:
				_ = make([]byte, 1<<20)
			}
		}
	}()
	for _, script := range []string{"i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done", "(i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done); :"} {
		e := supervised(t, shell(t, script), true)
		if len(e.Counters) != 2 || !events[2].refused.Load() {
			t.Errorf("counters %v, want clock and faults alone", e.Counters)
		}
		cpu := float64((e.User + e.Sys).Nanoseconds())
		if n := e.Counters["clock"]; math.Abs(n-cpu) > 0.25*cpu+5e6 {
			t.Errorf("%s: clock %g ns, CPU time %g ns", script, n, cpu)
		}
		// Rusage also has the faults of the kernel and of the fork.
		if n := e.Counters["faults"]; n < 5 || n > float64(e.MinorFaults+e.MajorFaults) {
			t.Errorf("%s: %g faults, rusage has %d", script, n, e.MinorFaults+e.MajorFaults)
		}
	}
	if e := supervised(t, shell(t, "true"), false); e.Counters != nil {
		t.Errorf("not asked for: %v", e.Counters)
	}
}

// TestCountersReal has hardware events where the machine has, else nothing.
func TestCountersReal(t *testing.T) {
	c := shell(t, "i=0; while [ $i -lt 10000 ]; do i=$((i+1)); done")
	c.Counters = true
	e, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if e.Counters == nil {
		t.Skip("no hardware counters here")
	}
	if n, ok := e.Counters["instructions/op"]; ok && n < 1e6 {
		t.Errorf("%g instructions, want a million at least", n)
	}
}

func TestWire(t *testing.T) {
	j := job{Path: "/p", Dir: "", Args: []string{"", "a\x00b", strings.Repeat("x", 1<<17)}, Env: []string{"A=1"}, Counters: true}
	if got, err := decodeJob(j.encode()); err != nil || !reflect.DeepEqual(got, j) {
		t.Errorf("job %.100v, %v", got, err)
	}
	r := report{
		Start: time.Unix(3, 5), Wall: 1, User: 2, Sys: 3, PeakRSS: 1 << 40, Usage: Usage{true, 1, 2, 3, 4},
		Counters: map[string]float64{"a": 1.5, "b": 0}, Code: -1, Signal: "killed", Err: "e",
	}
	if got, err := decodeReport(r.encode()); err != nil || !reflect.DeepEqual(got, r) {
		t.Errorf("report %v, want %v, %v", got, r, err)
	}
}

// FuzzWire: no message breaks the decoders, and what one takes comes out of the
// encoder again.
func FuzzWire(f *testing.F) {
	f.Add(job{Path: "/p", Args: []string{"a"}}.encode())
	f.Add(report{Start: time.Unix(0, 7), Signal: "killed", Counters: map[string]float64{"x": 2}}.encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		if j, err := decodeJob(b); err == nil {
			if again, err := decodeJob(j.encode()); err != nil || !reflect.DeepEqual(again, j) {
				t.Errorf("job %v came back as %v, %v", j, again, err)
			}
		}
		if r, err := decodeReport(b); err == nil {
			if again, err := decodeReport(r.encode()); err != nil || again.Signal != r.Signal || again.Wall != r.Wall || len(again.Counters) != len(r.Counters) {
				t.Errorf("report %v came back as %v, %v", r, again, err)
			}
		}
	})
}

// TestLongCommand: more than fits into a socket at once.
func TestLongCommand(t *testing.T) {
	args := make([]string, 12)
	for i := range args {
		args[i] = strings.Repeat(string(rune('a'+i)), 100_000+rand.IntN(9))
	}
	e, err := Run(t.Context(), Command{Path: "/bin/echo", Args: args})
	if got, want := string(e.Stdout), strings.Join(args, " ")+"\n"; err != nil || len(got) < 1<<20 || got[:1000] != want[:1000] {
		t.Errorf("%d bytes, want %d, %v", len(got), len(want), err)
	}
}
