package local

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/testfile"
)

// A Sources is what a study's sources have, found without a build.
type Sources struct {
	// Packages are the import paths of packages with benchmarks, and Benchmarks their
	// benchmark functions without "Benchmark", both of all sources together. A file that
	// build tags exclude counts as well.
	Packages, Benchmarks []string
}

// Foresee finds the toolchains, sources, packages and benchmark functions of a study
// without building anything. It returns the error that a build would return for one that is
// missing. Of a chain of steps it looks only at the base: one that lacks something is a gap,
// and there may be many.
func (w *Workshop) Foresee(ctx context.Context, s *assay.Study) (out Sources, err error) {
	type source struct{ rev, module string }
	looked := map[source]bool{}
	for _, v := range s.Variants {
		if len(v.Run) > 0 || s.Steps != nil && v.Name != s.Base {
			continue
		}
		if _, err := w.builder.ToolchainFor(ctx, s.Dir, s.Source, v); err != nil {
			return out, err
		}
		if from := (source{v.Rev, v.Module}); !looked[from] { // settings add no package
			looked[from] = true
			if err := w.foreseeIn(ctx, s, v, &out); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

// foreseeIn adds what the source of a variant has.
func (w *Workshop) foreseeIn(ctx context.Context, s *assay.Study, v assay.Variant, out *Sources) error {
	for i, load := range s.Workloads {
		if load.IsProgram() {
			continue
		}
		found, err := w.builder.Packages(ctx, request(lab.BuildRequest{Study: s, Workload: i, Variant: w.forTarget(s, v)}, ""), load.Packages)
		if err != nil {
			return err
		}
		for _, p := range found {
			out.Packages = withNew(out.Packages, p.ImportPath)
			out.Benchmarks = withNew(out.Benchmarks, benchmarksIn(p.Dir)...)
		}
	}
	return nil
}

// benchmarksIn returns the benchmark functions in the test files of a folder.
func benchmarksIn(dir string) (names []string) {
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	for _, file := range files {
		data, _ := os.ReadFile(file) // the build reports one that cannot be read
		for _, function := range testfile.Benchmarks(data) {
			names = append(names, assay.BenchmarkName(function))
		}
	}
	return names
}

// withNew appends the names that a list lacks.
func withNew(list []string, names ...string) []string {
	for _, name := range names {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}
