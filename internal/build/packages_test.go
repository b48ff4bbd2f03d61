package build

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

const benchFile = "package x\n\nimport \"testing\"\n\nfunc BenchmarkX(b *testing.B) {}\n"

func TestPackages(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.23\n", "root.go": "package m\n",
		"x/x_test.go": benchFile, "x/y/y_test.go": strings.Replace(benchFile, "package x", "package y_test", 1),
		"tests/a_test.go": "package tests\n\nimport \"testing\"\n\nfunc TestA(*testing.T) {}\n\nfunc Benchmarks() {}\n",
		"empty/doc.txt":   "no Go here",
	})
	list := func(v assay.Variant, patterns ...string) (string, error) {
		ps, err := New(t.TempDir()).Packages(t.Context(), Request{Study: dir, Variant: v}, patterns)
		var out []string
		for _, p := range ps {
			if want := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(p.ImportPath, "example.com/m"))); p.Dir != want {
				t.Errorf("%s is in %s, want %s", p.ImportPath, p.Dir, want)
			}
			out = append(out, p.ImportPath)
		}
		return strings.Join(out, " "), err
	}
	for _, c := range []struct {
		patterns []string
		want     string
	}{
		{nil, "example.com/m/x example.com/m/x/y"}, // the root has none: ./...
		{[]string{"./x"}, "example.com/m/x"},
		{[]string{"example.com/m/x/..."}, "example.com/m/x example.com/m/x/y"},
		{[]string{"./tests", "."}, ""},
	} {
		if got, err := list(assay.Variant{}, c.patterns...); got != c.want || err != nil {
			t.Errorf("%q: got %q, %v, want %q", c.patterns, got, err, c.want)
		}
	}
	disktest.Write(t, dir, map[string]string{"m_test.go": strings.Replace(benchFile, "package x", "package m", 1)})
	if got, err := list(assay.Variant{}); got != "example.com/m" || err != nil {
		t.Errorf("the root alone: got %q, %v", got, err)
	}
	for _, p := range []string{"./nowhere", "./empty", "example.com/m/nowhere"} {
		_, err := list(assay.Variant{Name: "v"}, p)
		if text := errortest.Want(t, err, "no-package", assay.ExitUsage); !strings.Contains(text, p) {
			t.Errorf("%s: %s", p, text)
		}
	}
}

// Build tags choose the files that have benchmarks; of two -tags the last is in
// effect, as go build has it, and a variant's own are added to that.
func TestPackagesWithTags(t *testing.T) {
	dir := sourcetest.Module(t)
	disktest.Write(t, dir, map[string]string{"x/x_test.go": "//go:build bench && fast && !slow\n\n" + benchFile, "x/x.go": "package x\n"})
	for _, c := range []struct {
		flags []string
		want  int
	}{{nil, 0}, {[]string{"-tags=bench"}, 1}, {[]string{"-tags", "slow", "-tags", "bench"}, 1}, {[]string{"-tags=bench", "-tags=slow"}, 0}} {
		r := Request{Study: dir, Variant: assay.Variant{Name: "v", Tags: []string{"fast"}}, BuildFlags: c.flags}
		if got, err := New(t.TempDir()).Packages(t.Context(), r, []string{"./x"}); len(got) != c.want || err != nil {
			t.Errorf("%q: got %v, %v; want %d packages", c.flags, got, err, c.want)
		}
	}
}

// All packages of a study are listed by one go list, so that a second run starts at once.
func TestOneListing(t *testing.T) {
	dir := sourcetest.Module(t)
	disktest.Write(t, dir, map[string]string{"x/x_test.go": benchFile, "y/y_test.go": strings.Replace(benchFile, "package x", "package y", 1)})
	b := New(t.TempDir())
	ps, err := b.Packages(t.Context(), Request{Study: dir}, []string{"./..."})
	if err != nil || len(ps) != 3 {
		t.Fatalf("got %v, %v", ps, err)
	}
	var wg sync.WaitGroup
	for _, p := range ps {
		wg.Go(func() {
			j, err := b.job(t.Context(), Request{Study: dir, Variant: assay.Variant{Name: "v"}, Package: p.ImportPath})
			if err == nil {
				_, err = b.keys.id(t.Context(), j)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := b.lists.graphs.Len(); n != 1 {
		t.Errorf("got %d listings, want 1", n)
	}
}

// Outside of a module the error names those below.
func TestOutsideModule(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{"go/go.mod": "module example.com/go\n", "node_modules/x/go.mod": "module x\n", ".hidden/go.mod": "module h\n"})
	outside := func() string {
		t.Helper()
		_, err := New(t.TempDir()).Packages(t.Context(), Request{Study: dir, Variant: assay.Variant{Name: "v"}}, nil)
		return errortest.Want(t, err, "outside-module", assay.ExitUsage)
	}
	if text := outside(); !strings.Contains(text, "there is one in go\n") || !strings.HasSuffix(text, "try: cd go") {
		t.Error(text)
	}
	disktest.Write(t, dir, map[string]string{"tools/a/go.mod": "module example.com/a\n"})
	if text := outside(); !strings.Contains(text, "there are modules in go, "+filepath.Join("tools", "a")) {
		t.Error(text)
	}
}

// A version of a module is one wherever it is asked for: what it lacks is the package.
func TestModuleHasNoPackage(t *testing.T) {
	sourcetest.Proxy(t, map[string]map[string]string{
		"example.com/gen@v1.0.0": {"go.mod": "module example.com/gen\n", "pb/pb.go": "package pb\n"},
	})
	r := Request{Study: t.TempDir(), Variant: assay.Variant{Name: "v", Module: "example.com/gen@v1.0.0"}}
	_, err := New(t.TempDir()).Packages(t.Context(), r, []string{"."})
	if text := errortest.Want(t, err, assay.CodeNoPackage, assay.ExitUsage); !strings.Contains(text, "no Go files") {
		t.Error(text)
	}
}
