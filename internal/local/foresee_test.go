package local

import (
	"slices"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
)

// Packages, benchmarks and toolchains are found without a build: the package does not
// compile.
func TestForesee(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{
		"go.mod":      "module example.com/m\n\ngo 1.23\n",
		"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc BenchmarkSum(b *testing.B) { undefined() }\n\nfunc BenchmarkFill(b *testing.B) {}\n",
		"b/b_test.go": "package b\n\nimport \"testing\"\n\nfunc BenchmarkSum(b *testing.B) {}\n",
		"c/c.go":      "package c\n",
	})
	study := func(pkg string, variants ...assay.Variant) *assay.Study {
		s := &assay.Study{Dir: dir, Base: "x", Variants: append([]assay.Variant{{Name: "x"}, {Name: "y"}}, variants...)}
		s.Workloads = []assay.Workload{{Kind: assay.KindGoTest, Packages: []string{pkg}}}
		return s
	}
	w := NewWorkshop(build.New(t.TempDir()), nil)
	got, err := w.Foresee(t.Context(), study("./..."))
	if want := []string{"example.com/m/a", "example.com/m/b"}; err != nil || !slices.Equal(got.Packages, want) {
		t.Errorf("got packages %q, %v, want %q", got.Packages, err, want)
	}
	if want := []string{"Sum", "Fill"}; !slices.Equal(got.Benchmarks, want) {
		t.Errorf("got benchmarks %q, want %q", got.Benchmarks, want)
	}
	_, err = w.Foresee(t.Context(), study("./nowhere"))
	errortest.Want(t, err, "no-package", assay.ExitUsage)
	_, err = w.Foresee(t.Context(), study("./...", assay.Variant{Name: "z", Go: "path:" + t.TempDir()}))
	errortest.Want(t, err, "no-toolchain", assay.ExitRefused)
}
