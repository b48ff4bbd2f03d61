package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// codeArgument is where the functions that make messages take their code.
var codeArgument = map[string]int{"usage": 0, "usageError": 0, "UsageError": 0, "NewError": 1, "failure": 1, "mergeError": 0}

// usedCodes finds the codes of messages in the source of the whole module: the
// field Code of a composite literal, the argument of the functions above, and
// the constants called codeSomething. The value is where it was found.
func usedCodes(t *testing.T) map[string]string {
	t.Helper()
	fset := token.NewFileSet()
	used := map[string]string{}
	note := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if code, err := strconv.Unquote(lit.Value); err == nil {
				used[code] = fset.Position(lit.Pos()).String()
			}
		}
	}
	for _, name := range sourceFiles(t) {
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Code" {
					note(n.Value)
				}
			case *ast.CallExpr:
				name := ""
				switch fun := n.Fun.(type) {
				case *ast.Ident:
					name = fun.Name
				case *ast.SelectorExpr:
					name = fun.Sel.Name
				}
				if i, ok := codeArgument[name]; ok && i < len(n.Args) {
					note(n.Args[i])
				}
			case *ast.ValueSpec:
				for i, id := range n.Names {
					if rest, ok := strings.CutPrefix(strings.ToLower(id.Name), "code"); ok && rest != "" && i < len(n.Values) {
						note(n.Values[i])
					}
				}
			}
			return true
		})
	}
	return used
}

// sourceFiles lists the module's Go files, tests and test data left out.
func sourceFiles(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, root := range []string{"../../internal", "../../cmd"} {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return fs.SkipDir
			case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
				names = append(names, name)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return names
}

// Every code that a message can carry is explained, and nothing else is.
func TestEveryCodeIsExplained(t *testing.T) {
	used := usedCodes(t)
	// One of each way to write a code: were one not found, the test would pass
	// for the wrong reason.
	for _, code := range []string{"no-run", "unknown-variant", "no-toolchain", "study-key", "noisy", "battery"} {
		if used[code] == "" {
			t.Errorf("code %q is not found in the source", code)
		}
	}
	explained := codes()
	for _, code := range slices.Sorted(maps.Keys(used)) {
		if !slices.Contains(explained, code) {
			t.Errorf("%s: code %q has no heading in messages.md", used[code], code)
		}
	}
	for _, code := range explained {
		if used[code] == "" {
			t.Errorf("messages.md: no message carries the code %q", code)
		}
	}
}

// An explanation is short enough for any terminal, and says something.
func TestExplanationsAreShort(t *testing.T) {
	for _, code := range codes() {
		text, ok := explainCode(code)
		if !ok {
			t.Errorf("%s: not explained", code)
		}
		lines := strings.Split(text, "\n")
		if len(text) < 60 || len(lines) > 8 {
			t.Errorf("%s: %d characters in %d lines, want 60 or more in 8 or fewer", code, len(text), len(lines))
		}
		for _, line := range lines {
			if len(line) > 82 {
				t.Errorf("%s: a line of %d characters: %s", code, len(line), line)
			}
		}
	}
	if !slices.IsSorted(headings()) {
		t.Error("messages.md: headings are not in alphabetical order")
	}
}

// headings are the codes in the order of the file.
func headings() []string {
	var out []string
	for line := range strings.Lines(messages) {
		if code, ok := strings.CutPrefix(line, "## "); ok {
			out = append(out, strings.TrimSpace(code))
		}
	}
	return out
}

// The bracketed code is pasted as often as the bare one; what is no code is a
// wrong use.
func TestHelpExplains(t *testing.T) {
	var bare, bracketed, errs bytes.Buffer
	if err := run(t.Context(), &bare, &errs, []string{"help", "no-benchmarks"}); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), &bracketed, &errs, []string{"help", "[no-benchmarks]"}); err != nil {
		t.Fatal(err)
	}
	if got, want := bracketed.String(), bare.String(); got != want || !strings.Contains(got, "nothing was measured") {
		t.Errorf("help [no-benchmarks] = %q, want %q", got, want)
	}
	err := run(t.Context(), &bare, &errs, []string{"help", "no-such-code"})
	if got := exitStatus(err, &errs); got != 2 {
		t.Errorf("help no-such-code: exit status %d, want 2", got)
	}
	if !strings.Contains(errs.String(), "[help]") {
		t.Errorf("help no-such-code: stderr %q, want the code [help]", errs.String())
	}
}
