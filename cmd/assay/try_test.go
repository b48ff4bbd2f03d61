package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/shell"
)

// What a published result tells its reader to try is a command line that this program
// accepts.
func TestTriesOfRecords(t *testing.T) {
	tries := 0
	err := filepath.WalkDir(filepath.Join(repository(), "studies"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || !runs.IsRun(path) {
			return err
		}
		r, err := record.ReadResult(record.Folder(path))
		if err != nil {
			return err
		}
		for _, w := range r.Warnings {
			if w.Try != "" {
				tries++
				checkCommandLine(t, path, w.Try)
			}
		}
		return nil
	})
	if err != nil || tries < 5 {
		t.Errorf("%d warnings have a command to try, %v", tries, err)
	}
}

// checkCommandLine reports a line that is no command line, or none that assay accepts.
func checkCommandLine(t *testing.T, where, line string) {
	t.Helper()
	words, err := shell.Split(line)
	switch {
	case err != nil || !assay.IsCommandLine(line):
		t.Errorf("%s: %q is no command line: %v", where, line, err)
	case words[0] == "assay" && line != "assay help" && words[len(words)-1] != "--help": // which every command has
		checkParses(t, where, line, words[1:])
	}
}

// makers are the functions whose last argument becomes what to try, beside those that make
// an error of a code.
var makers = map[string]bool{"Suggest": true, "refuse": true, "nothing": true, "TrustError": true, "placebo": true, "fixError": true, "noToolchain": true, "check": true}

// Every warning and error with something to try is made in one of these ways: a Warning with
// a Try, an assignment to it, or a function that puts a line in its place. What begins like
// a command is one: no sentence, no word to replace, and if it is known whole, one that this
// program accepts. What is certainly none is in Advice.
func TestTriesAreCommands(t *testing.T) {
	fset := token.NewFileSet()
	sites := 0
	err := filepath.WalkDir(repository(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "testdata" || d.Name() == "studies" || strings.HasPrefix(d.Name(), ".")) {
			if d != nil && d.IsDir() && path != repository() && err == nil {
				return filepath.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			for _, s := range suggestions(n) {
				sites++
				checkSuggestion(t, fset.Position(s.value.Pos()).String(), s)
			}
			return true
		})
		return nil
	})
	if err != nil || sites < 200 {
		t.Errorf("%d sites, %v", sites, err)
	}
}

// A suggestion is an expression that becomes what to try. always says that it is a command,
// and no advice.
type suggestion struct {
	value  ast.Expr
	always bool
}

// suggestions returns what a node gives to try.
func suggestions(n ast.Node) (out []suggestion) {
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Try" {
			out = append(out, suggestion{n.Value, true})
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			if i < len(n.Rhs) {
				switch left := left.(type) {
				case *ast.SelectorExpr:
					if left.Sel.Name == "Try" {
						out = append(out, suggestion{n.Rhs[i], true})
					}
				case *ast.Ident:
					if left.Name == "try" {
						out = append(out, suggestion{n.Rhs[i], false})
					}
				}
			}
		}
	case *ast.CallExpr:
		name := ""
		switch fun := n.Fun.(type) {
		case *ast.Ident:
			name = fun.Name
		case *ast.SelectorExpr:
			name = fun.Sel.Name
		}
		args := n.Args
		coded := slices.IndexFunc(args, func(arg ast.Expr) bool {
			s, ok := arg.(*ast.SelectorExpr)
			return ok && strings.HasPrefix(nameOf(s), "assay.Code")
		})
		switch {
		case coded >= 0:
			args = args[min(coded+2, len(args)):] // behind the text
		case !makers[name]:
			return nil
		}
		for _, arg := range args {
			out = append(out, suggestion{arg, false})
		}
	}
	return out
}

var (
	placeholder = regexp.MustCompile(`(^|[ =:'])(NAME|FILE|HOST|PATTERN|RUN|DIR|SIZE|OLD|NEW|OLDER|NEWER|TIME)($|[ =:,;'])|\.\.\.( |$)`)
	prose       = regexp.MustCompile(`, (or|and|then|with|for|which|when|where)\b|; |: `)
)

// checkSuggestion checks the constant parts of a suggestion that begins like a command.
func checkSuggestion(t *testing.T, where string, s suggestion) {
	t.Helper()
	parts, whole := constants(s.value)
	if len(parts) == 0 || parts[0] == "" {
		return
	}
	command, _, _ := strings.Cut(strings.Join(parts, "\x00"), "   ")
	command = strings.ReplaceAll(command, "\x00", "")
	if first, _, _ := strings.Cut(parts[0], " "); !assay.IsCommandLine(command) {
		if s.always {
			t.Errorf("%s: %q begins with no program: it is advice", where, first)
		}
		return
	}
	if !strings.Contains(command, " ") {
		return // a word, such as the name of a program
	}
	if placeholder.MatchString(command) || prose.MatchString(command) {
		t.Errorf("%s: %q is no line to paste", where, command)
	}
	if whole {
		checkCommandLine(t, where, command)
	}
}

// constants are the constant parts of a text, from its beginning; whole says that it has no
// other. A text that begins with a value has none.
func constants(e ast.Expr) (parts []string, whole bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if err != nil {
			return nil, false
		}
		return []string{text}, true
	case *ast.BinaryExpr:
		left, all := constants(e.X)
		right, more := constants(e.Y)
		if len(left) == 0 {
			return nil, false
		}
		return append(left, right...), all && more
	case *ast.CallExpr:
		if s, ok := e.Fun.(*ast.SelectorExpr); ok && nameOf(s) == "fmt.Sprintf" {
			parts, _ := constants(e.Args[0])
			return parts, false
		}
	}
	return nil, false
}
