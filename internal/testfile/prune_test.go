package testfile

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay/internal/disk/disktest"
)

// The test files of a package in which a benchmark stands beside tests of what an older
// source lacks.
const (
	mixedTest = `//go:build !never

// Package comment.
package codec

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"testing"
	yaml "gopkg.in/yaml.v3"
	"gopkg.in/check.v1"
	"example.com/go-odd"
	_ "embed"
)

const (
	small = iota
	large
)

var (
	// sink is kept.
	sink int
	gone = yaml.New()
	_    = flag.Bool("x", false, "")
)

// TestNew is new.
func TestNew(t *testing.T) {
	check.Equal(t, New(), bytes.NewReader(nil))
	odder.Do()
}

type input struct{ n int }

func (i input) size() int { return i.n * rand.IntN(2) }

func (i input) String() string { return "" }

// BenchmarkSum is wanted.
func BenchmarkSum(b *testing.B) {
	for range b.N {
		sink += Sum(input{large}.size()) + helper()
	}
}

func BenchmarkOther(b *testing.B) { New() }

func init() { sink = 1 }
`
	exportTest = `package codec

func (d *Decoder) Inner() int { return d.inner }

func (d *Decoder) Newer() int { return d.newer }

func helper() int { return new(Decoder).Inner() }

func unused() { New() }
`
	otherTest = `package codec

import "testing"

func TestOther(t *testing.T) { New() }
`
)

func TestPruneTests(t *testing.T) {
	got := Prune(map[string][]byte{"mixed_test.go": []byte(mixedTest), "export_test.go": []byte(exportTest), "other_test.go": []byte(otherTest),
		"broken_test.go": []byte("package codec\n\nfunc {")}, Matcher("Sum$"))
	if len(got) != 3 || string(got["broken_test.go"]) != "package codec\n\nfunc {" {
		t.Errorf("got %d files, want mixed, export and the broken one: %q", len(got), got)
	}
	for _, test := range []struct{ name, source, without string }{
		{"mixed_test.go", mixedTest, "bytes yaml check odd gone TestNew BenchmarkOther"},
		{"export_test.go", exportTest, "Newer unused"},
	} {
		want := strings.Split(test.source, "\n")
		lines := strings.Split(string(got[test.name]), "\n")
		if len(lines) != len(want) {
			t.Errorf("%s has %d lines, want %d", test.name, len(lines), len(want))
			continue
		}
		for i, line := range lines {
			switch line = strings.TrimRight(line, " \t"); {
			case line == want[i]:
				for word := range strings.FieldsSeq(test.without) {
					if strings.Contains(line, word) {
						t.Errorf("%s:%d: %q is left", test.name, i+1, line)
					}
				}
			case line != "":
				t.Errorf("%s:%d: got %q, want %q or nothing", test.name, i+1, line, want[i])
			}
		}
		for _, kept := range []string{"large", "sink int", `"flag"`, `"math/rand/v2"`, `_ "embed"`, "size() int", "String() string", "func init", "go:build", "Inner() int"} {
			if strings.Contains(test.source, kept) && !strings.Contains(string(got[test.name]), kept) {
				t.Errorf("%s: %q is gone", test.name, kept)
			}
		}
	}
	if got := Prune(map[string][]byte{"other_test.go": []byte(otherTest)}, Matcher(".")); got != nil {
		t.Errorf("got %q of files without benchmarks", got)
	}
}

// An import whose package has another name than its path is kept while something is
// used that no other import explains.
func TestPruneKeepsOddImports(t *testing.T) {
	source := "package a\n\nimport (\n\t\"testing\"\n\n\t\"example.com/go-odd\"\n)\n\nfunc BenchmarkA(b *testing.B) { odder.Do() }\n"
	got := Prune(map[string][]byte{"a_test.go": []byte(source)}, Matcher("."))
	if string(got["a_test.go"]) != source {
		t.Errorf("got %s", got["a_test.go"])
	}
}

func TestBenchMatcher(t *testing.T) {
	for _, test := range []struct{ pattern, match, not string }{
		{"", "BenchmarkA", ""},
		{".", "BenchmarkA", ""},
		{"^BenchmarkSum$", "BenchmarkSum", "BenchmarkSums BenchmarkFill"},
		{"Decode/large", "BenchmarkDecode", "BenchmarkLarge"},
		{"Get/x|Put/y", "BenchmarkGet BenchmarkPut", "BenchmarkSet Benchmarkx"},
		{"^Benchmark(Get|Put)$", "BenchmarkGet BenchmarkPut", "BenchmarkGets"},
		{"[/|]", "", "BenchmarkGet"},
		{"(", "BenchmarkGet", ""},
	} {
		matches := Matcher(test.pattern)
		for name := range strings.FieldsSeq(test.match) {
			if !matches(name) {
				t.Errorf("%q does not match %s", test.pattern, name)
			}
		}
		for name := range strings.FieldsSeq(test.not) {
			if matches(name) {
				t.Errorf("%q matches %s", test.pattern, name)
			}
		}
	}
}

func TestHasBenchmark(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]bool{
		"package x\nfunc BenchmarkA(b *testing.B) {}":  true,
		"package x\nfunc Benchmark(b *testing.B) {}":   true,
		"package x\nfunc Benchmark_a(b *testing.B) {}": true,
		"package x\nfunc BenchmarkÄ(b *testing.B) {}":  true,
		"package x\nfunc Benchmarks(b *testing.B) {}":  false,
		"package x\n// BenchmarkA(b) is planned":       false,
		"package x\nfunc (t T) BenchmarkA() {}":        false,
	} {
		disktest.Write(t, dir, map[string]string{"a_test.go": text})
		if got := HasBenchmark(filepath.Join(dir, "a_test.go")); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
	if HasBenchmark(filepath.Join(dir, "missing")) {
		t.Error("a missing file has a benchmark")
	}
}
