package build

import (
	"context"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// testName is the file name of every test binary: os.Args[0] is on the stack, so its
// length must not differ between variants.
const testName = "assay.test"

// fileName returns the file name of a cached binary. A program gets go build's name,
// since some programs look at it: the last element of the import path that is not a major
// version.
func fileName(program bool, importPath string) string {
	if !program {
		return testName + toolchain.Exe()
	}
	name := path.Base(importPath)
	if isMajor(name) && name != importPath {
		name = path.Base(path.Dir(importPath))
	}
	return name + toolchain.Exe()
}

// isMajor reports whether an element of an import path is a major version: v2 and above.
func isMajor(s string) bool {
	n, ok := strings.CutPrefix(s, "v")
	return ok && n != "" && n != "1" && n[0] != '0' && strings.Trim(n, "0123456789") == ""
}

// kind tells the two binaries of a package apart.
func kind(j job) string {
	if j.Program {
		return "program"
	}
	return "test"
}

// Package resolves a pattern, such as ./cmd/glua or the import path of a dependency, to
// its one main package in a variant's source. If there is none, or several, the error has
// exit status 2 [no-package]; if it is not a program, exit status 4 [not-a-program].
func (b *Builder) Package(ctx context.Context, study string, src assay.Source, v assay.Variant, pattern string) (Package, error) {
	j, err := b.job(ctx, Request{Study: study, Source: src, Variant: v, Package: pattern, Program: true})
	if err != nil {
		return Package{}, err
	}
	p, err := b.mainPackage(ctx, j)
	return Package{ImportPath: p.ImportPath, Dir: p.Dir}, err
}

// mainPackage returns the main package that a job's pattern names.
func (b *Builder) mainPackage(ctx context.Context, j job) (listed, error) {
	g, p, err := b.lists.graph(ctx, j)
	if err != nil {
		return listed{}, err
	}
	all := g.matching(j.Package)
	switch {
	case p.ImportPath == "":
		return listed{}, assay.UsageError(assay.CodeNoPackage, fmt.Sprintf("variant %q has no package %s", j.Variant.Name, j.Package), "")
	case len(all) > 1:
		return listed{}, several(j, all)
	}
	if err := j.missing(p); err != nil {
		return listed{}, err
	}
	// A package without a name has an error that the build tells better.
	if p.Name != "main" && p.Name != "" {
		return listed{}, b.notProgram(ctx, j, p)
	}
	return p, nil
}

// several is the error of a pattern that names more than one package.
func several(j job, all []listed) error {
	text := fmt.Sprintf("%s names %d packages; a program is one", j.Package, len(all))
	names := j.programs(all)
	if len(names) == 0 {
		return assay.NewError(assay.ExitUsage, assay.CodeNoPackage, text, []string{"none of them is a main package"}, "")
	}
	return assay.NewError(assay.ExitUsage, assay.CodeNoPackage, text, []string{programFact(names)}, names[0])
}

// notProgram returns the error of a package that is not main. It names main packages
// below it, else anywhere in its tree.
func (b *Builder) notProgram(ctx context.Context, j job, p listed) error {
	text := fmt.Sprintf("variant %q: %s is package %s, not a program", j.Variant.Name, j.Package, p.Name)
	for _, pattern := range []string{strings.TrimSuffix(j.Package, "/") + "/...", "./..."} {
		g, err := b.lists.list(ctx, j, []string{pattern}, "-find")
		if err != nil {
			continue // this is about to be an error anyhow
		}
		if names := j.programs(slices.Collect(maps.Values(g))); len(names) > 0 {
			return assay.NewError(assay.ExitBuild, assay.CodeNotAProgram, text, []string{programFact(names)}, names[0])
		}
	}
	return assay.NewError(assay.ExitBuild, assay.CodeNotAProgram, text, []string{"there is no main package in this module"},
		"a package with func main")
}

// programs lists the main packages, as a user would type them.
func (j job) programs(all []listed) []string {
	var out []string
	for _, p := range all {
		rel, err := filepath.Rel(j.tree.Dir, p.Dir)
		switch {
		case p.Name != "main" || strings.HasSuffix(p.ImportPath, ".test"):
		case err == nil && filepath.IsLocal(rel):
			out = append(out, "."+strings.TrimSuffix("/"+filepath.ToSlash(rel), "/."))
		default:
			out = append(out, p.ImportPath)
		}
	}
	slices.Sort(out)
	return out
}

// programFact names the first few programs.
func programFact(names []string) string { return "main packages: " + printable.Few(names, 5) }
