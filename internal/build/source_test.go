package build

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
)

// gitDo runs git in dir as somebody, without the user's own settings.
func gitDo(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main",
		"-c", "commit.gpgsign=false", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// repository is a git repository with two commits: Sum adds i, then 2*i.
func repository(t *testing.T, more map[string]string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := tinyModule(t)
	disktest.Write(t, dir, more)
	gitDo(t, dir, "init", "-q")
	gitDo(t, dir, "add", "-A")
	gitDo(t, dir, "commit", "-qm", "one")
	disktest.Write(t, dir, map[string]string{"tiny.go": strings.Replace(tiny["tiny.go"], "s += i", "s += 2 * i", 1)})
	gitDo(t, dir, "commit", "-qam", "two")
	return dir
}

// names lists all files below dir with their sizes and times.
func names(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		out = append(out, path+" "+info.ModTime().String())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRevision(t *testing.T) {
	dir := repository(t, map[string]string{
		".gitattributes": "left-out.txt export-ignore\n", "left-out.txt": "here\n",
		"sub/go.mod": "module example.com/sub\n\ngo 1.23\n", "sub/a_test.go": "package sub\n",
	})
	disktest.Write(t, dir, map[string]string{"tiny.go": "package tiny\n\nbroken: a working tree that does not build\n", "new.txt": "untracked"})
	before := names(t, filepath.Join(dir, ".git"))
	b := New(t.TempDir())
	r := Request{Study: dir, Variant: assay.Variant{Name: "HEAD~1", Rev: "HEAD~1"}, Package: "."}
	one := mustBuild(t, b, r)
	r.Variant = assay.Variant{Name: "main", Rev: "main"}
	two := mustBuild(t, b, r)
	if one.ID == two.ID || one.Commit != gitDo(t, dir, "rev-parse", "HEAD~1") || two.Commit != gitDo(t, dir, "rev-parse", "HEAD") {
		t.Errorf("got %+v and %+v", one, two)
	}
	if data, err := os.ReadFile(filepath.Join(one.Dir, "tiny.go")); err != nil || string(data) != tiny["tiny.go"] {
		t.Errorf("tiny.go of the first commit: %q, %v", data, err)
	}
	if !disk.IsFile(filepath.Join(one.Dir, "left-out.txt")) || disk.IsFile(filepath.Join(one.Dir, "new.txt")) {
		t.Error("the tree is not that of the commit")
	}
	if after := names(t, filepath.Join(dir, ".git")); !slices.Equal(before, after) {
		t.Errorf("the repository was touched:\n%s", strings.Join(after, "\n"))
	}
	// The same subfolder of the revision.
	sub, err := b.source(t.Context(), dir, assay.Source{Dir: "sub"}, assay.Variant{Rev: "HEAD"})
	if err != nil || filepath.Base(sub.Dir) != "sub" || !disk.IsFile(filepath.Join(sub.Dir, "a_test.go")) {
		t.Errorf("subfolder: %+v, %v", sub, err)
	}
	// A tag or a hash of the same commit is the same artifact.
	r.Variant = assay.Variant{Name: "hash", Rev: two.Commit[:9]}
	if same := mustBuild(t, New(b.Cache.Dir), r); same.ID != two.ID || !same.Cached {
		t.Errorf("got %+v, want %s from the cache", same, two.ID)
	}
}

// A hook sets GIT_DIR and GIT_INDEX_FILE; sparse checkouts leave files out.
func TestRevisionUndisturbed(t *testing.T) {
	dir := repository(t, map[string]string{"deep/file.txt": "x"})
	gitDo(t, dir, "config", "core.sparseCheckout", "true")
	disktest.Write(t, dir, map[string]string{".git/info/sparse-checkout": "/tiny.go\n"})
	t.Setenv("GIT_DIR", filepath.Join(dir, "elsewhere"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(dir, "index-of-a-hook"))
	tr, err := New(t.TempDir()).source(t.Context(), dir, assay.Source{}, assay.Variant{Rev: "HEAD"})
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
	dir := repository(t, nil)
	if err := os.Symlink(out, filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	gitDo(t, dir, "add", "-A")
	gitDo(t, dir, "commit", "-qm", "link")
	tr, err := New(t.TempDir()).source(t.Context(), dir, assay.Source{}, assay.Variant{Rev: "HEAD"})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.Readlink(filepath.Join(tr.Dir, "out")); got != out || err != nil {
		t.Errorf("got %q, %v, want a link to %q", got, err, out)
	}
}

func TestUnknownRevision(t *testing.T) {
	dir := repository(t, nil)
	b := New(t.TempDir())
	source := func(dir, rev string) string {
		t.Helper()
		_, err := b.source(t.Context(), dir, assay.Source{}, assay.Variant{Rev: rev})
		return errortest.Want(t, err, "unknown-revision", assay.ExitUsage)
	}
	if text := source(dir, "nope"); !strings.Contains(text, `revision "nope" is not known in `) || strings.Contains(text, "shallow") {
		t.Errorf("got %s", text)
	}
	source(dir, "--all") // no option of git
	source(dir, "HEAD:tiny.go")
	if text := source(t.TempDir(), "main"); !strings.Contains(text, "not in a git repository") {
		t.Errorf("outside a repository: %s", text)
	}
	if text := source(filepath.Join(t.TempDir(), "repo"), "main"); !strings.Contains(text, "there is no folder ") {
		t.Errorf("a folder that is to be made first: %s", text)
	}

	disktest.Write(t, dir, map[string]string{"later/go.mod": "module example.com/later\n"})
	if text := source(filepath.Join(dir, "later"), "HEAD"); !strings.Contains(text, `revision "HEAD" has no folder later`) {
		t.Errorf("new folder: %s", text)
	}
	clone := filepath.Join(t.TempDir(), "clone")
	gitDo(t, dir, "clone", "-q", "--depth=1", "file://"+filepath.ToSlash(dir), clone)
	text := source(clone, "v1.0.0")
	for _, want := range []string{"this clone is shallow (depth 1), as in CI by default", "git fetch --depth=1 origin v1.0.0 ", "fetch-depth: 0"} {
		if !strings.Contains(text, want) {
			t.Errorf("shallow clone: %q is not in %s", want, text)
		}
	}
	if text := source(clone, "HEAD~1"); !strings.Contains(text, "git fetch --unshallow origin") {
		t.Errorf("HEAD~1 in a shallow clone: %s", text)
	}
	gitDo(t, dir, "branch", "side")
	full := filepath.Join(t.TempDir(), "full")
	gitDo(t, dir, "clone", "-q", dir, full)
	if text := source(full, "side"); !strings.Contains(text, "try: origin/side") {
		t.Errorf("branch of the remote: %s", text)
	}
}

// Killed at any moment, the extraction leaves a whole tree in the cache or none.
func TestExtractionKilled(t *testing.T) {
	if dir := os.Getenv("BUILD_TEST_EXTRACT"); dir != "" {
		_, err := New(os.Getenv("BUILD_TEST_CACHE")).source(t.Context(), dir, assay.Source{}, assay.Variant{Rev: "HEAD"})
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	many := map[string]string{}
	for i := range 400 {
		many[filepath.Join("data", string(rune('a'+i%26)), "f"+strings.Repeat("x", i/26)+".txt")] = strings.Repeat("line\n", 200)
	}
	dir, cache := repository(t, many), t.TempDir()
	commit := gitDo(t, dir, "rev-parse", "HEAD")
	whole := 0
	for i := range 8 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestExtractionKilled$")
		cmd.Env = append(os.Environ(), "BUILD_TEST_EXTRACT="+dir, "BUILD_TEST_CACHE="+cache)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i*i*10) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		if root := filepath.Join(cache, "src", "git-"+commit); disk.IsDir(root) {
			whole++
			checkWhole(t, root, len(many)+len(tiny))
			os.RemoveAll(root)
		}
	}
	t.Logf("%d of 8 killed extractions had come to their end", whole)
	tr, err := New(cache).source(t.Context(), dir, assay.Source{}, assay.Variant{Rev: "HEAD"})
	if err != nil {
		t.Fatal(err)
	}
	checkWhole(t, tr.Dir, len(many)+len(tiny))
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
	dir := repository(t, map[string]string{"go.work": "go 1.23\n\nuse (\n\t./app\n\t./lib\n)\n",
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

func TestFindWork(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{"go.work": "", "a/b/x": ""})
	in := filepath.Join(dir, "a", "b")
	if got, want := findWork(in, ""), filepath.Join(dir, "go.work"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := findWork(in, filepath.Join(dir, "a")); got != "off" {
		t.Errorf("above the root: got %s, want off", got)
	}
}
