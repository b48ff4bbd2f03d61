package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// study is the folder of the real study.
var study = os.DirFS("..")

// gitOut returns what git prints in a folder.
func gitOut(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// more is what the step of small changes.
const more = `diff --git a/a/a.go b/a/a.go
--- a/a/a.go
+++ b/a/a.go
@@ -1 +1 @@
-package a
+package a // more
diff --git a/a/b.go b/a/b.go
new file mode 100644
--- /dev/null
+++ b/a/b.go
@@ -0,0 +1 @@
+package a
`

// small is a study of one step.
func small() fstest.MapFS {
	return fstest.MapFS{
		"base/go.mod":        {Data: []byte("module example.com/small\n")},
		"base/a/a.go":        {Data: []byte("package a\n")},
		"base/.gitkeep":      {Data: nil},
		"steps/01-more.md":   {Data: []byte("+++\nname = \"a bit more\"\nrev = \"arc/01\"\n+++\nWhy.\n\n# Not a comment.\n")},
		"steps/01-more.diff": {Data: []byte(more)},
		"steps/README.md":    {Data: []byte("about steps")},
	}
}

func TestMakeRepository(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "repo")
	t.Setenv("GIT_AUTHOR_NAME", "somebody else")
	var hashes []string
	for range 2 { // the second time over the first
		n, err := makeRepository(small(), dir)
		if err != nil || n != 1 {
			t.Fatalf("got %d steps and %v, want 1", n, err)
		}
		hashes = append(hashes, gitOut(t, dir, "rev-parse", "arc/01"))
		if err := os.WriteFile(filepath.Join(dir, "left over"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if hashes[0] != hashes[1] {
		t.Errorf("got hashes %v, want the same twice", hashes)
	}
	if got, want := gitOut(t, dir, "log", "--format=%s|%an|%aI|%cI", "arc/01"),
		"a bit more|assay studies|2026-01-02T09:00:00+00:00|2026-01-02T09:00:00+00:00\nbase|assay studies|2026-01-01T09:00:00+00:00|2026-01-01T09:00:00+00:00"; got != want {
		t.Errorf("got log\n%s\nwant\n%s", got, want)
	}
	if got, want := gitOut(t, dir, "log", "-1", "--format=%b", "arc/01"), "Why.\n\n# Not a comment."; got != want {
		t.Errorf("got body %q, want %q", got, want)
	}
	if got, want := gitOut(t, dir, "diff", "--name-status", "arc/00", "arc/01"), "M\ta/a.go\nA\ta/b.go"; got != want {
		t.Errorf("got changes\n%s\nwant\n%s", got, want)
	}
}

// A folder that somebody else made is left as it is, a git repository too.
func TestForeignFolder(t *testing.T) {
	dir := t.TempDir()
	gitOut(t, dir, "init", "--quiet")
	_, err := makeRepository(small(), dir)
	if err == nil || !strings.Contains(err.Error(), "was not made here") {
		t.Errorf("got %v, want a refusal", err)
	}
	if _, err := os.Stat(filepath.Join(dir, ".git", "HEAD")); err != nil {
		t.Errorf("the folder was touched: %v", err)
	}
}

func TestBadStudies(t *testing.T) {
	for _, test := range []struct{ name, file, text, want string }{
		{"gap", "steps/03-late.md", "+++\nname = \"late\"\n+++\n", "steps/03-late.md: want step 02-"},
		{"no front matter", "steps/02-x.md", "A story.\n", "steps/02-x.md: no front matter"},
		{"open front matter", "steps/02-x.md", "+++\nname = \"x\"\n", "steps/02-x.md: no front matter"},
		{"no name", "steps/02-x.md", "+++\nrev = \"arc/02\"\n+++\n", "steps/02-x.md: front matter has no name"},
		{"bad name", "steps/02-x.md", "+++\nname = x\n+++\n", "steps/02-x.md: name = x"},
		{"no difference", "steps/02-x.md", "+++\nname = \"x\"\n+++\nWhy.\n", "step 02-x"},
		{"does not apply", "steps/01-more.diff", strings.Replace(more, "-package a", "-package b", 1), "step 01-more: git apply"},
	} {
		t.Run(test.name, func(t *testing.T) {
			study := small()
			study[test.file] = &fstest.MapFile{Data: []byte(test.text)}
			_, err := makeRepository(study, filepath.Join(t.TempDir(), "repo"))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q in it", err, test.want)
			}
		})
	}
	if _, err := makeRepository(fstest.MapFS{}, t.TempDir()); err == nil {
		t.Error("a folder without steps: got no error")
	}
}

// What the study promises of its steps: no test changes after the base.
func TestStepsChangeNoTest(t *testing.T) {
	diffs, err := fs.Glob(study, "steps/*.diff")
	if err != nil || len(diffs) != 20 {
		t.Fatalf("got %d differences and %v, want 20", len(diffs), err)
	}
	for _, name := range diffs {
		text, err := fs.ReadFile(study, name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "diff --git ") && strings.Contains(line, "_test.go") {
				t.Errorf("%s: a step must not change a test: %s", name, line)
			}
		}
	}
}

// Every step builds, passes its tests and go vet, and can run the frozen suite. It
// takes a minute where nothing is cached.
func TestSlowEveryStep(t *testing.T) {
	if os.Getenv("ASSAY_TEST_SLOW") == "" {
		t.Skip("slow: make test-slow runs it")
	}
	dir := filepath.Join(t.TempDir(), "repo")
	n, err := makeRepository(study, dir)
	if err != nil {
		t.Fatal(err)
	}
	suite := filepath.Join("..", "suite")
	for i := range n + 1 {
		tag := fmt.Sprintf("arc/%02d", i)
		t.Run(tag, func(t *testing.T) {
			gitOut(t, dir, "checkout", "--quiet", "--force", tag)
			if err := copyTree(dir, os.DirFS(suite), "."); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{
				{"vet", "./..."},
				{"test", "-bench=.", "-benchtime=1x", "./..."},
			} {
				cmd := exec.Command("go", args...)
				cmd.Dir = dir
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
				}
			}
			if out := gitOut(t, dir, "diff", "--name-only"); out != "" {
				t.Errorf("the suite replaces files of the step: %s", out)
			}
		})
	}
}
