package scratch

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/source"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// copyFor is a copy of the tree of a variant for ./codec, and where it is.
func copyFor(t *testing.T, dir string, v assay.Variant, room Room) (*Copy, string) {
	t.Helper()
	tree, err := source.NewFinder(cache.New(t.TempDir())).Find(t.Context(), dir, v)
	if err != nil {
		t.Fatal(err)
	}
	to, pkg := filepath.Join(t.TempDir(), "tree"), filepath.Join(tree.Dir, "codec")
	c, err := new(Copier).Copy(t.Context(), to, Origin{Root: tree.Dir}, []string{pkg}, room)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Path(pkg); got != filepath.Join(to, "codec") {
		t.Errorf("%s is in %s", pkg, got)
	}
	return c, to
}

// plain lists the files and links below a folder.
func plain(t *testing.T, dir string) string {
	t.Helper()
	names, _, err := source.ListFiles(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, " ")
}

// codec is a repository with a package in a subfolder, and all that one may find in
// a working tree.
func codec(t *testing.T) string {
	t.Helper()
	dir := sourcetest.Repository(t, map[string]string{"codec/codec_test.go": "package codec\n", "codec/other/o.go": "package other\n", "testdata/shared.txt": "s",
		"large.txt": strings.Repeat("x", 5000), "small.txt": "x", ".gitignore": "*.bin\nnode_modules/\nout/\n"})
	disktest.Write(t, dir, map[string]string{"codec/own.bin": "o", "codec/testdata/deep/d.bin": "d", "codec/out/result.txt": "r", "node_modules/a/b.js": "b",
		"node_modules/c.js": "c", "far.bin": "f", "testdata/shared.bin": "sb", ".assay/k7m2/plan.json": "{}", "new.txt": "n"})
	return dir
}

func TestCopy(t *testing.T) {
	dir := codec(t)
	c, to := copyFor(t, dir, assay.Variant{Name: "."}, DefaultRoom)
	want := ".gitignore codec/codec_test.go codec/other/o.go codec/own.bin codec/testdata/deep/d.bin go.mod large.txt new.txt small.txt " +
		"testdata/shared.bin testdata/shared.txt tiny.go tiny_test.go"
	if got := plain(t, to); got != want {
		t.Errorf("working tree:\ngot  %s\nwant %s", got, want)
	}
	if got, want := strings.Join(slices.Sorted(slices.Values(c.Left())), " "), "codec/out/ far.bin node_modules/"; got != want {
		t.Errorf("left out: got %s, want %s", got, want)
	}
	if !disk.IsDir(filepath.Join(to, "codec", "out")) { // a benchmark may write into it
		t.Error("a folder of the package is not there")
	}

	c, to = copyFor(t, dir, assay.Variant{Name: "HEAD", Rev: "HEAD"}, Room{Bytes: 1000, Files: 100})
	if got, want := plain(t, to), ".gitignore codec/codec_test.go codec/other/o.go go.mod small.txt testdata/shared.txt tiny.go tiny_test.go"; got != want {
		t.Errorf("revision, with little room:\ngot  %s\nwant %s", got, want)
	}
	if got := c.Left(); !slices.Equal(got, []string{"large.txt"}) {
		t.Errorf("left out: got %q, want large.txt", got)
	}
	// What is near comes first: the testdata above, then what is a step away, small files
	// first.
	_, to = copyFor(t, dir, assay.Variant{Name: "HEAD", Rev: "HEAD"}, Room{Bytes: 10_000, Files: 2})
	if got, want := plain(t, to), "codec/codec_test.go small.txt testdata/shared.txt"; got != want {
		t.Errorf("two files:\ngot  %s\nwant %s", got, want)
	}
}

// Of the standard library a copy holds the package and what tests share.
func TestCopyStandard(t *testing.T) {
	tc, err := toolchain.NewFinder(cache.New(t.TempDir())).Find(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(tc.GOROOT, "src")
	dir, to := filepath.Join(root, "compress", "bzip2"), filepath.Join(t.TempDir(), "tree")
	c, err := new(Copier).Copy(t.Context(), to, Origin{Root: root, Standard: true}, []string{dir}, DefaultRoom)
	if err != nil {
		t.Fatal(err)
	}
	here := c.Path(dir)
	if here != filepath.Join(to, "compress", "bzip2") || !disk.IsFile(filepath.Join(here, "bzip2_test.go")) || !disk.IsFile(filepath.Join(here, "testdata", "pass-sawtooth.bz2")) ||
		!disk.IsFile(filepath.Join(to, "compress", "testdata", "gettysburg.txt")) || disk.IsDir(filepath.Join(to, "fmt")) {
		t.Errorf("%s holds %s", here, plain(t, to))
	}
}

func TestCopyModesAndLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes and links are another matter there")
	}
	dir, outside := codec(t), t.TempDir()
	disktest.Write(t, outside, map[string]string{"o.txt": "outside"})
	away := filepath.Join("..", "..", filepath.Base(filepath.Dir(outside)), filepath.Base(outside), "o.txt")
	for name, target := range map[string]string{"codec/near": "../small.txt", "codec/abs": filepath.Join(dir, "small.txt"), "codec/out-abs": filepath.Join(outside, "o.txt"),
		"codec/out-rel": away, "codec/broken": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	disktest.Write(t, dir, map[string]string{"codec/run.sh": "x", "codec/readonly": "x"})
	for name, mode := range map[string]os.FileMode{"codec/run.sh": 0o755, "codec/readonly": 0o444} {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	_, to := copyFor(t, dir, assay.Variant{Name: "."}, DefaultRoom)
	for name, want := range map[string]string{"codec/near": "../small.txt", "codec/abs": filepath.Join(to, "small.txt"), "codec/out-abs": filepath.Join(outside, "o.txt"),
		"codec/out-rel": filepath.Join(dir, "codec", away), "codec/broken": "nowhere"} {
		if got, err := os.Readlink(filepath.Join(to, name)); got != want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, want)
		}
	}
	for name, want := range map[string]os.FileMode{"codec/run.sh": 0o755, "codec/readonly": 0o444} {
		if st, err := os.Stat(filepath.Join(to, name)); err != nil || st.Mode() != want {
			t.Errorf("%s: got %v, %v, want %v", name, st.Mode(), err, want)
		}
	}
}

// What is written into a copy is told, and is gone when it is put back.
func TestCopyUndo(t *testing.T) {
	dir := codec(t)
	c, to := copyFor(t, dir, assay.Variant{Name: "."}, DefaultRoom)
	before := plain(t, to)
	if written, err := c.Written(); len(written) > 0 || err != nil {
		t.Errorf("a new copy: got %q, %v", written, err)
	}
	disktest.Write(t, to, map[string]string{"codec/out/r.txt": "1", "codec/new/deep/n.txt": "2", "small.txt": "other", "codec/own.bin": "oo"})
	if err := os.Remove(filepath.Join(to, "new.txt")); err != nil {
		t.Fatal(err)
	}
	want := []string{"codec/new/deep/n.txt", "codec/out/r.txt", "codec/own.bin", "new.txt", "small.txt"}
	if got, err := c.Written(); !slices.Equal(got, want) || err != nil {
		t.Errorf("Written: got %q, %v, want %q", got, err, want)
	}
	if got, err := c.Undo(); !slices.Equal(got, want) || err != nil {
		t.Errorf("Undo: got %q, %v, want %q", got, err, want)
	}
	data, err := os.ReadFile(filepath.Join(to, "small.txt"))
	if after := plain(t, to); after != before || string(data) != "x" || err != nil || disk.IsDir(filepath.Join(to, "codec", "new")) {
		t.Errorf("put back: %s\nwant     %s; small.txt is %q", after, before, data)
	}
	if again, err := c.Undo(); len(again) > 0 || err != nil {
		t.Errorf("a second time: %q, %v", again, err)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "small.txt")); string(data) != "x" || err != nil {
		t.Errorf("the tree itself was written to: %q, %v", data, err)
	}
	if err := c.Remove(); err != nil || disk.IsDir(to) {
		t.Errorf("not removed: %v", err)
	}
}

func TestCopyUndoFileReplacedByFolder(t *testing.T) {
	dir := codec(t)
	c, to := copyFor(t, dir, assay.Variant{Name: "."}, DefaultRoom)
	before := plain(t, to)
	for _, name := range []string{"small.txt", "codec/testdata"} {
		if err := os.RemoveAll(filepath.Join(to, name)); err != nil {
			t.Fatal(err)
		}
	}
	disktest.Write(t, to, map[string]string{"small.txt/deep/x.txt": "1", "codec/testdata": "2"})
	want := []string{"codec/testdata", "codec/testdata/deep/d.bin", "small.txt", "small.txt/deep/x.txt"}
	if got, err := c.Undo(); !slices.Equal(got, want) || err != nil {
		t.Errorf("Undo: got %q, %v, want %q", got, err, want)
	}
	if after := plain(t, to); after != before {
		t.Errorf("put back: %s\nwant     %s", after, before)
	}
}
