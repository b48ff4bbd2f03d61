package bisect

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/session"
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
func aLine(variants ...string) (line session.Line) {
	line.Variants, line.Dashed = variants, []string{"-bench=Sum"}
	return line
}

// A bisection is of two revisions with the same settings.
func TestReadEnds(t *testing.T) {
	inRepository(t)
	s, err := ReadEnds(t.Context(), aLine("HEAD~1 GOGC=50", "HEAD GOGC=50"))
	if err != nil || s.Decide.Budget != 20*time.Minute || s.Decide.Confidence != 0.95 || s.Variants[0].Rev != "HEAD~1" || s.Variants[1].Rev != "HEAD" {
		t.Fatalf("got %+v, %v, want 20 minutes at 95 %% between HEAD~1 and HEAD", s, err)
	}
	if _, err := ReadEnds(t.Context(), aLine("example.com/m@v1.0.0", "example.com/m@v1.2.0")); err != nil {
		t.Errorf("two versions: got %v", err)
	}
	for _, c := range []struct{ good, bad, want string }{
		{"HEAD~1", ".", "are not two revisions"},
		{"HEAD", "example.com/m@v1.0.0", "are not two revisions"},
		{"example.com/m@v1.0.0", "example.com/n@v1.1.0", "are not two revisions"},
		{"HEAD~1 GOGC=off", "HEAD", "differ in more than the revision"},
		{"HEAD~1", "HEAD -tags=x", "differ in more than the revision"},
	} {
		_, err := ReadEnds(t.Context(), aLine(c.good, c.bad))
		if text := errortest.Want(t, err, assay.CodeBisect, assay.ExitUsage); !strings.Contains(text, c.want) {
			t.Errorf("%s, %s: got %s, want %s", c.good, c.bad, text, c.want)
		}
	}
}

// The history between two ends is what came after the first, up to the second; with a path
// only the commits that changed something there.
func TestReadHistory(t *testing.T) {
	dir := inRepository(t)
	for _, name := range []string{"three", "four"} {
		disktest.Write(t, dir, map[string]string{"notes/" + name: name})
		sourcetest.Git(t, dir, "add", "-A")
		sourcetest.Git(t, dir, "commit", "-qm", name)
	}
	s, err := ReadEnds(t.Context(), aLine("HEAD~3", "HEAD"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		touching string
		want     []string
	}{{"", []string{"two", "three", "four"}}, {"notes", []string{"three", "four"}}, {"tiny.go", []string{"two"}}} {
		h, err := ReadHistory(t.Context(), s, c.touching)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, commit := range h.Commits {
			got = append(got, commit.Subject)
		}
		if !slices.Equal(got, c.want) || h.Good.Subject != "one" || h.Touching != c.touching || h.Versions {
			t.Errorf("touching %q: got %q after %q, want %q after one", c.touching, got, h.Good.Subject, c.want)
		}
	}
	_, err = ReadHistory(t.Context(), s, "nowhere")
	if text := errortest.Want(t, err, assay.CodeBisect, assay.ExitUsage); !strings.Contains(text, "no commit lies between HEAD~3 and HEAD that touches nowhere") {
		t.Errorf("got %s", text)
	}
}

// The versions of a module are the history of a bisection and the steps of a range, as
// commits are.
func TestReadVersions(t *testing.T) {
	sourcetest.Proxy(t)
	disktest.Write(t, strings.TrimPrefix(os.Getenv("GOPROXY"), "file://"), map[string]string{"example.com/lib/@v/list": "v1.0.0\nv1.1.0\n"})
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("GOFLAGS", "")
	s, err := ReadEnds(t.Context(), aLine("example.com/lib@v1.0.0", "example.com/lib@v1.1.0"))
	if err != nil {
		t.Fatal(err)
	}
	h, err := ReadHistory(t.Context(), s, "")
	if want := []assay.Commit{{Hash: "v1.1.0"}}; err != nil || !h.Versions || h.Good.Hash != "v1.0.0" || !reflect.DeepEqual(h.Commits, want) {
		t.Errorf("got %+v, %v, want v1.1.0 after v1.0.0", h, err)
	}
	disktest.Write(t, dir, map[string]string{"study.toml": "[[workload]]\nkind = 'go-test'\n[steps]\nmodule = 'example.com/lib'\nrange = 'v1.0.0..v1.1.0'\n"})
	_, study, _, err := session.ReadStudy(t.Context(), nil)
	if err != nil || len(study.Steps.List) != 1 || study.Variants[1].Module != "example.com/lib@v1.1.0" || study.Steps.List[0].Variant != "v1.1.0" {
		t.Errorf("got %+v, %v, want one step to v1.1.0", study, err)
	}
}
