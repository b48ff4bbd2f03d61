package code

import (
	"maps"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay/internal/binary"
)

// Reach returns the functions that roots lead to by direct calls, at most that many, the
// nearest first and the roots themselves before all; at one distance in the order of
// their names. Roots are named as in profiles or as symbols. Closures that a function
// makes count as called by it, since a binary does not say who calls them. The result
// includes the run time's functions but not what they call, and excludes the growing of
// stacks, which nearly every function may call. Calls through interfaces and function
// values are not seen.
func Reach(f *binary.File, roots []string, most int) []string {
	edges, names := f.Edges(), newNames(f)
	seen := map[string]bool{}
	var out []string
	add := func(name string) {
		if !seen[name] && len(out) < most && !growsStack(name) {
			seen[name] = true
			out = append(out, name)
		}
	}
	for _, r := range roots {
		for _, symbol := range names.symbols(r) {
			add(symbol)
		}
	}
	for i := 0; i < len(out) && len(out) < most; i++ {
		if binary.InRuntime(out[i]) {
			continue
		}
		for _, callee := range slices.Sorted(maps.Keys(edges[out[i]])) {
			add(callee)
		}
		for _, closure := range names.closures(out[i]) {
			add(closure)
		}
	}
	return out
}

// growsStack reports whether a function is the one that a prologue calls, or the one that
// the collector's checks do.
func growsStack(name string) bool { return strings.HasPrefix(name, "runtime.morestack") }

// names finds the functions of a binary by what profiles call them.
type names struct {
	sorted []string            // all symbols
	plain  map[string][]string // by Plain, sorted
}

func newNames(f *binary.File) *names {
	n := &names{plain: make(map[string][]string, len(f.Funcs))}
	for _, fn := range f.Funcs {
		n.sorted = append(n.sorted, fn.Name)
	}
	slices.Sort(n.sorted)
	n.sorted = slices.Compact(n.sorted)
	for _, s := range n.sorted {
		p := binary.PlainName(s)
		n.plain[p] = append(n.plain[p], s)
	}
	return n
}

func (n *names) has(symbol string) bool {
	_, ok := slices.BinarySearch(n.sorted, symbol)
	return ok
}

// symbols returns the functions of a name: the one with exactly that symbol, else all
// that it may mean, such as the instances of "pkg.F[...]".
func (n *names) symbols(name string) []string {
	if !n.has(name) {
		return n.plain[binary.PlainName(name)]
	}
	if abi := name + ".abi0"; n.has(abi) { // the body, of which the other is a wrapper
		return []string{name, abi}
	}
	return []string{name}
}

// closures returns the functions made of a function's body and of what was inlined in it:
// F.func1, F.func1.2, F.G.func1, F.gowrap1, F.deferwrap1 and F-range1, the body of a loop
// over a function.
func (n *names) closures(symbol string) []string {
	var out []string
	for _, prefix := range []string{symbol + ".", symbol + "-range"} {
		i, _ := slices.BinarySearch(n.sorted, prefix)
		for ; i < len(n.sorted) && strings.HasPrefix(n.sorted[i], prefix); i++ {
			if n.sorted[i] != symbol+".abi0" {
				out = append(out, n.sorted[i])
			}
		}
	}
	return out
}
