package trial

import (
	"maps"
	"testing"
)

// TestBroken: of several benchmarks in one process, which one went wrong.
func TestBroken(t *testing.T) {
	for _, test := range []struct {
		pattern string
		want    map[string]string
	}{
		{"^Benchmark(Plain|Skip|Names|Logged|OwnName)$", nil},
		{"^Benchmark(Plain|Fatal|FatalLate)$", map[string]string{
			"Fatal": "nasty_test.go:123: disk on fire", "FatalLate": "nasty_test.go:126: too late",
		}},
		{"^Benchmark(Plain|Fatal|Panic|Units)$", map[string]string{
			"Fatal": "nasty_test.go:123: disk on fire", "Panic": "panic: out of cheese",
		}},
		{"^Benchmark(Plain|Panic|Units)$", map[string]string{"Panic": "panic: out of cheese"}},
		{"^Benchmark(Plain|Exit0|Names)$", map[string]string{"Exit0": "exited with status 0 before it printed a result"}},
		{"^Benchmark(Exit3|Names)$", map[string]string{"Exit3": "exit status 3: giving up"}},
		{"^Benchmark(NoNewline|Deadlock)$", map[string]string{"Deadlock": "fatal error: all goroutines are asleep - deadlock!"}},
	} {
		g := goTest(t, 100)
		g.Pattern = test.pattern
		if got := mustRun(t, g).Broken; !maps.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.pattern, got, test.want)
		}
	}
}
