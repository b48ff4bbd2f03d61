package build

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/source"
	"github.com/seed-1318a441/assay/internal/testfile"
)

// Packages lists the packages matching the patterns that have benchmarks in
// their test files, for one variant's source, by import path: the request's
// Package is not read, its BuildFlags are, since build tags choose files. No
// pattern means ".", or "./..." where the source's folder itself has no benchmark.
// A pattern that names no package is an *assay.Error with exit status 2
// [no-package].
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

// missing returns the error of a pattern that names no package.
func (j job) missing(p listed) error {
	dir := source.ModuleDir(j.Study, j.Source)
	switch {
	case p.Error == nil:
		return nil
	case !inModule(dir):
		return j.outside(dir)
	case p.Dir == "" || len(p.files()) == 0 && len(p.testFiles()) == 0:
		return assay.NewError(assay.ExitUsage, "no-package", fmt.Sprintf("variant %q has no package %s", j.Variant.Name, strings.Join(p.Match, " ")),
			[]string{printable.LastLine(p.Error.Err)}, "")
	}
	return nil
}

// outside is the error of a folder that is in no module.
func (j job) outside(dir string) error {
	what := "benchmarks"
	if j.Program {
		what = "program"
	}
	facts, try := []string{"there is no go.mod in it, nor in a folder above it"}, "cd to the module that has the "+what
	switch below := source.ModulesBelow(dir); {
	case len(below) == 1:
		facts, try = append(facts, "there is one in "+below[0]), "cd "+shell.Quote(below[0])
	case len(below) > 1:
		facts = append(facts, "there are modules in "+printable.Few(below, 3))
	}
	return assay.NewError(assay.ExitUsage, "outside-module", disk.Tilde(dir)+" is in no Go module", facts, try)
}

// InModule reports whether there is a go.mod in dir or above.
func inModule(dir string) bool { return disk.FindUp(dir, "go.mod") != "" }

// testFiles are the paths of a package's test files.
func (p listed) testFiles() []string {
	var out []string
	for _, f := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		out = append(out, filepath.Join(p.Dir, f))
	}
	return out
}
