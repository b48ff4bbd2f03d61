package hygiene

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// The kinds of a benchmark's loop.
const (
	loopN        = "b.N"
	loopCall     = "b.Loop"
	loopParallel = "pb.Next"
)

// A benchLoop is a loop in which a benchmark does what it measures.
type benchLoop struct {
	kind  string
	stmt  ast.Stmt
	block *ast.BlockStmt
	in    body
	// single is true if a turn is plainly one operation.
	single bool
}

func (s *source) loops() (out []benchLoop) {
	for _, b := range s.bodies {
		out = append(out, loopsOf(b)...)
	}
	return out
}

// loopsOf finds the outermost loops of a body that turn b.N times.
func loopsOf(b body) (out []benchLoop) {
	ast.Inspect(b.block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return !isMethod(n.Fun, b.b, "Run")
		case *ast.ForStmt:
			if kind := forKind(n, b.b); kind != "" {
				_, counts := n.Post.(*ast.IncDecStmt)
				out = append(out, benchLoop{kind, n, n.Body, b, counts || kind == loopCall})
				return false
			}
		case *ast.RangeStmt:
			if isMethod(n.X, b.b, "N") {
				out = append(out, benchLoop{loopN, n, n.Body, b, true})
				return false
			}
		}
		return true
	})
	return out
}

// forKind is the kind of a for statement, "" for one that is not the benchmark's.
func forKind(n *ast.ForStmt, b string) string {
	if c, ok := n.Cond.(*ast.CallExpr); ok {
		if isMethod(c.Fun, b, "Loop") {
			return loopCall
		}
		if sel, ok := c.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Next" && len(c.Args) == 0 && n.Init == nil && n.Post == nil {
			return loopParallel
		}
	}
	if n.Cond != nil && countUses(n.Cond, b, "N") > 0 || n.Init != nil && countUses(n.Init, b, "N") > 0 {
		return loopN
	}
	return ""
}

// countUses counts the uses of b.name in n.
func countUses(n ast.Node, b, name string) (count int) {
	for _, sel := range nodes[*ast.SelectorExpr](n) {
		if isMethod(sel, b, name) {
			count++
		}
	}
	return count
}

// sharesN reports whether a turn may take longer than an operation: goroutines share
// them, a turn does several, or b.N is used for more than counting turns (the length of
// what is copied, say).
func (s *source) sharesN() bool {
	if s == nil {
		return false
	}
	for _, b := range s.bodies {
		inHeaders := 0
		for _, l := range loopsOf(b) {
			inHeaders += countUses(l.stmt, b.b, "N") - countUses(l.block, b.b, "N")
		}
		if countUses(b.block, b.b, "RunParallel") > 0 || countUses(b.block, b.b, "N") > inHeaders {
			return true
		}
	}
	return slices.ContainsFunc(s.loops(), func(l benchLoop) bool { return !l.single || l.kind == loopParallel })
}

// everyTurn calls visit for the calls that each turn of a loop makes in any case: not
// those below an if, in a case or in a closure.
func everyTurn(n ast.Node, visit func(*ast.CallExpr)) {
	again := func(list ...ast.Node) bool {
		for _, n := range list {
			if n != nil {
				everyTurn(n, visit)
			}
		}
		return false
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			return again(n.Init, n.Cond)
		case *ast.SwitchStmt:
			return again(n.Init, n.Tag)
		case *ast.TypeSwitchStmt:
			return again(n.Init, n.Assign)
		case *ast.ForStmt:
			return n.Post != nil || again(n.Cond) // "while": perhaps no turn at all
		case *ast.BinaryExpr:
			return n.Op != token.LAND && n.Op != token.LOR || again(n.X)
		case *ast.SelectStmt, *ast.FuncLit, *ast.GoStmt:
			return false
		case *ast.CallExpr:
			visit(n)
			if f, ok := n.Fun.(*ast.FuncLit); ok { // func() { ... }()
				again(f.Body)
			}
		}
		return true
	})
}

// A bLoop is the place (file:line) where a benchmark uses b.Loop, and the calls in it
// that some releases remove.
type bLoop struct {
	place string
	calls []loopPart
}

// A loopPart is a part of a loop's body with a call in it, on lines of a file.
type loopPart struct {
	part        int
	place, file string
	first, last int
}

// bLoop finds the benchmark's b.Loop. All its loops have to be of that kind.
func (s *source) bLoop() (bLoop, bool) {
	loops := s.loops()
	if len(loops) == 0 || slices.ContainsFunc(loops, func(l benchLoop) bool { return l.kind != loopCall }) {
		return bLoop{}, false
	}
	l := bLoop{place: s.place(loops[0].stmt.Pos())}
	for _, loop := range loops {
		ast.Inspect(loop.block, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false // its own function
			case *ast.AssignStmt:
				if slices.ContainsFunc(n.Lhs, isBlank) {
					l.add(s, loopBlank, n, n.Pos(), n.End())
				}
			case *ast.IfStmt:
				l.add(s, loopHeader, n.Init, n.Pos(), n.Body.Lbrace)
			case *ast.SwitchStmt:
				l.add(s, loopHeader, n.Init, n.Pos(), n.Body.Lbrace)
			}
			return true
		})
	}
	return l, true
}

// add adds a statement that calls something.
func (l *bLoop) add(s *source, part int, n ast.Stmt, from, to token.Pos) {
	if n == nil || !callsFunction(n) {
		return
	}
	first, last := s.files.Position(from), s.files.Position(to)
	l.calls = append(l.calls, loopPart{part, s.place(from), first.Filename, first.Line, last.Line})
}

// builtins are calls of which little or nothing is compiled.
var builtins = []string{"len", "cap", "min", "max", "real", "imag", "complex", "string", "byte", "rune", "bool", "uintptr",
	"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64"}

// callsFunction reports whether a statement calls a function.
func callsFunction(n ast.Stmt) bool {
	return slices.ContainsFunc(nodes[*ast.CallExpr](n), func(c *ast.CallExpr) bool {
		id, ok := c.Fun.(*ast.Ident)
		return !ok || !slices.Contains(builtins, id.Name)
	})
}

func isBlank(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == "_"
}

// mentionsWord reports whether a name has one of the words, in any case.
func mentionsWord(name string, words ...string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, strings.ToLower(w)) })
}
