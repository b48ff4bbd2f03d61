package local

import (
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/lab"
)

// Of several packages one that does not build has a fault; one whose benchmarks cannot
// match the pattern is not built at all.
func TestPackages(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{
		"go.mod":          "module example.com/m\n\ngo 1.23\n",
		"good/g_test.go":  "package good\n\nimport \"testing\"\n\nfunc BenchmarkSum(b *testing.B) {}\n",
		"bad/b_test.go":   "package bad\n\nimport \"testing\"\n\nfunc BenchmarkSum(b *testing.B) { nothing() }\n",
		"other/o_test.go": "package other\n\nimport \"testing\"\n\nfunc BenchmarkOther(b *testing.B) { nothing() }\n",
	})
	_, m := here(t)
	w := NewWorkshop(build.New(t.TempDir()), m)
	built := func(bench, pattern string) ([]lab.Artifact, error) {
		s := &assay.Study{Dir: dir, Base: "x", Variants: []assay.Variant{{Name: "x"}},
			Workloads: []assay.Workload{{Kind: assay.KindGoTest, Bench: bench, Packages: []string{pattern}}}}
		return w.Build(t.Context(), lab.BuildRequest{Study: s, Variant: s.Variants[0]})
	}
	as, err := built("^BenchmarkSum$", "./...")
	if err != nil || len(as) != 2 {
		t.Fatalf("got %v, %v, want two packages", as, err)
	}
	if as[0].Package != "example.com/m/bad" || as[0].Fault == nil || as[0].Fault.Code != assay.CodeBuildFailed {
		t.Errorf("the first is %+v, want bad with its fault", as[0])
	}
	if as[1].Package != "example.com/m/good" || as[1].Fault != nil || as[1].ID == "" {
		t.Errorf("the second is %+v, want good", as[1])
	}
	// A pattern that selects nothing builds all, so that a message can name what there is.
	if as, err = built("Nothing", "./..."); err != nil || len(as) != 3 {
		t.Errorf("without a match got %v, %v, want three packages", as, err)
	}
	_, err = built("Sum", "./bad")
	errortest.Want(t, err, assay.CodeBuildFailed, assay.ExitBuild)
}
