package code

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
)

// The sides of a change.
const (
	sideBase    = "base"
	sideVariant = "variant"
)

// CompareDecisions returns the compiler's decisions that only one side has, by place.
// Each list is ordered by package, file and line, as Builder.Decisions of internal/build
// gives it: a file is known by its base name, and another one of that name begins where
// lines go up again.
//
// The sides may be different texts of one program, so lines count within their function:
// a decision is paired with one of the same kind about the same thing in the same
// function, on the same line of it if there is one. Functions that only one side has in a
// file are looked for by name in other files, as build tags choose them, and what is left
// of them by file, since a function may have been renamed. Neither reason nor cost
// matters: what escapes for another reason escapes just so. Instances of a generic
// function count as one. That a parameter does not escape is no change by itself.
func CompareDecisions(base, variant []assay.Decision) []assay.DecisionChange {
	b, v := placeAll(base), placeAll(variant)
	b, v = withoutUntold(b, v), withoutUntold(v, b)
	pairSame(b, v)
	pairMoved(b, v)
	out := append(changesOf(b, v, sideBase), changesOf(v, b, sideVariant)...)
	slices.SortStableFunc(out, func(x, y assay.DecisionChange) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Col, y.Col))
	})
	return out
}

// A pairKey is what paired decisions have in common.
type pairKey struct {
	file, function, what string
	line, col            int
}

// pairSame pairs what is in the same function of the same file, and what is at the same
// place of it.
func pairSame(b, v []placed) {
	pairUp(b, v, func(p placed) any { return pairKey{p.file, p.function, p.what, p.Line - p.start, p.Col} })
	pairUp(b, v, func(p placed) any { return pairKey{p.file, p.function, p.what, p.Line - p.start, 0} })
	pairUp(b, v, func(p placed) any { return pairKey{p.file, p.function, p.what, 0, 0} })
	pairUp(b, v, func(p placed) any { return pairKey{p.file, "", p.what, p.Line, p.Col} })
}

// pairMoved pairs what is in functions that only one side has in a file.
func pairMoved(b, v []placed) {
	inBase, inVariant := functionsOf(b), functionsOf(v)
	moved := func(key func(placed) pairKey) {
		pairUp(b, v, func(p placed) any {
			if k := (pairKey{file: p.file, function: p.function}); inBase[k] && inVariant[k] {
				return nil
			}
			return key(p)
		})
	}
	moved(func(p placed) pairKey { return pairKey{"", p.function, p.what, p.Line - p.start, p.Col} })
	moved(func(p placed) pairKey { return pairKey{"", p.function, p.what, 0, 0} })
	moved(func(p placed) pairKey { return pairKey{p.file, "", p.what, 0, 0} })
}

// DecisionsIn returns the changes of a list that one side ("base" or "variant") has in
// the lines from and to of a file, both included: those of a function.
func DecisionsIn(list []assay.DecisionChange, side, file string, from, to int) []assay.DecisionChange {
	return slices.DeleteFunc(slices.Clone(list), func(d assay.DecisionChange) bool {
		return d.Side != side || d.File != file || d.Line < from || d.Line > to
	})
}

// A placed decision knows the function that it is in.
type placed struct {
	assay.Decision
	file     string // its base name, and which one of that name
	what     string // what the sides are compared by: kind and subject
	function string
	start    int // the function's line
	paired   bool
}

// placeAll finds the function of each decision: the last one of its file whose
// declaration, for which the compiler says whether it can inline it, is not below. Of
// several at one place, such as those of instances, it keeps one.
func placeAll(list []assay.Decision) []placed {
	out := make([]placed, 0, len(list))
	seen := map[placed]bool{}
	texts := map[string]int{} // how many files of a name there have been
	var last assay.Decision
	var file, function string
	var start int
	for i, d := range list {
		if d.File != last.File || d.Line < last.Line {
			texts[d.File]++
			file, function, start = fmt.Sprint(d.File, "\x00", texts[d.File]), "", 0
		}
		if d.Line != last.Line || start == 0 {
			if name := declared(list[i:]); name != "" {
				function, start = name, d.Line
			}
		}
		last = d
		p := placed{file: file, what: d.Kind + "\x00" + subject(d), function: function, start: start}
		p.Line, p.Col = d.Line, d.Col
		if !seen[p] {
			seen[p] = true
			p.Decision = d
			out = append(out, p)
		}
	}
	return out
}

// innerFunc matches the compiler's names of functions within functions.
var innerFunc = regexp.MustCompile(`\.(func|gowrap|deferwrap)\d|-range\d`)

// declared returns the function of the source that is declared in the line of the first
// of some decisions, or ""; of two in one line the first.
func declared(list []assay.Decision) string {
	for _, d := range list {
		if d.File != list[0].File || d.Line != list[0].Line {
			break
		}
		if (d.Kind == assay.DecisionInline || d.Kind == assay.DecisionNoInline) && !innerFunc.MatchString(d.What) {
			return subject(d)
		}
	}
	return ""
}

// numbered matches variables that the compiler has made up and counts.
var numbered = regexp.MustCompile(`(\.autotmp_|~[rp])\d+`)

// subject is what a decision is about without what differs between builds of the same
// text: type arguments of functions, operands of append, numbers of variables.
func subject(d assay.Decision) string {
	switch d.Kind {
	case assay.DecisionInline, assay.DecisionNoInline, assay.DecisionCall:
		i, j := strings.IndexByte(d.What, '['), strings.LastIndexByte(d.What, ']')
		if i >= 0 && j > i {
			return d.What[:i] + "[...]" + d.What[j+1:]
		}
		return d.What
	}
	if isAppend(d) {
		return "append"
	}
	return numbered.ReplaceAllString(strings.ReplaceAll(d.What, "go.shape.", ""), "$1")
}

func isAppend(d assay.Decision) bool {
	return (d.Kind == assay.DecisionEscape || d.Kind == assay.DecisionStack) && (d.What == "append" || strings.HasPrefix(d.What, "append("))
}

// fewAppends is the number of appends that a package may well gain at a time.
const fewAppends = 3

// withoutUntold drops the appends of a side if there are more than a few and the other
// side has none: compilers before go1.25 do not report them.
func withoutUntold(list, other []placed) []placed {
	count := func(l []placed) (n int) {
		for _, p := range l {
			if isAppend(p.Decision) {
				n++
			}
		}
		return n
	}
	if count(list) < fewAppends || count(other) > 0 {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(p placed) bool { return isAppend(p.Decision) })
}

// pairUp marks decisions of both sides that have the same key, each with one of the other
// side, in order. A nil key pairs with nothing.
func pairUp(b, v []placed, key func(placed) any) {
	waiting := map[any][]int{}
	for i, p := range v {
		if k := key(p); k != nil && !p.paired {
			waiting[k] = append(waiting[k], i)
		}
	}
	for i, p := range b {
		if p.paired {
			continue
		}
		k := key(p)
		if at := waiting[k]; len(at) > 0 {
			b[i].paired, v[at[0]].paired, waiting[k] = true, true, at[1:]
		}
	}
}

func functionsOf(list []placed) map[pairKey]bool {
	out := map[pairKey]bool{}
	for _, p := range list {
		out[pairKey{file: p.file, function: p.function}] = true
	}
	return out
}

// identifier matches what the compiler names by one word: a parameter, or a value that is
// converted to an interface.
var identifier = regexp.MustCompile(`^[\pL_][\pL\pN_]*$`)

// changesOf returns the unpaired decisions of a side. A word that stays on the stack is
// left out, unless it is on the heap on the other side.
func changesOf(list, other []placed, side string) []assay.DecisionChange {
	heap := map[string]bool{}
	for _, p := range other {
		if p.Kind == assay.DecisionEscape && !p.paired {
			heap[subject(p.Decision)] = true
		}
	}
	var out []assay.DecisionChange
	for _, p := range list {
		if p.paired || p.Kind == assay.DecisionStack && identifier.MatchString(p.What) && !heap[p.What] {
			continue
		}
		out = append(out, assay.DecisionChange{Decision: p.Decision, Side: side})
	}
	return out
}
