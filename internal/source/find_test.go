package source

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

// A hook sets GIT_DIR and GIT_INDEX_FILE; sparse checkouts leave files out.
func TestRevisionUndisturbed(t *testing.T) {
	dir := sourcetest.Repository(t, map[string]string{"deep/file.txt": "x"})
	sourcetest.Git(t, dir, "config", "core.sparseCheckout", "true")
	disktest.Write(t, dir, map[string]string{".git/info/sparse-checkout": "/tiny.go\n"})
	t.Setenv("GIT_DIR", filepath.Join(dir, "elsewhere"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(dir, "index-of-a-hook"))
	tr, err := NewFinder(cache.New(t.TempDir())).Find(t.Context(), dir, assay.Variant{Rev: "HEAD"})
	if err != nil || !disk.IsFile(filepath.Join(tr.Dir, "deep", "file.txt")) {
		t.Errorf("got %+v, %v", tr, err)
	}
}

// A link that points out of the tree is a link in the copy, too: what it points
// at is neither read nor written.
func TestRevisionSymlink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege on Windows")
	}
	out := t.TempDir()
	dir := sourcetest.Repository(t, nil)
	if err := os.Symlink(out, filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	sourcetest.Git(t, dir, "add", "-A")
	sourcetest.Git(t, dir, "commit", "-qm", "link")
	tr, err := NewFinder(cache.New(t.TempDir())).Find(t.Context(), dir, assay.Variant{Rev: "HEAD"})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.Readlink(filepath.Join(tr.Dir, "out")); got != out || err != nil {
		t.Errorf("got %q, %v, want a link to %q", got, err, out)
	}
}

func TestUnknownRevision(t *testing.T) {
	dir := sourcetest.Repository(t, nil)
	f := NewFinder(cache.New(t.TempDir()))
	find := func(dir, rev string) string {
		t.Helper()
		_, err := f.Find(t.Context(), dir, assay.Variant{Rev: rev})
		return errortest.Want(t, err, "unknown-revision", assay.ExitUsage)
	}
	if text := find(dir, "nope"); !strings.Contains(text, `unknown revision "nope" in `) || strings.Contains(text, "shallow") {
		t.Errorf("got %s", text)
	}
	find(dir, "--all") // no option of git
	find(dir, "HEAD:tiny.go")
	if text := find(t.TempDir(), "main"); !strings.Contains(text, "not in a git repository") {
		t.Errorf("outside a repository: %s", text)
	}
	if text := find(filepath.Join(t.TempDir(), "repo"), "main"); !strings.Contains(text, "there is no folder ") {
		t.Errorf("a folder that is to be made first: %s", text)
	}

	disktest.Write(t, dir, map[string]string{"later/go.mod": "module example.com/later\n"})
	if text := find(filepath.Join(dir, "later"), "HEAD"); !strings.Contains(text, `revision "HEAD" has no folder later`) {
		t.Errorf("new folder: %s", text)
	}
	clone := filepath.Join(t.TempDir(), "clone")
	sourcetest.Git(t, dir, "clone", "-q", "--depth=1", "file://"+filepath.ToSlash(dir), clone)
	text := find(clone, "v1.0.0")
	for _, want := range []string{"this clone is shallow (depth 1), as in CI by default", "git fetch --depth=1 origin tag v1.0.0 ", "fetch-depth: 0"} {
		if !strings.Contains(text, want) {
			t.Errorf("shallow clone: %q is not in %s", want, text)
		}
	}
	sourcetest.Git(t, dir, "branch", "side")
	full := filepath.Join(t.TempDir(), "full")
	sourcetest.Git(t, dir, "clone", "-q", dir, full)
	if text := find(full, "side"); !strings.Contains(text, `try: rev = "origin/side"`) {
		t.Errorf("branch of the remote: %s", text)
	}
}

// Killed at any moment, the extraction leaves a whole tree in the cache or none.
func TestExtractionKilled(t *testing.T) {
	if dir := os.Getenv("BUILD_TEST_EXTRACT"); dir != "" {
		_, err := NewFinder(cache.New(os.Getenv("BUILD_TEST_CACHE"))).Find(t.Context(), dir, assay.Variant{Rev: "HEAD"})
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	many := map[string]string{}
	for i := range 400 {
		many[filepath.Join("data", string(rune('a'+i%26)), "f"+strings.Repeat("x", i/26)+".txt")] = strings.Repeat("line\n", 200)
	}
	dir, kept := sourcetest.Repository(t, many), t.TempDir()
	commit := sourcetest.Git(t, dir, "rev-parse", "HEAD")
	whole := 0
	for i := range 8 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestExtractionKilled$")
		cmd.Env = append(os.Environ(), "BUILD_TEST_EXTRACT="+dir, "BUILD_TEST_CACHE="+kept)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i*i*10) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		if root := filepath.Join(kept, "src", "git-"+commit); disk.IsDir(root) {
			whole++
			checkWhole(t, root, len(many)+len(sourcetest.Tiny))
			os.RemoveAll(root)
		}
	}
	t.Logf("%d of 8 killed extractions had come to their end", whole)
	tr, err := NewFinder(cache.New(kept)).Find(t.Context(), dir, assay.Variant{Rev: "HEAD"})
	if err != nil {
		t.Fatal(err)
	}
	checkWhole(t, tr.Dir, len(many)+len(sourcetest.Tiny))
}

func checkWhole(t *testing.T, root string, want int) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		n++
		if info, err := d.Info(); err != nil || info.Size() == 0 {
			t.Errorf("%s is empty: %v", path, err)
		}
		return nil
	})
	if n != want || err != nil {
		t.Errorf("tree has %d files, %v, want %d", n, err, want)
	}
}

func TestFindWork(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{"go.work": "", "a/b/x": ""})
	in := filepath.Join(dir, "a", "b")
	if got, want := FindWork(in, ""), filepath.Join(dir, "go.work"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := FindWork(in, filepath.Join(dir, "a")); got != "off" {
		t.Errorf("above the root: got %s, want off", got)
	}
}
