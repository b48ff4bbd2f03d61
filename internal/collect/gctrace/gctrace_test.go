package gctrace

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/line"
)

const whole = "gc 37 @18.653s 5%: 0.052+18+0.068 ms clock, 0.10+2.2/8.9/12+0.13 ms cpu, 186->188->106 MB, 190 MB goal, 2 MB stacks, 1 MB globals, 2 P"

// wholeCycle is whole as it is to be read.
var wholeCycle = assay.GCCycle{
	N: 37, At: 18.653, Share: 0.05,
	SweepPause: 0.052e-3, Mark: 18e-3, MarkPause: 0.068e-3,
	SweepCPU: 0.10e-3, AssistCPU: 2.2e-3, BackgroundCPU: 8.9e-3, IdleCPU: 12e-3, MarkTermCPU: 0.13e-3,
	HeapStart: 186 << 20, HeapEnd: 188 << 20, Live: 106 << 20, Goal: 190 << 20, Stacks: 2 << 20, Globals: 1 << 20,
	Procs: 2,
}

// with is wholeCycle with something else in it.
func with(f func(*assay.GCCycle)) *assay.GCCycle {
	c := wholeCycle
	f(&c)
	return &c
}

func read(t *testing.T, text string) (cycles []assay.GCCycle, notes []string) {
	t.Helper()
	notes, err := Read(strings.NewReader(text), func(c assay.GCCycle) { cycles = append(cycles, c) })
	if err != nil {
		t.Fatal(err)
	}
	return cycles, notes
}

func TestLine(t *testing.T) {
	forced := with(func(c *assay.GCCycle) { c.Forced = true })
	noScan := with(func(c *assay.GCCycle) { c.Stacks, c.Globals = 0, 0 })
	for _, test := range []struct {
		line string
		want *assay.GCCycle
		note string
	}{
		{whole, &wholeCycle, ""},
		{whole + "\r", &wholeCycle, ""},
		{whole + " (forced)", forced, ""},
		{whole + " (forced)\r", forced, ""},
		{"text without newline " + whole, &wholeCycle, ""},
		{"\x1b[0m" + whole, &wholeCycle, ""},
		{strings.Repeat("gc x", 1000) + whole, &wholeCycle, ""},
		// Of log collectors.
		{"Nov 21 07:32:06 host app[123]: " + whole, &wholeCycle, ""},
		{`{"log":"` + whole + `\n","stream":"stderr"}`, &wholeCycle, ""},
		{`{"log":"` + whole + ` (forced)\n","stream":"stderr"}`, forced, ""},
		// go1.26 and later.
		{strings.Replace(whole, "5%:", "5% (checking for goroutine leaks):", 1), &wholeCycle, ""},
		// Before go1.18.
		{strings.Replace(whole, "2 MB stacks, 1 MB globals, ", "", 1), noScan, ""},

		// Versions to come.
		{strings.Replace(whole, "5%:", "5% (in the background):", 1), &wholeCycle, `unknown field "(in the background)" in 1 line; assay reads the other fields`},
		{strings.Replace(whole, "2 MB stacks", "7 MB weak, 2 MB stacks", 1), &wholeCycle, `unknown field "7 MB weak" in 1 line; assay reads the other fields`},
		{whole + ", 12 spans", &wholeCycle, `unknown field "12 spans" in 1 line; assay reads the other fields`},
		{whole + " (forced) (young)", forced, `unknown field "(young)" in 1 line; assay reads the other fields`},
		{strings.Replace(whole, "2 MB stacks", "2 pages stacks", 1), with(func(c *assay.GCCycle) { c.Stacks = 0 }), `unknown field "2 pages stacks" in 1 line; assay reads the other fields`},
		{strings.Replace(whole, "186->188->106 MB", "186->188 MB", 1), with(func(c *assay.GCCycle) { c.HeapStart, c.HeapEnd, c.Live = 0, 0, 0 }), `unknown field "186->188 MB" in 1 line; assay reads the other fields`},
		{strings.Replace(whole, "190 MB goal", "194560 KB goal", 1), &wholeCycle, ""},
		{strings.Replace(whole, "190 MB goal", "0.5 GB goal", 1), with(func(c *assay.GCCycle) { c.Goal = 512 << 20 }), ""},
		{strings.Replace(whole, "0.052+18+0.068 ms clock", "52+18000+68 µs clock", 1), &wholeCycle, ""},
		{strings.Replace(whole, "0.052+18+0.068 ms clock", "52000+18000000+68000 ns clock", 1), &wholeCycle, ""},

		// Torn.
		{whole[:len(whole)-1], nil, "torn"},
		{whole[:60], nil, "torn"},
		{whole[:30] + "level=info msg=hello", nil, "torn"},
		{strings.Replace(whole, "4 MB goal, ", "4 MB goal, time=\"07:32\" level=info, ", 1)[:100] + " P", nil, "torn"},
		{whole + "level=info msg=hello", nil, "torn"},
		{strings.Replace(whole, "+18+", "+18+ok, ", 1), nil, "torn"},
		{"gc 36 @18.5s 0%: 0.052+" + whole, &wholeCycle, `1 line torn by other output or cut off, the first: "gc 36 @18.5s 0%: 0.052+"`},
		{strings.Replace(whole, "0.068", "999999999999999999999", 1), nil, "torn"},

		// None at all.
		{"", nil, ""},
		{"gc 37 is a P", nil, ""},
		{"gc -1 @18.653s 5%: ", nil, ""},
		{"gc 37 @18.s 5%", nil, ""},
		{"gc 1.5 @18.653s 5%: 2 P", nil, ""},
		{"gc 99999999999999999999 @18.653s 5%: ", nil, ""},
		{"scvg: 8 KB released", nil, ""},
		{"scvg 0 MB released, 12 MB retained 3% util", nil, ""},
		{"pacer: sweep done at heap size 3MB; allocated 0MB during sweep; swept 1007 pages at +3.1e-003 pages/byte", nil, ""},
		{"pacer: 25% CPU (25 exp.) for 1024+96+0 B work (1024 B exp.) in 4 MB -> 4 MB (∆goal 0, cons/mark +0.0e+000)", nil, ""},
	} {
		cycles, notes := read(t, test.line)
		switch {
		case test.want == nil && len(cycles) > 0:
			t.Errorf("%q: read as %+v, want nothing", test.line, cycles[0])
		case test.want != nil && (len(cycles) != 1 || cycles[0] != *test.want):
			t.Errorf("%q:\ngot  %+v\nwant %+v", test.line, cycles, *test.want)
		}
		got := strings.Join(notes, "\n")
		if test.note == "torn" && strings.HasPrefix(got, "1 line torn by other output or cut off, the first: ") {
			continue
		}
		if got != test.note {
			t.Errorf("%q: notes %q, want %q", test.line, got, test.note)
		}
	}
}

// reference is what one would write first: the line as it is documented.
var reference = regexp.MustCompile(`(?m)gc (\d+) @([\d.]+)s (\d+)%: ([\d.]+)\+([\d.]+)\+([\d.]+) ms clock, ([\d.]+)\+([\d.]+)/([\d.]+)/([\d.]+)\+([\d.]+) ms cpu, (\d+)->(\d+)->(\d+) MB, (\d+) MB goal, (\d+) MB stacks, (\d+) MB globals, (\d+) P( \(forced\))?$`)

// The captures are of testdata/program.go.txt, built with each release; two of
// them were torn by the program's own log. torn.txt is a part of one of a
// program that logs as fast as it can while another thread prints the trace.
// The reference finds what is whole in them.
func TestReleases(t *testing.T) {
	torn := map[string][]string{
		"go1.25.7.txt": {"1 more cycle missing by number"},
		"go1.26.8.txt": {`3 lines torn by other output or cut off, the first: "gc 9 @0.022s 7%: 0.13+0.28+0.046 ms clock, 0.26+0/0.16level=info msg=\"round 8\""`},
		"torn.txt":     {`1 line torn by other output or cut off, the first: "gc 34 @0.048s 4%: 0.018+0.45+0.001 ms clock, 0.036+0.055/0/level=info msg=\"reque..."`},
	}
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 9 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, ".go.txt") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		cycles, notes := read(t, string(text))
		want := reference.FindAllSubmatch(text, -1)
		if len(want) != len(cycles) {
			t.Fatalf("%s: %d cycles, want %d", name, len(cycles), len(want))
		}
		for i, c := range cycles {
			w := want[i]
			if fmt.Sprint(c.N) != string(w[1]) || fmt.Sprintf("%.3f", c.At) != string(w[2]) || fmt.Sprint(c.Live>>20) != string(w[14]) || c.Forced != (len(w[19]) > 0) {
				t.Errorf("%s: %s\nis read as %+v", name, w[0], c)
			}
		}
		if got, want := notes, torn[filepath.Base(name)]; !slices.Equal(got, want) {
			t.Errorf("%s: notes\n%q\nwant\n%q", name, got, want)
		}
	}
}

// However the stream is cut into writes, the same cycles are found.
func TestWrites(t *testing.T) {
	text, err := os.ReadFile("testdata/dolt.txt")
	if err != nil {
		t.Fatal(err)
	}
	want, _ := read(t, string(text))
	for _, size := range []int{1, 2, 7, 100, 4096} {
		var got []assay.GCCycle
		w := Writer{Cycle: func(c assay.GCCycle) { got = append(got, c) }}
		for p := text; len(p) > 0; p = p[min(size, len(p)):] {
			if n, err := w.Write(p[:min(size, len(p))]); n != min(size, len(p)) || err != nil {
				t.Fatal(n, err)
			}
		}
		w.End()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("in writes of %d bytes: %d cycles, want the same %d", size, len(got), len(want))
		}
	}
}

// Lines that have no end are let go of, and what is at their end is found.
func TestLongLines(t *testing.T) {
	for _, n := range []int{line.Max - 200, line.Max - 50, line.Max, line.Max + line.Keep, 5*line.Max + 17} {
		long := strings.Repeat("x", n)
		cycles, _ := read(t, long+whole+"\n"+whole+"\n")
		if len(cycles) != 2 || cycles[0] != wholeCycle {
			t.Errorf("behind %d bytes: %d cycles, want 2", n, len(cycles))
		}
		cycles, notes := read(t, whole+long+"\n"+whole+"\n")
		if len(cycles) != 1 || len(notes) != 1 || !strings.HasPrefix(notes[0], "1 line torn") {
			t.Errorf("in front of %d bytes: %d cycles, notes %q, want 1 and one torn", n, len(cycles), notes)
		}
	}
}

func TestNotes(t *testing.T) {
	line := func(n int, tail string) string {
		return fmt.Sprintf("gc %d @1.5s 1%%: 0.1+0.2+0.3 ms clock, 2 P%s\n", n, tail)
	}
	for _, test := range []struct {
		in   string
		want []string
	}{
		{line(1, "") + line(2, ""), nil},
		{line(7, "") + line(8, ""), nil},
		{line(1, "") + line(4, ""), []string{"2 more cycles missing by number"}},
		{line(1, "") + line(2, "x") + line(4, ""), []string{`1 line torn by other output or cut off, the first: "gc 2 @1.5s 1%: 0.1+0.2+0.3 ms clock, 2 Px"`, "1 more cycle missing by number"}},
		{line(1, "") + line(2, "") + line(1, ""), []string{"the numbers of the cycles begin again: 2 processes wrote here, one after the other"}},
		{line(1, "") + line(9, "") + line(2, ""), []string{"7 more cycles missing by number", "the numbers of the cycles jump: several processes at a time wrote here"}},
		{line(1, ", 3 x") + line(2, ", 45 x") + line(3, ", 1 y"), []string{`unknown field "3 x" in 2 lines; assay reads the other fields`, `unknown field "1 y" in 1 line; assay reads the other fields`}},
		{line(1, "\x1b[31m\u202e"), []string{`1 line torn by other output or cut off, the first: "gc 1 @1.5s 1%: 0.1+0.2+0.3 ms clock, 2 P?[31m???"`}},
	} {
		if _, got := read(t, test.in); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q:\ngot  %q\nwant %q", test.in, got, test.want)
		}
	}
	var many strings.Builder
	for i := range 5000 {
		many.WriteString(line(i+1, ", 1 "+strings.Repeat("x", i%50+1)))
	}
	_, got := read(t, many.String())
	if len(got) != maxOdd+1 || got[maxOdd] != "4,200 fields more that are not known" {
		t.Errorf("notes of 50 fields: %q", got)
	}
}

// formatMS is the runtime's fmtNSAsMS (runtime/mgc.go).
func formatMS(ns uint64) string {
	if ns >= 10e6 {
		return fmt.Sprint(ns / 1e6)
	}
	x := ns / 1e3
	if x == 0 {
		return "0"
	}
	dec := 3
	for x >= 100 {
		x /= 10
		dec--
	}
	return fmt.Sprintf("%.*f", dec, float64(x)/math.Pow10(dec))
}

// ms is what is left of a time when it is printed.
func ms(ns uint64) float64 {
	x, unit := ns/1e3, uint64(1)
	if ns >= 10e6 {
		return float64(ns/1e6) / 1e3
	}
	for x >= 100 {
		x, unit = x/10, unit*10
	}
	return float64(x*unit) / 1e6
}

func format(n, at, util uint64, clock [3]uint64, cpu [5]uint64, mb [6]uint64, procs uint64, leaks, forced bool) string {
	s := fmt.Sprintf("gc %d @%d.%03ds %d%%", n, at/1000, at%1000, util)
	if leaks {
		s += " (checking for goroutine leaks)"
	}
	s += fmt.Sprintf(": %s+%s+%s ms clock, %s+%s/%s/%s+%s ms cpu, %d->%d->%d MB, %d MB goal, %d MB stacks, %d MB globals, %d P",
		formatMS(clock[0]), formatMS(clock[1]), formatMS(clock[2]),
		formatMS(cpu[0]), formatMS(cpu[1]), formatMS(cpu[2]), formatMS(cpu[3]), formatMS(cpu[4]),
		mb[0], mb[1], mb[2], mb[3], mb[4], mb[5], procs)
	if forced {
		s += " (forced)"
	}
	return s
}

// What the runtime prints is read as what it meant, to the last digit.
func FuzzFormat(f *testing.F) {
	f.Add(uint64(1), uint64(4), uint64(6), uint64(100_000), uint64(1_400_000), uint64(0), uint64(999), uint64(3), uint64(4), true, false)
	f.Add(uint64(1<<31), uint64(1e12), uint64(100), uint64(9_999_999), uint64(10_000_000), uint64(1e15), uint64(99_999), uint64(1<<20), uint64(2), false, true)
	f.Fuzz(func(t *testing.T, n, at, util, a, b, c, d, x, procs uint64, leaks, forced bool) {
		n, at, util, procs = n%(1<<32), at%1e15, util%1000, procs%4096
		x %= 1 << 42
		line := format(n, at, util, [3]uint64{a, b, c}, [5]uint64{d, a, b, c, d}, [6]uint64{x, x + 1, x / 2, x + 2, x / 3, x / 4}, procs, leaks, forced)
		want := assay.GCCycle{N: int(n), At: float64(at) / 1e3, Share: float64(util) / 100,
			SweepPause: ms(a), Mark: ms(b), MarkPause: ms(c),
			SweepCPU: ms(d), AssistCPU: ms(a), BackgroundCPU: ms(b), IdleCPU: ms(c), MarkTermCPU: ms(d),
			HeapStart: x << 20, HeapEnd: (x + 1) << 20, Live: x / 2 << 20, Goal: (x + 2) << 20, Stacks: x / 3 << 20, Globals: x / 4 << 20,
			Procs: int(procs), Forced: forced}
		if got, is, ok := Line([]byte("log " + line)); !is || !ok || got != want {
			t.Errorf("%s:\ngot  %+v\nwant %+v", line, got, want)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(whole + " (forced)\nlog\n" + whole[:50] + "log\n" + whole[50:] + ", 3 x\n"))
	f.Add([]byte("gc 1 @0.1s 1% (x): 1 P"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var s Summary
		n := 0
		notes, err := Read(bytes.NewReader(in), func(c assay.GCCycle) { s.Add(c); n++ })
		if err != nil {
			t.Fatal(err)
		}
		if max := bytes.Count(in, []byte("gc ")); n > max {
			t.Errorf("%d cycles of %d heads", n, max)
		}
		for _, note := range notes {
			if len(note) > 400 || strings.ContainsFunc(note, func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Errorf("note %q is not fit to print", note)
			}
		}
		for name, v := range s.Values(Over{1, 1, 1, 1}) {
			if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
				t.Errorf("%s = %g", name, v)
			}
		}
	})
}

// A stream gives a trace of a given length, with log lines between.
type stream struct {
	left int64
	n    int
	rest []byte
}

func (s *stream) Read(p []byte) (int, error) {
	if s.left <= 0 {
		return 0, io.EOF
	}
	if len(s.rest) == 0 {
		for range 200 {
			s.n++
			i := uint64(s.n)
			s.rest = append(s.rest, format(i, i*7, i%20, [3]uint64{i * 977 % 1e6, i * 7919 % 30e6, i * 131 % 1e6}, [5]uint64{i * 977 % 2e6, i * 31 % 5e6, i * 7919 % 40e6, i % 1e6, i * 131 % 2e6}, [6]uint64{100 + i%50, 101 + i%50, 60 + i%20, 120, 0, 1}, 8, false, i%97 == 0)...)
			s.rest = append(s.rest, '\n')
			if i%10 == 0 {
				s.rest = append(s.rest, "time=\"2026-11-21T07:32:06Z\" level=info msg=\"Creating root@localhost superuser\"\n"...)
			}
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[:copy(s.rest, s.rest[n:])]
	s.left -= int64(n)
	return n, nil
}

// repeat gives the same block again and again.
type repeat struct {
	block []byte
	left  int64
	at    int
}

func (r *repeat) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(int64(len(p)), r.left)], r.block[r.at:])
	r.at = (r.at + n) % len(r.block)
	r.left -= int64(n)
	return n, nil
}

func block(size int64) []byte {
	b, _ := io.ReadAll(&stream{left: size})
	return b
}

// 64 MB take as much memory as 1 MB do.
func TestConstantMemory(t *testing.T) {
	b := block(1 << 20)
	read := func(size int64) (allocated uint64, cycles int) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var s Summary
		if _, err := Read(&repeat{block: b, left: size}, s.Add); err != nil {
			t.Fatal(err)
		}
		s.Values(Over{Seconds: s.Span()})
		runtime.ReadMemStats(&after)
		cycles, _ = s.Cycles()
		return after.TotalAlloc - before.TotalAlloc, cycles
	}
	small, few := read(1 << 20)
	large, many := read(64 << 20)
	if many < 60*few {
		t.Fatalf("%d cycles in 64 MB, %d in 1 MB", many, few)
	}
	if large > small+64<<10 {
		t.Errorf("64 MB allocate %d bytes, 1 MB %d", large, small)
	}
}

func BenchmarkRead(b *testing.B) {
	text := block(8 << 20)
	b.Run("scanner", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			var s Summary
			if _, err := Read(bytes.NewReader(text), s.Add); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("scanner-alone", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if _, err := Read(bytes.NewReader(text), nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	// It finds the fields and converts none.
	b.Run("regexp", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			for l := range bytes.Lines(text) {
				reference.FindSubmatchIndex(bytes.TrimSuffix(l, []byte("\n")))
			}
		}
	})
}
