package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/dirhash"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

// newest is a release of example.com/lib with benchmarks: in a folder of their own,
// which needs a newer language, a package of assertions, a dependency and a file; in
// an external test package that uses what older releases lack; and in the package.
var newest = map[string]map[string]string{
	"example.com/lib@v1.2.0": {
		"go.mod":           "module example.com/lib\n\ngo 1.21\n\nrequire example.com/tool v1.0.0\n",
		"lib.go":           "package lib\n\nfunc Sum(n int) int { return n + n - n }\n\nfunc New() int { return 1 }\n",
		"in_test.go":       "package lib\n\nimport \"testing\"\n\nfunc BenchmarkInside(b *testing.B) {}\n",
		"out_test.go":      "package lib_test\n\nimport (\n\t\"testing\"\n\n\t\"example.com/lib\"\n\t\"example.com/lib/internal/check\"\n)\n\nfunc TestNewer(t *testing.T) { lib.Gone() }\n\nfunc BenchmarkOutside(b *testing.B) { check.Equal(b, lib.New(), 1) }\n",
		"bench/b_test.go":  "package bench_test\n\nimport (\n\t\"os\"\n\t\"testing\"\n\n\t\"example.com/lib\"\n\t\"example.com/lib/internal/check\"\n\t_ \"example.com/tool\"\n)\n\nfunc BenchmarkSum(b *testing.B) {\n\tdata, err := os.ReadFile(\"testdata/x\")\n\tcheck.Equal(b, err, nil)\n\tcheck.Equal(b, string(data), \"newest\")\n\tfor i := 0; i < b.N; i++ {\n\t\tlib.Sum(i)\n\t}\n}\n",
		"bench/testdata/x": "newest", "internal/check/check.go": "package check\n\nimport \"testing\"\n\nfunc Equal[T comparable](b testing.TB, x, y T) {\n\tif x != y {\n\t\tb.Fatal(x, y)\n\t}\n}\n",
		"internal/used/used.go": "package used\n",
	},
	"example.com/lib@v1.0.5": { // has another folder of the name, of which nothing is left
		"go.mod": "module example.com/lib\n\ngo 1.16\n\nreplace example.com/lost => ../lost\n\nrequire example.com/lost v1.0.0\n", "lib.go": "package lib\n\nimport _ \"example.com/lost\"\n\nfunc Sum(n int) int { return n }\n",
		"bench/b_test.go": "package other\n\nbroken\n", "bench/old_test.go": "package other\n", "bench/testdata/y": "y",
	},
	"example.com/tool@v1.0.0": {"go.mod": "module example.com/tool\n\ngo 1.16\n", "tool.go": "package tool\n"},
	"example.com/lost@v1.0.0": {"go.mod": "module example.com/lost\n\ngo 1.16\n", "lost.go": "package lost\n"},
}

// The benchmarks of one release are built against every other, each with its own
// language, and nothing else of a release changes.
func TestFrozen(t *testing.T) {
	sourcetest.Proxy(t, newest)
	cache := t.TempDir()
	b := New(cache)
	ids := map[string]bool{}
	for _, v := range []string{"v1.0.0", "v1.0.5", "v1.1.0", "v1.2.0"} {
		r := Request{Study: t.TempDir(), Source: assay.Source{Suite: "example.com/lib@v1.2.0", Folders: []string{"bench", "internal/check"}},
			Variant: assay.Variant{Name: v, Module: "example.com/lib@" + v}, Package: "./bench"}
		for _, patterns := range [][]string{nil, {"./bench"}, {"./..."}} {
			ps, err := b.Packages(t.Context(), r, patterns)
			if err != nil || len(ps) != 1 || ps[0].ImportPath != "example.com/lib/bench" {
				t.Errorf("%s, %q: packages %v, %v", v, patterns, ps, err)
			}
		}
		a := mustBuild(t, b, r)
		ids[a.ID] = true
		run := exec.Command(a.Path, "-test.bench=.", "-test.benchtime=1x")
		run.Dir = a.Dir
		if out, err := run.CombinedOutput(); err != nil || !strings.Contains(string(out), "BenchmarkSum") {
			t.Errorf("%s: %v\n%s", v, err, out)
		}
		sum, err := dirhash.HashDir(filepath.Join(os.Getenv("GOMODCACHE"), "example.com", "lib@v1.2.0"), "example.com/lib@v1.2.0", dirhash.Hash1)
		if want := "example.com/lib@v1.2.0 " + sum; a.Suite != want || err != nil {
			t.Errorf("%s: suite %q, want %q, %v", v, a.Suite, want, err)
		}
		for _, gone := range []string{"bench/old_test.go", "bench/testdata/y"} {
			if disk.IsFile(filepath.Join(a.Root, filepath.FromSlash(gone))) {
				t.Errorf("%s: %s is left", v, gone)
			}
		}
		for _, file := range []string{"go.mod", "lib.go"} {
			want, err := os.ReadFile(filepath.Join(os.Getenv("GOMODCACHE"), "example.com", "lib@"+v, file))
			if got, _ := os.ReadFile(filepath.Join(a.Root, file)); string(got) != string(want) || err != nil {
				t.Errorf("%s: %s is %q, want %q", v, file, got, want)
			}
		}
		again := New(cache)
		again.Cache.Warn = func(w assay.Warning) { t.Errorf("%s: told %v", v, w) }
		if same := mustBuild(t, again, r); !same.Cached || same.ID != a.ID {
			t.Errorf("%s: again %+v, want %s from the cache", v, same, a.ID)
		}
	}
	if len(ids) != 4 {
		t.Errorf("%d artifacts, want 4", len(ids))
	}
}

// A suite that names no folders brings those with benchmarks that can be had without
// the inside of a package, and what only they import.
func TestFrozenFound(t *testing.T) {
	sourcetest.Proxy(t, newest)
	b := New(t.TempDir())
	r := Request{Study: t.TempDir(), Source: assay.Source{Suite: "example.com/lib@v1.2.0"}}
	for _, v := range []string{"v1.0.0", "v1.2.0"} {
		r.Variant, r.Package = assay.Variant{Name: v, Module: "example.com/lib@" + v}, ""
		ps, err := b.Packages(t.Context(), r, nil)
		if err != nil || len(ps) != 2 || ps[0].ImportPath != "example.com/lib" || ps[1].ImportPath != "example.com/lib/bench" {
			t.Errorf("%s: packages %v, %v", v, ps, err)
		}
		r.Package = "example.com/lib/bench"
		mustBuild(t, b, r)
		r.Package = "example.com/lib"
		a, err := b.Binary(t.Context(), r)
		if v == "v1.2.0" {
			if err != nil || listTests(t, a) != "BenchmarkOutside" {
				t.Errorf("%s: %+v, %v", v, a, err)
			}
		} else if text := errortest.Want(t, err, "build-failed", assay.ExitBuild); !strings.Contains(text, "undefined: lib.New") {
			t.Error(text)
		}
	}
	r.Bench = "Sum"
	if ps, err := b.Packages(t.Context(), r, nil); err != nil || len(ps) != 1 {
		t.Errorf("-bench=Sum: packages %v, %v", ps, err)
	}
}

// A revision of the study's own repository may be the suite; a folder that is a module
// already is taken as it is, and a workspace stays.
func TestFrozenRevision(t *testing.T) {
	dir := sourcetest.Repository(t, map[string]string{"go.work": "go 1.23\n\nuse (\n\t.\n\t./side\n)\n", "side/go.mod": "module example.com/side\n\ngo 1.23\n", "side/s.go": "package side\n\nconst N = 1\n"})
	disktest.Write(t, dir, map[string]string{"bench/go.mod": "module example.com/tiny/bench\n\ngo 1.23\n", "bench/b_test.go": "package bench\n\nimport (\n\t\"testing\"\n\n\t\"example.com/side\"\n\t\"example.com/tiny\"\n)\n\nfunc BenchmarkNew(b *testing.B) { tiny.Sum(side.N) }\n"})
	sourcetest.Git(t, dir, "add", "-A")
	sourcetest.Git(t, dir, "commit", "-qm", "benchmarks")
	b := New(t.TempDir())
	r := Request{Study: dir, Source: assay.Source{Suite: "rev:HEAD", Folders: []string{"bench"}}, Package: "./bench"}
	var roots []string
	for _, v := range []assay.Variant{{Name: "old", Rev: "HEAD~2"}, {Name: "new", Rev: "HEAD"}, {Name: "."}} {
		r.Variant = v
		a := mustBuild(t, b, r)
		roots = append(roots, a.Root)
		if got := listTests(t, a); got != "BenchmarkNew" {
			t.Errorf("%s: lists %q", v.Name, got)
		}
		if want := "rev:HEAD " + sourcetest.Git(t, dir, "rev-parse", "HEAD") + " tree:" + sourcetest.Git(t, dir, "rev-parse", "HEAD^{tree}"); a.Suite != want {
			t.Errorf("%s: suite %q, want %q", v.Name, a.Suite, want)
		}
	}
	if slices.Contains(roots, dir) {
		t.Errorf("roots %q: the working tree was built in", roots)
	}
}

func TestFrozenRefuses(t *testing.T) {
	sourcetest.Proxy(t, newest)
	b := New(t.TempDir())
	for want, c := range map[string]struct {
		suite, module string
		folders       []string
		exit          int
	}{
		"suite example.com/lib@v1.2.0 has no folder nope": {"example.com/lib@v1.2.0", "example.com/lib@v1.0.0", []string{"nope"}, assay.ExitUsage},
		"is of module example.com/dep, and the suite":     {"example.com/lib@v1.2.0", "example.com/dep@v1.0.0", nil, assay.ExitBuild},
		"suite example.com/lib@v1.0.0 has no benchmark":   {"example.com/lib@v1.0.0", "example.com/lib@v1.0.0", nil, assay.ExitUsage},
	} {
		_, err := b.Binary(t.Context(), Request{Study: t.TempDir(), Source: assay.Source{Suite: c.suite, Folders: c.folders}, Variant: assay.Variant{Name: "v", Module: c.module}, Package: "."})
		if text := errortest.Want(t, err, "suite", c.exit); !strings.Contains(text, want) {
			t.Errorf("got %s, want %s", text, want)
		}
	}
}
