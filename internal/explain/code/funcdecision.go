package code

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
)

// ownCalls are the changed calls of one function. Its compiler may say that one was
// inlined where the binary does not: all of the callee's instructions can be merged with
// others.
func (c *comparison) ownCalls(t *target, decided []assay.DecisionChange) []assay.CallChange {
	var list []*callSum
	for e, n := range c.calls(t.b, t.v) {
		switch {
		case e.from == "":
			e.inlined = e.inlined || saidInlined(decided, sideBase, e.to)
		case e.to == "":
			e.inlined = e.inlined || saidInlined(decided, sideVariant, e.from)
		}
		list = append(list, &callSum{edge: e, count: n, callers: 1, b: t.b, v: t.v})
	}
	return c.rankedCalls(list)
}

// saidInlined reports whether a side's compiler alone inlined a call of callee.
func saidInlined(decided []assay.DecisionChange, side, callee string) bool {
	return slices.ContainsFunc(decided, func(d assay.DecisionChange) bool {
		return d.Side == side && d.Kind == assay.DecisionCall && calledSo(callee, d.What)
	})
}

// calledSo reports whether a compiler calls a function name: with its package or, at
// home, without.
func calledSo(symbol, name string) bool {
	name = binary.PlainName(name)
	return name != "" && (binary.NameInPackage(symbol) == name || binary.PlainName(symbol) == name || strings.HasSuffix(binary.PlainName(symbol), "/"+name))
}

// decisions are the compiler's that differ within a function.
func (c *comparison) decisions(t *target) (out []assay.DecisionChange) {
	if c.decided == nil {
		c.decided = CompareDecisions(c.in.BaseDecisions, c.in.VariantDecisions)
	}
	for i, s := range []*side{c.base, c.variant} {
		symbol := [...]string{t.b, t.v}[i]
		f, ok := s.f.Find(symbol)
		if !ok || len(s.decisions) == 0 {
			continue
		}
		if file, from, to := extent(s.f, f, s.decisions); declaredAt(s.decisions, symbol, file, from) {
			out = append(out, DecisionsIn(c.decided, s.name, file, from, to)...)
		}
	}
	return out[:min(len(out), mostDecisions)]
}

// withCallees adds what the compilers say about inlining the callees whose calls came or
// went with inlining.
func (c *comparison) withCallees(list []assay.DecisionChange, calls []assay.CallChange) []assay.DecisionChange {
	for _, d := range c.decided {
		if declares(d.Decision) && isCallee(calls, d.What) && !slices.Contains(list, d) {
			list = append(list, d)
		}
	}
	return list
}

// isCallee reports whether a call of what the compiler calls name was inlined on one
// side.
func isCallee(calls []assay.CallChange, name string) bool {
	return slices.ContainsFunc(calls, func(ch assay.CallChange) bool {
		return ch.Inlined && calledSo(cmp.Or(ch.From, ch.To), name)
	})
}

// declares reports whether a decision stands at the declaration of a function: the
// compiler says of each whether it can be inlined.
func declares(d assay.Decision) bool {
	return d.Kind == assay.DecisionInline || d.Kind == assay.DecisionNoInline
}

// declaredAt reports whether a function's declaration is at a place. Decisions have base
// names of files only, and another package may have a file of that name.
func declaredAt(all []assay.Decision, symbol, file string, line int) bool {
	return slices.ContainsFunc(all, func(d assay.Decision) bool {
		return declares(d) && d.File == file && d.Line == line && calledSo(symbol, d.What)
	})
}

// extent returns the lines of a function's source: from its declaration to before the
// next one in its file that the compiler mentions, or else to the last line that has
// instructions.
func extent(f *binary.File, fn binary.Func, all []assay.Decision) (file string, from, to int) {
	file, from = declarationOf(f, fn)
	to = math.MaxInt
	for _, d := range all {
		if declares(d) && d.File == file && d.Line > from && !strings.Contains(d.What, ".func") {
			to = min(to, d.Line-1)
		}
	}
	if to == math.MaxInt {
		to = from
		for _, l := range f.LinesOf(fn) {
			if fileName(l.File) == file {
				to = max(to, l.Line)
			}
		}
	}
	return file, from, to
}
