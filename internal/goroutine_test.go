package internal

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A panic in a goroutine without "defer fault.Exit()" as its first statement would end the
// program with status 2, which means wrong use.
func TestEveryGoroutineEndsInAFault(t *testing.T) {
	for _, dir := range productFolders(t) {
		goroutines, guarded := goroutinesIn(t, dir)
		for where, name := range goroutines {
			if !guarded[name] {
				t.Errorf("%s: the goroutine does not begin with defer fault.Exit()", where)
			}
		}
	}
}

// productFolders lists the folders with code of the program.
func productFolders(t *testing.T) (dirs []string) {
	for _, root := range []string{".", "../cmd"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil || !d.IsDir():
				return err
			case d.Name() == "testdata", strings.HasSuffix(d.Name(), "test"):
				return fs.SkipDir
			}
			dirs = append(dirs, path)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return dirs
}

// goroutinesIn returns where a folder's code starts goroutines, with the name of the function
// that each runs, which is where it stands for a function literal; and the functions that
// begin with the guard.
func goroutinesIn(t *testing.T, dir string) (goroutines map[string]string, guarded map[string]bool) {
	goroutines, guarded = map[string]string{}, map[string]bool{}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	for _, name := range slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") }) {
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			var run ast.Expr
			switch n := n.(type) {
			case *ast.FuncDecl:
				guarded[n.Name.Name] = guarded[n.Name.Name] || guards(n.Body)
			case *ast.GoStmt:
				run = n.Call.Fun
			case *ast.CallExpr:
				// The Go method of a sync.WaitGroup or an errgroup.Group.
				if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Go" && len(n.Args) == 1 {
					run = n.Args[0]
				}
			}
			if run == nil {
				return true
			}
			where := fset.Position(run.Pos()).String()
			switch run := run.(type) {
			case *ast.FuncLit:
				goroutines[where], guarded[where] = where, guards(run.Body)
			case *ast.SelectorExpr:
				goroutines[where] = run.Sel.Name
			case *ast.Ident:
				goroutines[where] = run.Name
			}
			return true
		})
	}
	return goroutines, guarded
}

// guards reports whether a body begins with defer fault.Exit().
func guards(body *ast.BlockStmt) bool {
	if body == nil || len(body.List) == 0 {
		return false
	}
	d, ok := body.List[0].(*ast.DeferStmt)
	if !ok {
		return false
	}
	f, ok := d.Call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := f.X.(*ast.Ident)
	return ok && pkg.Name == "fault" && f.Sel.Name == "Exit"
}
