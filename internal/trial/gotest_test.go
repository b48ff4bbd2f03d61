package trial

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/collect"
)

// CPU time is shared by all runs of a process, also by those before the one that counts.
func TestRuns(t *testing.T) {
	g := goTest(t, 100, "Fakes") // which prints result lines of its own
	g.Warm = 3
	o := mustRun(t, g)
	if o.Status != assay.StatusOK || o.Runs != 4 {
		t.Fatalf("%s %q: %d runs", o.Status, o.Reason, o.Runs)
	}
	if got, want := o.Observations("Fakes", 100)[assay.MetricUser], o.User.Seconds()/400; got != want {
		t.Errorf("user-sec/op %g, want %g", got, want)
	}
}

// TestGoTest runs every benchmark that ends, in the way it ends.
func TestGoTest(t *testing.T) {
	for _, test := range []struct {
		name   string
		status assay.Status
		reason string // a part of it
		fault  string // of the runtime
	}{
		{"Plain", "ok", "", ""},
		{"NoNewline", "ok", "", ""},
		{"LogLines", "ok", "", ""},
		{"Colours", "ok", "", ""},
		{"Invalid", "ok", "", ""},
		{"LongLine", "ok", "", ""},
		{"LongLines", "ok", "", ""},
		{"Fakes", "ok", "", ""},
		{"Nested", "ok", "", ""},
		{"OwnName", "ok", "", ""},
		{"Logged", "ok", "", ""},
		{"Units", "ok", "", ""},
		{"Flood", "ok", "", ""},
		{"Orphan", "ok", "", ""},
		{"Skip", "no-result", "printed no result: it was skipped, or is not there", ""},
		{"Missing", "no-result", "printed no result: it was skipped, or is not there", ""},
		{"Exit0", "no-result", "exited with status 0 before it printed a result", ""},
		{"Exit3", "failed", "exit status 3: giving up", ""},
		{"Fatal", "failed", "nasty_test.go:123: disk on fire", ""},
		{"FatalLate", "failed", "nasty_test.go:126: too late", ""},
		{"Panic", "failed", "panic: out of cheese", ""},
		{"Nil", "failed", "panic: runtime error: invalid memory address or nil pointer dereference", ""},
		{"Deadlock", "failed", "fatal error: all goroutines are asleep - deadlock!", ""},
		{"Checkdead", "failed", "fatal error: checkdead: runnable g", "checkdead: runnable g"},
		{"Reports", "failed", "nasty_test.go:147: the program failed", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := mustRun(t, goTest(t, 100, test.name))
			if o.Status != test.status || o.Reason != test.reason {
				t.Errorf("%s %q, want %s %q\n%s", o.Status, o.Reason, test.status, test.reason, tailOf(o.Stdout))
			}
			if o.RuntimeFault != test.fault {
				t.Errorf("the runtime's fault is %q, want %q", o.RuntimeFault, test.fault)
			}
			obs := o.Observations(test.name, 100)
			if test.status != "ok" {
				if obs != nil {
					t.Errorf("observations %v, want none", obs)
				}
				return
			}
			// What the benchmarks fake is eleven days; what they do is 64 bytes.
			if v := obs["sec/op"]; v <= 0 || v > 1e5 {
				t.Errorf("sec/op %g", v)
			}
			if v := obs["B/op"]; v < 64 || obs["allocs/op"] < 1 {
				t.Errorf("B/op %g, allocs/op %g", v, obs["allocs/op"])
			}
			if obs["user-sec/op"]+obs["sys-sec/op"] <= 0 {
				t.Errorf("no CPU time in %v", obs)
			}
		})
	}
}

func tailOf(b []byte) []byte { return b[max(0, len(b)-1000):] }

func TestUnits(t *testing.T) {
	o := mustRun(t, goTest(t, 50, "Units"))
	obs := o.Observations("Units", 50)
	if obs["hits"] != 12.5 || obs["below"] != -3 || obs["tiny"] != 0 || obs["p99-ns"] != 1e30 || obs["B/s"] <= 0 {
		t.Errorf("observations %v", obs)
	}
	for _, metric := range []string{"nan", "inf", "MB/s", "ns/op"} {
		if v, ok := obs[metric]; ok {
			t.Errorf("%s is %g, want none", metric, v)
		}
	}
	if o.Better["hits"] != "higher" || o.Better["p99-ns"] != "lower" || o.Better["B/s"] != "higher" || len(o.Better) != 3 {
		t.Errorf("better %v", o.Better)
	}
}

// TestHang: at the timeout a Go program tells where it was.
func TestHang(t *testing.T) {
	t.Parallel()
	g := goTest(t, 10, "Hang")
	longEnough(t, func(limit time.Duration) bool {
		g.Timeout = limit
		o := mustRun(t, g)
		if o.Status != assay.StatusTimeout || o.Reason != timeoutReason(limit) {
			t.Errorf("%s %q", o.Status, o.Reason)
		}
		return strings.Contains(string(o.Stderr), "nasty.BenchmarkHang")
	})
}

func TestGoTestErrors(t *testing.T) {
	g := goTest(t, 10, "Plain")
	g.Binary += ".missing"
	if _, err := g.Run(t.Context()); err == nil {
		t.Error("a missing binary is no error")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := goTest(t, 10, "Hang").Run(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want the context's", err)
	}
}

// TestFlood: 100 MB of output pass through bounded memory.
func TestFlood(t *testing.T) {
	g := goTest(t, 100, "Flood")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	o := mustRun(t, g)
	runtime.ReadMemStats(&after)
	if o.Status != assay.StatusOK || len(o.Stdout) > 1<<20+100 {
		t.Errorf("%s, %d bytes kept", o.Status, len(o.Stdout))
	}
	if !strings.HasSuffix(string(o.Stdout), "PASS\n") || !strings.HasPrefix(string(o.Stdout), "goos: ") {
		t.Error("head or tail of the output is lost")
	}
	// All that was ever allocated, freed or not.
	if d := after.TotalAlloc - before.TotalAlloc; d > 16<<20 {
		t.Errorf("allocated %d MB", d>>20)
	}
}

func TestGCCycles(t *testing.T) {
	g := goTest(t, 200, "Garbage")
	if o := mustRun(t, g); o.GCCycles != 0 || len(o.Stderr) > 0 {
		t.Errorf("untraced: %d cycles, stderr %q", o.GCCycles, o.Stderr)
	}
	g.GCTrace = true
	// 200 MB through a heap of 4 MB.
	if o := mustRun(t, g); o.GCCycles < 10 || o.GCCycles > 400 {
		t.Errorf("%d cycles, want about 50 to 100", o.GCCycles)
	}
	g.Env = Environ(os.Environ(), 2, map[string]string{"GOGC": "off", "GODEBUG": "madvdontneed=1"})
	if o := mustRun(t, g); o.GCCycles != 0 || !strings.Contains(string(o.Stderr), "(forced)") {
		t.Errorf("with GOGC=off: %d cycles, stderr %q", o.GCCycles, o.Stderr)
	}
}

var ballast []byte

// raceEnabled: a starter with the race detector is larger than a benchmark.
var raceEnabled bool

// portable is set where Linux is to be tested as other systems are, with -tags portable.
var portable bool

// TestPeakRSS: the peak is the benchmark's, however large we are ourselves. That of
// a small one may lie below the starter's, and is not known then; it is never the
// starter's own or ours.
func TestPeakRSS(t *testing.T) {
	if runtime.GOOS != "linux" || portable {
		t.Skip("only Linux mixes the two up, and only the starter tells them apart")
	}
	ballast = slices.Repeat([]byte{1}, 200<<20)
	defer func() { ballast = nil }()
	small := mustRun(t, goTest(t, 100, "Plain")).Observations("Plain", 100)[assay.MetricRSS]
	large := mustRun(t, goTest(t, 100, "Memory")).Observations("Memory", 100)[assay.MetricRSS]
	if small != 0 && small < 2<<20 || small > 50<<20 {
		t.Errorf("small benchmark: %.1f MB", small/(1<<20))
	}
	if large < 100<<20 || large > 150<<20 {
		t.Errorf("large benchmark: %.1f MB, want 100 and a bit", large/(1<<20))
	}
	t.Logf("small %.1f MB, large %.1f MB", small/(1<<20), large/(1<<20))
}

func TestTestFlag(t *testing.T) {
	for in, want := range map[string]string{
		"-short": "-test.short", "--short": "-test.short", "-v=true": "-test.v=true", "-cpu=1,2": "-test.cpu=1,2",
		"-test.short": "-test.short", "-size=3": "-size=3", "-size": "-size", "3": "3", "short": "short", "-": "-", "--": "--", "": "",
	} {
		if got := testFlag(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestArgs(t *testing.T) {
	g := GoTest{Pattern: "X|Y", N: 1, TestFlags: []string{"-short", "-data=x"}, Args: []string{"-v", "rest"}}
	want := []string{
		"-test.run=^$", "-test.benchtime=1x", "-test.benchmem", "-test.count=1", "-test.timeout=0", "-test.bench=X|Y", "-test.v",
		"-test.short", "-data=x", "-v", "rest",
	}
	if got := g.args(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestReading: which of several lines is the benchmark's own.
func TestReading(t *testing.T) {
	reading := func(name string, n int, sec float64, allocs bool) collect.Reading {
		r := collect.Reading{Name: name, N: n, Values: map[string]float64{"sec/op": sec}}
		if allocs {
			r.Values["allocs/op"] = 0
		}
		return r
	}
	for _, test := range []struct {
		name string
		in   []collect.Reading
		want float64 // 0: none
	}{
		{"none", nil, 0},
		{"other name", []collect.Reading{reading("Y", 10, 1, true), reading("XY", 10, 1, true)}, 0},
		{"other count", []collect.Reading{reading("X", 1, 1, true)}, 0},
		{"last", []collect.Reading{reading("X", 10, 1, true), reading("X", 10, 2, true), reading("X", 1, 3, true)}, 2},
		{"complete", []collect.Reading{reading("X", 10, 1, true), reading("X", 10, 2, false)}, 1},
		{"incomplete", []collect.Reading{reading("X", 10, 1, false), reading("X", 10, 2, false)}, 2},
		{"glued", []collect.Reading{reading("textBenchmarkX", 10, 1, true)}, 1},
	} {
		obs := Outcome{Readings: test.in}.Observations("X", 10)
		if got := obs["sec/op"]; got != test.want {
			t.Errorf("%s: %g, want %g", test.name, got, test.want)
		}
	}
}

// BenchmarkOverhead compares a trial with the same binary started by hand, in
// pairs of random order, and prints medians: of each, and of the difference.
func BenchmarkOverhead(b *testing.B) {
	g := goTest(b, 500_000, "Plain")
	c := g.command()
	byHand := func() float64 {
		begin := time.Now()
		cmd := exec.Command(c.Path, c.Args...)
		cmd.Dir, cmd.Env = c.Dir, c.Env
		if _, err := cmd.Output(); err != nil {
			b.Fatal(err)
		}
		return time.Since(begin).Seconds() * 1e3
	}
	byUs := func() float64 {
		begin := time.Now()
		mustRun(b, g)
		return time.Since(begin).Seconds() * 1e3
	}
	byHand()
	byUs()
	var hand, ours, more []float64
	for b.Loop() {
		var h, o float64
		if rand.IntN(2) == 0 {
			h, o = byHand(), byUs()
		} else {
			o, h = byUs(), byHand()
		}
		hand, ours, more = append(hand, h), append(ours, o), append(more, o-h)
	}
	b.ReportMetric(median(hand), "hand-ms")
	b.ReportMetric(median(ours), "trial-ms")
	b.ReportMetric(median(more), "ms-more")
	b.ReportMetric(100*median(more)/median(hand), "%-more")
}

func median(x []float64) float64 {
	slices.Sort(x)
	return (x[len(x)/2] + x[(len(x)-1)/2]) / 2
}

// Without a number of iterations package testing finds one for the time.
func TestGoTestForATime(t *testing.T) {
	g := goTest(t, 0, "Plain")
	g.Time = 20 * time.Millisecond
	o := mustRun(t, g)
	r, ok := o.Reading("Plain")
	if o.Status != assay.StatusOK || !ok || r.N < 1 {
		t.Errorf("%s %q: reading %+v", o.Status, o.Reason, r)
	}
}
