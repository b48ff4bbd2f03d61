package build

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/slow"
	"github.com/seed-1318a441/assay/internal/source"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// captured are the toolchains of testdata/decisions/*.out, which were made in
// that folder as module example.com/why with
//
//	go test -c -vet=off -o /dev/null -gcflags=example.com/why='-m=2 -d=ssa/check_bce/debug=1' .
//
// and end where the test's main package begins. Each has the decisions of
// want.txt but for these.
var captured = map[string]map[string]string{
	"go1.24.9": {
		"why.go:20:40 stack make([]int, n)":         "why.go:20:40 escape make([]int, n); non-constant size",
		"why.go:31:37 escape append; stored in all": "", // told since go1.25
	},
	"go1.25.7": nil, "go1.26.8": nil, "go1.27.2": nil,
}

// texts are decisions as want.txt has them.
func texts(list []assay.Decision) []string {
	var out []string
	for _, d := range list {
		s := fmt.Sprintf("%s:%d:%d %s %s", d.File, d.Line, d.Col, d.Kind, d.What)
		if d.Reason != "" {
			s += "; " + d.Reason
		}
		out = append(out, s)
	}
	return out
}

// wanted are the decisions of a release.
func wanted(t *testing.T, release string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/decisions/want.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if other, ok := captured[release][line]; ok {
			line = other
		}
		if line != "" {
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return out
}

func wantTexts(t *testing.T, name string, list []assay.Decision, want []string) {
	t.Helper()
	got := texts(list)
	slices.Sort(got)
	for _, s := range got {
		if !slices.Contains(want, s) {
			t.Errorf("%s: got  %s", name, s)
		}
	}
	for _, s := range want {
		if !slices.Contains(got, s) {
			t.Errorf("%s: want %s", name, s)
		}
	}
}

// The same is read of what each release says.
func TestReadDecisions(t *testing.T) {
	for release := range captured {
		data, err := os.ReadFile("testdata/decisions/" + release + ".out")
		if err != nil {
			t.Fatal(err)
		}
		r := newDecisionReader([]string{"example.com/why"})
		for piece := range slices.Chunk(data, 100) { // as a pipe may cut it
			r.Write(piece)
		}
		list := r.decisions()
		wantTexts(t, release, list, wanted(t, release))
		if len(r.other) > 0 {
			t.Errorf("%s: not understood: %s", release, r.other)
		}
		if !slices.IsSortedFunc(list, byPlace) {
			t.Errorf("%s: not in order", release)
		}
	}
}

// Files of one name in two packages are apart.
func TestReadDecisionsPackages(t *testing.T) {
	r := newDecisionReader([]string{"p", "q"})
	fmt.Fprint(r, "# q\n/q/a.go:1:2: moved to heap: x\n# p\n/p/a.go:1:2: moved to heap: x\n/p/b.go:1:2: inlining call to f\n")
	got, want := texts(r.decisions()), []string{"a.go:1:2 escape moved to heap: x", "b.go:1:2 call f", "a.go:1:2 escape moved to heap: x"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// whyModule is a module of the files in testdata/decisions.
func whyModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"go.mod": "module example.com/why\n\ngo 1.23\n"}
	for _, name := range []string{"why.go", "why_test.go"} {
		data, err := os.ReadFile(filepath.Join("testdata", "decisions", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(data)
	}
	disktest.Write(t, dir, files)
	return dir
}

// What a compiler says today is what was captured, the second time too.
func TestDecisions(t *testing.T) {
	const release = "go1.26.8"
	if !toolchain.IsHere(release) {
		t.Skip("what was captured is of " + release)
	}
	testDecisions(t, release)
}

func TestSlowDecisions(t *testing.T) {
	slow.Test(t)
	testDecisions(t, slices.Collect(maps.Keys(captured))...)
}

func testDecisions(t *testing.T, releases ...string) {
	dir, cache := whyModule(t), t.TempDir()
	for _, release := range releases {
		r := Request{Study: dir, Variant: assay.Variant{Name: "v", Go: release}, Package: "."}
		var before []assay.Decision
		for _, c := range []string{cache, cache, t.TempDir()} { // compiled, from the cache, said again by the go command
			list, err := New(c).Decisions(t.Context(), r, []string{"example.com/why", "example.com/why_test", "no/such"})
			if err != nil {
				t.Fatal(err)
			}
			wantTexts(t, release, list, wanted(t, release))
			if before != nil && !slices.Equal(list, before) {
				t.Errorf("%s: another answer", release)
			}
			before = list
		}
	}
	if values, err := filepath.Glob(filepath.Join(cache, "value", "*", "decisions2-*.json")); err != nil || len(values) == 0 {
		t.Errorf("nothing is kept: %v, %v", values, err)
	}
}

// The variant's own flags stay in effect, for the packages that they are for.
func TestDecisionsFlags(t *testing.T) {
	dir, b := whyModule(t), New(t.TempDir())
	calls := func(program bool, pkg, asked string, flags ...string) int {
		t.Helper()
		list, err := b.Decisions(t.Context(), Request{Study: dir, Variant: assay.Variant{Name: "v", GCFlags: flags}, Package: pkg, Program: program}, []string{asked})
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == 0 {
			t.Errorf("no decisions with %v", flags)
		}
		return len(slices.DeleteFunc(list, func(d assay.Decision) bool { return d.Kind != assay.DecisionCall }))
	}
	if with, without := calls(false, ".", "example.com/why"), calls(false, ".", "example.com/why", "all=-d=variablemakehash=n", "-l"); with == 0 || without != 0 {
		t.Errorf("%d calls are inlined, with -l %d", with, without)
	}
	disktest.Write(t, dir, map[string]string{"cmd/x/main.go": "package main\n\nimport \"example.com/why\"\n\nfunc id(i int) *int { return &i }\n\nfunc main() { why.Keep(*id(1)) }\n"})
	b = New(b.Cache.Dir)
	for _, asked := range []string{"main", "example.com/why/cmd/x"} {
		if with, without := calls(true, "./cmd/x", asked), calls(true, "./cmd/x", asked, "./cmd/...=-l"); with == 0 || without != 0 {
			t.Errorf("%s: %d calls are inlined, with -l %d", asked, with, without)
		}
	}
	if list, err := b.Decisions(t.Context(), Request{Study: dir, Variant: assay.Variant{Name: "v"}, Package: "."}, []string{"main", "strconv2"}); err != nil || list != nil {
		t.Errorf("packages that are not there: %v, %v", list, err)
	}
}

func TestCompilerFlags(t *testing.T) {
	at := listed{ImportPath: "example.com/why", Dir: filepath.FromSlash("/t")}
	sub := listed{ImportPath: "example.com/why/sub/a", Dir: filepath.FromSlash("/t/sub/a")}
	std := listed{ImportPath: "strconv", Dir: filepath.FromSlash("/go/src/strconv"), Standard: true}
	for _, c := range []struct {
		flags []string
		of    listed
		want  string
	}{
		{nil, at, ""},
		{[]string{"-N -l"}, at, "-N -l "},
		{[]string{"-N -l"}, sub, ""},
		{[]string{"all=-N", "-l"}, at, "-l "},
		{[]string{"all=-N", "-l"}, sub, "-N "},
		{[]string{"-l", "all=-N"}, at, "-N "},
		{[]string{"-l", ""}, at, ""},
		{[]string{"./...=-l"}, sub, "-l "},
		{[]string{"./sub/...=-l"}, sub, "-l "},
		{[]string{"./sub=-l"}, sub, ""},
		{[]string{"./sub/a=-d=x=1 -l"}, sub, "-d=x=1 -l "},
		{[]string{"./...=-l"}, std, ""},
		{[]string{"example.com/why/...=-l"}, at, "-l "},
		{[]string{"example.com/.../a = -l"}, sub, "-l "},
		{[]string{"example.com/why=-l"}, sub, ""},
		{[]string{"std=-l"}, std, "-l "},
		{[]string{"std=-l"}, at, ""},
		{[]string{"cmd=-l"}, std, ""},
		{[]string{"str[=-l"}, std, ""},
	} {
		j := job{Request: Request{Variant: assay.Variant{GCFlags: c.flags}}, tree: source.Tree{Dir: filepath.FromSlash("/t")}}
		if got := j.compilerFlags(c.of, at); got != c.want {
			t.Errorf("%q of %s: got %q, want %q", c.flags, c.of.ImportPath, got, c.want)
		}
	}
}

// Of a package that does not compile the compiler's line is told, not its
// decisions about others.
func TestDecisionsRefuse(t *testing.T) {
	dir := whyModule(t)
	disktest.Write(t, dir, map[string]string{"bad_test.go": "package why_test\n\nimport \"example.com/why\"\n\nvar _ = why.Nothing\n"})
	r := Request{Study: dir, Variant: assay.Variant{Name: "v"}, Package: "."}
	_, err := New(t.TempDir()).Decisions(t.Context(), r, []string{"example.com/why"})
	if text := errortest.Want(t, err, "build-failed", assay.ExitBuild); !strings.Contains(text, "compiling . for its decisions") {
		t.Error(text)
	}
	facts := err.(*assay.Error).Facts
	if !strings.Contains(facts[0], "bad_test.go:5:13: undefined: why.Nothing") {
		t.Errorf("facts %q", facts)
	}
}

// Long output is cut, and what a terminal would obey is taken out.
func TestReadDecisionsHostile(t *testing.T) {
	r := newDecisionReader([]string{"p"})
	fmt.Fprint(r, "# p\n./a\x1b[31m.go:1:2: moved to heap: x\x1b]0;y\x07\n")
	fmt.Fprint(r, "# q\n./b.go:1:2: moved to heap: x\n# p_test [p.test]\r\nC:\\src\\c.go:3: moved to heap: y\r\n")
	fmt.Fprint(r, "./d.go:4:1: \""+strings.Repeat("long", maxDecisionLine)+"\" escapes to heap\n")
	fmt.Fprint(r, "./d.go:99999999999999999999:1: moved to heap: z\n./d.go:6:1: "+strings.Repeat("w", 2000)+" does not escape")
	got := texts(r.decisions())
	want := []string{"a.go:1:2 escape moved to heap: x", "c.go:3:0 escape moved to heap: y", "d.go:6:1 stack " + strings.Repeat("w", maxDecisionText-1) + "…"}
	if !slices.Equal(got[:2], want[:2]) || got[len(got)-1] != want[2] {
		t.Errorf("got %q, want %q", got, want)
	}
	r = newDecisionReader([]string{"p"})
	r.Write(bytes.Repeat([]byte("\n"), maxDecisionLines))
	fmt.Fprint(r, "a.go:1:2: moved to heap: x\n")
	if got := r.decisions(); len(got) != 0 {
		t.Errorf("%v is beyond the limit", got)
	}
}

func TestFlowReason(t *testing.T) {
	for _, c := range []struct{ flow, want string }{
		{"", ""},
		{"&x (address-of) at a.go:1:2\nreturn &x (return) at a.go:1:2", "returned"},
		{"x (spill) at a.go:1:2\nx (interface-converted) at a.go:1:2", "converted to an interface"},
		{"x (interface-converted) at a.go:1:2\nf(\"(\")(x, g(y)) (call parameter) at a.go:1:2", "passed to f(\"(\")"},
		{"(*T).m(x) (call parameter) at a at b.go:1:2", "passed to (*T).m"},
		{"x (captured by a closure) at a.go:1:2\nx (reference) at a.go:1:2", "captured by a closure"},
		{"s[i] = x (assign) at a.go:1:2", "stored in s[i]"},
		{"p := x (assign) at a.go:1:2", ""},
		{"ch <- x (send) at a.go:1:2\n~r0 = x (assign-pair) at a.go:1:2", "send"},
		{"s := x (assign) at a.go:1:2\nerrors.errorString{...} (struct literal element) at a.go:1:2", "part of errors.errorString{...}"},
		{"odd", ""},
	} {
		if got := flowReason(strings.Split(c.flow, "\n")); got != c.want {
			t.Errorf("%q: got %q, want %q", c.flow, got, c.want)
		}
	}
}

// Pieces of any size give the same, in bounds and printable.
func FuzzDecisions(f *testing.F) {
	data, err := os.ReadFile("testdata/decisions/go1.24.9.out")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data, 7)
	f.Add([]byte("# p\na:1:2: cannot inline \x1b: \xff\na:1:2: x escapes to heap:\na:1:2:     from ( (call parameter) at \n"), 1)
	f.Fuzz(func(t *testing.T, data []byte, size int) {
		whole, pieces := newDecisionReader([]string{"p", "example.com/why"}), newDecisionReader([]string{"p", "example.com/why"})
		whole.Write(data)
		for piece := range slices.Chunk(data, max(1, size%4096)) {
			pieces.Write(piece)
		}
		list := whole.decisions()
		if !slices.Equal(list, pieces.decisions()) {
			t.Error("pieces give something else")
		}
		for _, d := range list {
			for _, s := range []string{d.File, d.What, d.Reason} {
				if len([]rune(s)) > maxDecisionText+20 || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
					t.Errorf("%q", s)
				}
			}
		}
	})
}
