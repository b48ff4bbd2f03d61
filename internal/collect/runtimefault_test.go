package collect

import (
	"os"
	"testing"
)

// testdata/checkdead.txt is the stderr of Go 1.26.8 (go build -trimpath
// -ldflags=-checklinkname=0) of a program that does what checkdead does: on the system
// stack it prints the first line and calls runtime.throw, both by go:linkname. The
// fault itself comes once in millions of runs.
func TestRuntimeFault(t *testing.T) {
	recorded, err := os.ReadFile("testdata/checkdead.txt")
	if err != nil {
		t.Fatal(err)
	}
	const stack = "\n\ngoroutine 7 [running]:\nmain.main()\n\t/x.go:1 +0x1\n"
	for in, want := range map[string]string{
		"":               "",
		string(recorded): "checkdead: runnable g",
		"a log without newline" + string(recorded):                             "checkdead: runnable g",
		"fatal error: checkdead: no m for timer\n":                             "checkdead: no m for timer", // GOTRACEBACK=none
		"fatal error: startm: m has p" + stack:                                 "startm: m has p",
		"fatal error: all goroutines are asleep - deadlock!" + stack:           "",
		"fatal error: no goroutines (main called runtime.Goexit)" + stack:      "",
		"fatal error: concurrent map writes" + stack:                           "",
		"fatal error: runtime: out of memory" + stack:                          "",
		"fatal error: stack overflow" + stack:                                  "",
		"fatal error: found bad pointer in Go heap (incorrect use of)" + stack: "",
		"panic: checkdead: runnable g" + stack:                                 "",
		"fatal error: checkdead: runnable goat" + stack:                        "",
		"panic: mine" + stack + string(recorded):                               "",
		"runtime: checkdead: find g 7 in status 1\n":                           "",
	} {
		var w StderrWriter
		_, _ = w.Write([]byte(in))
		if got := w.RuntimeFault(); got != want {
			t.Errorf("%.60q: %q, want %q", in, got, want)
		}
	}
}
