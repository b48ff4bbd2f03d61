package build

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

// suiteStudy is a study with a suite for example.com/lib that reads a file and
// uses generics, and what else is given.
func suiteStudy(t *testing.T, more map[string]string) string {
	t.Helper()
	study := t.TempDir()
	disktest.Write(t, study, map[string]string{
		"suite/go.mod": "module example.com/suite\n\ngo 1.23\n\nrequire example.com/lib v1.1.0\n",
		"suite/bench/b_test.go": "package bench\n\nimport (\n\t\"os\"\n\t\"testing\"\n\n\t\"example.com/lib\"\n)\n\nfunc id[T any](x T) T { return x }\n\n" +
			"func BenchmarkSum(b *testing.B) {\n\tif _, err := os.ReadFile(\"testdata/x\"); err != nil {\n\t\tb.Fatal(err)\n\t}\n\tfor i := 0; i < b.N; i++ {\n\t\tlib.Sum(id(i))\n\t}\n}\n",
		"suite/bench/testdata/x": "x",
	})
	disktest.Write(t, study, more)
	return study
}

func TestSuiteOfVersions(t *testing.T) {
	sourcetest.Proxy(t)
	study := suiteStudy(t, map[string]string{"suite/more/m_test.go": "package more\n\nimport (\n\t\"testing\"\n\n\t\"example.com/lib/more\"\n)\n\nfunc BenchmarkMore(b *testing.B) { more.More() }\n"})
	before := sourcetest.Listing(t, study)
	src := assay.Source{Dir: "suite", Suite: "suite"}
	cache := t.TempDir()
	b := New(cache)
	r := Request{Study: study, Source: src, Package: "./bench"}
	ids := map[string]bool{}
	for _, v := range []string{"v1.0.0", "v1.1.0"} {
		r.Variant = assay.Variant{Name: v, Module: "example.com/lib@" + v}
		packages, err := b.Packages(t.Context(), r, []string{"./..."})
		if err != nil || len(packages) != 2 || packages[0] != (Package{"example.com/suite/bench", filepath.Join(study, "suite", "bench")}) {
			t.Fatalf("%s: got packages %v, %v", v, packages, err)
		}
		a := mustBuild(t, b, r)
		ids[a.ID] = true
		if a.Dir != packages[0].Dir || listTests(t, a) != "BenchmarkSum" {
			t.Errorf("%s: got %+v", v, a)
		}
		r.Variant.Control = true
		if control := mustBuild(t, b, r); control.ID != a.ID || !control.Cached {
			t.Errorf("%s: the control is %+v, want %s", v, control, a.ID)
		}
	}
	if len(ids) != 2 {
		t.Errorf("two versions give the artifacts %v", ids)
	}
	// v1.0.0 has no package more: that is a failure of this build alone.
	r.Package = "./more"
	mustBuild(t, b, r)
	r.Variant = assay.Variant{Name: "old", Module: "example.com/lib@v1.0.0"}
	_, err := b.Binary(t.Context(), r)
	if text := errortest.Want(t, err, "build-failed", assay.ExitBuild); !strings.Contains(text, "example.com/lib/more") {
		t.Errorf("got %s", text)
	}
	if !slices.Equal(before, sourcetest.Listing(t, study)) {
		t.Error("the suite was written to")
	}
	// Once made, nothing is asked of anybody.
	t.Setenv("GOPROXY", "off")
	r.Package = "./bench"
	if a := mustBuild(t, New(cache), r); !a.Cached || !ids[a.ID] {
		t.Errorf("offline: got %+v", a)
	}
	relinked, err := New(cache).Relink(t.Context(), withSeed(r, 5), filepath.Join(t.TempDir(), "x.test"))
	if err != nil || !strings.HasSuffix(relinked.ID, "-5") {
		t.Errorf("relink: got %+v, %v", relinked, err)
	}
	// The suite's own files are part of what is built.
	file := filepath.Join(study, "suite", "bench", "b_test.go")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	disktest.Write(t, study, map[string]string{"suite/bench/b_test.go": strings.Replace(string(data), "id(i)", "id(i+1)", 1)})
	if a := mustBuild(t, New(cache), r); ids[a.ID] {
		t.Errorf("an edited suite gives the old artifact %+v", a)
	}
}

func withSeed(r Request, seed uint64) Request {
	r.Layout = seed
	return r
}

func TestSuiteOfRevisions(t *testing.T) {
	sourcetest.Proxy(t)
	dir := sourcetest.Repository(t, map[string]string{
		"go.mod": "module example.com/lib\n\ngo 1.16\n\nrequire example.com/near v0.0.0\n\nreplace example.com/near => ./near\n",
		"use.go": "package tiny\n\nimport _ \"example.com/near\"\n", "tiny.go": "package tiny\n\nfunc Sum(n int) int { return n }\n",
		"near/go.mod": "module example.com/near\n\ngo 1.16\n", "near/n.go": "package near\n",
	})
	disktest.Write(t, dir, map[string]string{"tiny.go": "package tiny\n\nfunc Sum(n int) int { return n + n }\n"})
	sourcetest.Git(t, dir, "commit", "-qam", "three")
	study := suiteStudy(t, nil)
	// The package of the repository is called tiny, by whatever path.
	file := filepath.Join(study, "suite", "bench", "b_test.go")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	disktest.Write(t, study, map[string]string{"suite/bench/b_test.go": strings.Replace(string(data), "\"example.com/lib\"", "lib \"example.com/lib\"", 1)})
	cache := t.TempDir()
	r := Request{Study: study, Source: assay.Source{Dir: dir, Suite: "suite"}, Package: "./bench"}
	ids := map[string]string{}
	for _, rev := range []string{"HEAD~2", "HEAD", ""} {
		r.Variant = assay.Variant{Name: "v" + rev, Rev: rev}
		a := mustBuild(t, New(cache), r)
		ids[rev] = a.ID
		if rev != "" && a.Commit != sourcetest.Git(t, dir, "rev-parse", rev) {
			t.Errorf("%s: got commit %q", rev, a.Commit)
		}
		if again := mustBuild(t, New(cache), r); !again.Cached || again.ID != a.ID {
			t.Errorf("%q: got %+v, want %s from the cache", rev, again, a.ID)
		}
	}
	if ids["HEAD"] == ids["HEAD~2"] || ids["HEAD"] == ids[""] {
		t.Errorf("got %v", ids)
	}
	disktest.Write(t, dir, map[string]string{"tiny.go": "package tiny\n\nfunc Sum(n int) int { return 3 * n }\n"})
	if edited := mustBuild(t, New(cache), r); edited.ID == ids[""] {
		t.Error("an edited working tree gives the old artifact")
	}
}

// A package that an old version lacks may be a module of its own by now: an old
// step must not be built with that.
func TestSuiteTakesNoStrangers(t *testing.T) {
	sourcetest.Proxy(t)
	study := suiteStudy(t, map[string]string{"suite/dep/d_test.go": "package dep\n\nimport _ \"example.com/dep\"\n"})
	r := Request{Study: study, Source: assay.Source{Suite: "suite"}, Variant: assay.Variant{Name: "new", Module: "example.com/lib@v1.1.0"}, Package: "./bench"}
	b := New(t.TempDir())
	mustBuild(t, b, r) // lib v1.1.0 requires dep
	r.Variant = assay.Variant{Name: "old", Module: "example.com/lib@v1.0.0"}
	mustBuild(t, b, r)
	r.Package = "./dep"
	_, err := b.Binary(t.Context(), r)
	if text := errortest.Want(t, err, "build-failed", assay.ExitBuild); !strings.Contains(text, "example.com/dep") {
		t.Errorf("got %s", text)
	}
	r.Variant = assay.Variant{Name: "new", Module: "example.com/lib@v1.1.0"}
	mustBuild(t, b, r)
}

func TestSuiteRefuses(t *testing.T) {
	sourcetest.Proxy(t)
	study := suiteStudy(t, map[string]string{
		"bad/go.mod": "nonsense\n", "none/a.go": "package none\n", "other/go.mod": "module example.com/other\n\ngo 1.23\n\nrequire example.com/lib/v2 v2.0.0\n",
		"same/go.mod": "module example.com/lib\n\ngo 1.23\n", "late/go.mod": "module example.com/late\n\ngo 1.99\n\nrequire example.com/lib v1.0.0\n",
	})
	for _, c := range []struct {
		suite, over, module, code string
		exit                      int
		want                      string
	}{
		{"none", "", "example.com/lib@v1.0.0", "suite", assay.ExitUsage, "has no go.mod"},
		{"absent", "", "example.com/lib@v1.0.0", "suite", assay.ExitUsage, "has no go.mod"},
		{"bad", "", "example.com/lib@v1.0.0", "suite", assay.ExitUsage, "cannot be read"},
		{"suite", "suite", "example.com/lib@v1.0.0", "suite", assay.ExitUsage, "not both"},
		{"suite", "", "example.com/lib@v1.9.0", "no-module", assay.ExitUsage, "v1.9.0"},
		{"suite", "", "example.com/dep@v1.0.0", "suite", assay.ExitBuild, "it requires example.com/lib"},
		{"other", "", "example.com/lib@v1.0.0", "suite", assay.ExitBuild, "variants of example.com/lib/v2"},
		{"same", "", "example.com/lib@v1.0.0", "suite", assay.ExitBuild, "it is itself called example.com/lib"},
		{"late", "", "example.com/lib@v1.0.0", "needs-newer-go", assay.ExitBuild, "needs go1.99"},
	} {
		src := assay.Source{Suite: c.suite, Overlay: c.over}
		_, err := New(t.TempDir()).Binary(t.Context(), Request{Study: study, Source: src, Variant: assay.Variant{Name: "v", Module: c.module}, Package: "./bench"})
		if text := errortest.Want(t, err, assay.Code(c.code), c.exit); !strings.Contains(text, c.want) {
			t.Errorf("%s %s: %q is not in %s", c.suite, c.module, c.want, text)
		}
	}
}
