package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

func TestBenchmarksOf(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a_test.go":   "package a\n\nfunc BenchmarkSum(b *testing.B) {}\n\nfunc Benchmark(b *testing.B) {}\n",
		"t_test.go":   "//go:build slow\n\npackage a\n\nfunc BenchmarkSumSlow(b *testing.B) {}\n",
		"b/b_test.go": "package b\n\nfunc BenchmarkSum(b *testing.B) {}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	test := func(w assay.Workload, want string, variants ...assay.Variant) {
		t.Helper()
		w.Kind = assay.KindGoTest
		s := &assay.Study{Dir: dir, Base: "base", Variants: variants, Workloads: []assay.Workload{w}}
		if got := strings.Join(BenchmarksOf(s), "\n"); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
	const unknown = ", by the test files; sub-benchmarks are not known before they run\n"
	all := []string{"./..."}
	test(assay.Workload{Packages: all}, "3 functions in 2 folders"+unknown+".: 2\n  Sum\n  Benchmark\n./b: 1\n  Sum")
	test(assay.Workload{Bench: "Sum", BuildFlags: []string{"-tags=slow"}}, "2 functions in 1 folder"+unknown+".: 2\n  Sum\n  SumSlow")
	test(assay.Workload{Bench: "Slow", Packages: all}, "1 function in 1 folder"+unknown+".: 1\n  SumSlow", assay.Variant{Name: "base", Tags: []string{"slow"}})
	test(assay.Workload{Bench: "Other", Packages: all}, "none in the test files here")
	test(assay.Workload{Packages: []string{"example.com/a"}}, "none in the test files here\nexample.com/a: not listed; only ./relative packages are")
	test(assay.Workload{}, "not listed: no variant is the tree as it is; without --dry, plan lists them",
		assay.Variant{Name: "base", Rev: "v1"}, assay.Variant{Name: "b", Module: "m@v1"})
	if got := BenchmarksOf(&assay.Study{Workloads: []assay.Workload{{Kind: assay.KindCommand}}}); got != nil {
		t.Errorf("of a command: got %q", got)
	}
}
