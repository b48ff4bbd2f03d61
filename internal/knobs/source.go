package knobs

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"strconv"
	"strings"
)

// parse reads a file of the toolchain's source.
func parse(goroot, name string, mode parser.Mode) (*ast.File, error) {
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(goroot, filepath.FromSlash(name)), nil, mode|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("read source of the toolchain: %w", err)
	}
	return f, nil
}

// structFields returns the fields of a struct type, nil if there is none.
func structFields(f *ast.File, name string) []*ast.Field {
	for n := range ast.Preorder(f) {
		if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.Name == name {
			if s, ok := spec.Type.(*ast.StructType); ok {
				return s.Fields.List
			}
		}
	}
	return nil
}

// table returns the literals in the elements of a package variable that is a list of
// structs, such as {Name: "x", Changed: 25}, by field.
func table(f *ast.File, variable string) []map[string]string {
	var out []map[string]string
	for n := range ast.Preorder(f) {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || spec.Names[0].Name != variable || len(spec.Values) == 0 {
			continue
		}
		list, ok := spec.Values[0].(*ast.CompositeLit)
		if !ok {
			continue
		}
		for _, e := range list.Elts {
			if row, ok := e.(*ast.CompositeLit); ok {
				out = append(out, literals(row))
			}
		}
	}
	return out
}

func literals(row *ast.CompositeLit) map[string]string {
	out := map[string]string{}
	for _, e := range row.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, isName := kv.Key.(*ast.Ident)
		if value, ok := literal(kv.Value); ok && isName {
			out[key.Name] = value
		}
	}
	return out
}

// literal returns the value of a number or a string; negative numbers are not supported.
func literal(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok {
		return "", false
	}
	if lit.Kind != token.STRING {
		return lit.Value, true
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}

// assigned returns what statements of the form "object.Field = 1" assign, by lower-case
// field. Those inside "if GOOS == ..." count for that goos only, those in other branches
// never. The value is "" if it is no literal.
func assigned(body []ast.Stmt, object, goos string) map[string]string {
	out := map[string]string{}
	for _, s := range body {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if sel, ok := s.Lhs[0].(*ast.SelectorExpr); ok && s.Tok == token.ASSIGN {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == object {
					out[strings.ToLower(sel.Sel.Name)], _ = literal(s.Rhs[0])
				}
			}
		case *ast.IfStmt:
			if isGOOS(s.Cond, goos) {
				maps.Copy(out, assigned(s.Body.List, object, goos))
			}
		}
	}
	return out
}

// isGOOS reports whether a condition is GOOS == "goos".
func isGOOS(e ast.Expr, goos string) bool {
	b, ok := e.(*ast.BinaryExpr)
	if !ok || b.Op != token.EQL {
		return false
	}
	x, isName := b.X.(*ast.Ident)
	y, isLiteral := literal(b.Y)
	return isName && isLiteral && x.Name == "GOOS" && y == goos
}

// functionBody returns the statements of the functions whose name passes.
func functionBody(f *ast.File, pass func(name string) bool) []ast.Stmt {
	var out []ast.Stmt
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && pass(fn.Name.Name) {
			out = append(out, fn.Body.List...)
		}
	}
	return out
}

// sentence returns the first sentence of a comment in one line, without the name that it
// begins with and its full stop.
func sentence(text, name string) string {
	s := new(doc.Package).Synopsis(text)
	if first, rest, ok := strings.Cut(s, " "); ok && strings.EqualFold(strings.Trim(first, ":"), name) {
		s = rest
	}
	return strings.TrimSuffix(s, ".")
}

// constants returns the literal constants of a file.
func constants(f *ast.File) map[string]string {
	out := map[string]string{}
	for n := range ast.Preorder(f) {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Names) != len(spec.Values) {
			continue
		}
		for i, name := range spec.Names {
			if v, ok := literal(spec.Values[i]); ok {
				out[name.Name] = v
			}
		}
	}
	return out
}
