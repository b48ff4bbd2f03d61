package build

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/source"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// frozen is a suite that is laid over tiny.
var frozen = map[string]string{
	"frozen_test.go":    "package tiny\n\nimport \"testing\"\n\nfunc BenchmarkFrozen(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tSum(20)\n\t}\n}\n",
	"testdata/data.txt": "data",
}

func listTests(t *testing.T, a Artifact) string {
	t.Helper()
	out, err := exec.Command(a.Path, "-test.list=.").CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v", out, err)
	}
	return strings.Join(strings.Fields(string(out)), " ")
}

// The study's folder has the overlay; the repository is elsewhere.
func overlayStudy(t *testing.T, files map[string]string) string {
	t.Helper()
	study := t.TempDir()
	for name, text := range files {
		disktest.Write(t, study, map[string]string{"over/" + name: text})
	}
	return study
}

func TestOverlayRevision(t *testing.T) {
	dir, study := sourcetest.Repository(t, map[string]string{"neighbour/go.mod": "module example.com/neighbour\n"}), overlayStudy(t, frozen)
	disktest.Write(t, dir, map[string]string{"tiny.go": "broken"})
	src := assay.Source{Dir: dir, Overlay: "over", Hide: []string{"tiny_te?t.go"}}
	cache := t.TempDir()
	r := Request{Study: study, Source: src, Variant: assay.Variant{Name: "one", Rev: "HEAD~1"}, Package: "."}
	b := New(cache)
	packages, err := b.Packages(t.Context(), r, nil)
	if err != nil || len(packages) != 1 || packages[0].ImportPath != "example.com/tiny" {
		t.Errorf("got packages %v, %v", packages, err)
	}
	one := mustBuild(t, b, r)
	if got, want := listTests(t, one), "BenchmarkFrozen"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if one.Commit != sourcetest.Git(t, dir, "rev-parse", "HEAD~1") || !disk.IsFile(filepath.Join(one.Dir, "testdata", "data.txt")) ||
		!disk.IsFile(filepath.Join(one.Dir, "neighbour", "go.mod")) || disk.IsFile(filepath.Join(one.Dir, "tiny_test.go")) {
		t.Errorf("got %+v", one)
	}
	r.Variant = assay.Variant{Name: "two", Rev: "HEAD"}
	if two := mustBuild(t, b, r); two.ID == one.ID || len(two.Dir) != len(one.Dir) {
		t.Errorf("got %+v beside %+v", two, one)
	}
	// The same again is from the cache; another overlay is another artifact.
	r.Variant = assay.Variant{Name: "again", Rev: one.Commit}
	if again := mustBuild(t, New(cache), r); !again.Cached || again.ID != one.ID {
		t.Errorf("got %+v, want %s from the cache", again, one.ID)
	}
	disktest.Write(t, study, map[string]string{"over/testdata/data.txt": "other"})
	if other := mustBuild(t, New(cache), r); other.ID == one.ID {
		t.Error("an edited overlay gives the old artifact")
	}
	// Tree is the source without the overlay.
	plain, err := b.Tree(t.Context(), study, src, r.Variant)
	if err != nil || disk.IsFile(filepath.Join(plain.Dir, "frozen_test.go")) || !disk.IsFile(filepath.Join(plain.Dir, "tiny_test.go")) {
		t.Errorf("got %+v, %v", plain, err)
	}
}

func TestOverlayWorkingTree(t *testing.T) {
	for _, inGit := range []bool{true, false} {
		dir, study := sourcetest.Module(t), overlayStudy(t, frozen)
		disktest.Write(t, dir, map[string]string{".assay/run/x": "x", "new.go": "package tiny\n", "ignored.go": "package tiny\n\nbroken", ".gitignore": "ignored.go\n"})
		if inGit {
			sourcetest.Git(t, dir, "init", "-q")
			sourcetest.Git(t, dir, "add", "tiny.go", "go.mod")
			disktest.Write(t, dir, map[string]string{"gone.go": "package tiny"})
			sourcetest.Git(t, dir, "add", "gone.go")
			if err := os.Remove(filepath.Join(dir, "gone.go")); err != nil {
				t.Fatal(err)
			}
		} else {
			disktest.Write(t, dir, map[string]string{"ignored.go": "package tiny\n"})
		}
		before := sourcetest.Listing(t, dir)
		cache := t.TempDir()
		r := Request{Study: study, Source: assay.Source{Dir: dir, Overlay: "over"}, Variant: assay.Variant{Name: "."}, Package: "."}
		a := mustBuild(t, New(cache), r)
		if got, want := listTests(t, a), "BenchmarkSum BenchmarkFrozen"; got != want && got != "BenchmarkFrozen BenchmarkSum" {
			t.Errorf("git %t: got %q, want %q", inGit, got, want)
		}
		if !slices.Equal(before, sourcetest.Listing(t, dir)) {
			t.Errorf("git %t: the working tree was written to", inGit)
		}
		if disk.IsDir(filepath.Join(a.Dir, ".assay")) || disk.IsDir(filepath.Join(a.Dir, ".git")) || !disk.IsFile(filepath.Join(a.Dir, "new.go")) || inGit == disk.IsFile(filepath.Join(a.Dir, "ignored.go")) {
			t.Errorf("git %t: what was copied is wrong: %v", inGit, sourcetest.Listing(t, a.Dir))
		}
		if again := mustBuild(t, New(cache), r); again.ID != a.ID || !again.Cached {
			t.Errorf("git %t: got %+v, want it from the cache", inGit, again)
		}
		disktest.Write(t, dir, map[string]string{"new.go": "package tiny\n\nvar _ = 1\n"})
		if edited := mustBuild(t, New(cache), r); edited.ID == a.ID {
			t.Errorf("git %t: an edited file gives the old artifact", inGit)
		}
	}
}

// A module in a workspace finds it in the copy.
func TestOverlayWorkspace(t *testing.T) {
	top, study := t.TempDir(), overlayStudy(t, frozen)
	disktest.Write(t, top, map[string]string{"go.work": "go 1.23\n\nuse (\n\t./tiny\n\t./other\n)\n", "other/go.mod": "module example.com/other\n\ngo 1.23\n", "other/o.go": "package other\n"})
	for n, text := range sourcetest.Tiny {
		disktest.Write(t, top, map[string]string{"tiny/" + n: text})
	}
	disktest.Write(t, top, map[string]string{"tiny/use.go": "package tiny\n\nimport _ \"example.com/other\"\n"})
	r := Request{Study: study, Source: assay.Source{Dir: filepath.Join(top, "tiny"), Overlay: "over"}, Variant: assay.Variant{Name: "."}, Package: "."}
	if a := mustBuild(t, New(t.TempDir()), r); filepath.Base(a.Dir) != "tiny" {
		t.Errorf("got %+v", a)
	}
	sourcetest.Git(t, filepath.Join(top, "tiny"), "init", "-q") // the copy ends at the repository
	_, err := New(t.TempDir()).Binary(t.Context(), r)
	if text := errortest.Want(t, err, "overlay", assay.ExitUsage); !strings.Contains(text, "try: GOWORK=off") {
		t.Errorf("got %s", text)
	}
}

func TestOverlayModule(t *testing.T) {
	sourcetest.Proxy(t)
	study := overlayStudy(t, map[string]string{"frozen_test.go": strings.Replace(frozen["frozen_test.go"], "package tiny", "package lib", 1)})
	r := Request{Study: study, Source: assay.Source{Overlay: "over"}, Variant: assay.Variant{Name: "v1", Module: "example.com/lib@v1.0.0"}, Package: "."}
	b := New(t.TempDir())
	a := mustBuild(t, b, r)
	if got, want := listTests(t, a), "BenchmarkFrozen"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	plain, err := b.Tree(t.Context(), study, r.Source, r.Variant)
	if err != nil || disk.IsFile(filepath.Join(plain.Dir, "frozen_test.go")) {
		t.Errorf("the copy without overlay: %+v, %v", plain, err)
	}
}

func TestOverlayCollides(t *testing.T) {
	dir := sourcetest.Repository(t, map[string]string{"folder/a.txt": "", "file": "", "deep/er/file": ""})
	for _, c := range []struct {
		name, want, try string
		over            map[string]string
		hide            []string
	}{
		{"file over folder", `"folder" is a file of the overlay and a folder of the source`, `[source] hide = ["folder"]`, map[string]string{"folder": ""}, nil},
		{"folder over file", `"deep/er/file" is a folder of the overlay and a file of the source`, `[source] hide = ["deep/er/file"]`, map[string]string{"deep/er/file/a/b": ""}, nil},
		{"two benchmarks", "BenchmarkSum is declared in again_test.go of the overlay and in tiny_test.go of the source", `[source] hide = ["tiny_test.go"]`,
			map[string]string{"again_test.go": sourcetest.Tiny["tiny_test.go"]}, nil},
		{"two benchmarks, by name the other first", "BenchmarkSum is declared in zz_test.go of the overlay and in tiny_test.go of the source", `[source] hide = ["tiny_test.go"]`,
			map[string]string{"zz_test.go": sourcetest.Tiny["tiny_test.go"]}, nil},
		{"hidden folder", "", "", map[string]string{"folder": ""}, []string{"folder"}},
		{"hidden file", "", "", map[string]string{"again_test.go": sourcetest.Tiny["tiny_test.go"], "file/x": ""}, []string{"tiny_*.go", "file"}},
		{"replaced file", "", "", map[string]string{"tiny_test.go": frozen["frozen_test.go"]}, nil},
	} {
		study := overlayStudy(t, c.over)
		_, err := New(t.TempDir()).Binary(t.Context(), Request{Study: study, Source: assay.Source{Dir: dir, Overlay: "over", Hide: c.hide}, Variant: assay.Variant{Name: "v", Rev: "HEAD"}, Package: "."})
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		text := errortest.Want(t, err, "overlay-collides", assay.ExitBuild)
		if !strings.Contains(text, `variant "v": `+c.want) || !strings.Contains(text, "try: "+c.try) {
			t.Errorf("%s: got %s", c.name, text)
		}
	}
}

// The suite needs a newer language than the step's go.mod has.
func TestOverlayLanguage(t *testing.T) {
	dir := sourcetest.Repository(t, map[string]string{"go.mod": "module example.com/tiny\n\ngo 1.16\n", "tiny.go": "package tiny\n\nfunc Sum(n int) int { return n }\n"})
	generic := map[string]string{"frozen_test.go": frozen["frozen_test.go"] + "\nfunc same[T any](x T) T { return x }\n"}
	r := Request{Study: overlayStudy(t, generic), Source: assay.Source{Dir: dir, Overlay: "over"}, Variant: assay.Variant{Name: "old", Rev: "HEAD~1"}, Package: "."}
	_, err := New(t.TempDir()).Binary(t.Context(), r)
	if text := errortest.Want(t, err, "build-failed", assay.ExitBuild); !strings.Contains(text, "it may hold a go.mod of its own") {
		t.Errorf("got %s", text)
	}
	generic["go.mod"] = sourcetest.Tiny["go.mod"]
	r.Study = overlayStudy(t, generic)
	mustBuild(t, New(t.TempDir()), r)
}

func TestNewerGo(t *testing.T) {
	j := job{tc: toolchain.Toolchain{Version: "go1.20.14"}}
	j.Variant.Name = "old"
	for chatter, want := range map[string]string{
		"go: go.mod requires go >= 1.27 (running go 1.26.8; GOTOOLCHAIN=local)":                "needs go1.27 or later",
		"go: module ../src/git-1 requires go >= 1.27rc1 (running go 1.26; GOTOOLCHAIN=local)":  "needs go1.27rc1 or later",
		"# x\n./a.go:1:1: undefined: min\nnote: module requires Go 1.21\n":                     "needs go1.21 or later",
		"go: errors parsing go.mod:\ngo.mod:3: invalid go version '1.21.0': must match format": "needs go1.21.0 or later",
		"./a.go:1:1: undefined: min": "",
	} {
		err := newerGo(j, chatter, nil)
		if want == "" {
			if err != nil {
				t.Errorf("%q: got %v", chatter, err)
			}
			continue
		}
		if text := errortest.Want(t, err, "needs-newer-go", assay.ExitBuild); !strings.Contains(text, want) || !strings.Contains(text, "go1.20.14") {
			t.Errorf("%q: got %s", chatter, text)
		}
	}
	for _, c := range []struct{ want, got string }{
		{"go1.27", "go1.27.0"}, {"go1.26", "go1.26.8"}, {"go1.26.9", "go1.26.9"}, {"go1.26.1", "go1.26.8"}, {"go1.20", "go1.20"}, {"go1.27rc1", "go1.27rc1"},
	} {
		if got := releaseFor(c.want, []string{"go1.27rc1", "go1.26.8", "go1.26.2", "go1.25.1"}); got != c.got {
			t.Errorf("releaseFor(%s): got %s, want %s", c.want, got, c.got)
		}
	}
}

// A compiler's line may quote source that moves the cursor.
func FuzzCollision(f *testing.F) {
	f.Add("./a_test.go:3:6: F redeclared in this block\n\t./b_test.go:5:6: other declaration of F\n")
	f.Add("./a_test.go:3:6: method T.F already declared at ./b_test.go:5:6\n")
	f.Add("a.go:1: \x1b redeclared in this block\na.go:1: other declaration of ")
	f.Fuzz(func(t *testing.T, chatter string) {
		j := job{tree: source.Tree{Dir: "/x", Overlay: []string{"a_test.go"}}}
		var e *assay.Error
		if err := collision(j, chatter, "log"); errors.As(err, &e) && strings.ContainsAny(e.Text, "\x1b\r\n\x00") {
			t.Errorf("got %q", e.Text)
		}
	})
}
