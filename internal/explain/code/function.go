package code

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/explain/cputime"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Limits of one function.
const (
	mostDecisions = 30
	// mostHosts is the number of functions that one is inlined in up to which all of them
	// are taken to matter if it does and none of them is hot.
	mostHosts = 5
)

// A target is a function that matters: its symbols, "" on a side that lacks it.
type target struct {
	b, v   string
	weight float64
	asked  int // 1 if it was named
}

// A wanted list has the functions that matter, once each.
type wanted struct {
	list []*target
	at   map[[2]string]*target
}

func (w *wanted) add(t target) {
	key := [2]string{t.b, t.v}
	if old := w.at[key]; old != nil {
		old.weight = max(old.weight, t.weight)
		old.asked = max(old.asked, t.asked)
		return
	}
	w.at[key] = &t
	w.list = append(w.list, &t)
}

func (c *comparison) functions(out *assay.CodeChange) {
	w := &wanted{at: map[[2]string]*target{}}
	for _, h := range c.in.Hot {
		for _, t := range c.targets(h) {
			w.add(t)
		}
	}
	for _, t := range w.list {
		out.Hot++
		if !c.differs(*t) {
			out.SameHot++
		}
	}
	c.addNamed(w)
	c.changes(out, w.list)
}

func (c *comparison) differs(t target) bool { return t.b == "" || t.v == "" || !c.same(t.b, t.v) }

// changes describes the targets that differ, the heaviest first.
func (c *comparison) changes(out *assay.CodeChange, list []*target) {
	list = slices.DeleteFunc(list, func(t *target) bool { return !c.differs(*t) })
	slices.SortStableFunc(list, func(a, b *target) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), b.asked-a.asked, cmp.Compare(c.grown(b), c.grown(a)), cmp.Compare(a.b+a.v, b.b+b.v))
	})
	listed := 0
	for i, t := range list {
		if i == mostFunctions {
			c.miss("%d more functions that matter and differ", len(list)-i)
			break
		}
		f := c.change(t)
		if listed < mostListings && f.Base != nil && f.Variant != nil {
			f.Listing = c.listing(t)
			listed++
		}
		out.Functions = append(out.Functions, f)
	}
}

// grown is the change of a function's size in bytes.
func (c *comparison) grown(t *target) int64 {
	b, _ := c.in.Base.Find(t.b)
	v, _ := c.in.Variant.Find(t.v)
	return abs(int64(v.Size) - int64(b.Size))
}

// miss notes what the result lacks.
func (c *comparison) miss(format string, args ...any) {
	c.missing = append(c.missing, fmt.Sprintf(format, args...))
}

// targets returns the functions that a hot one's code is in: all of its name, and, of a
// side that has none, those that it is inlined in.
func (c *comparison) targets(h cputime.Hot) (out []target) {
	base, variant := c.base.names.symbols(h.Name), c.variant.names.symbols(h.Name)
	if len(base) == 0 {
		base = c.base.hosts(h.Name, c.in.Hot)
	}
	if len(variant) == 0 {
		variant = c.variant.hosts(h.Name, c.in.Hot)
	}
	weight := h.Weight
	if math.IsNaN(weight) {
		weight = 0
	}
	for _, b := range base {
		out = append(out, target{b: b, v: c.toVariant[b], weight: weight})
	}
	for _, v := range variant {
		if b := c.toBase[v]; !slices.Contains(base, b) {
			out = append(out, target{b: b, v: v, weight: weight})
		}
	}
	return out
}

// hosts returns the functions that one is inlined in, if there are a few. If one of them
// is hot it stands for this one, and is known already.
func (s *side) hosts(name string, hot []cputime.Hot) []string {
	if s.inlinedIn == nil {
		s.inlinedIn = map[string][]string{}
		for _, fn := range s.f.Funcs {
			for _, in := range s.f.Inlined(fn) {
				p := binary.PlainName(in.Callee)
				if list := s.inlinedIn[p]; len(list) == 0 || list[len(list)-1] != fn.Name {
					s.inlinedIn[p] = append(list, fn.Name)
				}
			}
		}
	}
	hosts := s.inlinedIn[binary.PlainName(name)]
	if len(hosts) > mostHosts || slices.ContainsFunc(hosts, func(host string) bool {
		return slices.ContainsFunc(hot, func(h cputime.Hot) bool { return binary.PlainName(h.Name) == binary.PlainName(host) })
	}) {
		return nil
	}
	return hosts
}

// addNamed adds the functions that were asked for by name.
func (c *comparison) addNamed(w *wanted) {
	for _, re := range c.in.Named {
		found := false
		match := func(symbol string) bool {
			ok := re.MatchString(symbol) || strings.ContainsAny(symbol, "[%") && re.MatchString(binary.ReadableName(symbol))
			found = found || ok
			return ok
		}
		for _, b := range c.base.names.sorted {
			if match(b) {
				w.add(target{b: b, v: c.toVariant[b], asked: 1})
			}
		}
		for _, v := range c.variant.names.sorted {
			if _, known := c.toBase[v]; !known && match(v) {
				w.add(target{v: v, asked: 1})
			}
		}
		if !found {
			c.miss("no function of either binary matches %q%s", re, c.near(re.String()))
		}
	}
}

// near lists functions that the user may have meant.
func (c *comparison) near(word string) string {
	word = strings.Trim(strings.ReplaceAll(word, `\`, ""), "^$")
	if c.base.hosts(word, nil) != nil || c.variant.hosts(word, nil) != nil {
		return ": it is inlined wherever it is called"
	}
	names := closeNames(word, append(slices.Clone(c.base.names.sorted), c.variant.names.sorted...))
	if len(names) == 0 {
		return ""
	}
	return ": near are " + strings.Join(names, ", ")
}

func (c *comparison) change(t *target) assay.FuncChange {
	symbol := cmp.Or(t.b, t.v)
	out := assay.FuncChange{Name: binary.ReadableName(symbol), Symbol: printable.Line(symbol, binary.MaxNameLen), Weight: t.weight, VariantName: t.variantName()}
	b, okB := c.in.Base.Find(t.b)
	v, okV := c.in.Variant.Find(t.v)
	if okV {
		out.Variant = c.in.Variant.Facts(v)
		out.File, out.Line = declarationOf(c.in.Variant, v)
	}
	if okB {
		out.Base = c.in.Base.Facts(b)
		out.File, out.Line = declarationOf(c.in.Base, b)
	}
	if (okB && c.base.isC(b)) || (okV && c.variant.isC(v)) {
		c.miss("%s is a C function: its lines, its stack frame and what is inlined in it are unknown", out.Name)
	}
	out.Decisions = c.decisions(t)
	if okB && okV {
		out.Calls = c.ownCalls(t, out.Decisions)
	}
	out.Decisions = c.withCallees(out.Decisions, out.Calls)
	return out
}

// listing has a function's instructions on both sides.
func (c *comparison) listing(t *target) []assay.CodeLine {
	b, _ := c.in.Base.Find(t.b)
	v, _ := c.in.Variant.Find(t.v)
	rows, left := listingOf(listingLines(c.in.Base, b), listingLines(c.in.Variant, v))
	if left > 0 {
		rows = append(rows, assay.CodeLine{Kind: assay.CodeCut, Count: left})
	}
	return rows
}

// declarationOf is where a function is declared, or where its first instruction comes
// from: assembly has no declarations.
func declarationOf(f *binary.File, fn binary.Func) (file string, line int) {
	file, line, ok := f.Start(fn)
	if !ok {
		file, line, _ = f.Line(fn.Addr)
	}
	return fileName(file), line
}

// maxClose is how many near names are worth reading.
const maxClose = 3

// closeNames returns the names of symbols that the user may have meant by word; the
// package may be left out.
func closeNames(word string, symbols []string) []string {
	called := func(symbol string) string {
		if strings.Contains(word, ".") {
			return symbol
		}
		return binary.NameInPackage(symbol)
	}
	known := map[string][]string{}
	for _, s := range symbols {
		known[called(s)] = append(known[called(s)], binary.ReadableName(s))
	}
	var out []string
	for _, name := range printable.NearestNames(word, slices.Sorted(maps.Keys(known))) {
		slices.Sort(known[name])
		out = append(out, slices.Compact(known[name])...)
	}
	return out[:min(len(out), maxClose)]
}
