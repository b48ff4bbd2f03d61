package milestone

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

var tests = assay.Gates{Tests: assay.GatePass}

func testFile(pkg, body string) string {
	return "package " + pkg + "\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nvar _ = os.Exit\n\n" + body + "\n"
}

func TestFailingTests(t *testing.T) {
	step := tree(t, "step", "m.go", half, "m_test.go", testFile("m", `
func TestBad(t *testing.T) { t.Run("sub", func(t *testing.T) { t.Error("\x1b[31mred") }) }
func TestGood(t *testing.T) {
	if err := os.WriteFile("written", nil, 0o666); err != nil { t.Fatal(err) }
}
func TestSkipped(t *testing.T) { t.Skip() }`),
		"none/n.go", "package none\n",
		"panics/p.go", "package panics\n", "panics/p_test.go", testFile("panics", `func TestPanic(t *testing.T) { panic("at the disco") }`),
		"exits/e.go", "package exits\n", "exits/e_test.go", testFile("exits", `func TestMain(m *testing.M) { println("no database"); os.Exit(3) }`),
		"broken/b.go", "package broken\n", "broken/b_test.go", testFile("broken", `func TestB(t *testing.T) { undefinedName() }`),
		"vetted/v.go", "package vetted\n", "vetted/v_test.go", testFile("vetted", `func TestV(t *testing.T) { t.Logf("%d", "s") }`),
	)
	f := only(t, tests, assay.GateTests, step, step)
	expect(t, f, assay.GateFailed, "2 of 4 tests fail, 1 package failed as a whole, the tests of 2 packages do not compile",
		"broken does not compile: broken/b_test.go:10:28: undefined: undefinedName",
		`vetted does not pass go vet, as in go test: vetted/v_test.go:10:36: (*testing.common).Logf format %d has arg "s" of wrong type string`,
		"exits: no database",
		"panics: panic: at the disco [recovered, repanicked]",
		"m.TestBad",
		"panics.TestPanic")
	if !strings.Contains(string(f.Output), "--- FAIL: TestBad") {
		t.Errorf("got output %q, want what the tests printed", f.Output)
	}
	if _, err := os.Stat(filepath.Join(step.Dir, "written")); err == nil {
		t.Error("the tests wrote to the tree of the step")
	}
}

func TestNoTests(t *testing.T) {
	step := tree(t, "step", "m.go", half)
	expect(t, only(t, tests, assay.GateTests, step, step), assay.GateHeld, "no tests")
}

func TestOldTests(t *testing.T) {
	base := tree(t, "base", "m.go", half+"func secret() int { return 1 }\n", "m_test.go", halfTest,
		"ext/ext.go", "package ext\n\nfunc F() int { return 1 }\n",
		"ext/ext_test.go", testFile("ext", `func TestF(t *testing.T) {
	data, err := os.ReadFile("testdata/want")
	if err != nil || string(data) != "old" || F() != 1 { t.Error(string(data), err) }
}
func TestNew(t *testing.T) {
	if _, err := os.Stat("new_test.go"); err == nil { t.Error("the step's own tests are still there") }
}`), "ext/testdata/want", "old",
		"inner/i.go", "package inner\n\nvar x = 1\n", "inner/i_test.go", testFile("inner", `func TestX(t *testing.T) { _ = x }`),
		"dead/d.go", "package dead\n", "dead/d_test.go", testFile("dead", `func TestD(t *testing.T) {}`),
		"bench/b_test.go", testFile("bench", `func TestAlone(t *testing.T) {}`))
	step := tree(t, "step", "m.go", "package m\n\nfunc Half(x int) int { return x >> 2 }\n",
		"m_test.go", testFile("m", `func TestHalf(t *testing.T) {}`),
		"ext/ext.go", "package ext\n\nfunc F() int { return 1 }\n", "ext/new_test.go", testFile("ext", `func TestNew(t *testing.T) { t.Error("must not be run") }`),
		"ext/testdata/want", "new", "inner/i.go", "package inner\n\nvar y = 1\n")
	expect(t, only(t, tests, assay.GateOldTests, step, base), assay.GateFailed,
		"1 of 4 tests fails, the tests of 1 package do not compile, 1 package gone",
		"dead: package gone",
		"inner does not compile: inner/i_test.go:10:32: undefined: x",
		"m.TestHalf")
	same := only(t, tests, assay.GateOldTests, base, base)
	expect(t, same, assay.GateHeld, "6 tests passed")
}

// A test that fails on the code it was written for says nothing about the step; one
// that fails on the step's alone does.
func TestOldTestsThatFailed(t *testing.T) {
	base := tree(t, "base", "m.go", half, "m_test.go", testFile("m", `func TestNever(t *testing.T) { t.Error("no network here") }
func TestHalf(t *testing.T) { if Half(4) != 2 { t.Error("no") } }`), "w/w.go", "package w\n", "w/w_test.go", testFile("w", `func TestMain(m *testing.M) { os.Exit(3) }`))
	step := tree(t, "step", "m.go", "package m\n\nfunc Half(x int) int { return x >> 1 }\n", "w/w.go", "package w\n")
	expect(t, only(t, tests, assay.GateOldTests, step, base), assay.GateHeld,
		"1 test passed, 1 failed before as well, 1 package failed as a whole before as well")
	worse := tree(t, "worse", "m.go", "package m\n\nfunc Half(x int) int { return x }\n", "w/w.go", "package w\n")
	expect(t, only(t, tests, assay.GateOldTests, worse, base), assay.GateFailed, "1 of 2 tests fails", "m.TestHalf")
}

// Modules beside the tree, a go.work, and a dropped library for tests are found
// from the copy.
func TestNeighboursOfTheTree(t *testing.T) {
	lib := tree(t, "lib", "lib.go", "package lib\n\nconst One = 1\n")
	rewrite(t, lib, "go.mod", "module example.com/lib\n\ngo 1.21\n")
	uses := "package m\n\nimport (\n\t\"testing\"\n\n\t\"example.com/lib\"\n)\n\nfunc TestLib(t *testing.T) {\n\tif lib.One != 1 {\n\t\tt.Fail()\n\t}\n}\n"
	step := tree(t, "step", "m.go", half, "m_test.go", uses)
	beside, err := filepath.Rel(step.Dir, lib.Dir)
	if err != nil {
		t.Fatal(err)
	}
	rewrite(t, step, "go.mod", "module example.com/m\n\ngo 1.21\n\nrequire example.com/lib v1.0.0\n\nreplace example.com/lib => "+filepath.ToSlash(beside)+"\n")
	expect(t, only(t, tests, assay.GateTests, step, step), assay.GateHeld, "1 test passed")

	worked := tree(t, "worked", "m.go", half, "m_test.go", uses)
	work := filepath.Join(filepath.Dir(worked.Dir), "go.work")
	text := "go 1.21\n\nuse ./" + filepath.Base(worked.Dir) + "\n\nuse " + filepath.ToSlash(lib.Dir) + "\n"
	if err := os.WriteFile(work, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	worked.Env = append(worked.Env, "GOWORK="+work)
	expect(t, only(t, tests, assay.GateTests, worked, worked), assay.GateHeld, "1 test passed")
}

func TestRace(t *testing.T) {
	body := `func TestR(t *testing.T) {
	x, done := 0, make(chan bool)
	go func() { x++; close(done) }()
	x++
	<-done
}`
	step := tree(t, "step", "m.go", half, "m_test.go", testFile("m", body))
	g := assay.Gates{Race: assay.GatePass}
	step.Env = append(step.Env, "CGO_ENABLED=1", "CC=no-such-compiler")
	f := only(t, g, assay.GateRace, step, step)
	if f.Status != assay.GateUnknown || !strings.Contains(f.Text, "no-such-compiler") {
		t.Errorf("no compiler: got %s %q, want unknown, the compiler", f.Status, f.Text)
	}
	step.Env = append(step.Env, "CGO_ENABLED=1", "CC=cc")
	f = only(t, g, assay.GateRace, step, step)
	if f.Status == assay.GateUnknown {
		t.Skip(f.Text)
	}
	expect(t, f, assay.GateFailed, "1 of 1 tests fails, 1 data race", "m.TestR")
}
