package record

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/seed-1318a441/assay"
)

// imported reads files, given in the order of their names.
func imported(t *testing.T, files map[string]string, names ...string) *assay.Samples {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	s, err := Import(fsys, Files(names...), Selection{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// times lists "NAME in VARIANT: VALUES" of sec/op, in nanoseconds.
func times(s *assay.Samples) (out []string) {
	for _, x := range s.Samples {
		if x.Metric != assay.MetricTime {
			continue
		}
		var text strings.Builder
		text.WriteString(x.Benchmark.Name + " in " + x.Variant + ":")
		for _, v := range x.Values {
			text.WriteString(fmt.Sprintf(" %.0f", 1e9*v))
		}
		out = append(out, text.String())
	}
	return out
}

// Sections of other CPUs or settings in one file are experiments of their own, which are
// compared with their like.
func TestSections(t *testing.T) {
	s := imported(t, map[string]string{
		"old.txt": "goos: linux\ncpu: EPYC\nBenchmarkX-8 1 10 ns/op\ncpu: Xeon\nBenchmarkX-8 1 30 ns/op\ncpu: EPYC\nBenchmarkX-8 1 12 ns/op\n",
		"new.txt": "goos: linux\ncpu: EPYC\nBenchmarkX-8 1 11 ns/op\n",
	}, "old.txt", "new.txt")
	want := []string{"X-8 [cpu=EPYC] in old.txt: 10 12", "X-8 [cpu=Xeon] in old.txt: 30", "X-8 [cpu=EPYC] in new.txt: 11"}
	if got := times(s); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	// Two files of a CPU each are compared, and the result says so.
	s = imported(t, map[string]string{"old.txt": "cpu: EPYC\nBenchmarkX 1 10 ns/op\n", "new.txt": "cpu: Xeon\nBenchmarkX 1 11 ns/op\n"}, "old.txt", "new.txt")
	if got := times(s); !slices.Equal(got, []string{"X in old.txt: 10", "X in new.txt: 11"}) || !slices.Contains(s.Mixed, `cpu: "EPYC" and "Xeon"`) {
		t.Errorf("got %q, mixed %q", got, s.Mixed)
	}
}

// Files that differ in the suffix of GOMAXPROCS alone have the same benchmarks. A file of
// several has a benchmark for each.
func TestProcsSuffix(t *testing.T) {
	s := imported(t, map[string]string{"old.txt": "BenchmarkX-8 1 10 ns/op\nBenchmarkX/n-4-8 1 10 ns/op\n", "new.txt": "BenchmarkX-16 1 11 ns/op\nBenchmarkX/n-4-16 1 12 ns/op\n"}, "old.txt", "new.txt")
	if got := times(s); !slices.Equal(got, []string{"X in old.txt: 10", "X/n-4 in old.txt: 10", "X in new.txt: 11", "X/n-4 in new.txt: 12"}) || !slices.Contains(s.Mixed, "GOMAXPROCS: 8 in old.txt, 16 in new.txt") {
		t.Errorf("got %q, mixed %q", got, s.Mixed)
	}
	s = imported(t, map[string]string{"old.txt": "BenchmarkX 1 10 ns/op\nBenchmarkX-2 1 6 ns/op\n", "new.txt": "BenchmarkX 1 11 ns/op\nBenchmarkX-2 1 7 ns/op\n"}, "old.txt", "new.txt")
	if got := times(s); len(got) != 4 || got[0] != "X in old.txt: 10" || got[1] != "X-2 in old.txt: 6" {
		t.Errorf("got %q", got)
	}
}

// Exports of two runs are not one experiment, though each names its blocks.
func TestTwoRuns(t *testing.T) {
	export := func(run, variant, value string) string {
		return "# run: " + run + "\n# block: 1\nvariant: " + variant + "\nBenchmarkX 1 " + value + " ns/op\n"
	}
	if s := imported(t, map[string]string{"a.txt": export("aaaa", "old", "10") + export("aaaa", "new", "11")}, "a.txt"); s.Mixed != nil {
		t.Errorf("one run is mixed: %q", s.Mixed)
	}
	s := imported(t, map[string]string{"a.txt": export("aaaa", "old", "10") + export("aaaa", "new", "12"), "b.txt": export("bbbb", "new", "11")}, "a.txt", "b.txt")
	if len(s.Mixed) == 0 || s.Mixed[0] != `run: "aaaa" and "bbbb"` || s.Samples[0].Blocks != nil {
		t.Errorf("mixed %q, blocks %v", s.Mixed, s.Samples[0].Blocks)
	}
	if got := times(s); !slices.Equal(got, []string{"X in old of a.txt: 10", "X in new of a.txt: 12", "X in new of b.txt: 11"}) {
		t.Errorf("got %q", got)
	}
	// The run of another tool is none of assay's.
	s = imported(t, map[string]string{"a.txt": "run: 1\nprocs: 8\nBenchmarkX-8 1 10 ns/op\n", "b.txt": "run: 1\nprocs: 8\nBenchmarkX-8 1 11 ns/op\n"}, "a.txt", "b.txt")
	if got := times(s); !slices.Equal(got, []string{"X-8 in a.txt: 10", "X-8 in b.txt: 11"}) {
		t.Errorf("of another tool: %q", got)
	}
	fsys := fstest.MapFS{"a.txt": {Data: []byte(export("aaaa", "old", "10"))}, "b.txt": {Data: []byte(export("aaaa", "old", "10"))}}
	if _, err := Import(fsys, Files("a.txt", "b.txt"), Selection{}); err == nil || !strings.Contains(err.Error(), "run aaaa is in a.txt already") {
		t.Errorf("one export twice: got %v", err)
	}
}

// Files with one label are one variant.
func TestLabels(t *testing.T) {
	fsys := fstest.MapFS{}
	var files []LabelledFile
	for i, label := range []string{"old", "old", "new"} {
		name := fmt.Sprintf("%d.txt", i)
		fsys[name] = &fstest.MapFile{Data: fmt.Appendf(nil, "BenchmarkX 1 %d ns/op\n", 10+i)}
		files = append(files, LabelledFile{Name: name, Label: label})
	}
	s, err := Import(fsys, files, Selection{})
	if err != nil {
		t.Fatal(err)
	}
	if got := times(s); !slices.Equal(got, []string{"X in old: 10 11", "X in new: 12"}) {
		t.Errorf("got %q", got)
	}
}

// What could not be read is named with its file and line.
func TestLostResults(t *testing.T) {
	s := imported(t, map[string]string{
		"old.txt": "BenchmarkX 1 10 ns/op\nBenchmarkY 1 10 ns/op\n",
		"new.txt": "BenchmarkX 1 11 ns/op\nBenchmarkY b 1 10 ns/op\n--- FAIL: BenchmarkZ\n    z_test.go:3: no\n",
	}, "old.txt", "new.txt")
	if len(s.Lost) != 1 || !strings.HasPrefix(s.Lost[0], "new.txt:2: ") || len(s.Failed) != 1 || !strings.Contains(s.Failed[0], "Z failed") {
		t.Errorf("lost %q, failed %q", s.Lost, s.Failed)
	}
}
