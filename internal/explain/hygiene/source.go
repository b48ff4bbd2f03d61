package hygiene

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/testfile"
)

// Limits of what is read of a package; the standard library's largest test files are
// below them.
const (
	maxSource  = 2 << 20 // bytes of a file
	maxSources = 1000    // files
)

// A source is what the test files say about one benchmark. A nil source knows nothing.
type source struct {
	files *token.FileSet
	// decl is the benchmark's function.
	decl *ast.FuncDecl
	// bodies hold the benchmark's loops: the function itself or the closures given to
	// b.Run, and the functions of the package that they pass their b to, whose names are
	// helpers.
	bodies  []body
	helpers []string
	// open is true if some of it is elsewhere (a closure that a call returns, a function
	// of another package), or several closures could be it.
	open bool
}

// A body is a function that is run with a *testing.B, called b in it.
type body struct {
	b     string
	block *ast.BlockStmt
	file  *ast.File
}

// readSource finds a benchmark's function in the test files, nil if there is none or more
// than one: files of other systems are there too.
func readSource(in Input) *source {
	if in.Sources == nil {
		return nil
	}
	name, sub, _ := strings.Cut(in.Benchmark.Name, "/")
	p := readTests(in)
	decls := p.funcs[assay.BenchmarkFunction(name)]
	if len(decls) != 1 {
		return nil
	}
	b := decls[0].body()
	if b == nil {
		return nil
	}
	s := &source{files: p.files, decl: decls[0].decl}
	f := finder{tests: p, source: s}
	f.follow(*b, sub, 0, true)
	return s
}

// tests are the functions of a package's test files, without methods.
type tests struct {
	files *token.FileSet
	funcs map[string][]testFunc
}

type testFunc struct {
	decl *ast.FuncDecl
	file *ast.File
}

// body returns the body of a function that takes a *testing.B, else nil.
func (f testFunc) body() *body {
	if b, ok := paramB(f.decl.Type, f.file); ok && f.decl.Body != nil {
		return &body{b, f.decl.Body, f.file}
	}
	return nil
}

// readTests parses the test files of the benchmark's package: of the two in a folder (p
// and p_test) the root symbol names one. Files that do not parse are left out.
func readTests(in Input) tests {
	t := tests{token.NewFileSet(), map[string][]testFunc{}}
	names, _ := fs.Glob(in.Sources, "*_test.go")
	outside := strings.HasSuffix(binary.PackageOf(in.Root), "_test")
	for _, name := range names[:min(len(names), maxSources)] {
		info, err := fs.Stat(in.Sources, name)
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxSource {
			continue
		}
		text, err := fs.ReadFile(in.Sources, name)
		if err != nil || len(text) > maxSource {
			continue
		}
		file, err := parser.ParseFile(t.files, path.Base(name), text, parser.SkipObjectResolution)
		if err != nil || in.Root != "" && strings.HasSuffix(file.Name.Name, "_test") != outside {
			continue
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				t.funcs[f.Name.Name] = append(t.funcs[f.Name.Name], testFunc{f, file})
			}
		}
	}
	return t
}

// paramB returns the name of a function's *testing.B; it may be "_" or "".
func paramB(t *ast.FuncType, file *ast.File) (string, bool) {
	for _, p := range t.Params.List {
		star, ok := p.Type.(*ast.StarExpr)
		if !ok {
			continue
		}
		if sel, ok := star.X.(*ast.SelectorExpr); ok && sel.Sel.Name == "B" && importPathOf(file, sel.X) == "testing" {
			if len(p.Names) == 0 {
				return "", true
			}
			return p.Names[0].Name, true
		}
	}
	return "", false
}

// importPathOf returns the import path that an identifier stands for, "" if it is none. A
// variable that shadows an import counts as it; that does no harm, since callers look for
// a function of it too.
func importPathOf(file *ast.File, x ast.Expr) string {
	id, ok := x.(*ast.Ident)
	if !ok {
		return ""
	}
	for _, spec := range file.Imports {
		if testfile.ImportName(spec) == id.Name {
			p, _ := strconv.Unquote(spec.Path.Value)
			return p
		}
	}
	return ""
}

// A finder collects the bodies of one benchmark.
type finder struct {
	tests
	*source
}

// maxRuns is how deep b.Run may be nested; names have a part for each.
const maxRuns = 8

// follow adds what runs as the sub-benchmark sub of what body runs, or body itself if sub
// is "". With further, it follows b one level into the functions that body passes it to.
func (f finder) follow(b body, sub string, depth int, further bool) {
	if depth > maxRuns {
		f.open = true
		return
	}
	if sub == "" {
		f.bodies = append(f.bodies, b)
	}
	runs := runsOf(b)
	matching := runsNamed(runs, sub)
	f.open = f.open || len(matching) > 1
	for _, r := range matching {
		f.run(b, r, sub, depth)
	}
	for _, call := range nodes[*ast.CallExpr](b.block) {
		if inRun(runs, call) {
			continue // another benchmark's, or followed already
		}
		next, passes := f.callee(b, call)
		switch {
		case passes && next != nil && further:
			f.helpers = append(f.helpers, call.Fun.(*ast.Ident).Name)
			f.follow(*next, sub, depth, false)
		case passes:
			f.open = true
		}
	}
}

// callee returns the function that a call passes b to, nil if its source is unknown here.
func (f finder) callee(b body, call *ast.CallExpr) (next *body, passes bool) {
	passes = slices.ContainsFunc(call.Args, func(a ast.Expr) bool {
		id, ok := a.(*ast.Ident)
		return ok && b.b != "" && id.Name == b.b
	})
	if id, ok := call.Fun.(*ast.Ident); passes && ok {
		next = f.funcBody(id.Name)
	}
	return next, passes
}

func (f finder) funcBody(name string) *body {
	if len(f.funcs[name]) != 1 {
		return nil
	}
	return f.funcs[name][0].body()
}

// run continues in the function that a b.Run runs.
func (f finder) run(b body, r subRun, sub string, depth int) {
	rest := ""
	if r.literal {
		rest = strings.TrimPrefix(strings.TrimPrefix(sub, r.name), "/")
		if strings.HasPrefix(rest, "#") { // a name that was there before: "x#01"
			rest = ""
		}
	} else {
		// The name is made when it runs, and may hold slashes itself.
		_, rest, _ = strings.Cut(sub, "/")
	}
	next := f.closure(b, r.f)
	if next == nil {
		f.open = true
		return
	}
	if !r.literal && rest != "" && len(runsOf(*next)) == 0 {
		rest = ""
	}
	f.follow(*next, rest, depth+1, true)
}

// closure returns the body of a function given to b.Run.
func (f finder) closure(b body, x ast.Expr) *body {
	switch x := x.(type) {
	case *ast.FuncLit:
		if p, ok := paramB(x.Type, b.file); ok {
			return &body{p, x.Body, b.file}
		}
	case *ast.Ident:
		if b := f.funcBody(x.Name); b != nil {
			f.helpers = append(f.helpers, x.Name)
			return b
		}
	}
	return nil
}

// A subRun is a call of b.Run. Its name is known only if it is literal, and rewritten as
// package testing does it.
type subRun struct {
	call    *ast.CallExpr
	name    string
	literal bool
	f       ast.Expr
}

// runsOf lists the calls of b.Run in a body, without those in closures of other
// sub-benchmarks.
func runsOf(b body) (out []subRun) {
	ast.Inspect(b.block, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !isMethod(call.Fun, b.b, "Run") || len(call.Args) != 2 {
			return true
		}
		r := subRun{call: call, f: call.Args[1]}
		if lit, ok := call.Args[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
			name, err := strconv.Unquote(lit.Value)
			r.name, r.literal = rewritten(name), err == nil && name != ""
		}
		out = append(out, r)
		return false
	})
	return out
}

// rewritten is a name as testing prints it: blanks become underscores (testing/match.go,
// rewrite).
func rewritten(name string) string {
	return strings.NewReplacer(" ", "_", "\t", "_", "\n", "_").Replace(name)
}

// runsNamed chooses the calls of b.Run that can run sub: those with its name, else those
// whose name is made when they run. None runs "".
func runsNamed(runs []subRun, sub string) (out []subRun) {
	if sub == "" {
		return nil
	}
	for _, r := range runs {
		if rest, ok := strings.CutPrefix(sub, r.name); r.literal && ok && (rest == "" || rest[0] == '/' || rest[0] == '#') {
			out = append(out, r)
		}
	}
	if len(out) > 0 {
		return out
	}
	return slices.DeleteFunc(slices.Clone(runs), func(r subRun) bool { return r.literal })
}

// inRun reports whether a node is in one of the calls.
func inRun(runs []subRun, n ast.Node) bool {
	return slices.ContainsFunc(runs, func(r subRun) bool { return r.call.Pos() <= n.Pos() && n.End() <= r.call.End() })
}

// isMethod reports whether x is b.name, or b.ANY for "".
func isMethod(x ast.Expr, b, name string) bool {
	sel, ok := x.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && b != "" && id.Name == b && (name == "" || sel.Sel.Name == name)
}

// place is "file:line" of a node.
func (s *source) place(n token.Pos) string {
	at := s.files.Position(n)
	return fmt.Sprintf("%s:%d", printable.Line(at.Filename, binary.MaxNameLen), at.Line)
}

// facts has the place of the benchmark, if it is known.
func (s *source) facts() []string {
	if s == nil {
		return nil
	}
	return []string{s.place(s.decl.Pos())}
}

// nodes lists the nodes of one type in n.
func nodes[N ast.Node](n ast.Node) (out []N) {
	for n := range ast.Preorder(n) {
		if n, ok := n.(N); ok {
			out = append(out, n)
		}
	}
	return out
}
