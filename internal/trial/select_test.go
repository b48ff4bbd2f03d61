package trial

import "testing"

// The pattern of one benchmark matches it and its own part of each level, and no other.
func TestSelectPattern(t *testing.T) {
	for name, want := range map[string]string{
		"Sum":               "^BenchmarkSum$",
		"Decode/size=4.5/x": `^BenchmarkDecode$/^size=4\.5$/^x$`,
		"A+B":               `^BenchmarkA\+B$`,
		"Benchmark":         "^Benchmark$",
		"Benchmark/x":       "^Benchmark$/^x$",
		"BenchmarkX":        "^BenchmarkBenchmarkX$",
	} {
		if got := Select(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
