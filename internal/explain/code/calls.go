package code

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/printable"
)

// An edge is a changed call of one caller, as in assay.CallChange, by symbols.
type edge struct {
	from, to string
	inlined  bool
}

// A callDiff compares the calls that one function makes on both sides. A function with
// two names has that of the base.
type callDiff struct {
	lost, won map[string]int
	changed   map[edge]int
}

// calls compares the calls of function b of the base with those of v.
func (c *comparison) calls(b, v string) map[edge]int {
	d := callDiff{lost: map[string]int{}, won: map[string]int{}, changed: map[edge]int{}}
	net := map[string]int{}
	for callee, n := range c.base.edges[b] {
		net[callee] -= n
	}
	for callee, n := range c.variant.edges[v] {
		if other, ok := c.toBase[callee]; ok {
			callee = other
		}
		net[callee] += n
	}
	for callee, n := range net {
		switch {
		case growsStack(callee): // it says no more than that there is a frame
		case n < 0:
			d.lost[callee] = -n
		case n > 0:
			d.won[callee] = n
		}
	}
	if len(d.lost)+len(d.won) == 0 {
		return nil
	}
	c.inlining(&d, b, v)
	d.pairKin()
	d.pairAlone()
	for callee, n := range d.lost {
		d.changed[edge{from: callee}] += n
	}
	for callee, n := range d.won {
		d.changed[edge{to: callee}] += n
	}
	return d.changed
}

// inlining removes the calls that came or went because the callee was inlined before, or
// is now, and those that an inlined callee brought along.
func (c *comparison) inlining(d *callDiff, b, v string) {
	before, after := c.base.inlines(b), c.variant.inlines(v)
	for _, callee := range slices.Sorted(maps.Keys(d.lost)) {
		if p := binary.PlainName(callee); after[p] > before[p] {
			d.changed[edge{from: callee, inlined: true}] = d.lost[callee]
			delete(d.lost, callee)
		}
	}
	for _, callee := range slices.Sorted(maps.Keys(d.won)) {
		if p := binary.PlainName(callee); before[p] > after[p] {
			d.changed[edge{to: callee, inlined: true}] = d.won[callee]
			delete(d.won, callee)
		}
	}
	for p, n := range after {
		if n > before[p] {
			c.forget(d.won, p)
		}
	}
	for p, n := range before {
		if n > after[p] {
			c.forget(d.lost, p)
		}
	}
}

// forget removes the calls of a function that is inlined on one side only. On the other
// it nearly always has a symbol.
func (c *comparison) forget(calls map[string]int, plain string) {
	for _, s := range []*side{c.base, c.variant} {
		for _, symbol := range s.names.plain[plain] {
			for callee := range s.edges[symbol] {
				delete(calls, callee)
				if other, ok := c.toBase[callee]; ok && s == c.variant {
					delete(calls, other)
				}
			}
		}
	}
}

// inlines counts the calls inlined into a function, by the callee's plain name.
func (s *side) inlines(symbol string) map[string]int {
	out := map[string]int{}
	if fn, ok := s.f.Find(symbol); ok {
		for _, in := range s.f.Inlined(fn) {
			out[binary.PlainName(in.Callee)]++
		}
	}
	return out
}

// pairKin pairs what came with what went within groups of functions that do the same
// thing, if one side has a single one of them: three calls of newobject may become two of
// one and one of another function that allocates.
func (d *callDiff) pairKin() {
	lost, won := groupCallees(d.lost, kinOf), groupCallees(d.won, kinOf)
	for _, group := range slices.Sorted(maps.Keys(lost)) {
		if group == "" || len(lost[group]) > 1 && len(won[group]) > 1 {
			continue
		}
		for _, from := range lost[group] {
			for _, to := range won[group] {
				d.pair(from, to, min(d.lost[from], d.won[to]))
			}
		}
	}
}

// pairAlone pairs a callee that went with the one that came as often: within a package if
// the counts leave no choice, then if nothing else came or went.
func (d *callDiff) pairAlone() {
	lost, won := groupCallees(d.lost, siblings), groupCallees(d.won, siblings)
	for _, pkg := range slices.Sorted(maps.Keys(lost)) {
		for _, from := range lost[pkg] {
			n := d.lost[from]
			froms, tos := calledTimes(d.lost, lost[pkg], n), calledTimes(d.won, won[pkg], n)
			if pkg != "" && len(froms) == 1 && len(tos) == 1 {
				d.pair(from, tos[0], n)
			}
		}
	}
	if len(d.lost) != 1 || len(d.won) != 1 {
		return
	}
	for from, n := range d.lost {
		for _, to := range calledTimes(d.won, slices.Collect(maps.Keys(d.won)), n) {
			d.pair(from, to, n)
		}
	}
}

// siblings is the package of a callee, within which one function may replace another. The
// run time's functions do too many things.
func siblings(symbol string) string {
	if binary.InRuntime(symbol) {
		return ""
	}
	return binary.PackageOf(symbol)
}

// calledTimes returns the names that are called n times.
func calledTimes(calls map[string]int, names []string, n int) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return calls[name] != n })
}

func (d *callDiff) pair(from, to string, n int) {
	if n <= 0 {
		return
	}
	d.changed[edge{from: from, to: to}] += n
	if d.lost[from] -= n; d.lost[from] == 0 {
		delete(d.lost, from)
	}
	if d.won[to] -= n; d.won[to] == 0 {
		delete(d.won, to)
	}
}

func groupCallees(calls map[string]int, group func(string) string) map[string][]string {
	out := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		g := group(name)
		out[g] = append(out[g], name)
	}
	return out
}

// kinOf names what a function of the run time is for, if toolchains have several for the
// same thing; "" for all others.
func kinOf(symbol string) string {
	name, ok := strings.CutPrefix(symbol, "runtime.")
	if !ok {
		return ""
	}
	switch {
	case strings.Contains(name, "malloc") || name == "newobject":
		return "malloc"
	case indexPanic(symbol):
		return "bounds"
	}
	for _, kin := range []string{"growslice", "makeslice", "mapaccess", "mapassign", "mapdelete", "memclr", "memmove",
		"gcWriteBarrier", "convT", "concatstring", "typedmemmove", "slicebytetostring", "stringtoslice"} {
		if strings.HasPrefix(name, kin) {
			return kin
		}
	}
	return ""
}

// indexPanic reports whether a function is called for a wrong index: code that never
// runs.
func indexPanic(symbol string) bool {
	return slices.ContainsFunc([]string{"panicIndex", "panicSlice", "panicBounds", "goPanic"}, func(name string) bool {
		return strings.HasPrefix(symbol, "runtime."+name)
	})
}

// A callSum is an edge summed over its callers, the first of which is kept.
type callSum struct {
	edge
	count, callers int
	b, v           string
}

// allCalls sums the changed calls of all functions that both sides have.
func (c *comparison) allCalls() []assay.CallChange {
	sums := map[edge]*callSum{}
	for _, p := range c.differ() {
		for e, n := range c.calls(p[0], p[1]) {
			t := sums[e]
			if t == nil {
				t = &callSum{edge: e, b: p[0], v: p[1]}
				sums[e] = t
			}
			t.count += n
			t.callers++
		}
	}
	var list []*callSum
	for e, t := range sums {
		if matchesAny(c.in.Calls, e.from) || matchesAny(c.in.Calls, e.to) {
			list = append(list, t)
		}
	}
	return c.rankedCalls(list)
}

// rankedCalls makes the list: most callers first, but code that never runs last.
func (c *comparison) rankedCalls(list []*callSum) []assay.CallChange {
	cold := func(t *callSum) int {
		if (t.from == "" || indexPanic(t.from)) && (t.to == "" || indexPanic(t.to)) {
			return 1
		}
		return 0
	}
	slices.SortFunc(list, func(a, b *callSum) int {
		return cmp.Or(cmp.Compare(cold(a), cold(b)), cmp.Compare(b.callers, a.callers), cmp.Compare(b.count, a.count),
			cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	var out []assay.CallChange
	for _, t := range list[:min(len(list), mostCalls)] {
		ch := assay.CallChange{From: binary.ReadableName(t.from), To: binary.ReadableName(t.to), Count: t.count, Callers: t.callers, Inlined: t.inlined}
		if t.to != "" {
			ch.File, ch.Line = c.variant.callSite(t.v, cmp.Or(c.toVariant[t.to], t.to))
		} else {
			ch.File, ch.Line = c.base.callSite(t.b, t.from)
		}
		out = append(out, ch)
	}
	return out
}

// callSite returns the line of the first call of callee in a function, if known.
func (s *side) callSite(symbol, callee string) (file string, line int) {
	fn, ok := s.f.Find(symbol)
	if !ok {
		return "", 0
	}
	for _, in := range s.f.Insts(fn) {
		if in.Callee == callee && in.Line > 0 {
			return fileName(in.File), in.Line
		}
	}
	return "", 0
}

// fileName is the last part of a path of any system, fit to print.
func fileName(file string) string {
	return printable.Line(path.Base(strings.ReplaceAll(file, `\`, "/")), binary.MaxNameLen)
}

// matchesAny reports whether a callee is one of those asked for.
func matchesAny(patterns []string, name string) bool {
	if name == "" {
		return false
	}
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(p string) bool {
		return glob(p, name) || glob(p, binary.PlainName(name))
	})
}

// glob reports whether a name matches a pattern in which "*" is any text.
func glob(pattern, name string) bool {
	first, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == name
	}
	name, ok := strings.CutPrefix(name, first)
	if !ok {
		return false
	}
	for {
		// The leftmost place of each part leaves the most for the next.
		part, more, star := strings.Cut(rest, "*")
		if !star {
			return strings.HasSuffix(name, part)
		}
		i := strings.Index(name, part)
		if i < 0 {
			return false
		}
		name, rest = name[i+len(part):], more
	}
}
