package overlay

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

// testOf is a test file of a package with a benchmark.
func testOf(pkg, benchmark, body string, imports ...string) string {
	var text strings.Builder
	text.WriteString("package " + pkg + "\n\nimport \"testing\"\n")
	for _, i := range imports {
		text.WriteString("import \"" + i + "\"\n")
	}
	return text.String() + "\nfunc " + benchmark + "(b *testing.B) { " + body + " }\n"
}

// suite is a module with benchmarks everywhere that they can be: in folders of their own,
// beside code, outside and inside of its package, and where no package is.
var suite = map[string]string{
	"go.mod": "module example.com/lib\n\ngo 1.21\n\nrequire (\n\texample.com/other v1.2.0\n\texample.com/tool v1.0.0\n)\n",
	"go.sum": "example.com/tool v1.0.0 h1:x\n",
	"lib.go": "package lib\n\nimport _ \"example.com/lib/internal/shared\"\n\nfunc New() int { return 1 }\n",

	"in_test.go":  testOf("lib", "BenchmarkInside", ""),
	"out_test.go": testOf("lib_test", "BenchmarkOutside", "lib.New()", "example.com/lib") + "\nfunc TestGone(t *testing.T) { lib.Gone() }\n",

	"bench/b_test.go":    testOf("bench_test", "BenchmarkSum", "check.Ok()", "example.com/lib/internal/check", "example.com/tool/sub", "example.com/lib/internal/shared"),
	"bench/testdata/x":   "x",
	"more/[1]/m_test.go": testOf("more", "BenchmarkMore", ""),

	"internal/check/check.go":   "package check\n\nimport _ \"example.com/lib/internal/deep\"\n\nfunc Ok() {}\n",
	"internal/deep/deep.go":     "package deep\n",
	"internal/shared/shared.go": "package shared\n",

	"nested/go.mod": "module example.com/nested\n", "nested/n_test.go": testOf("nested", "BenchmarkNested", ""),
	"testdata/t_test.go": testOf("t", "BenchmarkT", ""), "vendor/v/v_test.go": testOf("v", "BenchmarkV", ""),
	"_old/o_test.go": testOf("o", "BenchmarkO", ""), ".x/x_test.go": testOf("x", "BenchmarkX", ""),
	"plain/p_test.go": "package plain\n",
	"sub/s.go":        "package sub\n", "sub/s_test.go": testOf("sub", "BenchmarkSub", ""),
}

// frozen freezes a suite and returns its layer.
func frozen(t *testing.T, files map[string]string, src assay.Source, bench string) (layer, error) {
	t.Helper()
	dir := t.TempDir()
	disktest.Write(t, dir, files)
	src.Suite = "v2"
	return freeze(Request{Source: src, Bench: bench}, dir)
}

// A suite that names no folders gives those with benchmarks alone, the benchmarks outside
// of a package, and the packages that nothing but these import. Each folder is a module
// with the suite's language and the requirements that it has use for.
func TestFindsFolders(t *testing.T) {
	l, err := frozen(t, suite, assay.Source{Hide: []string{"gone"}}, ".")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"bench", "more/[1]", "internal/check", "internal/deep"}; !slices.Equal(l.modules, want) {
		t.Errorf("got the modules %q, want %q", l.modules, want)
	}
	want := []string{"bench/b_test.go", "bench/go.mod", "bench/go.sum", "bench/testdata/x", "internal/check/check.go", "internal/check/go.mod",
		"internal/deep/deep.go", "internal/deep/go.mod", "more/[1]/go.mod", "more/[1]/m_test.go", "out_test.go"}
	if !slices.Equal(l.files, want) {
		t.Errorf("got the files %q, want %q", l.files, want)
	}
	if want := []string{"*_test.go", "bench", "gone", "internal/check", "internal/deep", `more/\[1]`}; !slices.Equal(l.hide, want) {
		t.Errorf("got what is hidden %q, want %q", l.hide, want)
	}
	for name, want := range map[string]string{
		"bench/go.mod":          "module example.com/lib/bench\n\ngo 1.21\n\nrequire example.com/tool v1.0.0\n",
		"bench/go.sum":          suite["go.sum"],
		"internal/check/go.mod": "module example.com/lib/internal/check\n\ngo 1.21\n",
	} {
		if got := string(l.made[name]); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if text := string(l.made["out_test.go"]); !strings.Contains(text, "BenchmarkOutside") || strings.Contains(text, "Gone") {
		t.Errorf("out_test.go: got %s, want the benchmark without the test", text)
	}
}

// Of benchmarks beside code only those that may run are taken.
func TestFindsWanted(t *testing.T) {
	for bench, want := range map[string]bool{"Outside": true, "Out/x": true, "Sum": false} {
		l, err := frozen(t, suite, assay.Source{}, bench)
		if got := slices.Contains(l.files, "out_test.go"); got != want || err != nil || slices.Contains(l.hide, "*_test.go") != want {
			t.Errorf("%s: got the files %q, hidden %q, %v, want out_test.go: %t", bench, l.files, l.hide, err, want)
		}
	}
}

// Named folders are taken whole, whatever they hold, and nothing else is; one that is a
// module already keeps its go.mod.
func TestNamedFolders(t *testing.T) {
	l, err := frozen(t, suite, assay.Source{Folders: []string{"./internal/", "internal/deep", "nested"}}, "")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"internal", "internal/deep", "nested"}; !slices.Equal(l.modules, want) {
		t.Errorf("got the modules %q, want %q", l.modules, want)
	}
	want := []string{"internal/check/check.go", "internal/deep/deep.go", "internal/deep/go.mod", "internal/go.mod", "internal/shared/shared.go",
		"nested/go.mod", "nested/n_test.go"}
	if !slices.Equal(l.files, want) {
		t.Errorf("got the files %q, want %q", l.files, want)
	}
	if made, want := slices.Sorted(maps.Keys(l.made)), []string{"internal/deep/go.mod", "internal/go.mod"}; !slices.Equal(made, want) {
		t.Errorf("made %q, want %q", made, want)
	}
}

// The hash of a suite follows what it lays over a variant, and no more than that.
func TestHashOfSuite(t *testing.T) {
	hash := func(name, text string) string {
		t.Helper()
		files := maps.Clone(suite)
		files[name] = text
		l, err := frozen(t, files, assay.Source{}, ".")
		if err != nil {
			t.Fatal(err)
		}
		return l.hash
	}
	first := hash("lib.go", suite["lib.go"])
	for name, c := range map[string]struct {
		text string
		same bool
	}{
		"lib.go":           {suite["lib.go"] + "// a remark\n", true},
		"in_test.go":       {testOf("lib", "BenchmarkOther", ""), true},
		"out_test.go":      {strings.Replace(suite["out_test.go"], "lib.New()", "lib.Old()", 1), false},
		"bench/testdata/x": {"y", false},
		"bench/new":        {"", false},
		"go.mod":           {strings.Replace(suite["go.mod"], "go 1.21", "go 1.22", 1), false},
	} {
		if got := hash(name, c.text); got == first != c.same {
			t.Errorf("another %s: the hash is the same: %t, want %t", name, got == first, c.same)
		}
	}
}

// What cannot be frozen is an error that names the suite.
func TestFreezeRefuses(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		src   assay.Source
		want  string
	}{
		{"no such folder", suite, assay.Source{Folders: []string{"bench", "none"}}, "suite v2 has no folder none"},
		{"a file", suite, assay.Source{Folders: []string{"lib.go"}}, "suite v2 has no folder lib.go"},
		{"no benchmark", map[string]string{"go.mod": suite["go.mod"], "in_test.go": suite["in_test.go"], "lib.go": suite["lib.go"]}, assay.Source{}, "suite v2 has no benchmark"},
		{"no go.mod", map[string]string{"bench/b_test.go": suite["bench/b_test.go"]}, assay.Source{}, "go.mod of the suite cannot be read"},
		{"a broken go.mod", map[string]string{"go.mod": "nonsense\n", "bench/b_test.go": suite["bench/b_test.go"]}, assay.Source{}, "go.mod of the suite cannot be read"},
	} {
		_, err := frozen(t, c.files, c.src, ".")
		if text := errortest.Want(t, err, assay.CodeSuite, assay.ExitUsage); !strings.Contains(text, c.want) {
			t.Errorf("%s: got %s, want %s", c.name, text, c.want)
		}
	}
}

// A later commit's benchmarks are laid over an earlier one, whose own files stay, and the
// tree names the suite by what it holds.
func TestTreeWithSuite(t *testing.T) {
	dir := sourcetest.Repository(t, map[string]string{"bench/old": "old"})
	disktest.Write(t, dir, map[string]string{"bench/b_test.go": testOf("bench", "BenchmarkNew", "")})
	sourcetest.Git(t, dir, "rm", "-q", "bench/old")
	sourcetest.Git(t, dir, "add", "-A")
	sourcetest.Git(t, dir, "commit", "-qm", "benchmarks")
	r := Request{Study: dir, Source: assay.Source{Suite: "rev:HEAD"}, Variant: assay.Variant{Name: "old", Rev: "HEAD~2"}, Bench: "."}
	tree := treeIn(t, t.TempDir(), r)
	if got, want := below(t, tree.Dir), []string{"bench/b_test.go", "bench/go.mod", "go.mod", "tiny.go", "tiny_test.go"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if !strings.Contains(content(tree, "tiny.go"), "s += i") || content(tree, "go.mod") != sourcetest.Tiny["go.mod"] {
		t.Errorf("%s is not the variant's own code", tree.Dir)
	}
	want := "rev:HEAD " + sourcetest.Git(t, dir, "rev-parse", "HEAD") + " tree:" + sourcetest.Git(t, dir, "rev-parse", "HEAD^{tree}")
	if tree.Suite != want || !slices.Equal(tree.Modules, []string{"bench"}) || tree.Incomplete {
		t.Errorf("got %+v, want the suite %q with the module bench", tree, want)
	}
}

// The benchmarks of one module are not laid over another.
func TestSuiteOfOtherModule(t *testing.T) {
	dir := sourcetest.Repository(t, nil)
	disktest.Write(t, dir, map[string]string{"go.mod": "module example.com/renamed\n\ngo 1.23\n", "bench/b_test.go": testOf("bench", "BenchmarkNew", "")})
	sourcetest.Git(t, dir, "add", "-A")
	sourcetest.Git(t, dir, "commit", "-qm", "renamed")
	_, err := newPlacer(t).Tree(t.Context(), Request{Study: dir, Source: assay.Source{Suite: "rev:HEAD"}, Variant: assay.Variant{Name: "old", Rev: "HEAD~1"}, Bench: "."})
	const want = `variant "old" is of module example.com/tiny, and the suite rev:HEAD of example.com/renamed`
	if text := errortest.Want(t, err, assay.CodeSuite, assay.ExitBuild); !strings.Contains(text, want) {
		t.Errorf("got %s", text)
	}
}
