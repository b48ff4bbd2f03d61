package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

// printed is what a text may be made of that is printed by hand: functions that leave out
// what a terminal or a runner of workflows obeys, and such as return numbers.
var printed = []string{"Text", "Line", "Lines", "OneLine", "Replace", "versionLine", "len", "sizeText"}

// written are the functions that write whole documents, and why those obey nobody.
var written = map[string]string{
	"plan.go newInit":    "the study as it was typed, for a file",
	"report.go emit":     "a page or report of package report",
	"gate.go printGate":  "JSON, which escapes control characters",
	"show.go showLog":    "what runs.Printed has made printable",
	"help.go newHelp":    "messages.md, which is ours",
	"root.go exitStatus": "a warning that package report has written, and an error made printable",
	"knobs.go printJSON": "JSON, which escapes control characters",
}

// Texts reach the terminal through package report, through console.print, or here, where
// each is made printable at the site. Nothing else writes to it.
func TestPrintSites(t *testing.T) {
	fset := token.NewFileSet()
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	sites, used := 0, map[string]bool{}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(fset, file.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok && file.Name() != "main.go" {
					if name := nameOf(s); name == "os.Stdout" || name == "os.Stderr" {
						t.Errorf("%s: %s is for main alone", fset.Position(s.Pos()), name)
					}
				}
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				where := file.Name() + " " + f.Name.Name
				args, ours := terminalArgs(call)
				if !ours {
					return true
				}
				if sites++; written[where] != "" {
					used[where] = true
					return true
				}
				for _, arg := range args {
					if !printableArg(arg) {
						t.Errorf("%s: what is printed in %s is not made printable: use c.print, or Style.Text", fset.Position(arg.Pos()), f.Name.Name)
					}
				}
				return true
			})
		}
	}
	if sites < 10 {
		t.Errorf("only %d sites found", sites)
	}
	for where := range written {
		if !used[where] {
			t.Errorf("%s writes nothing any more", where)
		}
	}
}

// terminalArgs are what a call prints to the terminal.
func terminalArgs(call *ast.CallExpr) (args []ast.Expr, ours bool) {
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil, false
	}
	switch name := nameOf(s); {
	case name == "fmt.Print", name == "fmt.Printf", name == "fmt.Println":
		return call.Args, true
	case strings.HasPrefix(name, "fmt.Fprint"), name == "io.WriteString":
		return call.Args[1:], isTerminal(call.Args[0])
	case s.Sel.Name == "Write" || s.Sel.Name == "WriteString":
		return call.Args, isTerminal(s.X)
	}
	return nil, false
}

func isTerminal(e ast.Expr) bool {
	name := ""
	switch e := e.(type) {
	case *ast.SelectorExpr:
		name = e.Sel.Name
	case *ast.Ident:
		name = e.Name
	}
	return name == "stdout" || name == "stderr"
}

func nameOf(s *ast.SelectorExpr) string {
	if x, ok := s.X.(*ast.Ident); ok {
		return x.Name + "." + s.Sel.Name
	}
	return s.Sel.Name
}

// printableArg reports whether an argument is a constant, or made by one of the functions.
func printableArg(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.BinaryExpr:
		return printableArg(e.X) && printableArg(e.Y) || e.Op != token.ADD
	case *ast.ParenExpr:
		return printableArg(e.X)
	case *ast.CallExpr:
		switch fun := e.Fun.(type) {
		case *ast.Ident:
			return slices.Contains(printed, fun.Name)
		case *ast.SelectorExpr:
			return slices.Contains(printed, fun.Sel.Name)
		}
	}
	return false
}
