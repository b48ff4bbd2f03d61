package build

import (
	"errors"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

// TestBenchmarksFrom: a benchmark of the working tree runs in a revision that knows
// nothing of it, nor of what the tests beside it test.
func TestBenchmarksFrom(t *testing.T) {
	dir := sourcetest.Repository(t, nil)
	disktest.Write(t, dir, map[string]string{
		"new.go":           "package tiny\n\n// New is new.\nfunc New() int { return 1 }\n",
		"new_test.go":      "package tiny\n\nimport \"testing\"\n\nfunc TestNew(t *testing.T) { New() }\n\nfunc BenchmarkNew(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tSum(20)\n\t}\n}\n",
		"testdata/new.txt": "new",
	})
	b := New(t.TempDir())
	r := Request{Study: dir, Source: assay.Source{BenchmarksFrom: "."}, Variant: assay.Variant{Name: "old", Rev: "HEAD"}, Package: ".", Bench: "New"}
	old := mustBuild(t, b, r)
	if got, want := listTests(t, old), "BenchmarkNew"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if disk.IsFile(old.Dir+"/new.go") || !disk.IsFile(old.Dir+"/testdata/new.txt") {
		t.Errorf("%s is not the old source with the new testdata", old.Dir)
	}
	r.Variant = assay.Variant{Name: "new"}
	if got, want := listTests(t, mustBuild(t, b, r)), "BenchmarkNew"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}

	r.Bench = "Nosuch"
	_, err := b.Binary(t.Context(), r)
	if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != "overlay" || e.Text != "no benchmark of your tree matches -bench=Nosuch" {
		t.Errorf("got %v", err)
	}
}
