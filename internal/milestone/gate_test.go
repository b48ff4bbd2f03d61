package milestone

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
)

// tree makes a module of files, each given as its name and what is in it.
func tree(t *testing.T, name string, files ...string) Tree {
	t.Helper()
	dir := t.TempDir()
	files = append([]string{"go.mod", "module example.com/m\n\ngo 1.21\n"}, files...)
	for i := 0; i < len(files); i += 2 {
		file := filepath.Join(dir, filepath.FromSlash(files[i]))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(files[i+1]), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	goCmd, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOTOOLCHAIN=local", "GOPROXY=off", "GOENV=off")
	return Tree{Dir: dir, Go: goCmd, Env: env, Name: name}
}

func keeper(t *testing.T) *Keeper {
	return &Keeper{Cache: cache.New(t.TempDir()), Jobs: 2}
}

// only checks one step, and returns the finding of one gate.
func only(t *testing.T, g assay.Gates, gate string, step, against Tree) Finding {
	t.Helper()
	found, err := keeper(t).Check(t.Context(), g, step, against)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if f.Gate == gate {
			return f
		}
	}
	t.Fatalf("no finding of gate %q", gate)
	return Finding{}
}

func expect(t *testing.T, f Finding, status assay.GateStatus, text string, evidence ...string) {
	t.Helper()
	if f.Status != status || f.Text != text || !slices.Equal(f.Evidence, evidence) {
		t.Errorf("got %s %q %q\nwant %s %q %q\noutput:\n%s", f.Status, f.Text, f.Evidence, status, text, evidence, f.Output)
	}
}

const (
	half     = "package m\n\n// Half halves.\nfunc Half(x int) int { return x / 2 }\n"
	halfTest = "package m\n\nimport \"testing\"\n\nfunc TestHalf(t *testing.T) {\n\tif Half(4) != 2 {\n\t\tt.Fatal(\"no\")\n\t}\n}\n"
)

func TestOrderAndNames(t *testing.T) {
	g := assay.Gates{API: assay.GateSame, Tests: assay.GatePass, Unsafe: assay.GateNone, Vet: assay.GatePass, Allocs: assay.GateNoMore}
	base := tree(t, "base", "m.go", half, "m_test.go", halfTest)
	step := tree(t, "step", "m.go", half, "m_test.go", halfTest)
	found, err := keeper(t).Check(t.Context(), g, step, base)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range found {
		got = append(got, f.Gate+" "+string(f.Status)+" "+f.Against+": "+f.Text)
		if f.Variant != "step" || f.Took <= 0 {
			t.Errorf("gate %s: got variant %q, took %v, want step and a time", f.Gate, f.Variant, f.Took)
		}
	}
	want := []string{
		"api held base: the API is the same (1 package)", "tests held : 1 test passed", "old tests held base: 1 test passed",
		"unsafe held : no unsafe code (1 package)", "vet held : go vet finds nothing",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestAPI(t *testing.T) {
	base := tree(t, "base", "m.go", half+"func Gone() {}\n", "internal/x/x.go", "package x\n\nfunc X() {}\n", "sub/s.go", "package sub\n\ntype S struct{ A int }\n",
		"cmd/c/main.go", "package main\n\nfunc main() {}\n", "only/o_test.go", "package only\n")
	more := tree(t, "more", "m.go", half+"func Gone() {}\nfunc New() {}\n", "sub/s.go", "package sub\n\ntype S struct{ A int }\n", "new/n.go", "package n\n")
	less := tree(t, "less", "m.go", half, "sub/s.go", "package sub\n\ntype S struct{ A string }\n")
	bad := tree(t, "bad", "m.go", "package m\n\nimport \"example.com/m/internal/x\"\n\nvar V = x.V\n", "internal/x/x.go", "package x\n\nvar V = \x1b[31mundefined\n")
	typo := tree(t, "typo", "m.go", "package m\n\nvar V = undefinedName\n")
	moved := tree(t, "moved", "m.go", half+"func Gone() {}\n", "sub/s.go", "package sub\n\ntype S struct{ A int }\n")
	rewrite(t, moved, "go.mod", "module example.com/m/v2\n\ngo 1.21\n")
	added := []string{"New: added", "package example.com/m/new: added"}
	broken := []string{"./sub.S.A: changed from int to string", "Gone: removed"}
	for _, c := range []struct {
		words    string
		step     Tree
		status   assay.GateStatus
		text     string
		evidence []string
	}{
		{assay.GateSame, base, assay.GateHeld, "the API is the same (2 packages)", nil},
		{assay.GateSame, more, assay.GateFailed, "2 additions, nothing incompatible", added},
		{assay.GateCompatible, more, assay.GateHeld, "2 additions, nothing incompatible", added},
		{assay.GateCompatible, less, assay.GateFailed, "2 incompatible changes", broken},
		{assay.GateSame, typo, assay.GateUnknown, `load example.com/m of "typo": ./m.go:3:9: undefined: undefinedName`, nil},
		{assay.GateSame, moved, assay.GateFailed, "1 incompatible change", []string{"module path changed from example.com/m to example.com/m/v2"}},
	} {
		expect(t, only(t, assay.Gates{API: c.words}, assay.GateAPI, c.step, base), c.status, c.text, c.evidence...)
	}
	f := only(t, assay.Gates{API: assay.GateSame}, assay.GateAPI, bad, base)
	if f.Status != assay.GateUnknown || strings.Contains(f.Text, "\x1b") || !strings.Contains(f.Text, "x.go:3") {
		t.Errorf("got %s %q, want unknown with the first error and no control characters", f.Status, f.Text)
	}
}

func rewrite(t *testing.T, tr Tree, name, text string) {
	t.Helper()
	file := filepath.Join(tr.Dir, name)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// The go command of the tree is used, not the first one in our PATH.
func TestGoOfTheTree(t *testing.T) {
	if os.PathSeparator != '/' {
		t.Skip("no shell script")
	}
	dir := t.TempDir()
	script := filepath.Join(dir, "go")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho 'go: it is me' >&2\nexit 1\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	base := tree(t, "base", "m.go", half)
	step := base
	step.Go, step.Name = script, "step"
	g := assay.Gates{API: assay.GateSame, Tests: assay.GatePass, Vet: assay.GatePass}
	found, err := keeper(t).Check(t.Context(), g, step, base)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if f.Status != assay.GateUnknown || !strings.HasSuffix(f.Text, ": it is me") {
			t.Errorf("gate %s: got %s %q, want unknown, it is me", f.Gate, f.Status, f.Text)
		}
	}
}

func TestUnsafe(t *testing.T) {
	test := "package m\n\nimport (\n\t\"testing\"\n\t\"unsafe\"\n)\n\nvar _ unsafe.Pointer\n\nfunc TestX(*testing.T) {}\n"
	fine := "package m\n\nconst s = `\n//go:linkname a b\nimport \"unsafe\"`\n\n// as //go:linkname does\n"
	gen := "//go:build ignore\n\npackage main\n\nimport _ \"unsafe\"\n\nfunc main() {}\n"
	good := tree(t, "good", "m.go", fine, "m_test.go", test, "gen.go", gen, "testdata/x.go", "package x\n\nimport \"unsafe\"\n",
		"nested/go.mod", "module n\n", "nested/n.go", "package n\n\nimport \"unsafe\"\n", "vendor/v/v.s", "")
	expect(t, only(t, assay.Gates{Unsafe: assay.GateNone}, assay.GateUnsafe, good, Tree{}), assay.GateHeld, "no unsafe code (1 package)")
	bad := tree(t, "bad", "m.go", fine, "a.go", "package m\n\nimport u \"unsafe\"\n\nvar _ u.Pointer\n\n//go:linkname now time.now\nfunc now()\n",
		"b_plan9.go", "package m\n\nimport (\n\t_ `unsafe`\n)\n", "sub/c.go", "package sub\n\nimport \"C\"\n", "sub/d_arm64.s", "")
	expect(t, only(t, assay.Gates{Unsafe: assay.GateNone}, assay.GateUnsafe, bad, Tree{}), assay.GateFailed, "5 uses of unsafe code",
		`a.go:3: import "unsafe"`, "a.go:7: //go:linkname now time.now", "b_plan9.go:4: import `unsafe`", `sub/c.go:3: import "C"`, "sub/d_arm64.s: assembly")
}

func TestVet(t *testing.T) {
	g := assay.Gates{Vet: assay.GatePass}
	bad := tree(t, "bad", "m.go", "package m\n\nfunc F(x int) {\n\tx = x\n}\n")
	expect(t, only(t, g, assay.GateVet, bad, Tree{}), assay.GateFailed, "1 finding of go vet", "m.go:4:2: self-assignment of x")
	broken := tree(t, "broken", "m.go", "package m\n\nvar V = undefinedName\n")
	expect(t, only(t, g, assay.GateVet, broken, Tree{}), assay.GateFailed, "1 finding of go vet", "./m.go:3:9: undefined: undefinedName")
	young := tree(t, "young", "m.go", half)
	rewrite(t, young, "go.mod", "module example.com/m\n\ngo 1.999\n")
	f := only(t, g, assay.GateVet, young, Tree{})
	if f.Status != assay.GateUnknown || !strings.Contains(f.Text, "requires go >= 1.999") {
		t.Errorf("got %s %q, want unknown, requires go >= 1.999", f.Status, f.Text)
	}
}

func TestKept(t *testing.T) {
	k := keeper(t)
	g := assay.Gates{API: assay.GateSame, Unsafe: assay.GateNone}
	base, step := tree(t, "base", "m.go", half), tree(t, "step", "m.go", half)
	base.ID, step.ID = "b", "s"
	check := func() []Finding {
		found, err := k.Check(t.Context(), g, step, base)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	first := check()
	// What changes unknown to the ID shows that the second time nothing is looked at.
	if err := os.WriteFile(filepath.Join(step.Dir, "n.go"), []byte("package m\n\nimport _ \"unsafe\"\n\nfunc N() {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	step.Name = "again"
	for i, f := range check() {
		want := first[i]
		want.Variant = "again"
		if f.Status != want.Status || f.Variant != want.Variant || f.Text != want.Text || f.Against != want.Against || f.Took != want.Took {
			t.Errorf("got %+v, want %+v", f, want)
		}
	}
	step.ID = ""
	for _, f := range check() {
		if f.Status != assay.GateFailed {
			t.Errorf("without an ID: gate %s got %s, want failed", f.Gate, f.Status)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(k.Cache.Dir, "value", "*", "gate.json")); len(left) != 2 {
		t.Errorf("got %q, want 2 kept findings", left)
	}
}

// What could not be checked may be checked another time, and is not kept.
func TestUnknownIsNotKept(t *testing.T) {
	k := keeper(t)
	step := tree(t, "step", "m.go", "package m\n\nvar V = undefinedName\n")
	step.ID = "s"
	found, err := k.Check(t.Context(), assay.Gates{API: assay.GateSame}, step, step)
	if err != nil || found[0].Status != assay.GateUnknown {
		t.Fatalf("got %+v, %v, want an unknown finding", found, err)
	}
	if left, _ := filepath.Glob(filepath.Join(k.Cache.Dir, "value", "*", "gate.json")); len(left) != 0 {
		t.Errorf("got %q kept, want nothing", left)
	}
}

func TestCancelAndTimeout(t *testing.T) {
	sleep := "package m\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc TestMain(m *testing.M) { time.Sleep(time.Hour) }\n"
	step := tree(t, "step", "m.go", half, "m_test.go", sleep)
	k := keeper(t)
	ctx, cancel := context.WithTimeoutCause(t.Context(), 2*time.Second, errors.New("enough"))
	defer cancel()
	if _, err := k.Check(ctx, assay.Gates{Tests: assay.GatePass}, step, step); err == nil || !strings.HasSuffix(err.Error(), "enough") {
		t.Errorf("cancelled: got %v, want enough", err)
	}
	k.Timeout = 2 * time.Second
	found, err := k.Check(t.Context(), assay.Gates{Tests: assay.GatePass}, step, step)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, found[0], assay.GateUnknown, "not done in 2s")
}
