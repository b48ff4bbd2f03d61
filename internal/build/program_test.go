package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// hello prints its name; like tiny it imports little.
const hello = "package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(os.Args[0] + \"\\n\") }\n"

// withPrograms is the tiny module with two programs, one of them a major
// version, and a dependency in a folder beside it that is a program, too.
func withPrograms(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	disktest.Write(t, root, map[string]string{
		"dep/go.mod": "module example.com/dep\n\ngo 1.23\n", "dep/cmd/tool/main.go": hello, "dep/cmd/tool/more.go": "package main\n\nconst More = 1\n",
		"m/cmd/hello/v2/main.go": hello, "m/cmd/other/main.go": hello, "m/lib/lib.go": "package lib\n",
	})
	disktest.Write(t, filepath.Join(root, "m"), sourcetest.Tiny)
	disktest.Write(t, root, map[string]string{
		"m/go.mod":   sourcetest.Tiny["go.mod"] + "\nrequire example.com/dep v1.0.0\n\nreplace example.com/dep => ../dep\n",
		"m/tools.go": "//go:build tools\n\npackage tiny\n\nimport _ \"example.com/dep/cmd/tool\"\n",
	})
	return filepath.Join(root, "m")
}

func TestProgram(t *testing.T) {
	dir, cache := withPrograms(t), t.TempDir()
	for pattern, want := range map[string]struct{ path, file, dir string }{
		"./cmd/hello/v2":               {"example.com/tiny/cmd/hello/v2", "hello", "cmd/hello/v2"},
		"example.com/tiny/cmd/other":   {"example.com/tiny/cmd/other", "other", "cmd/other"},
		"example.com/dep/cmd/tool":     {"example.com/dep/cmd/tool", "tool", "../dep/cmd/tool"},
		"example.com/dep/cmd/tool/...": {"example.com/dep/cmd/tool", "tool", "../dep/cmd/tool"},
	} {
		b := New(cache)
		want.dir = filepath.Join(dir, filepath.FromSlash(want.dir))
		p, err := b.Package(t.Context(), dir, assay.Source{}, assay.Variant{Name: "v"}, pattern)
		if err != nil || p.ImportPath != want.path || p.Dir != want.dir {
			t.Errorf("Package(%s): got %+v, %v", pattern, p, err)
		}
		r := Request{Study: dir, Variant: assay.Variant{Name: "v"}, Package: pattern, Program: true}
		a := mustBuild(t, b, r)
		if !a.Program || a.Package != want.path || a.Dir != want.dir || filepath.Base(a.Path) != want.file+toolchain.Exe() {
			t.Errorf("%s: got %+v", pattern, a)
		}
		if out, err := exec.Command(a.Path).Output(); err != nil || strings.TrimSpace(string(out)) != a.Path {
			t.Errorf("%s: it prints %q, %v", pattern, out, err)
		}
		if again := mustBuild(t, New(cache), r); !again.Cached || again.ID != a.ID || again.Path != a.Path || !again.Program {
			t.Errorf("%s: second build: %+v, want the first from the cache: %+v", pattern, again, a)
		}
		if n := b.lists.graphs.Len(); n != 1 {
			t.Errorf("%s: got %d listings, want 1", pattern, n)
		}
	}
}

func TestFileName(t *testing.T) {
	for path, want := range map[string]string{
		"example.com/cmd/glua": "glua", "example.com/tengo/v2": "tengo", "example.com/v10": "example.com", "v2": "v2", "cmd/gofmt": "gofmt",
		"example.com/v1": "v1", "example.com/v0": "v0", "example.com/v": "v", "example.com/v2x": "v2x", "example.com/v02": "v02",
	} {
		if got := fileName(true, path); got != want+toolchain.Exe() {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

func TestNotAProgram(t *testing.T) {
	dir := withPrograms(t)
	for _, c := range []struct {
		pattern, code string
		exit          int
		want          []string
	}{
		{"./lib", "not-a-program", assay.ExitBuild, []string{`variant "v": ./lib is package lib, not a program`, "main packages: ./cmd/hello/v2, ./cmd/other\n", "try: ./cmd/hello/v2"}},
		{"example.com/tiny", "not-a-program", assay.ExitBuild, []string{"main packages: ./cmd/hello/v2, ./cmd/other"}},
		{"./cmd/...", "no-package", assay.ExitUsage, []string{"names 2 packages", "main packages: ./cmd/hello/v2, ./cmd/other", "try: ./cmd/hello/v2"}},
		{"./nowhere", "no-package", assay.ExitUsage, []string{"./nowhere"}},
		{"./nowhere/...", "no-package", assay.ExitUsage, []string{"./nowhere"}},
		{"./cmd", "no-package", assay.ExitUsage, []string{"./cmd"}},
		{"example.com/dep/cmd/none", "no-package", assay.ExitUsage, []string{"example.com/dep/cmd/none"}},
	} {
		b := New(t.TempDir())
		_, err := b.Package(t.Context(), dir, assay.Source{}, assay.Variant{Name: "v"}, c.pattern)
		text := errortest.Want(t, err, assay.Code(c.code), c.exit)
		_, err = b.Binary(t.Context(), Request{Study: dir, Variant: assay.Variant{Name: "v"}, Package: c.pattern, Program: true})
		if again := errortest.Want(t, err, assay.Code(c.code), c.exit); again != text {
			t.Errorf("%s: Binary says %s, Package %s", c.pattern, again, text)
		}
		for _, w := range c.want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: %q is not in %s", c.pattern, w, text)
			}
		}
	}
	bare := sourcetest.Module(t)
	_, err := New(t.TempDir()).Package(t.Context(), bare, assay.Source{}, assay.Variant{Name: "v"}, ".")
	if text := errortest.Want(t, err, "not-a-program", assay.ExitBuild); !strings.Contains(text, "no main package") {
		t.Error(text)
	}
	if got, want := programFact(strings.Fields("a b c d e f g")), "main packages: a, b, c, d, e and 2 more"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A main package that does not compile is a failed build, whatever go list makes of it.
func TestBrokenProgram(t *testing.T) {
	dir := withPrograms(t)
	for _, text := range []string{"package main\n\nfunc main() { undefined() }\n", "package main\n\nimport \"example.com/none\"\n\nfunc main() { none.X() }\n", "pakcage main\n"} {
		disktest.Write(t, dir, map[string]string{"cmd/other/main.go": text})
		_, err := New(t.TempDir()).Binary(t.Context(), Request{Study: dir, Variant: assay.Variant{Name: "v"}, Package: "./cmd/other", Program: true})
		errortest.Want(t, err, "build-failed", assay.ExitBuild)
	}
}

// A program and the test binary of one package, and both for another
// architecture, are four artifacts.
func TestProgramIDs(t *testing.T) {
	dir := withPrograms(t)
	disktest.Write(t, dir, map[string]string{"cmd/other/other_test.go": strings.Replace(benchFile, "package x", "package main", 1)})
	b := New(t.TempDir())
	id := func(r Request) string {
		t.Helper()
		r.Study, r.Variant.Name, r.Package = dir, "v", "./cmd/other"
		j, err := b.job(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		id, err := b.keys.compute(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	arm := assay.Variant{Build: map[string]string{"GOARCH": "arm64"}}
	ids := map[string]string{}
	for name, r := range map[string]Request{"test": {}, "program": {Program: true}, "arm64 test": {Variant: arm}, "arm64 program": {Program: true, Variant: arm}} {
		if other, ok := ids[id(r)]; ok {
			t.Errorf("%s and %s have the same ID", name, other)
		}
		ids[id(r)] = name
	}
	// The tests are no part of the program.
	program, test := id(Request{Program: true}), id(Request{})
	disktest.Write(t, dir, map[string]string{"cmd/other/other_test.go": strings.Replace(benchFile, "package x", "package main // edited", 1)})
	b = New(b.Cache.Dir)
	if id(Request{Program: true}) != program {
		t.Error("an edit of a test changes the ID of the program")
	}
	if id(Request{}) == test {
		t.Error("an edit of a test does not change the ID of the test binary")
	}
}

// What a program of the module cache is built from is decided by the go.mod of
// another module.
func TestDependencyID(t *testing.T) {
	dir := withPrograms(t)
	id := func() string {
		t.Helper()
		b := New(t.TempDir())
		j, err := b.job(t.Context(), Request{Study: dir, Variant: assay.Variant{Name: "v"}, Package: "example.com/dep/cmd/tool", Program: true})
		if err != nil {
			t.Fatal(err)
		}
		id, err := b.keys.compute(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	before := id()
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	disktest.Write(t, dir, map[string]string{"go.mod": strings.Replace(string(mod), "go 1.23", "go 1.24", 1)})
	if id() == before {
		t.Error("the go line of the main module is not part of the ID")
	}
}

// realProgram makes a module that requires gopher-lua, from the module proxy.
func realProgram(t *testing.T) (dir, pattern string) {
	t.Helper()
	dir, pattern = t.TempDir(), "github.com/yuin/gopher-lua/cmd/glua"
	disktest.Write(t, dir, map[string]string{"go.mod": "module example.com/real\n\ngo 1.24\n"})
	cmd := exec.Command("go", "get", pattern+"@v1.1.2")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("gopher-lua cannot be fetched: %s", out)
	}
	return dir, pattern
}
