package testfile

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Prune returns what the wanted benchmarks need of the test files of a folder: their own
// declarations, TestMain, init, and everything that those use. All else becomes blanks,
// so that lines keep their numbers: a test as new as the code that it tests would not
// compile with an older source, and neither would its imports. Files without remaining
// declarations are omitted; one that does not parse stays as it is, for the compiler to
// report.
func Prune(sources map[string][]byte, wanted func(function string) bool) map[string][]byte {
	var files []*testFile
	found := false
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		f := readTestFile(name, sources[name], wanted)
		files, found = append(files, f), found || f.wanted
	}
	if !found {
		return nil
	}
	keepNeeded(files)
	out := map[string][]byte{}
	for _, f := range files {
		if f.parsed == nil || slices.ContainsFunc(f.decls, func(d *testDecl) bool { return d.keep }) {
			out[f.name] = f.pruned()
		}
	}
	return out
}

// A testFile is a test file and its declarations.
type testFile struct {
	name   string
	source []byte
	set    *token.FileSet
	parsed *ast.File // nil for one that does not parse
	decls  []*testDecl
	wanted bool // it has a benchmark that is wanted
}

// A testDecl is kept or removed as a whole: a function, a method, a variable or type, a
// group of constants.
type testDecl struct {
	node ast.Node
	doc  *ast.CommentGroup
	// declares are its names, or the type of a method. method is the method's name.
	declares []string
	method   string
	uses     map[string]bool
	keep     bool
}

func readTestFile(name string, source []byte, wanted func(function string) bool) *testFile {
	f := &testFile{name: name, source: source, set: token.NewFileSet()}
	parsed, err := parser.ParseFile(f.set, name, source, parser.ParseComments)
	if err != nil {
		return f
	}
	f.parsed = parsed
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			f.addFunc(d, wanted)
		case *ast.GenDecl:
			f.addGroup(d)
		}
	}
	return f
}

func (f *testFile) addFunc(d *ast.FuncDecl, wanted func(function string) bool) {
	name := d.Name.Name
	decl := &testDecl{node: d, doc: d.Doc, declares: []string{name}, uses: identifiers(d)}
	if d.Recv != nil && len(d.Recv.List) > 0 {
		decl.method, decl.declares = name, []string{receiver(d.Recv.List[0].Type)}
	} else if benchmarkFunc.MatchString("func "+name+"(") && wanted(name) {
		f.wanted, decl.keep = true, true
	} else {
		decl.keep = name == "init" || name == "TestMain"
	}
	f.decls = append(f.decls, decl)
}

// addGroup adds the specs of a declaration. Constants count up within a group, so
// none of them can be taken out.
func (f *testFile) addGroup(d *ast.GenDecl) {
	if d.Tok == token.IMPORT {
		return
	}
	if d.Tok == token.CONST || !d.Lparen.IsValid() {
		decl := &testDecl{node: d, uses: identifiers(d)}
		for _, s := range d.Specs {
			decl.declare(s)
		}
		decl.doc = d.Doc
		f.decls = append(f.decls, decl)
		return
	}
	for _, s := range d.Specs {
		decl := &testDecl{node: s, uses: identifiers(s)}
		decl.declare(s)
		f.decls = append(f.decls, decl)
	}
}

// declare adds the names of a spec, and takes its comment. A variable called _ is kept
// for what its value does, such as define a flag.
func (d *testDecl) declare(s ast.Spec) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		d.declares, d.doc = append(d.declares, s.Name.Name), s.Doc
	case *ast.ValueSpec:
		d.doc = s.Doc
		for _, id := range s.Names {
			d.declares = append(d.declares, id.Name)
			d.keep = d.keep || id.Name == "_"
		}
	}
}

// receiver is the name of the type that a method belongs to.
func receiver(typ ast.Expr) (name string) {
	ast.Inspect(typ, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return true
	})
	return name
}

// identifiers returns all identifiers in a declaration: at least those that it uses.
func identifiers(n ast.Node) map[string]bool {
	out := map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			out[id.Name] = true
		}
		return true
	})
	return out
}

// keepNeeded marks what kept declarations use, over all files.
func keepNeeded(files []*testFile) {
	uses, types := map[string]bool{}, map[string]bool{}
	var all []*testDecl
	for _, f := range files {
		all = append(all, f.decls...)
	}
	for _, d := range all {
		for _, name := range d.declares {
			types[name] = types[name] || d.method == ""
		}
		if d.keep {
			maps.Copy(uses, d.uses)
		}
	}
	for grown := true; grown; {
		grown = false
		for _, d := range all {
			if !d.keep && d.neededFor(uses, types) {
				d.keep, grown = true, true
				maps.Copy(uses, d.uses)
			}
		}
	}
}

// neededFor reports whether a declaration is used. A method of one of the tests' types is
// used with its type; a method of another type, exported for tests, by its name.
func (d *testDecl) neededFor(uses, types map[string]bool) bool {
	if d.method != "" && !types[d.declares[0]] {
		return uses[d.method]
	}
	return slices.ContainsFunc(d.declares, func(name string) bool { return uses[name] })
}

// pruned returns the file with blanks for what is removed.
func (f *testFile) pruned() []byte {
	if f.parsed == nil {
		return f.source
	}
	out := slices.Clone(f.source)
	kept, before := map[string]bool{}, map[string]bool{}
	for _, d := range f.decls {
		q := packagesIn(d.node)
		maps.Copy(before, q)
		if d.keep {
			maps.Copy(kept, q)
			continue
		}
		f.blank(out, d.node, d.doc)
	}
	for _, d := range f.parsed.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			f.pruneImports(out, g, before, kept)
		}
	}
	return out
}

// blank overwrites a node and its comment, except line ends.
func (f *testFile) blank(out []byte, n ast.Node, doc *ast.CommentGroup) {
	from, to := f.set.Position(n.Pos()).Offset, f.set.Position(n.End()).Offset
	if doc != nil {
		from = f.set.Position(doc.Pos()).Offset
	}
	for i := from; i < min(to, len(out)); i++ {
		if out[i] != '\n' && out[i] != '\r' {
			out[i] = ' '
		}
	}
}

// packagesIn returns the names before a dot in a declaration that the file does not
// declare: packages, and variables of other files.
func packagesIn(n ast.Node) map[string]bool {
	out := map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && id.Obj == nil {
				out[id.Name] = true
			}
		}
		return true
	})
	return out
}

// pruneImports removes imports that only removed declarations used. A package's name is
// guessed from its path. If the file never used that name, the guess is wrong, and the
// import stays while some used name has no other import.
func (f *testFile) pruneImports(out []byte, g *ast.GenDecl, before, kept map[string]bool) {
	unexplained := maps.Clone(kept)
	for _, s := range f.parsed.Imports {
		delete(unexplained, ImportName(s))
	}
	for _, s := range g.Specs {
		s := s.(*ast.ImportSpec)
		name := ImportName(s)
		guessed := s.Name == nil && !before[name]
		if name == "_" || name == "." || kept[name] || guessed && len(unexplained) > 0 {
			continue
		}
		if g.Lparen.IsValid() {
			f.blank(out, s, s.Doc)
		} else {
			f.blank(out, g, g.Doc)
		}
	}
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// ImportName returns the name that a file most likely has for a package that it imports.
func ImportName(s *ast.ImportSpec) string {
	if s.Name != nil {
		return s.Name.Name
	}
	p, err := strconv.Unquote(s.Path.Value)
	if err != nil {
		return ""
	}
	base := path.Base(p)
	if majorVersion.MatchString(base) {
		base = path.Base(path.Dir(p))
	}
	base, _, _ = strings.Cut(base, ".") // gopkg.in/yaml.v3
	base = strings.TrimSuffix(strings.TrimPrefix(base, "go-"), "-go")
	return base
}
