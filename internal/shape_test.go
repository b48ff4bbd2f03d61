package internal

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// A type with more methods, or a package with more unexported names, hides another noun.
const (
	mostMethods = 40
	mostNames   = 250 // functions, methods, types, variables and constants; cmd/go/internal/work has 264
)

func TestNothingIsTooLarge(t *testing.T) {
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
			return err
		case d.Name() == "testdata" || d.Name() == "node_modules" || path != ".." && strings.HasPrefix(d.Name(), ".") || path == filepath.Join("..", "studies"):
			return filepath.SkipDir
		}
		names, methods := sizeOf(t, path)
		pkg := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
		checkSize(t, pkg, "unexported names", names, mostNames)
		for name, n := range methods {
			checkSize(t, pkg+"."+name, "methods", n, mostMethods)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func checkSize(t *testing.T, what, of string, n, most int) {
	t.Helper()
	if n > most {
		t.Errorf("%s has %d %s, more than %d: look for the missing noun", what, n, of, most)
	}
}

// sizeOf counts the unexported names of a package and the methods of its types, tests
// left out.
func sizeOf(t *testing.T, dir string) (names int, methods map[string]int) {
	t.Helper()
	methods = map[string]int{}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			for _, id := range declared(d) {
				if !id.IsExported() && id.Name != "_" {
					names++
				}
			}
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
				methods[receiver(fn.Recv.List[0].Type)]++
			}
		}
	}
	return names, methods
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
