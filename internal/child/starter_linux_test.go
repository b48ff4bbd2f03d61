//go:build !portable

package child

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	assay "github.com/seed-1318a441/assay"
)

func init() {
	beKilled = func(fifo string) {
		c := forking(fifo)
		if os.Getenv("CHILD_TEST_ESCAPE") != "" {
			c = mode("daemon", fifo)
		}
		_, _ = Run(context.Background(), c)
	}
}

// TestKilled: SIGKILL to assay itself leaves nothing behind, in the group or out of it.
func TestKilled(t *testing.T) {
	for _, escape := range []string{"", "1"} {
		t.Run(escape, func(t *testing.T) {
			t.Parallel()
			testKilled(t, escape)
		})
	}
}

func testKilled(t *testing.T, escape string) {
	fifo, ready, abandoned := newFifo(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	assay := exec.Command(self)
	assay.Env = append(os.Environ(), "CHILD_TEST_KILLED="+fifo, "CHILD_TEST_ESCAPE="+escape)
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
	_, err := Run(t.Context(), shell(t, "kill -KILL $PPID; exec sleep 1000"))
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
	idleStarters.Lock()
	defer idleStarters.Unlock()
	others := idleStarters.starters
	idleStarters.starters = []*starter{{sock: socks[0]}}
	go func() {
		runtime.LockOSThread()
		serve(socks[1], nil)
	}()
	t.Cleanup(func() {
		idleStarters.Lock()
		defer idleStarters.Unlock()
		for _, s := range idleStarters.starters {
			s.close()
		}
		idleStarters.starters = others
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

// TestInterruptIgnored: an interrupt ends a program, also where assay runs in the
// background of a shell and was told to ignore it.
func TestInterruptIgnored(t *testing.T) {
	signal.Ignore(os.Interrupt)
	defer signal.Reset(os.Interrupt)
	idleStarters.Lock()
	others := idleStarters.starters
	idleStarters.starters = nil // those that are there ignore nothing
	idleStarters.Unlock()
	p, err := Start(t.Context(), shell(t, "exec sleep 1000"))
	if err != nil {
		t.Fatal(err)
	}
	p.Stop(assay.StopInterrupt)
	if e, err := p.Wait(); err != nil || e.Signal != "interrupt" {
		t.Errorf("signal %q, error %v", e.Signal, err)
	}
	idleStarters.Lock()
	defer idleStarters.Unlock()
	idleStarters.starters = append(idleStarters.starters, others...)
}

// TestStopInProcess: also where there is no starter.
func TestStopInProcess(t *testing.T) {
	for _, old := range []bool{false, true} {
		inProcess(t)
		noPidFD.Store(old)
		defer noPidFD.Store(false)
		said := make(said, 10)
		p, err := Start(t.Context(), mode("polite").printingTo(said, nil))
		if err != nil {
			t.Fatal(err)
		}
		said.await(t, "ready")
		p.Stop(assay.StopTerminate)
		if e, err := p.Wait(); err != nil || e.Code != 3 {
			t.Errorf("without pidfd %v: code %d, signal %q, error %v", old, e.Code, e.Signal, err)
		}
	}
}

// TestStartLost: when the starter dies, the whole group of a Process does.
func TestStartLost(t *testing.T) {
	fifo, ready, abandoned := newFifo(t)
	p, err := Start(t.Context(), shell(t, `exec 9>"$1"; sleep 1000 & echo ready >&9; kill -KILL $PPID; wait`, fifo))
	if err != nil {
		t.Fatal(err)
	}
	ready()
	if _, err := p.Wait(); err == nil || !strings.Contains(err.Error(), "lost the process") {
		t.Errorf("error %v", err)
	}
	abandoned()
}

// TestDaemon: what leaves the group ends with the trial all the same.
func TestDaemon(t *testing.T) {
	for _, test := range []struct {
		mode    string
		stop    bool
		escaped int
	}{{"daemon", true, 1}, {"daemonize", false, 1}, {"helped", true, 0}} {
		t.Run(test.mode, func(t *testing.T) {
			fifo, ready, abandoned := newFifo(t)
			p, err := Start(t.Context(), mode(test.mode, fifo))
			if err != nil {
				t.Fatal(err)
			}
			ready()
			if test.stop {
				p.Stop(assay.StopTerminate)
			}
			if e, err := p.Wait(); err != nil || e.Escaped != test.escaped {
				t.Errorf("%d escaped, want %d; error %v", e.Escaped, test.escaped, err)
			}
			abandoned()
		})
	}
	// Those of one trial are not counted in the next, nor is its memory.
	for range 2 {
		if e, err := Run(t.Context(), shell(t, "sleep 1000 & exit 0")); err != nil || e.Escaped != 0 {
			t.Errorf("of the group: %d escaped, error %v", e.Escaped, err)
		}
	}
}

// TestCPUs: a process has the processors that it was given, and the next one
// from the same starter has all.
func TestCPUs(t *testing.T) {
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	allowed := func(cpus []int) unix.CPUSet {
		c := mode("cpus")
		c.CPUs = cpus
		e, err := Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		var set unix.CPUSet
		for word := range strings.FieldsSeq(string(e.Stdout)) {
			cpu, err := strconv.Atoi(word)
			if err != nil {
				t.Fatal(err)
			}
			set.Set(cpu)
		}
		return set
	}
	for cpu := range maxCPUs {
		if !all.IsSet(cpu) {
			continue
		}
		var one unix.CPUSet
		one.Set(cpu)
		if got := allowed([]int{cpu}); got != one {
			t.Errorf("bound to %d: %v", cpu, got)
		}
		if got := allowed(nil); got != all {
			t.Errorf("not bound, after one that was: %v, want %v", got, all)
		}
	}
	for _, cpus := range [][]int{{-1}, {maxCPUs}, {maxCPUs - 1}, {0, maxCPUs - 1}} {
		c := mode("cpus")
		c.CPUs = cpus
		if all.IsSet(maxCPUs - 1) {
			t.Skip("a large machine")
		}
		_, err := Run(t.Context(), c)
		_, again := Start(t.Context(), c)
		if err == nil || again == nil || !strings.Contains(err.Error(), "use processor") || again.Error() != err.Error() {
			t.Errorf("%d: errors %v, %v", cpus, err, again)
		}
	}
	if got := allowed(nil); got != all {
		t.Errorf("not bound, after ones that could not be: %v, want %v", got, all)
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
	for range ownFiles {
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
	j := job{Path: "/p", Dir: "", Args: []string{"", "a\x00b", strings.Repeat("x", 1<<17)}, Env: []string{"A=1"}, Counters: true, CPUs: []int{0, 3, 1000}}
	if got, err := decodeJob(j.encode()); err != nil || !reflect.DeepEqual(got, j) {
		t.Errorf("job %.100v, %v", got, err)
	}
	a := announcement{7, time.Unix(3, 5)}
	if got, err := decodeAnnouncement(a.encode()); err != nil || got.pid != 7 || !got.at.Equal(a.at) {
		t.Errorf("announcement %v, want %v, %v", got, a, err)
	}
	r := report{Err: "e", Exit: Exit{
		Start: time.Unix(3, 5), Wall: 1, User: 2, Sys: 3, PeakRSS: 1 << 40, Usage: Usage{true, 1, 2, 3, 4},
		Counters: map[string]float64{"a": 1.5, "b": 0}, Code: -1, Signal: "killed", Escaped: 2,
	}}
	if got, err := decodeReport(r.encode()); err != nil || !reflect.DeepEqual(got, r) {
		t.Errorf("report %v, want %v, %v", got, r, err)
	}
}

// FuzzWire: no message breaks the decoders, and what one takes comes out of the
// encoder again.
func FuzzWire(f *testing.F) {
	f.Add(job{Path: "/p", Args: []string{"a"}, CPUs: []int{1}, Announce: true}.encode())
	f.Add(announcement{1, time.Unix(3, 5)}.encode())
	f.Add(report{Exit: Exit{Start: time.Unix(0, 7), Signal: "killed", Counters: map[string]float64{"x": 2}}}.encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		if j, err := decodeJob(b); err == nil {
			if again, err := decodeJob(j.encode()); err != nil || !reflect.DeepEqual(again, j) {
				t.Errorf("job %v came back as %v, %v", j, again, err)
			}
		}
		if a, err := decodeAnnouncement(b); err == nil {
			if again, err := decodeAnnouncement(a.encode()); err != nil || again.pid != a.pid {
				t.Errorf("announcement %v came back as %v, %v", a, again, err)
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

func init() {
	modes["cpus"] = func() { // prints the processors that it may use
		var set unix.CPUSet
		if err := unix.SchedGetaffinity(0, &set); err != nil {
			panic(err)
		}
		for cpu := range maxCPUs {
			if set.IsSet(cpu) {
				fmt.Println(cpu)
			}
		}
	}
}
