package build

import (
	"context"
	"maps"
	"slices"

	"github.com/seed-1318a441/assay/internal/source"
	"github.com/seed-1318a441/assay/internal/testfile"
)

// Packages lists the packages matching the patterns that have benchmarks, for one
// variant's source, by import path. It ignores the request's Package but not its
// BuildFlags, since build tags choose files. No pattern means ".", or "./..." if the
// source's folder itself has no benchmark. A pattern without a package is an *assay.Error
// with exit status 2 [no-package].
func (b *Builder) Packages(ctx context.Context, r Request, patterns []string) ([]Package, error) {
	looked := patterns
	if len(patterns) == 0 {
		looked = []string{"./..."}
	}
	if _, ok := r.Source.SuiteTree(); ok {
		patterns = looked // also where the folder itself has benchmarks: those of the suite
	}
	j, err := b.job(ctx, r, looked...)
	if err != nil {
		return nil, err
	}
	if len(patterns) > 0 {
		return b.benchmarked(ctx, j, reaching(j.tree.Modules, patterns))
	}
	// A folder without Go files is no package; its subfolders may be.
	here, err := b.benchmarked(ctx, j, []string{"."})
	if err == nil && len(here) > 0 || ctx.Err() != nil {
		return here, err
	}
	return b.benchmarked(ctx, j, []string{"./..."})
}

func (b *Builder) benchmarked(ctx context.Context, j job, patterns []string) ([]Package, error) {
	g, err := b.lists.list(ctx, j, patterns)
	if err != nil {
		return nil, err
	}
	var found []Package
	var paths []string
	for _, path := range slices.Sorted(maps.Keys(g)) {
		p := g[path]
		if err := j.missing(p); err != nil {
			return nil, err
		}
		if j.frozenOnly(patterns) && !j.isFrozen(p) {
			continue
		}
		if slices.ContainsFunc(p.testFiles(), testfile.HasBenchmark) {
			found = append(found, Package{ImportPath: p.ImportPath, Dir: p.Dir})
			paths = append(paths, p.ImportPath)
		}
	}
	b.lists.belong(source.ModuleDir(j.Study, j.Source), paths)
	return found, nil
}
