package trial

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/child"
)

// TestServerLog: lines of two outputs do not mix, and one that is cut matches
// when it is whole.
func TestServerLog(t *testing.T) {
	l := newServerLog(regexp.MustCompile(`^ready: \d+$`))
	out, errs := l.stream(), l.stream()
	matched := func() bool {
		select {
		case <-l.matched:
			return true
		default:
			return false
		}
	}
	for _, p := range []struct {
		w    io.Writer
		text string
	}{{out, "not ready: 1\nrea"}, {errs, "dy: 2\n"}, {errs, "ready: x\n" + strings.Repeat("y", 3*maxLogLine)}, {out, "dy: 3"}} {
		_, _ = io.WriteString(p.w, p.text)
		if matched() {
			t.Fatalf("matched after %.40q", p.text)
		}
	}
	_, _ = io.WriteString(out, "\r\nready: 4\n")
	if !matched() {
		t.Error("no match")
	}
	if got := string(l.Bytes()); !strings.HasPrefix(got, "not ready: 1\nready: 2\nready: x\nyyy") || !strings.HasSuffix(got, "dy: 3\r\nready: 4\n") {
		t.Errorf("kept %.60q", got)
	}
}

// TestExplain: the last lines that say something, as many as there is room for.
func TestExplain(t *testing.T) {
	const gc = "gc 37 @18.653s 0%: 0.052+18+0.068 ms clock, 0.10+2.2/8.9/12+0.13 ms cpu, 186->188->106 MB, 190 MB goal, 0 MB stacks, 1 MB globals, 2 P\n"
	long := strings.Repeat("x", 150)
	for _, test := range []struct{ log, want string }{
		{"", "broke"},
		{"\n \n", "broke"},
		{"a", "broke; last log: a"},
		{"a\nb\n" + gc + "\033[1mc\033[0m\n\nd\n" + gc, "broke; last log: b | c | d"},
		{long + "\n" + long + "\n", "broke; last log: " + long},
		{long + "\na\nb\n", "broke; last log: " + long + " | a | b"},
		{strings.Repeat(long, 2) + "\na\nb\n", "broke; last log: a | b"},
		{"a\n" + strings.Repeat(long, 2), "broke; last log: " + strings.Repeat(long, 2)[:reasonLen-len("broke; last log: ...")] + "..."},
	} {
		l := newServerLog(nil)
		_, _ = io.WriteString(l.stream(), test.log)
		if got := l.explain("broke"); got != test.want {
			t.Errorf("%.60q: %q, want %q", test.log, got, test.want)
		}
	}
}

// TestLinger: a server that crashes has a moment to end, where the trial went wrong.
func TestLinger(t *testing.T) {
	for after, want := range map[time.Duration]bool{0: true, crashGrace - 1: true, crashGrace + 1: false} {
		for _, status := range []assay.Status{assay.StatusOK, assay.StatusFailed} {
			synctest.Test(t, func(t *testing.T) {
				ended := make(chan struct{})
				end := time.AfterFunc(after, func() { close(ended) })
				if after == 0 {
					<-ended
				}
				want := want && (status != assay.StatusOK || after == 0)
				if got := hasEnded(ended, status); got != want {
					t.Errorf("%s, the server ended after %v: got %v, want %v", status, after, got, want)
				}
				end.Stop()
			})
		}
	}
}

func TestMeasured(t *testing.T) {
	at := func(s float64) time.Time { return time.Unix(1000, 0).Add(time.Duration(s * 1e9)) }
	for _, test := range []struct{ end, printed, seconds, from, to float64 }{
		{12, 11, 10, 1, 11}, // warmed up, took its time to end
		{12, -1, 10, 2, 12}, // printed nothing
		{12, 11, 0, 0, 11},  // does not say how long
		{12, 11, 60, 0, 11}, // says more than there was
		{12, 13, 10, 2, 12}, // its output came late
		{12, 11, -5, 0, 11}, // nonsense
		{12, 11, 1e300, 0, 11},
	} {
		from, to := loadSpan(at(0), at(test.end), at(test.printed), test.seconds)
		if !from.Equal(at(test.from)) || !to.Equal(at(test.to)) {
			t.Errorf("%+v: from %v to %v", test, from.Sub(at(0)), to.Sub(at(0)))
		}
	}
}

// TestSpool: all that is written is read again, from memory or a file, and the
// file goes away.
func TestSpool(t *testing.T) {
	for _, size := range []int{0, 1, spoolMemory, spoolMemory + 1, 3*spoolMemory + 7} {
		dir := t.TempDir()
		s := &spool{dir: dir}
		want := bytes.Repeat([]byte("0123456"), size/7+1)[:size]
		for rest := want; len(rest) > 0; {
			n := min(len(rest), 50_000)
			_, _ = s.Write(rest[:n])
			rest = rest[n:]
		}
		files, _ := filepath.Glob(filepath.Join(dir, "*"))
		if got, want := len(files) > 0, size > spoolMemory; got != want {
			t.Errorf("%d bytes: a file is %v, want %v", size, got, want)
		}
		r, err := s.reader()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: %d came back, %v", size, len(got), err)
		}
		if err := s.close(); err != nil {
			t.Error(err)
		}
		if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) > 0 {
			t.Errorf("%d bytes: left %v", size, files)
		}
	}
	s := &spool{dir: filepath.Join(t.TempDir(), "missing")}
	_, _ = s.Write(make([]byte, spoolMemory+1))
	if _, err := s.reader(); err == nil {
		t.Error("lost its output and says nothing")
	}
}

// TestTracer: cycles from a moment on, no more than are kept.
func TestTracer(t *testing.T) {
	tr := newLateTracer()
	tr.add(assay.GCCycle{N: 1, At: 1})
	tr.keepSince(2 * time.Second)
	for i := range maxCycles + 5 {
		tr.add(assay.GCCycle{N: 2 + i, At: 1.999 + float64(i)/1000})
	}
	cycles := tr.end()
	if len(cycles) != maxCycles || cycles[0].N != 3 || tr.lost != 4 {
		t.Errorf("%d cycles from %d on, %d lost", len(cycles), cycles[0].N, tr.lost)
	}
	if _, values := tr.whole(child.Exit{Wall: time.Second}, 1); values != nil {
		t.Errorf("metrics of cycles that are not all there: %v", values)
	}
	got := cyclesBetween(cycles, 3*time.Second, 3010*time.Millisecond)
	if len(got) != 11 || got[0].At < 2.9999 || got[10].At > 3.0101 {
		t.Errorf("%d cycles in 10 ms", len(got))
	}
}

// TestGoTestTrace: a traced benchmark tells of its collector, another does not.
func TestGoTestTrace(t *testing.T) {
	g := goTest(t, 2000, "Garbage")
	g.GCTrace = true
	o := mustRun(t, g)
	got := o.Observations("Garbage", 2000)
	for _, name := range []string{"gc.cycles/op", "gc.cycles/min", "gc.mark", "gc.cpu-share", "gc.live-bytes"} {
		if got[name] < 0 || got[name] == 0 && name != "gc.live-bytes" {
			t.Errorf("%s is %g", name, got[name])
		}
	}
	free := 0
	for _, c := range o.Collected.GC {
		if !c.Forced {
			free++
		}
	}
	if want := float64(free) / 2000; math.Abs(got["gc.cycles/op"]-want) > 1e-12 || free != o.GCCycles || free == len(o.Collected.GC) {
		t.Errorf("%g cycles a run, want %g; %d of %d were not forced, counted %d", got["gc.cycles/op"], want, free, len(o.Collected.GC), o.GCCycles)
	}
	g.GCTrace = false
	o = mustRun(t, g)
	if _, ok := o.Observations("Garbage", 2000)["gc.cycles/op"]; ok || o.Collected != nil {
		t.Error("traced without being asked to")
	}
	g.GCTrace, g.Names = true, []string{"Garbage", "Plain"}
	if o := mustRun(t, g); o.Collected == nil || hasGC(o) {
		t.Errorf("two benchmarks in a process: %v", o.Readings)
	}
}

func hasGC(o Outcome) bool {
	for _, r := range o.Readings {
		for name := range maps.Keys(r.Values) {
			if strings.HasPrefix(name, assay.GCPrefix) {
				return true
			}
		}
	}
	return false
}

// TestResults: files that were written to since, in the folder and not outside.
func TestResults(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("log.1", "warm-up")
	write("log.2", "warm-up")
	if err := os.Mkdir(filepath.Join(dir, "log.dir"), 0o700); err != nil {
		t.Fatal(err)
	}
	before, err := findResults(dir, "log.*")
	if err != nil || len(before) != 2 {
		t.Fatal(before, err)
	}
	write("log.2", "warm-up, load")
	write("log.3", "load")
	files, closeAll, err := openResults(dir, "log.*", before)
	defer closeAll()
	var got []string
	for _, f := range files {
		text, _ := io.ReadAll(f)
		got = append(got, string(text))
	}
	if want := "[warm-up, load load]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("%v, %v", got, err)
	}
	for pattern, want := range map[string]string{
		"out.json": "out.json", "./a/*.hlog": "a/*.hlog", filepath.Join(dir, "x*"): "x*",
		"../x": "", "/etc/passwd": "", "a/../../x": "", "[": "",
	} {
		if got, err := localPattern(dir, pattern); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", pattern, got, err)
		}
	}
}

// A port is free, another one each time, and none that an outgoing connection could take.
func TestFreePort(t *testing.T) {
	last := 0
	for range 3 {
		port, err := FreePort()
		if err != nil || port == last || port < firstPort || port >= 32768 || portTaken(port) {
			t.Errorf("port %d after %d, taken %v, %v", port, last, portTaken(port), err)
		}
		last = port
	}
}
