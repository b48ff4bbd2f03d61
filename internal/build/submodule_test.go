package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

// withSubmodules is a repository with the submodule third/lib, which has one itself
// (deep), and whose code a benchmark uses. Its own repository is in the folder up.
func withSubmodules(t *testing.T) (dir, up string) {
	t.Helper()
	deep := sourcetest.Repository(t, map[string]string{"deep.txt": "deep\n"})
	up = sourcetest.Repository(t, map[string]string{"go.mod": "module example.com/lib\n\ngo 1.23\n", "lib/lib.go": "package lib\n\nconst N = 1\n"})
	sourcetest.Git(t, up, "submodule", "--quiet", "add", deep, "deep")
	sourcetest.Git(t, up, "commit", "-qm", "deep")
	dir = sourcetest.Repository(t, map[string]string{
		"go.mod":      "module example.com/tiny\n\ngo 1.23\n\nrequire example.com/lib v0.0.0\n\nreplace example.com/lib => ./third/lib\n",
		"use_test.go": "package tiny\n\nimport (\n\t\"testing\"\n\n\t\"example.com/lib/lib\"\n)\n\nfunc BenchmarkUse(b *testing.B) { _ = lib.N }\n"})
	sourcetest.Git(t, dir, "submodule", "--quiet", "add", up, "third/lib")
	sourcetest.Git(t, dir, "submodule", "--quiet", "update", "--init", "--recursive")
	sourcetest.Git(t, dir, "commit", "-qm", "submodule")
	return dir, up
}

func TestSubmodules(t *testing.T) {
	dir, _ := withSubmodules(t)
	before := sourcetest.Listing(t, filepath.Join(dir, ".git"))
	cache := t.TempDir()
	r := Request{Study: dir, Variant: assay.Variant{Name: "HEAD", Rev: "HEAD"}, Package: "."}
	b := New(cache)
	a := mustBuild(t, b, r)
	for _, file := range []string{"third/lib/lib/lib.go", "third/lib/deep/deep.txt"} {
		if !disk.IsFile(filepath.Join(a.Dir, filepath.FromSlash(file))) {
			t.Errorf("%s is not checked out", file)
		}
	}
	if w := b.Sources.Lacking(); len(w) > 0 {
		t.Errorf("warned %v", w)
	}
	if after := sourcetest.Listing(t, filepath.Join(dir, ".git")); strings.Join(before, "\n") != strings.Join(after, "\n") {
		t.Error("the repository was touched")
	}
	// They are held to their commits like all else.
	if _, told := sourced(t, cache, r); len(told) > 0 {
		t.Errorf("nothing has changed: told %v", told)
	}
	disktest.Write(t, a.Dir, map[string]string{"third/lib/deep/deep.txt": "other", "third/lib/new.txt": "new"})
	if _, told := sourced(t, cache, r); len(told) != 1 || !strings.Contains(strings.Join(told[0].Facts, "\n"), "third/lib/new.txt, third/lib/deep/deep.txt") {
		t.Errorf("changed: told %v", told)
	}
	if err := os.RemoveAll(filepath.Join(a.Dir, "third", "lib", "deep")); err != nil {
		t.Fatal(err)
	}
	if _, told := sourced(t, cache, r); len(told) != 1 || !disk.IsFile(filepath.Join(a.Dir, "third", "lib", "deep", "deep.txt")) {
		t.Errorf("removed: told %v", told)
	}

	// The working tree has them as they are, also in a copy of it.
	overlaid := Request{Study: dir, Variant: assay.Variant{Name: "."}, Source: assay.Source{Overlay: "over"}, Package: "."}
	disktest.Write(t, dir, map[string]string{"over/x_test.go": strings.Replace(benchFile, "package x", "package tiny", 1), "third/lib/untracked.txt": "u"})
	o := mustBuild(t, New(cache), overlaid)
	if !disk.IsFile(filepath.Join(o.Dir, "third", "lib", "untracked.txt")) || disk.IsDir(filepath.Join(o.Dir, "third", "lib", ".git")) {
		t.Error("the submodule is not in the copy of the working tree as it should be")
	}
}

// A commit that is not here is not fetched: the error names the submodule, and what
// to type, and so does the warning where the build needs none of it.
func TestSubmodulesNotHere(t *testing.T) {
	dir, up := withSubmodules(t)
	tmp, err := filepath.EvalSymlinks(t.TempDir()) // as git names it
	if err != nil {
		t.Fatal(err)
	}
	clone := filepath.Join(tmp, "clone")
	sourcetest.Git(t, dir, "clone", "-q", "file://"+filepath.ToSlash(dir), clone)
	cache := t.TempDir()
	r := Request{Study: clone, Variant: assay.Variant{Name: "HEAD", Rev: "HEAD"}, Package: "."}
	_, err = New(cache).Binary(t.Context(), r)
	text := errortest.Want(t, err, "build-failed", assay.ExitBuild)
	for _, want := range []string{"submodule third/lib is empty: its commit " + sourcetest.Git(t, up, "rev-parse", "HEAD")[:12] + " is not here", "try: git -C " + clone + " submodule update --init --recursive -- third/lib"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
	b := New(cache)
	r.Package = "strconv" // which needs nothing of the tree
	a := mustBuild(t, b, r)
	if w := b.Sources.Lacking(); len(w) != 1 || w[0].Code != "submodules" || !strings.Contains(w[0].Text, "third/lib") {
		t.Errorf("warned %v", w)
	}
	root, _ := sourced(t, cache, r)

	// What the message says helps, and the tree with the submodule is another one.
	sourcetest.Git(t, clone, "submodule", "--quiet", "update", "--init", "--recursive", "--", "third/lib")
	r.Package = "."
	here := mustBuild(t, New(cache), r)
	if !disk.IsFile(filepath.Join(here.Dir, "third", "lib", "deep", "deep.txt")) || here.Dir == root || len(here.Dir) != len(root) || here.ID == a.ID {
		t.Errorf("with the submodule: %s, without: %s", here.Dir, root)
	}

	// The repository is here, its newest commit is not.
	sourcetest.Git(t, up, "commit", "-q", "--allow-empty", "-m", "later")
	later := sourcetest.Git(t, up, "rev-parse", "HEAD")
	sourcetest.Git(t, filepath.Join(dir, "third", "lib"), "pull", "-q")
	sourcetest.Git(t, dir, "commit", "-qam", "later")
	sourcetest.Git(t, clone, "pull", "-q", "--no-recurse-submodules")
	b = New(cache)
	r.Package = "strconv"
	mustBuild(t, b, r)
	if w := b.Sources.Lacking(); len(w) != 1 || w[0].Try != "git -C "+filepath.Join(clone, "third", "lib")+" fetch origin "+later {
		t.Errorf("warned %v, want the commit %s", w, later)
	}
}
