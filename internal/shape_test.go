package internal

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A type with more methods, its own and those of what it embeds, or a package with more
// unexported names, hides another noun.
const (
	mostMethods = 40
	mostNames   = 264 // functions, methods, types, variables and constants, as many as cmd/go/internal/work has
)

func TestNothingIsTooLarge(t *testing.T) {
	x := shapes{t: t, types: map[string]*typeShape{}}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
			return err
		case d.Name() == "testdata" || d.Name() == "node_modules" || path != ".." && strings.HasPrefix(d.Name(), ".") || path == filepath.Join("..", "studies"):
			return filepath.SkipDir
		}
		pkg := filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(path, ".."), string(filepath.Separator)))
		checkSize(t, pkg, "unexported names", x.read(path, pkg), mostNames)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(x.types)) {
		checkSize(t, name, "methods, its own and those of what it embeds,", len(x.methodSet(name)), mostMethods)
	}
}

func checkSize(t *testing.T, what, of string, n, most int) {
	t.Helper()
	if n > most {
		t.Errorf("%s has %d %s more than %d: look for the missing noun", what, n, of, most)
	}
}

// shapes are the types of this module, by "package.Name".
type shapes struct {
	t     *testing.T
	types map[string]*typeShape
}

// A typeShape has the names of a type's own methods, and the types that it embeds.
type typeShape struct{ methods, embeds []string }

// methodSet is the names of the methods of a type, with those that it gets from others.
func (x shapes) methodSet(name string) map[string]bool {
	set := map[string]bool{}
	if shape := x.types[name]; shape != nil {
		for _, m := range shape.methods {
			set[m] = true
		}
		for _, e := range shape.embeds {
			maps.Copy(set, x.methodSet(e))
		}
	}
	return set
}

func (x shapes) of(name string) *typeShape {
	if x.types[name] == nil {
		x.types[name] = &typeShape{}
	}
	return x.types[name]
}

// read adds the types of a folder, tests left out, and counts its unexported names.
func (x shapes) read(dir, pkg string) (names int) {
	x.t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		x.t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			x.t.Fatal(err)
		}
		imports := importsOf(f)
		for _, d := range f.Decls {
			for _, id := range declared(d) {
				if !id.IsExported() && id.Name != "_" {
					names++
				}
			}
			x.declaration(d, pkg, imports)
		}
	}
	return names
}

// declaration adds a method, or what types embed.
func (x shapes) declaration(d ast.Decl, pkg string, imports map[string]string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil {
			s := x.of(pkg + "." + receiver(d.Recv.List[0].Type))
			s.methods = append(s.methods, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if spec, ok := spec.(*ast.TypeSpec); ok {
				s := x.of(pkg + "." + spec.Name.Name)
				s.embeds = append(s.embeds, embedded(spec.Type, pkg, imports)...)
			}
		}
	}
}

// embedded lists the types of this module that a struct embeds.
func embedded(of ast.Expr, pkg string, imports map[string]string) (out []string) {
	s, ok := of.(*ast.StructType)
	if !ok {
		return nil
	}
	for _, f := range s.Fields.List {
		if len(f.Names) > 0 {
			continue
		}
		at := pkg
		of := f.Type
		if star, ok := of.(*ast.StarExpr); ok {
			of = star.X
		}
		if sel, ok := of.(*ast.SelectorExpr); ok {
			at, of = imports[sel.X.(*ast.Ident).Name], sel.Sel
		}
		out = append(out, at+"."+receiver(of))
	}
	return out
}

// importsOf are the packages of this module that a file imports, by their names there.
func importsOf(f *ast.File) map[string]string {
	out := map[string]string{}
	for _, i := range f.Imports {
		at, _ := strconv.Unquote(i.Path.Value)
		name := path.Base(at)
		if i.Name != nil {
			name = i.Name.Name
		}
		if own, ok := strings.CutPrefix(at, module); ok {
			out[name] = strings.TrimPrefix(own, "/")
		}
	}
	return out
}

// declared are the names that a declaration adds to its package or its receiver's type.
func declared(d ast.Decl) (ids []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return []*ast.Ident{d.Name}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				ids = append(ids, s.Name)
			case *ast.ValueSpec:
				ids = append(ids, s.Names...)
			}
		}
	}
	return ids
}

// receiver is the name of a method's type.
func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}
