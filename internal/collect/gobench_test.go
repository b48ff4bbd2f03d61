package collect

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/line"
	"github.com/seed-1318a441/assay/internal/printable"
)

func parse(t testing.TB, text string, procs int) Output {
	t.Helper()
	out, err := GoBench(strings.NewReader(text), procs)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func parseFile(t testing.TB, name string, procs int) Output {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, string(b), procs)
}

// names lists the readings that only package testing printed: 100 iterations,
// with allocs/op.
func names(out Output) []string {
	var names []string
	for _, r := range out.Readings {
		if _, ok := r.Values["allocs/op"]; ok && r.N == 100 {
			names = append(names, r.Name)
		}
	}
	return names
}

// TestNasty reads what go1.26.8 printed for internal/trial/testdata/nasty.
func TestNasty(t *testing.T) {
	out := parseFile(t, "nasty.txt", 2)
	want := []string{
		"Plain", "Silent", "NoNewline", "LogLines", "Colours", "Invalid", "LongLine", "Fakes", "Nested", "OwnName", "Logged",
		"Names/plain", "Names/plain#01", "Names/plain#02", "Names/plain/deep", "Names/plain#01#01", "Names/a_b",
		"Names/size-2", "Names/size-16", "Names/x-2-2", `Names/re(x)[y]{z}.*+?^$|\`, "Names/a|b", "Names/[/]", "Names/(/)",
		"Names/ünïcode/日本", "Names/key=value", "Names/tab_new_line", `Names/\x00\x1b[31m`, "Names/#00", "Names/#01",
		"Names/trailing/", "Names///", "Names/BenchmarkInner", "Names/'\"`", "Names/\ufffd", "Names/#00#01", "Names/100%",
		"Units",
	}
	if got := names(out); !slices.Equal(got, want) {
		t.Errorf("names\n%q, want\n%q", got, want)
	}
	if want := map[string]assay.Better{"hits": "higher", "p99-ns": "lower", "B/s": "higher"}; !reflect.DeepEqual(out.Better, want) {
		t.Errorf("better %v, want %v", out.Better, want)
	}
	if !out.Pass || out.Failures != nil {
		t.Errorf("pass %v, failures %q", out.Pass, out.Failures)
	}
}

func TestVerbose(t *testing.T) {
	out := parseFile(t, "verbose.txt", 2)
	if got, want := names(out), []string{"Plain", "NoNewline", "OwnName", "Logged"}; !slices.Equal(got, want) {
		t.Errorf("names %q, want %q", got, want)
	}
	if !out.Pass {
		t.Error("not passed")
	}
}

// TestSkipped reads what go1.26.8 printed of benchmarks that call b.Skip, b.SkipNow, and
// b.Skip after b.Log, in a sub-benchmark, with -test.v.
func TestSkipped(t *testing.T) {
	out := parse(t, `goos: linux
BenchmarkSkip
    a_test.go:11: needs a GPU
--- SKIP: BenchmarkSkip
BenchmarkSkipNow
--- SKIP: BenchmarkSkipNow
BenchmarkSub
BenchmarkSub/size-2
    a_test.go:14: some log
    a_test.go:14: no small sizes
--- SKIP: BenchmarkSub/size-2
BenchmarkSub/b
BenchmarkSub/b-2         	       1	       420.0 ns/op	       0 B/op	       0 allocs/op
PASS
`, 2)
	want := map[string]string{"Skip": "a_test.go:11: needs a GPU", "SkipNow": "", "Sub/size-2": "a_test.go:14: no small sizes"}
	if !reflect.DeepEqual(out.Skipped, want) {
		t.Errorf("got %q, want %q", out.Skipped, want)
	}
	if len(out.Readings) != 1 || !out.Pass || out.Failed != nil {
		t.Errorf("got %+v", out)
	}
}

func TestOneProc(t *testing.T) {
	out := parseFile(t, "procs1.txt", 1)
	if got, want := names(out), []string{"Plain", "Names/size-2", "Names/size-16"}; !slices.Equal(got, want) {
		t.Errorf("names %q, want %q", got, want)
	}
}

func TestFailures(t *testing.T) {
	out := parseFile(t, "fail.txt", 2)
	want := []string{
		"--- FAIL: BenchmarkFatal", "nasty_test.go:121: disk on fire",
		"--- FAIL: BenchmarkFatalLate-2", "nasty_test.go:124: too late",
	}
	if !slices.Equal(out.Failures, want) || out.Pass || len(out.Readings) > 0 {
		t.Errorf("failures %q, want %q; pass %v, %d readings", out.Failures, want, out.Pass, len(out.Readings))
	}
}

// TestPairing is about which name a tail belongs to.
func TestPairing(t *testing.T) {
	const (
		x    = "BenchmarkX-2   \t"
		y    = "BenchmarkY-2   \t"
		tail = "     100\t        12.00 ns/op\t       0 B/op\t       0 allocs/op\n"
	)
	for _, test := range []struct {
		name, in string
		want     []string
	}{
		{"plain", x + tail + y + tail, []string{"X 100", "Y 100"}},
		{"no newline at the end", x + strings.TrimSuffix(tail, "\n"), []string{"X 100"}},
		{"carriage returns", strings.ReplaceAll(x+tail, "\n", "\r\n"), []string{"X 100"}},
		{"blanks only", "BenchmarkX-2 100 12 ns/op 0 B/op 0 allocs/op\n", []string{"X 100"}},
		{"glued digits", x + "42" + tail, []string{"X 100"}},
		{"glued value", x + "\t12 " + tail, []string{"X 100"}},
		{"glued value and unit", x + "1\t12 ns/op" + tail, []string{"X 100"}},
		{"glued number, count of 7 digits", x + "\t12 1000000\t        12.00 ns/op\n", []string{"X 1000000"}},
		{"name after text", "some text" + x + tail, []string{"X 100"}},
		{"name after name", "BenchmarkX" + x + tail, []string{"X 100"}},
		{"name in name", "BenchmarkX/BenchmarkY-2   \t" + tail, []string{"X/BenchmarkY 100"}},
		{"text between", x + "one\ntwo\n\nthree" + tail, []string{"X 100"}},
		{"failed name gives way", x + "--- FAIL: BenchmarkX-2\n    x.go:1: m\n" + y + "text\n" + tail + tail, []string{"Y 100", "Y 100"}},
		{"fake line between", x + "text\nBenchmarkY-2   \t" + tail + tail, []string{"Y 100", "X 100"}},
		{"bare tail first", x + "text\n" + tail + tail, []string{"X 100", "X 100"}},
		{"tail without a name", tail, nil},
		{"header only", x, nil},
		{"short count", x + "text\n100\t        12.00 ns/op\n", nil},
		{"zero count", x + "       0\t        12.00 ns/op\n", nil},
		{"text behind", x + strings.TrimSuffix(tail, "\n") + " and more\n", nil},
		{"prose", "BenchmarkX is a good one, 12 ns/op\nBenchmark 1 2\nBenchmarkX 100 fast ns/op\n", nil},
		{"suffix once", "BenchmarkX/size-2-2   \t" + tail, []string{"X/size-2 100"}},
		{"other suffix", "BenchmarkX-16   \t" + tail, []string{"X-16 100"}},
	} {
		var got []string
		for _, r := range parse(t, test.in, 2).Readings {
			if r.Values["sec/op"] != 12e-9 {
				t.Errorf("%s: values %v", test.name, r.Values)
			}
			got = append(got, fmt.Sprintf("%s %d", r.Name, r.N))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestRunning is about which benchmark ended the process.
func TestRunning(t *testing.T) {
	const tail = "     100\t        12.00 ns/op\n"
	for in, want := range map[string]string{
		"":                                        "",
		"BenchmarkX-2   \t":                       "X",
		"BenchmarkX-2   \t" + tail:                "",
		"BenchmarkX-2   \t" + tail + "PASS\n":     "",
		"BenchmarkX\nBenchmarkX/a\n":              "X/a",
		"textBenchmarkX/size-2\n":                 "X/size-2",
		"BenchmarkX\n    x.go:1: log\n":           "X",
		"BenchmarkX\n--- SKIP: BenchmarkX\n":      "",
		"BenchmarkX\n--- FAIL: BenchmarkX\n":      "",
		"BenchmarkX\nBenchmarkX-2 \t" + tail:      "",
		"BenchmarkX\nBenchmarkX-2 \ttext\nmore\n": "X",
	} {
		if got := parse(t, in, 2).Running; got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestFailed(t *testing.T) {
	out := parse(t, "BenchmarkX\n    x.go:1: before\n--- FAIL: BenchmarkX\n"+
		"BenchmarkY-2 \t--- FAIL: BenchmarkY-2\n\tx.go:2: after\n--- FAIL: BenchmarkZ\nFAIL\n", 2)
	if want := map[string]string{"X": "x.go:1: before", "Y": "x.go:2: after", "Z": ""}; !reflect.DeepEqual(out.Failed, want) {
		t.Errorf("failed %q, want %q", out.Failed, want)
	}
}

func TestUnitLines(t *testing.T) {
	for in, want := range map[string]map[string]assay.Better{
		"Unit hits better=higher\n":                              {"hits": "higher"},
		"Unit ns/op better=lower assume=exact\n":                 {"sec/op": "lower"},
		"BenchmarkX-2 \tUnit hits better=higher\n":               {"hits": "higher"},
		"Unit hits assume=exact\n":                               nil,
		"Unit hits better=best\n":                                nil,
		"Unit tests are better=higher than none\n":               nil,
		"Units hits better=higher\n":                             nil,
		" Unit hits better=higher\n":                             nil,
		"Unit better=higher\n":                                   nil,
		"Unit " + strings.Repeat("u", 2000) + " better=higher\n": nil,
	} {
		if got := parse(t, in, 2).Better; !reflect.DeepEqual(got, want) {
			t.Errorf("%.60q: %v, want %v", in, got, want)
		}
	}
}

// TestLongLines: whatever the length of what stands before, between and after,
// names and tails are found, also where a piece of a line ends inside them.
func TestLongLines(t *testing.T) {
	for _, fill := range []string{"x", "x \t", "\t", " ", "key: value ", "\x1b[31m", "\xff"} {
		for d := -40; d < 200; d += 3 {
			text := strings.Repeat(fill, (line.Max+d)/len(fill))
			in := text + "BenchmarkX-2   \t" + text + "     100\t        12.00 ns/op\n" + text + "\n"
			got := parse(t, in, 2).Readings
			// A name glued to what has no blank before it may carry that along.
			if len(got) != 1 || !strings.HasSuffix("Benchmark"+got[0].Name, "BenchmarkX") || got[0].N != 100 {
				t.Fatalf("fill %q, %d bytes: %d readings %.80q", fill, len(text), len(got), fmt.Sprint(got))
			}
		}
	}
}

// repeat reads one text again and again.
type repeat struct {
	text []byte
	at   int
	left int
}

func (r *repeat) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), r.left)], r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	r.left -= n
	return n, nil
}

// TestMemory: what a program prints is not kept.
func TestMemory(t *testing.T) {
	for _, text := range []string{"x", "line of text\n", "x \t", "BenchmarkX-2  \t", "--- FAIL: BenchmarkX\n", "Unit u better=higher\n", "\n", "panic: x\n"} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		out, err := GoBench(&repeat{text: []byte(text), left: 10 << 20}, 2)
		if err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if d := int64(after.HeapAlloc) - int64(before.HeapAlloc); d > 1<<20 || len(out.Failures) > maxFailures {
			t.Errorf("%q: %d bytes kept, %d failures", text, d, len(out.Failures))
		}
	}
}

// FuzzGoBench: any text whatever, in pieces of any size, gives the same
// output, all of it fit to use.
func FuzzGoBench(f *testing.F) {
	for _, name := range []string{"verbose.txt", "fail.txt", "procs1.txt"} {
		b, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, 2, 7)
	}
	f.Add([]byte("BenchmarkX-2   \t42     100\t        12.00 ns/op\n"), 2, 1)
	f.Add([]byte("BenchmarkX \t 1 2 ns/op\t+Inf x\n--- FAIL: \n\tpanic: \x1b[0"), 1, 3)
	f.Fuzz(func(t *testing.T, in []byte, procs, size int) {
		whole := NewBenchWriter(procs)
		_, _ = whole.Write(in)
		want := whole.Output()

		pieces := NewBenchWriter(procs)
		size = max(1, size)
		for b := in; len(b) > 0; b = b[min(size, len(b)):] {
			_, _ = pieces.Write(b[:min(size, len(b))])
		}
		if got := pieces.Output(); !reflect.DeepEqual(got, want) {
			t.Errorf("in pieces of %d: %v, want %v", size, got, want)
		}
		for _, r := range want.Readings {
			if r.N <= 0 {
				t.Errorf("count %d", r.N)
			}
			for metric, v := range r.Values {
				if math.IsNaN(v) || math.IsInf(v, 0) || strings.ContainsAny(metric, " \t\n") || metric == "" {
					t.Errorf("metric %q is %g", metric, v)
				}
			}
		}
		for _, line := range want.Failures {
			if line != printable.Brief(line) || line == "" {
				t.Errorf("failure %q is not fit to print", line)
			}
		}
	})
}

// FuzzBetween: what a benchmark prints between its name and its result does
// not change the result, unless it looks like the testing package's own text.
func FuzzBetween(f *testing.F) {
	f.Add([]byte("progress 42"))
	f.Add([]byte("\x1b[31mred\r"))
	f.Add([]byte("\n\t 12 "))
	f.Add([]byte("\t12"))
	f.Fuzz(func(t *testing.T, between []byte) {
		if bytes.Contains(between, []byte(prefix)) || bytes.Contains(between, failMark) {
			t.Skip("looks like the testing package's own text")
		}
		in := "BenchmarkX-2   \t" + string(between) + "     100\t        12.50 ns/op\t       8 B/op\n"
		out := parse(t, in, 2)
		if len(out.Readings) == 0 {
			t.Fatal("no reading")
		}
		r := out.Readings[len(out.Readings)-1]
		if r.Name != "X" || r.N != 100 || r.Values["sec/op"] != 12.5e-9 || r.Values["B/op"] != 8 {
			t.Errorf("%v", r)
		}
	})
}

func BenchmarkGoBench(b *testing.B) {
	line := []byte("BenchmarkDecode/large-2   \t     100\t        12.50 ns/op\t       8 B/op\t       1 allocs/op\n")
	b.SetBytes(1 << 20)
	for b.Loop() {
		if _, err := GoBench(&repeat{text: line, left: 1 << 20}, 2); err != nil {
			b.Fatal(err)
		}
	}
}

// What package testing printed of a benchmark that panicked, on a busy machine.
func TestGoBenchPanicked(t *testing.T) {
	const text = "goos: linux\nBenchmarkA-2   \t       0\t               NaN ns/op\t       0 B/op\t       0 allocs/op\nPASS\n"
	out, err := GoBench(strings.NewReader(text), 2)
	if err != nil || len(out.Readings) != 0 || !out.Pass {
		t.Errorf("got readings %v, pass %v, error %v; want none, true, nil", out.Readings, out.Pass, err)
	}
	if got := out.Failed["A"]; got != panicked {
		t.Errorf("got reason %q, want %q", got, panicked)
	}
}
