package build

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

// What go.mod and go.sum lack is added outside of the tree, which stays as its
// author left it.
func TestModfile(t *testing.T) {
	sourcetest.Proxy(t)
	dir := sourcetest.Repository(t, map[string]string{"dep_test.go": "package tiny\n\nimport (\n\t\"testing\"\n\n\t_ \"example.com/dep\"\n)\n\nfunc BenchmarkDep(b *testing.B) {}\n"})
	for name, r := range map[string]Request{
		"module":   {Variant: assay.Variant{Name: "v", Module: "example.com/lib@v1.1.0"}, Package: "example.com/lib"},
		"-mod=mod": {Variant: assay.Variant{Name: "v", Rev: "HEAD"}, Package: ".", BuildFlags: []string{"-mod=mod"}},
	} {
		r.Study = dir
		b := New(t.TempDir())
		tr, err := b.Sources.Find(t.Context(), dir, r.Variant)
		if err != nil {
			t.Fatal(err)
		}
		before := sourcetest.Listing(t, tr.Root)
		if ps, err := b.Packages(t.Context(), r, nil); err != nil || len(ps) != 1 {
			t.Errorf("%s: packages %v, %v", name, ps, err)
		}
		a := mustBuild(t, b, r)
		if again := mustBuild(t, New(b.Cache.Dir), r); !again.Cached || again.ID != a.ID {
			t.Errorf("%s: again %+v, want %s from the cache", name, again, a.ID)
		}
		if after := sourcetest.Listing(t, tr.Root); !slices.Equal(before, after) {
			t.Errorf("%s: the tree was written to:\n%q\n%q", name, before, after)
		}
	}
}

// A published module with a replacement on its author's disk is built with the versions
// that it requires.
func TestModfileReplaced(t *testing.T) {
	bench := "package sdk\n\nimport (\n\t\"testing\"\n\n\t_ \"example.com/dep\"\n)\n\nfunc BenchmarkDep(b *testing.B) {}\n"
	mod := "module example.com/top/sdk\n\ngo 1.18\n\nrequire example.com/dep v1.0.0\n\nreplace example.com/dep => ../\n\nreplace example.com/gone => /nowhere/at/all\n"
	sourcetest.Proxy(t, map[string]map[string]string{
		"example.com/top/sdk@v1.0.0": {"go.mod": mod, "sdk.go": "package sdk\n", "sdk_test.go": bench},
	})
	b := New(t.TempDir())
	v := assay.Variant{Name: "v", Module: "example.com/top/sdk@v1.0.0"}
	mustBuild(t, b, Request{Study: t.TempDir(), Variant: v, Package: "example.com/top/sdk"})
	open, err := b.OpenTree(t.Context(), t.TempDir(), assay.Source{}, v)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(disk.Content(filepath.Join(open.Dir, "go.mod"))); strings.Contains(text, "replace") || !strings.Contains(text, "require example.com/dep v1.0.0") {
		t.Errorf("the go.mod of the open tree is %q", text)
	}
}

// A variant may have a go.mod of its own: other versions of what it requires. A suite has no room for it.
func TestModfileOfVariant(t *testing.T) {
	sourcetest.Proxy(t, map[string]map[string]string{
		"example.com/dep@v1.1.0": {"go.mod": "module example.com/dep\n\ngo 1.16\n", "dep.go": "package dep\n\nconst New = true\n"},
	})
	mod := "module example.com/tiny\n\ngo 1.23\n\nrequire example.com/dep "
	dir := sourcetest.Repository(t, map[string]string{"go.mod": mod + "v1.0.0\n", "other.mod": mod + "v1.1.0\n",
		"dep_test.go": "package tiny\n\nimport (\n\t\"testing\"\n\n\t\"example.com/dep\"\n)\n\nfunc BenchmarkDep(b *testing.B) { _ = dep.New }\n"})
	sums := func(file string) {
		cmd := exec.Command("go", "mod", "tidy", "-modfile="+file)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	sums("go.mod")
	sums("other.mod")
	b := New(t.TempDir())
	r := Request{Study: dir, Variant: assay.Variant{Name: "v"}, Package: "."}
	_, err := b.Binary(t.Context(), r) // v1.0.0 has no New
	errortest.Want(t, err, assay.CodeBuildFailed, assay.ExitBuild)
	r.Variant.ModFile = "other.mod"
	mustBuild(t, b, r)
	r.Source.Suite = "suite"
	_, err = b.Binary(t.Context(), r)
	errortest.Want(t, err, assay.CodeSuite, assay.ExitUsage)
}
