package build

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/process"
)

// tellFlags make the compiler print its decisions: -m=2 inlining and escape analysis with
// reasons, the debug flag the bounds checks that remain. They do not change the code.
const tellFlags = "-m=2 -d=ssa/check_bce/debug=1"

// Decisions returns the compiler's decisions about packages of a request's binary, by
// package, file, line and column: what it inlines, what escapes to the heap, which bounds
// it checks. A package is an import path; "main" is the program's own, and PATH_test
// belongs to PATH. Packages that are not in the binary are skipped. A test binary
// includes its test files.
//
// The packages are compiled once with the variant's flags and tellFlags, and the answer
// is cached with the artifact. Output beyond maxDecisionLines lines is not read. The
// errors are those of Binary; a package that does not compile this way is an *assay.Error
// with exit status 4 [build-failed].
func (b *Builder) Decisions(ctx context.Context, r Request, packages []string) ([]assay.Decision, error) {
	r.Layout = 0
	j, err := b.job(ctx, r)
	if err != nil {
		return nil, err
	}
	if err := b.checkProfiles(j); err != nil {
		return nil, err
	}
	g, p, err := b.lists.graph(ctx, j)
	if err != nil {
		return nil, err
	}
	asked := inBinary(g, p, packages)
	if len(asked) == 0 {
		return nil, nil
	}
	id, err := b.keys.id(ctx, j)
	if err != nil {
		return nil, err
	}
	name := "decisions2-" + cache.KeyOf([]byte(strings.Join(asked, "\n")))
	var out []assay.Decision
	if b.Cache.Load(id, name, &out) {
		return out, nil
	}
	if out, err = b.decide(ctx, j, g, p, asked); err != nil {
		return nil, err
	}
	if err := b.keys.unchanged(ctx, j, id); err != nil {
		return nil, err
	}
	return out, b.Cache.Store(id, name, out)
}

// inBinary sorts the requested packages and drops those that p does not contain.
func inBinary(g graph, p listed, packages []string) []string {
	var in []string
	for _, q := range g.closure(p) {
		in = append(in, q.ImportPath)
	}
	var out []string
	for _, path := range packages {
		of := strings.TrimSuffix(path, "_test")
		switch {
		case slices.Contains(in, path):
			out = append(out, path)
		case path == "main" && p.Name == "main", of == p.ImportPath:
			out = append(out, p.ImportPath)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// decide compiles the packages and reads the compiler's output, which the go command
// repeats for cached packages. It has to link, since test files are compiled in no other
// way, but writes no binary.
func (b *Builder) decide(ctx context.Context, j job, g graph, p listed, asked []string) ([]assay.Decision, error) {
	if err := b.commands.acquire(ctx); err != nil {
		return nil, err
	}
	defer b.commands.release()
	flags := withLinkFlag(j.flags(), "-s")
	for _, path := range asked {
		flags = append(flags, "-gcflags="+path+"="+j.compilerFlags(g[path], p)+tellFlags)
	}
	reader := newDecisionReader(asked)
	if err := process.Run(ctx, j.tree.Dir, j.env, reader, reader, j.tc.Go(), j.buildArgs(os.DevNull, flags)...); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, b.commands.failed(j, "compiling "+j.Package+" for its decisions", reader.other, err)
	}
	return reader.decisions(), nil
}

// compilerFlags returns the flags, followed by a blank, with which a job compiles package
// q if p is the package on the command line. Of several -gcflags the last that matches a
// package wins.
func (j job) compilerFlags(q, p listed) string {
	for _, f := range slices.Backward(j.flags()) {
		value, ok := strings.CutPrefix(f, "-gcflags=")
		if !ok {
			continue
		}
		pattern, flags := "", strings.TrimSpace(value)
		if flags != "" && flags[0] != '-' {
			pattern, flags, _ = strings.Cut(flags, "=")
		}
		if pattern == "" && q.ImportPath == p.ImportPath || pattern != "" && matches(strings.TrimSpace(pattern), j.tree.Dir, q) {
			return strings.TrimLeft(flags+" ", " ")
		}
	}
	return ""
}

// matches reports whether a pattern before the "=" of -gcflags matches a package, like
// MatchPackage in cmd/go/internal/load/search.go.
func matches(pattern, dir string, p listed) bool {
	switch pattern {
	case "all":
		return true
	case "std":
		return p.Standard
	case "cmd":
		return p.Standard && strings.HasPrefix(p.ImportPath, "cmd/")
	case "work":
		return p.Module != nil && p.Module.Version == ""
	}
	if first, _, _ := strings.Cut(pattern, "/"); first != "." && first != ".." {
		return wildcard(pattern, p.ImportPath)
	}
	rel, err := filepath.Rel(dir, p.Dir)
	return err == nil && wildcard(filepath.ToSlash(filepath.Clean(pattern)), filepath.ToSlash(rel))
}

// wildcard matches a path against a pattern of the go command: "..." matches any text,
// and a pattern that ends in "/..." also matches what precedes that. "./..." matches
// everything that is not above.
func wildcard(pattern, path string) bool {
	if pattern == "..." {
		return path != ".." && !strings.HasPrefix(path, "../")
	}
	re := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\.\.\.`, `.*`)
	if head, ok := strings.CutSuffix(re, `/.*`); ok {
		re = head + `(/.*)?`
	}
	ok, err := regexp.MatchString("^"+re+"$", path)
	return err == nil && ok
}
