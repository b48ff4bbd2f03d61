package collect

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay/internal/printable"
)

func TestGCTrace(t *testing.T) {
	b, err := os.ReadFile("testdata/gctrace.txt")
	if err != nil {
		t.Fatal(err)
	}
	var w StderrWriter
	_, _ = w.Write(b)
	// grep -c ' P$' testdata/gctrace.txt
	if got, want := w.GCCycles(), 10; got != want {
		t.Errorf("%d cycles, want %d", got, want)
	}
	if got, want := w.Crash(), "panic: out of cheese"; got != want {
		t.Errorf("crash %q, want %q", got, want)
	}
}

func TestGCCycles(t *testing.T) {
	const line = "gc 37 @18.653s 0%: 0.052+18+0.068 ms clock, 0.10+2.2/8.9/12+0.13 ms cpu, 186->188->106 MB, 190 MB goal, 0 MB stacks, 1 MB globals, 2 P"
	for in, want := range map[string]int{
		"":                              0,
		line:                            1,
		line + "\n" + line + "\n":       2,
		line + " (forced)\n":            0,
		"glued text" + line + "\n":      1,
		"\x1b[0m" + line + "\n" + "log": 1,
		line[:60] + "\n":                0,
		"gc 37 is a P\n":                0,
		strings.Repeat("x", 300<<10) + line + "\n": 1,
	} {
		var w StderrWriter
		_, _ = io.WriteString(&w, in)
		if got := w.GCCycles(); got != want {
			t.Errorf("%.50q: %d, want %d", in, got, want)
		}
	}
}

func TestCrash(t *testing.T) {
	const stack = "\ngoroutine 7 [running]:\nmain.main()\n\t/x.go:1 +0x1\n"
	for _, test := range []struct{ in, crash, last string }{
		{"", "", ""},
		{"all is well\n\n", "", "all is well"},
		{"panic: boom\n" + stack, "panic: boom", "/x.go:1 +0x1"},
		{"text without newline panic: boom\n" + stack, "panic: boom", "/x.go:1 +0x1"},
		{"panic: old, recovered\nmore\npanic: boom\n" + stack + "panic: not mine\n", "panic: boom", "panic: not mine"},
		{"panic: a\n\tpanic: b\n" + stack, "panic: a", "/x.go:1 +0x1"},
		{"fatal error: all goroutines are asleep - deadlock!\n" + stack, "fatal error: all goroutines are asleep - deadlock!", "/x.go:1 +0x1"},
		{"panic: \x1b[31mred\x1b[0m\x00\n" + stack, "panic: red", "/x.go:1 +0x1"},
	} {
		var w StderrWriter
		_, _ = w.Write([]byte(test.in))
		if w.Crash() != test.crash || w.Last() != test.last {
			t.Errorf("%q: crash %q, last %q; want %q and %q", test.in, w.Crash(), w.Last(), test.crash, test.last)
		}
	}
}

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"":                               "",
		"  plain\ttext\n ":               "plain text",
		"a\r\nb\x00\x07c":                "a bc",
		"\x1b[1;31mred\x1b[0m\x1b[2K":    "red",
		"\x1b]0;title\x07text":           "text",
		"\x1b]8;;http://x\x1b\\link":     "link",
		"\u202eright to left\u200b":      "right to left",
		"bad\xffutf8":                    "badutf8",
		"日本":                             "日本",
		strings.Repeat("x", 200):         strings.Repeat("x", 200),
		strings.Repeat("x", 201):         strings.Repeat("x", 197) + "...",
		strings.Repeat("日", 100):         strings.Repeat("日", 65) + "...",
		strings.Repeat("\x00", 99) + "x": "x",
	} {
		if got := printable.Brief(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
