package build

import (
	"slices"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

// What go.mod and go.sum lack is added outside of the tree, which stays as its
// author left it.
func TestModfile(t *testing.T) {
	sourcetest.Proxy(t)
	dir := sourcetest.Repository(t, map[string]string{"dep_test.go": "package tiny\n\nimport (\n\t\"testing\"\n\n\t_ \"example.com/dep\"\n)\n\nfunc BenchmarkDep(b *testing.B) {}\n"})
	for name, r := range map[string]Request{
		"module":   {Variant: assay.Variant{Name: "v", Module: "example.com/lib@v1.1.0"}, Package: "example.com/lib"},
		"-mod=mod": {Variant: assay.Variant{Name: "v", Rev: "HEAD"}, Package: ".", BuildFlags: []string{"-mod=mod"}},
	} {
		r.Study = dir
		b := New(t.TempDir())
		tr, err := b.Sources.Find(t.Context(), dir, r.Variant)
		if err != nil {
			t.Fatal(err)
		}
		before := sourcetest.Listing(t, tr.Root)
		if ps, err := b.Packages(t.Context(), r, nil); err != nil || len(ps) != 1 {
			t.Errorf("%s: packages %v, %v", name, ps, err)
		}
		a := mustBuild(t, b, r)
		if again := mustBuild(t, New(b.Cache.Dir), r); !again.Cached || again.ID != a.ID {
			t.Errorf("%s: again %+v, want %s from the cache", name, again, a.ID)
		}
		if after := sourcetest.Listing(t, tr.Root); !slices.Equal(before, after) {
			t.Errorf("%s: the tree was written to:\n%q\n%q", name, before, after)
		}
	}
}
