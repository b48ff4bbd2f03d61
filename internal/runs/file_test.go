package runs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// compared compares two texts as files old.txt and new.txt.
func compared(t *testing.T, older, newer string, change func(*assay.Study)) (*assay.Result, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"old.txt": older, "new.txt": newer} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	samples, s, err := ReadFiles([]string{"old.txt", "new.txt"}, "", "")
	if err != nil {
		return nil, err
	}
	if change != nil {
		change(s)
	}
	return CompareFiles(samples, s)
}

func codes(r *assay.Result) (out []assay.Code) {
	for _, w := range r.Warnings {
		out = append(out, w.Code)
	}
	return out
}

// A gate over files that were not measured together is undecided, and failed where results
// are lost: it never holds.
func TestGateOnFiles(t *testing.T) {
	gate := func(s *assay.Study) { s.Decide.Gate = 0.05 }
	whole := "BenchmarkX 1 10 ns/op\n"
	for name, test := range map[string]struct{ newer, want string }{
		"slower": {"BenchmarkX 1 15 ns/op\n", "undecided"},
		"same":   {whole, "undecided"},
		"lost":   {whole + "BenchmarkY b 1 10 ns/op\n", "failed"},
		"failed": {whole + "--- FAIL: BenchmarkY\n", "failed"},
	} {
		r, err := compared(t, whole, test.newer, gate)
		if err != nil || r.Answer.Gate != test.want {
			t.Errorf("%s: gate %q, %v, want %q", name, r.Answer.Gate, err, test.want)
		}
	}
}

// A benchmark that one file alone has is named, and is no row: without a base there is no
// change from 0.
func TestUnmatchedInFiles(t *testing.T) {
	r, err := compared(t, "BenchmarkX 1 10 ns/op\nBenchmarkOld 1 1 ns/op\n", "BenchmarkX 1 11 ns/op 64 B/op\nBenchmarkNew 1 1 ns/op\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tab := range r.Tables {
		for _, row := range tab.Rows {
			if row.Benchmark.Name == "New" || tab.Metric.Name == assay.MetricBytes {
				t.Errorf("%s of %s has a row without a base", tab.Metric.Name, row.Benchmark.Name)
			}
		}
	}
	i := slices.Index(codes(r), assay.CodeBenchmarkSetsDiffer) // the next one is of metrics
	if i < 0 || strings.Join(r.Warnings[i].Facts, "; ") != "only in old.txt: Old; only in new.txt: New" {
		t.Errorf("warnings %+v", r.Warnings)
	}
}

// One name in two packages is two benchmarks: the package says which is missing.
func TestUnmatchedPackages(t *testing.T) {
	r, err := compared(t, "pkg: x/wire\nBenchmarkX 1 10 ns/op\npkg: x/disk\nBenchmarkX 1 10 ns/op\n", "pkg: x/disk\nBenchmarkX 1 10 ns/op\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	if i := slices.Index(codes(r), assay.CodeBenchmarkSetsDiffer); i < 0 || r.Warnings[i].Facts[0] != "only in old.txt: X of x/wire" {
		t.Errorf("warnings %+v", r.Warnings)
	}
}

// A metric that one file has in another unit is named.
func TestOtherUnits(t *testing.T) {
	r, err := compared(t, "BenchmarkX 1 10 ns/op\n", "BenchmarkX 1 11 ms/op\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	var facts []string
	for _, w := range r.Warnings {
		facts = append(facts, w.Facts...)
	}
	if got := strings.Join(facts, "; "); !strings.Contains(got, "sec/op is in old.txt alone; ms/op is in new.txt alone") {
		t.Errorf("facts %q", got)
	}
	if want := "nothing to compare: the files have no metric of a benchmark in common"; r.Answer.Text[0] != want {
		t.Errorf("answer %q, want %q", r.Answer.Text[0], want)
	}
}

// What is below 0 has a difference and no share.
func TestNegativeValues(t *testing.T) {
	r, err := compared(t, "BenchmarkX 1 10 ns/op -10 KB-grown\n", "BenchmarkX 1 10 ns/op -20 KB-grown\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	c := r.Tables[1].Rows[0].Cells[0]
	if c.Change != 0 || c.Difference != -10 {
		t.Errorf("change %v, difference %v, want none and -10", c.Change, c.Difference)
	}
}

// Another base takes the control away that repeated the old one; one that is not there is an
// error.
func TestRebase(t *testing.T) {
	block := func(n, a, b, c string) string {
		return "# run: r\n# base: a\n# control: a-again\n# block: " + n + "\nvariant: a\nBenchmarkX 1 " + a + " ns/op\nvariant: b\nBenchmarkX 1 " + b + " ns/op\nvariant: a-again\nBenchmarkX 1 " + c + " ns/op\n"
	}
	text := block("1", "10", "20", "10") + block("2", "11", "21", "11") + block("3", "10", "20", "10")
	t.Chdir(t.TempDir())
	if err := os.WriteFile("r.txt", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for base, want := range map[string]int{"b": 2, "a": 2, "c": 0} {
		samples, s, err := ReadFiles([]string{"r.txt"}, "", "")
		if err != nil {
			t.Fatal(err)
		}
		s.Base = base
		r, err := CompareFiles(samples, s)
		if want == 0 {
			if err == nil || !strings.Contains(err.Error(), "there are: a, b, a-again") {
				t.Errorf("base %s: got %v", base, err)
			}
			continue
		}
		if err != nil || r.Base != base || len(r.Variants) != want || base == "b" && r.Noise.Control != "" {
			t.Errorf("base %s: %+v, control %q, %v", base, r.Variants, r.Noise.Control, err)
		}
	}
}

// A word is a file with a label only where the file exists.
func TestSplitLabel(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.txt", "x=y.txt", "200"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for word, want := range map[string][2]string{"a.txt": {"", "a.txt"}, "old=a.txt": {"old", "a.txt"}, "x=y.txt": {"", "x=y.txt"}, "GOGC=200": {"", "GOGC=200"}, "new=-": {"new", "-"}, "=a.txt": {"", "=a.txt"}, "-pgo=a.txt": {"", "-pgo=a.txt"}} {
		if label, file := SplitLabel(word); label != want[0] || file != want[1] {
			t.Errorf("%s: got %q, %q", word, label, file)
		}
	}
}

// Where many files are given, each is hardly a version of its own: the note says how files
// become one.
func TestManyFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	var names []string
	for _, name := range []string{"old.0.txt", "old.1.txt", "old.2.txt", "new.0.txt", "new.1.txt"} {
		if err := os.WriteFile(name, []byte("BenchmarkX 1 10 ns/op\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	said := func(names []string) string {
		t.Helper()
		samples, s, err := ReadFiles(names, "", "")
		if err != nil {
			t.Fatal(err)
		}
		r, err := CompareFiles(samples, s)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(r.Warnings[0].Facts, "; ")
	}
	if got := said(names); !strings.Contains(got, "old=old.0.txt old=old.1.txt … new=new.1.txt") {
		t.Errorf("of five files: %q", got)
	}
	if got := said(names[2:4]); strings.Contains(got, "can be one variant") {
		t.Errorf("of two files: %q", got)
	}
}
