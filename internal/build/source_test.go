package build

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

func TestRevision(t *testing.T) {
	dir := sourcetest.Repository(t, map[string]string{
		".gitattributes": "left-out.txt export-ignore\n", "left-out.txt": "here\n",
		"sub/go.mod": "module example.com/sub\n\ngo 1.23\n", "sub/a_test.go": "package sub\n",
	})
	disktest.Write(t, dir, map[string]string{"tiny.go": "package tiny\n\nbroken: a working tree that does not build\n", "new.txt": "untracked"})
	before := sourcetest.Listing(t, filepath.Join(dir, ".git"))
	b := New(t.TempDir())
	r := Request{Study: dir, Variant: assay.Variant{Name: "HEAD~1", Rev: "HEAD~1"}, Package: "."}
	one := mustBuild(t, b, r)
	r.Variant = assay.Variant{Name: "main", Rev: "main"}
	two := mustBuild(t, b, r)
	if one.ID == two.ID || one.Commit != sourcetest.Git(t, dir, "rev-parse", "HEAD~1") || two.Commit != sourcetest.Git(t, dir, "rev-parse", "HEAD") {
		t.Errorf("got %+v and %+v", one, two)
	}
	if data, err := os.ReadFile(filepath.Join(one.Dir, "tiny.go")); err != nil || string(data) != sourcetest.Tiny["tiny.go"] {
		t.Errorf("tiny.go of the first commit: %q, %v", data, err)
	}
	if !disk.IsFile(filepath.Join(one.Dir, "left-out.txt")) || disk.IsFile(filepath.Join(one.Dir, "new.txt")) {
		t.Error("the tree is not that of the commit")
	}
	if after := sourcetest.Listing(t, filepath.Join(dir, ".git")); !slices.Equal(before, after) {
		t.Errorf("the repository was touched:\n%s", strings.Join(after, "\n"))
	}
	// The same subfolder of the revision.
	sub, err := b.Sources.Find(t.Context(), filepath.Join(dir, "sub"), assay.Variant{Rev: "HEAD"})
	if err != nil || filepath.Base(sub.Dir) != "sub" || !disk.IsFile(filepath.Join(sub.Dir, "a_test.go")) {
		t.Errorf("subfolder: %+v, %v", sub, err)
	}
	// A tag or a hash of the same commit is the same artifact.
	r.Variant = assay.Variant{Name: "hash", Rev: two.Commit[:9]}
	if same := mustBuild(t, New(b.Cache.Dir), r); same.ID != two.ID || !same.Cached {
		t.Errorf("got %+v, want %s from the cache", same, two.ID)
	}
}

// moduleProxy serves example.com/mod v1.0.0, a module without go.mod, from a
// folder, and points the go command at it and at an empty module cache.
func moduleProxy(t *testing.T) {
	t.Helper()
	proxy, cache := t.TempDir(), t.TempDir()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for name, text := range map[string]string{"mod.go": "package mod\n\nfunc One() int { return 1 }\n",
		"mod_test.go":      "package mod\n\nimport \"testing\"\n\nfunc BenchmarkOne(b *testing.B) { One() }\n",
		"cmd/burn/main.go": burner} {
		w, err := z.Create("example.com/mod@v1.0.0/" + name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	disktest.Write(t, proxy, map[string]string{"example.com/mod/@v/v1.0.0.info": `{"Version":"v1.0.0"}`, "example.com/mod/@v/v1.0.0.mod": "module example.com/mod\n",
		"example.com/mod/@v/v1.0.0.zip": buf.String(), "example.com/mod/@v/list": "v1.0.0\n"})
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(proxy))
	t.Setenv("GONOSUMDB", "*")
	t.Setenv("GOMODCACHE", cache)
	t.Cleanup(func() { // the module cache is read-only, TempDir cannot remove it
		filepath.WalkDir(cache, func(path string, d fs.DirEntry, err error) error {
			if d != nil && d.IsDir() {
				os.Chmod(path, 0o777)
			}
			return nil
		})
	})
}

func TestModule(t *testing.T) {
	moduleProxy(t)
	b := New(t.TempDir())
	r := Request{Study: t.TempDir(), Variant: assay.Variant{Name: "v1", Module: "example.com/mod@latest"}, Package: "."}
	a := mustBuild(t, b, r)
	if a.Package != "example.com/mod" || filepath.Base(a.Dir) != "mod@v1.0.0" || a.Commit != "" {
		t.Errorf("got %+v", a)
	}
	r.Variant.Module = "example.com/mod@v1.0.0"
	if same := mustBuild(t, New(b.Cache.Dir), r); same.ID != a.ID || !same.Cached {
		t.Errorf("got %+v, want %s from the cache", same, a.ID)
	}
	r.Variant.Module = "example.com/mod@v1.0.7"
	_, err := b.Binary(t.Context(), r)
	if text := errortest.Want(t, err, "no-module", assay.ExitUsage); strings.Count(text, "\n") > 1 {
		t.Errorf("more than one line of the go command: %s", text)
	}
}

func TestWorkspace(t *testing.T) {
	dir := sourcetest.Repository(t, map[string]string{"go.work": "go 1.23\n\nuse (\n\t./app\n\t./lib\n)\n",
		"lib/go.mod": "module example.com/lib\n\ngo 1.23\n", "lib/lib.go": "package lib\n\nconst N = 1\n",
		"app/go.mod": "module example.com/app\n\ngo 1.23\n", "app/app.go": "package app\n",
		"app/app_test.go": "package app\n\nimport (\n\t\"testing\"\n\n\t\"example.com/lib\"\n)\n\nfunc BenchmarkN(b *testing.B) { _ = lib.N }\n"})
	b := New(t.TempDir())
	build := func(rev string) Artifact {
		t.Helper()
		return mustBuild(t, New(b.Cache.Dir), Request{Study: dir, Source: assay.Source{Dir: "app"}, Variant: assay.Variant{Name: rev, Rev: rev}, Package: "."})
	}
	here, head := build(""), build("HEAD")
	if here.Package != "example.com/app" || head.Package != here.Package || head.Dir == here.Dir {
		t.Errorf("got %+v and %+v", here, head)
	}
	// A package of another module of the workspace is part of the key.
	disktest.Write(t, dir, map[string]string{"lib/lib.go": "package lib\n\nconst N = 2\n"})
	if edited := build(""); edited.ID == here.ID {
		t.Error("an edit in the workspace does not change the ID")
	}
	if same := build("HEAD"); same.ID != head.ID || !same.Cached {
		t.Error("an edit of the working tree reached the commit")
	}
}
