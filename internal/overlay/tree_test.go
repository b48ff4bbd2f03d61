package overlay

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/source"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

// treeIn returns the tree of a request by a new Placer over a cache.
func treeIn(t *testing.T, cacheDir string, r Request) source.Tree {
	t.Helper()
	c := cache.New(cacheDir)
	got, err := NewPlacer(c, source.NewFinder(c)).Tree(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// content reads a file of a tree.
func content(tree source.Tree, name string) string {
	return string(disk.Content(filepath.Join(tree.Dir, filepath.FromSlash(name))))
}

// A working tree is copied: the overlay replaces and adds files, what is hidden is left
// out, and nothing is written into the tree itself. The copy's name follows the content.
func TestTreeOfWorkingTree(t *testing.T) {
	t.Setenv("GOENV", "off")
	t.Setenv("GOWORK", "")
	dir, study, dirs := sourcetest.Module(t), t.TempDir(), t.TempDir()
	disktest.Write(t, study, map[string]string{"over/new_test.go": "package tiny\n", "over/tiny_test.go": "package tiny // other\n", "over/testdata/x": "x"})
	disktest.Write(t, dir, map[string]string{"old/old.txt": "", "keep/keep.txt": ""})
	before := sourcetest.Listing(t, dir)
	r := Request{Study: study, Source: assay.Source{Dir: dir, Overlay: "over", Hide: []string{"old"}}, Variant: assay.Variant{Name: "v"}}
	one := treeIn(t, dirs, r)
	if got, want := below(t, one.Dir), []string{"go.mod", "keep/keep.txt", "new_test.go", "testdata/x", "tiny.go", "tiny_test.go"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := content(one, "tiny_test.go"); got != "package tiny // other\n" {
		t.Errorf("tiny_test.go is %q, want that of the overlay", got)
	}
	if want := []string{"new_test.go", "testdata/x", "tiny_test.go"}; !slices.Equal(one.Overlay, want) || !strings.HasPrefix(one.Fixed, "overlay:") || one.Work != "off" {
		t.Errorf("got %+v, want the overlay %q, fixed", one, want)
	}
	if !slices.Equal(sourcetest.Listing(t, dir), before) {
		t.Error("the working tree was written to")
	}
	if again := treeIn(t, dirs, r); again.Dir != one.Dir || again.Fixed != one.Fixed {
		t.Errorf("again: got %+v, want %+v", again, one)
	}
	seen := []string{one.Dir}
	for _, change := range []func(){
		func() { disktest.Write(t, dir, map[string]string{"tiny.go": "package tiny\n"}) },
		func() { disktest.Write(t, study, map[string]string{"over/testdata/x": "y"}) },
		func() { r.Source.Hide = nil },
	} {
		change()
		next := treeIn(t, dirs, r)
		if slices.Contains(seen, next.Dir) || len(next.Dir) != len(one.Dir) {
			t.Errorf("got %s beside %q, want another of the same length", next.Dir, seen)
		}
		seen = append(seen, next.Dir)
	}
	// Without an overlay there is no copy.
	r.Source.Overlay = ""
	if bare := treeIn(t, dirs, r); bare.Dir != dir || bare.Fixed != "" {
		t.Errorf("got %+v, want the working tree", bare)
	}
}

// Every commit has a copy of its own, with the same overlay below the module's folder; the
// repository around it stays as it is.
func TestTreeOfCommits(t *testing.T) {
	dir, study, dirs := sourcetest.Repository(t, map[string]string{"sub/go.mod": "module example.com/sub\n", "sub/s_test.go": "package sub\n"}), t.TempDir(), t.TempDir()
	disktest.Write(t, study, map[string]string{"over/new_test.go": "package sub\n"})
	seen := map[string]bool{}
	for rev, sum := range map[string]string{"HEAD~1": "s += i", "HEAD": "s += 2 * i"} {
		r := Request{Study: study, Source: assay.Source{Dir: filepath.Join(dir, "sub"), Overlay: "over", Hide: []string{"*_test.go"}}, Variant: assay.Variant{Name: "v", Rev: rev}}
		tree := treeIn(t, dirs, r)
		if want := sourcetest.Git(t, dir, "rev-parse", rev); tree.Commit != want {
			t.Errorf("%s: got the commit %q, want %s", rev, tree.Commit, want)
		}
		if got, want := below(t, tree.Dir), []string{"go.mod", "new_test.go"}; !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", rev, got, want)
		}
		if filepath.Dir(tree.Dir) != tree.Root || !strings.Contains(content(tree, "../tiny.go"), sum) || content(tree, "../tiny_test.go") == "" {
			t.Errorf("%s: %+v is not in a copy of the repository at that commit", rev, tree)
		}
		if seen[tree.Root] {
			t.Errorf("%s: has the copy of the other commit", rev)
		}
		seen[tree.Root] = true
	}
}

// withBenchmarks is a repository whose working tree has new benchmarks, in a folder that
// its commits have, too, and in one that they lack.
func withBenchmarks(t *testing.T) string {
	t.Helper()
	dir := sourcetest.Repository(t, map[string]string{"other/o_test.go": "package other\n", "other/testdata/o": "o", "testdata/old": "old"})
	disktest.Write(t, dir, map[string]string{
		"new.go":               "package tiny\n\nfunc New() int { return 1 }\n",
		"new_test.go":          "package tiny\n\nimport \"testing\"\n\nfunc TestNew(t *testing.T) { New() }\n\nfunc BenchmarkNew(b *testing.B) { Sum(20) }\n",
		"testdata/new":         "new",
		"other/testdata/later": "later",
		"testdata/x_test.go":   "data, and no test",
		"deep/er/d_test.go":    "package er\n\nimport \"testing\"\n\nfunc BenchmarkNewest(b *testing.B) {}\n",
	})
	return dir
}

// Of another tree come the benchmarks that are asked for, without the tests beside them,
// and their data; other folders, and the code itself, stay those of the variant.
func TestBenchmarksOfTree(t *testing.T) {
	dir := withBenchmarks(t)
	r := Request{Study: dir, Source: assay.Source{BenchmarksFrom: "."}, Variant: assay.Variant{Name: "v", Rev: "HEAD"}, Bench: "New$"}
	tree := treeIn(t, t.TempDir(), r)
	want := []string{"go.mod", "new_test.go", "other/o_test.go", "other/testdata/o", "testdata/new", "testdata/old", "testdata/x_test.go", "tiny.go"}
	if got := below(t, tree.Dir); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	text := content(tree, "new_test.go")
	if !strings.Contains(text, "func BenchmarkNew(") || strings.Contains(text, "TestNew") {
		t.Errorf("got %s, want the benchmark without the test", text)
	}
	if got, want := strings.Count(text, "\n"), 7; got != want {
		t.Errorf("got %d lines, want %d: lines keep their numbers", got, want)
	}
	r.Bench = "New"
	if tree := treeIn(t, t.TempDir(), r); content(tree, "deep/er/d_test.go") == "" {
		t.Error("the benchmark in a folder that the commit lacks is missing")
	}
	// The other way round: those of a commit over the working tree.
	r = Request{Study: dir, Source: assay.Source{BenchmarksFrom: "HEAD"}, Variant: assay.Variant{Name: "."}, Bench: "."}
	tree = treeIn(t, t.TempDir(), r)
	if content(tree, "new_test.go") != "" || content(tree, "new.go") == "" || content(tree, "tiny_test.go") == "" {
		t.Errorf("got %q, want the code of the working tree with the benchmarks of HEAD", below(t, tree.Dir))
	}
}

// A pattern that selects nothing is an error that names the tree.
func TestNoBenchmarksOfTree(t *testing.T) {
	dir := withBenchmarks(t)
	for from, want := range map[string]string{".": "no benchmark of your tree matches -bench=Nosuch", "HEAD": "no benchmark of HEAD matches -bench=Nosuch"} {
		_, err := newPlacer(t).Tree(t.Context(), Request{Study: dir, Source: assay.Source{BenchmarksFrom: from}, Variant: assay.Variant{Name: "v", Rev: "HEAD"}, Bench: "Nosuch"})
		if text := errortest.Want(t, err, assay.CodeOverlay, assay.ExitBuild); !strings.Contains(text, want) {
			t.Errorf("got %s, want %s", text, want)
		}
	}
}
