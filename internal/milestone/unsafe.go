package milestone

import (
	"context"
	"fmt"
	"go/build/constraint"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// maxSource is the maximum size of a checked Go file, in bytes.
const maxSource = 32 << 20

// checkUnsafe looks for ways around the type system in the module's own packages: imports
// of unsafe and of "C", go:linkname, assembly and objects. It reads all files that are
// built on any platform, but no tests and no files excluded from all builds ("//go:build
// ignore").
func checkUnsafe(ctx context.Context, t *task) error {
	tree := os.DirFS(t.step.Dir)
	var found []string
	packages := 0
	err := walkModule(tree, func(dir string, files []string) error {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		here, ok, err := unsafeIn(tree, dir, files)
		if ok {
			packages++
			found = append(found, here...)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, f := range found {
		fmt.Fprintln(&t.said, f)
	}
	if len(found) > 0 {
		t.set(assay.GateFailed, printable.Count(len(found), "use")+" of unsafe code", found...)
		return nil
	}
	t.set(assay.GateHeld, fmt.Sprintf("no unsafe code (%s)", printable.Count(packages, "package")))
	return nil
}

// unsafeIn checks one folder, and reports whether it is a package.
func unsafeIn(tree fs.FS, dir string, files []string) (found []string, ok bool, err error) {
	for _, name := range files {
		file := path.Join(dir, name)
		switch path.Ext(name) {
		case ".s", ".S":
			found = append(found, file+": assembly")
		case ".syso":
			found = append(found, file+": object file")
		case ".go":
			if isTest(name) {
				continue
			}
			src, err := readSource(tree, file)
			if err != nil {
				return nil, false, fmt.Errorf("read the source: %w", err)
			}
			if ignored(src) {
				continue
			}
			ok = true
			found = append(found, unsafeGo(file, src)...)
		}
	}
	return found, ok, nil
}

// readSource reads a file of a tree that may be hostile: opening a pipe would block, and a
// device has no end.
func readSource(tree fs.FS, file string) ([]byte, error) {
	st, err := fs.Stat(tree, file)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > maxSource {
		return nil, fmt.Errorf("%s is no file of up to %d MB", file, maxSource>>20)
	}
	return fs.ReadFile(tree, file)
}

// ignored reports whether a file is excluded from all builds, as code generators are.
func ignored(src []byte) bool {
	f, _ := parser.ParseFile(token.NewFileSet(), "", src, parser.PackageClauseOnly|parser.ParseComments)
	for _, group := range f.Comments {
		for _, c := range group.List {
			expr, err := constraint.Parse(c.Text)
			if err == nil && c.Pos() < f.Package && constraint.IsGoBuild(c.Text) && expr.String() == "ignore" {
				return true
			}
		}
	}
	return false
}

// unsafeGo finds imports and directives in a Go file, even in one that does not compile.
func unsafeGo(file string, src []byte) []string {
	set := token.NewFileSet()
	var found []string
	say := func(pos token.Pos, what string) {
		found = append(found, fmt.Sprintf("%s:%d: %s", file, set.PositionFor(pos, false).Line, what))
	}
	f, _ := parser.ParseFile(set, file, src, parser.ImportsOnly)
	for _, imp := range f.Imports {
		switch p, _ := strconv.Unquote(imp.Path.Value); p {
		case "unsafe", "C":
			say(imp.Pos(), "import "+imp.Path.Value)
		}
	}
	directives(set.AddFile(file, -1, len(src)), src, say)
	return found
}

// directives calls say for every go:linkname of a file: in a separate line comment, as
// the compiler reads them, not in a string.
func directives(file *token.File, src []byte, say func(token.Pos, string)) {
	var s scanner.Scanner
	s.Init(file, src, nil, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return
		}
		if tok == token.COMMENT && strings.HasPrefix(lit, "//go:linkname") {
			say(pos, lit)
		}
	}
}

// walkModule calls visit for every folder of a module that can be a package, with the
// names of its files. It skips nested modules, vendor and testdata.
func walkModule(tree fs.FS, visit func(dir string, files []string) error) error {
	return fs.WalkDir(tree, ".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("read the source: %w", err)
		}
		if !d.IsDir() {
			return nil
		}
		if dir != "." && (notPackage(d.Name()) || hasModule(tree, dir)) {
			return fs.SkipDir
		}
		entries, err := fs.ReadDir(tree, dir)
		if err != nil {
			return fmt.Errorf("read the source: %w", err)
		}
		var files []string
		for _, e := range entries {
			if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(e.Name(), "_") {
				files = append(files, e.Name())
			}
		}
		return visit(dir, files)
	})
}

// notPackage reports whether the go command ignores folders of this name.
func notPackage(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "vendor"
}

func hasModule(tree fs.FS, dir string) bool {
	_, err := fs.Stat(tree, path.Join(dir, "go.mod"))
	return err == nil
}
