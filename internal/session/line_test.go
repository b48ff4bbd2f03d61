package session

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

// inRepository makes a repository of two commits, "one" and "two", the folder of the test.
func inRepository(t *testing.T) string {
	t.Helper()
	dir := sourcetest.Repository(t, nil)
	t.Chdir(dir)
	return dir
}

// aLine is a line of these variants with the benchmark Sum.
func aLine(variants ...string) (line Line) {
	line.Variants, line.Dashed = variants, []string{"-bench=Sum"}
	return line
}

// A line means the repository of the current folder: its revisions, and its name.
func TestReadLine(t *testing.T) {
	dir := inRepository(t)
	s, err := ReadLine(t.Context(), aLine("HEAD~1", ".", "main GOGC=50"))
	if err != nil {
		t.Fatal(err)
	}
	var revs []string
	for _, v := range s.Variants {
		revs = append(revs, v.Rev)
	}
	if want := []string{"HEAD~1", "", "main"}; !slices.Equal(revs, want) || s.Variants[2].Env["GOGC"] != "50" || s.Workloads[0].Bench != "Sum" {
		t.Errorf("got revisions %q of %+v, want %q", revs, s, want)
	}
	if at, err := os.Stat(s.Dir); err != nil || s.Name != filepath.Base(dir) || !at.IsDir() {
		t.Errorf("got %q in %q, want the folder %q", s.Name, s.Dir, dir)
	}
}

// A mistyped revision is answered with the one that is there; a filter of results chooses
// nothing to measure.
func TestReadLineRefuses(t *testing.T) {
	inRepository(t)
	_, err := ReadLine(t.Context(), aLine("HED~1", "."))
	if text := errortest.Want(t, err, assay.CodeUnknownRevision, assay.ExitUsage); !strings.Contains(text, "assay compare HEAD~1 . -- -bench=Sum") {
		t.Errorf("got %s, want HEAD~1 in it", text)
	}
	line := aLine("HEAD~1", "main")
	line.Filter = ".name:Sum"
	_, err = ReadLine(t.Context(), line)
	if text := errortest.Want(t, err, assay.CodeFlags, assay.ExitUsage); !strings.Contains(text, "assay compare HEAD~1 main -- -bench=.") {
		t.Errorf("got %s, want the line with -bench", text)
	}
}

// The variants that a shell may complete are the branches and tags here, the newest first.
func TestKnown(t *testing.T) {
	dir := inRepository(t)
	t.Setenv("GIT_COMMITTER_DATE", "2030-01-01T00:00:00Z")
	sourcetest.Git(t, dir, "tag", "-m", "x", "v1.0.0")
	if _, got := Known(t.Context()); !slices.Equal(got, []string{"v1.0.0", "main"}) {
		t.Errorf("got %q, want the tag, then main", got)
	}
	t.Chdir(t.TempDir())
	if _, got := Known(t.Context()); len(got) != 0 {
		t.Errorf("got %q outside of a repository", got)
	}
}

// The same code measured against itself is the tree here under four names, by benchmarks
// of the standard library unless others are named.
func TestReadAA(t *testing.T) {
	inRepository(t)
	var own Line
	s, err := ReadAA(t.Context(), own)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range s.Variants {
		if !v.SameBuild(s.Variants[0]) || !v.SameRun(s.Variants[0]) {
			t.Errorf("%s is not the same code as %s", v.Name, s.Variants[0].Name)
		}
	}
	if len(s.Variants) != 4 || s.Name != "aa" || !s.Measure.Force || !slices.Equal(s.Workloads[0].Packages, []string{"strconv", "sort"}) {
		t.Errorf("got %+v, want four variants of strconv and sort", s)
	}
	if s, err = ReadAA(t.Context(), aLine()); err != nil || s.Workloads[0].Bench != "Sum" || len(s.Workloads[0].Packages) != 0 {
		t.Errorf("got %+v, %v, want the benchmark Sum here", s, err)
	}
}

// A study is a file, the study.toml of a folder or of this one; what it does not say it has
// from its place.
func TestReadStudy(t *testing.T) {
	dir := t.TempDir()
	const text = "[[variant]]\nname = 'old'\n[[variant]]\nname = 'new'\nenv = { GOGC = 50 }\n[[workload]]\nkind = 'go-test'\n"
	disktest.Write(t, dir, map[string]string{"a/study.toml": text, "a/other.toml": "name = 'given'\n" + text})
	t.Chdir(filepath.Join(dir, "a"))
	for _, c := range []struct {
		args []string
		want string // the study's name
	}{{nil, "a"}, {[]string{"."}, "a"}, {[]string{filepath.Join("..", "a")}, "a"}, {[]string{"other.toml"}, "given"}} {
		name, s, kept, err := ReadStudy(t.Context(), c.args)
		if err != nil {
			t.Fatalf("%q: %v", c.args, err)
		}
		if s.Name != c.want || filepath.Base(s.Dir) != "a" || !filepath.IsAbs(s.Dir) || len(s.Variants) != 2 || !strings.HasSuffix(string(kept), text) {
			t.Errorf("%q: got %q in %q, want %q", c.args, s.Name, s.Dir, c.want)
		}
		if want := slices.Concat(c.args, []string{"study.toml"})[0]; name != want {
			t.Errorf("%q: it is called %q, want %q", c.args, name, want)
		}
	}
	_, _, _, err := ReadStudy(t.Context(), []string{"b.toml"})
	if text := errortest.Want(t, err, assay.CodeNoStudy, assay.ExitUsage); !strings.Contains(text, "there is no study b.toml") {
		t.Errorf("got %s", text)
	}
}

// The steps of a range are the commits of the repository, and steps without a name have the
// subjects of their commits.
func TestReadSteps(t *testing.T) {
	dir := inRepository(t)
	const workload = "[[workload]]\nkind = 'go-test'\n"
	hash := sourcetest.Git(t, dir, "rev-parse", "HEAD")
	for _, c := range []struct{ name, steps string }{
		{"range", "[steps]\nrange = 'HEAD~1..'\n"},
		{"list", "[steps]\nbase = { rev = 'HEAD~1' }\nlist = [{ rev = '" + hash + "' }]\n"},
	} {
		disktest.Write(t, dir, map[string]string{"study.toml": workload + c.steps})
		_, s, _, err := ReadStudy(t.Context(), nil)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		var got []string
		for _, step := range s.Steps.List {
			v := s.Variants[slices.IndexFunc(s.Variants, func(v assay.Variant) bool { return v.Name == step.Variant })]
			got = append(got, step.Variant+" "+v.Rev)
		}
		if want := []string{"two " + hash}; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q, want %q", c.name, got, want)
		}
	}
}
