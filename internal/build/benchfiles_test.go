package build

import (
	"errors"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
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
	got := pruneTests(map[string][]byte{"mixed_test.go": []byte(mixedTest), "export_test.go": []byte(exportTest), "other_test.go": []byte(otherTest),
		"broken_test.go": []byte("package codec\n\nfunc {")}, benchMatcher("Sum$"))
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
	if got := pruneTests(map[string][]byte{"other_test.go": []byte(otherTest)}, benchMatcher(".")); got != nil {
		t.Errorf("got %q of files without benchmarks", got)
	}
}

// An import whose package has another name than its path is kept while something is
// used that no other import explains.
func TestPruneKeepsOddImports(t *testing.T) {
	source := "package a\n\nimport (\n\t\"testing\"\n\n\t\"example.com/go-odd\"\n)\n\nfunc BenchmarkA(b *testing.B) { odder.Do() }\n"
	got := pruneTests(map[string][]byte{"a_test.go": []byte(source)}, benchMatcher("."))
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
		matches := benchMatcher(test.pattern)
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

// TestBenchmarksFrom: a benchmark of the working tree runs in a revision that knows
// nothing of it, nor of what the tests beside it test.
func TestBenchmarksFrom(t *testing.T) {
	dir := sourcetest.Repository(t, nil)
	disktest.Write(t, dir, map[string]string{
		"new.go":           "package tiny\n\n// New is new.\nfunc New() int { return 1 }\n",
		"new_test.go":      "package tiny\n\nimport \"testing\"\n\nfunc TestNew(t *testing.T) { New() }\n\nfunc BenchmarkNew(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tSum(20)\n\t}\n}\n",
		"testdata/new.txt": "new",
	})
	b := New(t.TempDir())
	r := Request{Study: dir, Source: assay.Source{BenchmarksFrom: "."}, Variant: assay.Variant{Name: "old", Rev: "HEAD"}, Package: ".", Bench: "New"}
	old := mustBuild(t, b, r)
	if got, want := lister(t, old), "BenchmarkNew"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if disk.IsFile(old.Dir+"/new.go") || !disk.IsFile(old.Dir+"/testdata/new.txt") {
		t.Errorf("%s is not the old source with the new testdata", old.Dir)
	}
	r.Variant = assay.Variant{Name: "new"}
	if got, want := lister(t, mustBuild(t, b, r)), "BenchmarkNew"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}

	r.Bench = "Nosuch"
	_, err := b.Binary(t.Context(), r)
	if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != "overlay" || e.Text != "no benchmark of your tree matches -bench=Nosuch" {
		t.Errorf("got %v", err)
	}
}
