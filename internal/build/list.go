package build

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/seed-1318a441/assay/internal/memo"
	"github.com/seed-1318a441/assay/internal/process"
	"github.com/seed-1318a441/assay/internal/source"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// A listed package is the output of go list about it.
type listed struct {
	ImportPath, Dir, Name, ForTest string
	Standard                       bool
	Match, Deps                    []string

	GoFiles, CgoFiles, CFiles, CXXFiles, MFiles, HFiles, FFiles []string
	SFiles, SwigFiles, SwigCXXFiles, SysoFiles, EmbedFiles      []string
	TestGoFiles, XTestGoFiles                                   []string

	Module *listedModule
	Error  *struct{ Err string }
}

// A listedModule is the module of a listed package. Dir and GoMod are those of its
// replacement, if any.
type listedModule struct {
	Path, Version, Dir, GoMod string
	Replace                   *listedModule
}

// files returns the names of all files that the package is built from. The go command
// generates the main package of a test: its file is absolute.
func (p listed) files() []string {
	all := slices.Concat(p.GoFiles, p.CgoFiles, p.CFiles, p.CXXFiles, p.MFiles, p.HFiles, p.FFiles,
		p.SFiles, p.SwigFiles, p.SwigCXXFiles, p.SysoFiles, p.EmbedFiles)
	slices.Sort(all)
	return slices.Compact(slices.DeleteFunc(all, filepath.IsAbs))
}

// testFiles returns the paths of a package's test files.
func (p listed) testFiles() []string {
	var out []string
	for _, f := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		out = append(out, filepath.Join(p.Dir, f))
	}
	return out
}

// A graph maps import paths to packages, with everything that they and their tests need.
type graph map[string]listed

// find returns the package that a request's pattern names.
func (g graph) find(pattern string) (listed, bool) {
	if p, ok := g[pattern]; ok {
		return p, true
	}
	if all := g.matching(pattern); len(all) > 0 {
		return all[0], true
	}
	return listed{}, false
}

// matching returns all packages that a pattern names, by import path.
func (g graph) matching(pattern string) []listed {
	var out []listed
	for _, p := range g {
		// The package as built for its test, and the test's main package, match too.
		if p.ForTest == "" && !strings.HasSuffix(p.ImportPath, ".test") && slices.Contains(p.Match, pattern) {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(p, q listed) int { return strings.Compare(p.ImportPath, q.ImportPath) })
	return out
}

// closure returns what the package, or its test binary if the tests were listed, is built
// from, in a fixed order.
func (g graph) closure(p listed) []listed {
	names := append([]string{p.ImportPath}, p.Deps...)
	names = append(names, g[p.ImportPath+".test"].Deps...)
	slices.Sort(names)
	var out []listed
	for _, n := range slices.Compact(names) {
		if q, ok := g[n]; ok {
			out = append(out, q)
		}
	}
	return out
}

// A lister runs go list. It remembers listings, and which packages to list together: one
// go list for all packages of a study costs little more than for one.
type lister struct {
	run    *runner
	graphs memo.Map[graph]
	mu     sync.Mutex
	known  map[string][]string // by source folder
}

// belong notes that packages of a source folder are listed together.
func (l *lister) belong(dir string, paths []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known == nil {
		l.known = map[string][]string{}
	}
	all := append(slices.Clone(l.known[dir]), paths...)
	slices.Sort(all)
	l.known[dir] = slices.Compact(all)
}

// with returns the packages noted for a source folder.
func (l *lister) with(dir string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.known[dir]
}

// graph lists a job's package with everything it needs.
func (l *lister) graph(ctx context.Context, j job) (graph, listed, error) {
	patterns := []string{j.Package}
	more := []string{"-deps"}
	key := "program"
	if !j.Program {
		key = "test"
		more = append(more, "-test")
		if !j.tree.Incomplete { // else go.mod has what this package needs
			patterns = append(patterns, l.with(source.ModuleDir(j.Study, j.Source))...)
		}
	}
	key = strings.Join(slices.Concat([]string{key, j.tree.Dir}, toolchain.Significant(j.env), listFlags(j.flags())), "\x00")
	g, err := l.graphs.Do(key, func() (graph, error) { return l.list(ctx, j, patterns, more...) })
	if err != nil {
		return nil, listed{}, err
	}
	if p, ok := g.find(j.Package); ok {
		return g, p, nil
	}
	g, err = l.graphs.Do(key+"\x00"+j.Package, func() (graph, error) { return l.list(ctx, j, []string{j.Package}, more...) })
	if err != nil {
		return nil, listed{}, err
	}
	p, _ := g.find(j.Package) // with -e an unknown package is listed, with its error
	return g, p, nil
}

// jsonFields keeps go list from computing what nobody reads.
const jsonFields = "-json=ImportPath,Dir,Name,ForTest,Standard,Match,Deps,GoFiles,CgoFiles,CFiles,CXXFiles,MFiles,HFiles,FFiles," +
	"SFiles,SwigFiles,SwigCXXFiles,SysoFiles,EmbedFiles,TestGoFiles,XTestGoFiles,Module,Error"

// list runs go list in a job's tree; more are flags such as -deps and -test. Packages
// that do not load are listed with their error.
func (l *lister) list(ctx context.Context, j job, patterns []string, more ...string) (graph, error) {
	if err := l.run.acquire(ctx); err != nil {
		return nil, err
	}
	defer l.run.release()
	args := slices.Concat([]string{"list", "-e", jsonFields}, more, listFlags(j.flags()))
	var out, errs bytes.Buffer
	if err := process.Run(ctx, j.tree.Dir, j.env, &out, &errs, j.tc.Go(), append(append(args, "--"), patterns...)...); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, l.run.failed(j, "listing "+strings.Join(patterns, " "), errs.Bytes(), err)
	}
	return decodeGraph(&out)
}

func decodeGraph(r io.Reader) (graph, error) {
	g := graph{}
	for dec := json.NewDecoder(r); ; {
		var p listed
		switch err := dec.Decode(&p); {
		case errors.Is(err, io.EOF):
			return g, nil
		case err != nil:
			return nil, fmt.Errorf("read output of go list: %w", err)
		}
		g[p.ImportPath] = p
	}
}
