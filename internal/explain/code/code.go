// Package code compares the code of two binaries: which functions differ, in size, calls
// and instructions, and what their compilers decided otherwise. It reads no profile and
// ranks no causes. Binaries come opened (internal/binary), decisions read
// (internal/build).
package code

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/explain/cputime"
)

// Limits of what a comparison of code tells.
const (
	mostPackages  = 40
	mostCalls     = 40 // of whole binaries, and of one function
	mostFunctions = 20
	mostListings  = 3
	mostVariables = 20
)

// An Input is what Compare compares.
type Input struct {
	Base, Variant *binary.File
	// BaseSize and VariantSize are those of the files, in bytes.
	BaseSize, VariantSize int64
	// Hot are the functions that matter, named as in profiles: "pkg.F[...]" stands for
	// all instances of F.
	Hot []cputime.Hot
	// Named match further functions, by symbol or readable name.
	Named []*regexp.Regexp
	// Calls are patterns of callees, in which "*" is any text: of the whole binaries'
	// changed calls only those from or to one of them are listed, all if there are none.
	Calls []string
	// Decisions are the compiler's, where they are known.
	BaseDecisions, VariantDecisions []assay.Decision
}

// Compare compares two binaries: all their functions by hash, size and calls, and those
// that matter by their instructions. It takes about as long as fingerprinting both.
// Missing lists what cannot be read; it is never an error.
//
// If one of them has no symbol table the other is read without its own: only then their
// functions can be the same.
func Compare(in Input) *assay.CodeChange {
	stripped := map[string]bool{sideBase: in.Base.Stripped(), sideVariant: in.Variant.Stripped()}
	in.Base, in.Variant = readAlike(in.Base, in.Variant), readAlike(in.Variant, in.Base)
	c := &comparison{in: in, stripped: stripped, base: newSide(sideBase, in.Base, in.BaseDecisions), variant: newSide(sideVariant, in.Variant, in.VariantDecisions)}
	c.pair()
	out := &assay.CodeChange{BaseFile: in.BaseSize, VariantFile: in.VariantSize}
	c.count(out)
	out.Packages = sizes(c.base.sizes(), c.variant.sizes())
	out.Calls = c.allCalls()
	c.functions(out)
	c.data(out)
	out.Missing = append(c.unread(), c.missing...)
	return out
}

// Unnamed stands for data without a name of its own among the data that differs.
const Unnamed = "data without a name"

// data names the package variables that differ, if the functions that matter are the same:
// first those in the packages of such functions. What a variable leads to has no name.
func (c *comparison) data(out *assay.CodeChange) {
	if len(out.Functions) > 0 {
		return
	}
	a, b := c.base.f.Print(), c.variant.f.Print()
	if a == nil || b == nil {
		return
	}
	d := binary.Compare(a, b)
	near := map[string]bool{}
	for _, h := range c.in.Hot {
		near[binary.PackageOf(h.Name)] = true
	}
	var others []string
	for _, name := range d.Data {
		_, inA := a.Data[name]
		_, inB := b.Data[name]
		what, pkg := binary.ReadableName(name), binary.PackageOf(name)
		if strings.HasPrefix(name, pkg+"..") { // made by the compiler: the elements of a slice, embedded bytes
			what = "an initial value in " + path.Base(binary.ReadableName(pkg))
		}
		switch {
		case !inA || !inB || !binary.InPackage(name) || slices.Contains(out.Data, what) || slices.Contains(others, what):
		case near[pkg]:
			out.Data = append(out.Data, what)
		case !binary.InRuntime(name):
			others = append(others, what)
		}
	}
	out.Data = slices.Concat(out.Data, others)
	if len(out.Data) == 0 && len(d.Data) > 0 && len(d.Changed)+len(d.OnlyA)+len(d.OnlyB) == 0 {
		out.Data = []string{Unnamed}
	}
	out.Data = out.Data[:min(len(out.Data), mostVariables)]
}

// readAlike returns a file without its symbol table if another has none.
func readAlike(f, other *binary.File) *binary.File {
	if f.Stripped() || !other.Stripped() {
		return f
	}
	if s, err := f.Strip(); err == nil {
		return s
	}
	return f
}

// A side is one of the two binaries.
type side struct {
	name      string // sideBase or sideVariant
	decisions []assay.Decision

	f      *binary.File
	hashes map[string]binary.Hash
	exact  bool
	// shared has the keys in hashes of functions that share a name (static ones of C,
	// helpers of assembly files): NAME~HASH each, sorted.
	shared map[string][]string
	edges  map[string]map[string]int
	names  *names
	// inlinedIn has the functions that a function's code is inlined in, by its plain
	// name. It is made at its first use.
	inlinedIn map[string][]string
}

func newSide(name string, f *binary.File, decisions []assay.Decision) *side {
	s := &side{name: name, decisions: decisions, f: f, names: newNames(f), edges: f.Edges()}
	s.hashes, s.exact = f.Hashes()
	s.share()
	return s
}

// share finds the functions that share a name among the hashes.
func (s *side) share() {
	s.shared = map[string][]string{}
	for key := range s.hashes {
		if i := strings.LastIndexByte(key, '~'); i >= 0 && len(key)-i == len("~0123456789abcdef") {
			s.shared[key[:i]] = append(s.shared[key[:i]], key)
		}
	}
	for _, keys := range s.shared {
		slices.Sort(keys)
	}
}

// A comparison is a comparison while it is made.
type comparison struct {
	in Input
	// stripped says which side has no symbol table of its own.
	stripped      map[string]bool
	base, variant *side
	// toVariant has the variant's function for each of the base that has one, toBase the
	// reverse.
	toVariant, toBase map[string]string
	missing           []string
	// decided are the changed decisions of the compiler, compared at their first use.
	decided []assay.DecisionChange
}

// pair finds which functions are the same one: those of one name, then those left over
// that have a plain name to themselves on either side.
func (c *comparison) pair() {
	c.toVariant = make(map[string]string, len(c.base.names.sorted))
	c.toBase = make(map[string]string, len(c.variant.names.sorted))
	set := func(b, v string) { c.toVariant[b], c.toBase[v] = v, b }
	for _, name := range c.base.names.sorted {
		if c.variant.names.has(name) {
			set(name, name)
		}
	}
	for plain, symbols := range c.base.names.plain {
		b, okB := onlyFree(symbols, c.toVariant)
		v, okV := onlyFree(c.variant.names.plain[plain], c.toBase)
		if okB && okV {
			set(b, v)
		}
	}
}

// onlyFree returns the one name that is not taken, if there is just one.
func onlyFree(names []string, taken map[string]string) (name string, ok bool) {
	free := slices.DeleteFunc(slices.Clone(names), func(n string) bool { _, has := taken[n]; return has })
	if len(free) != 1 {
		return "", false
	}
	return free[0], true
}

// same reports whether two functions are the same code: of several with one name, all of
// them.
func (c *comparison) same(b, v string) bool {
	x, okX := c.base.hashes[b]
	y, okY := c.variant.hashes[v]
	if okX || okY {
		return okX && okY && x == y
	}
	return len(c.base.shared[b]) > 0 && slices.Equal(c.base.shared[b], c.variant.shared[v])
}

// differ returns the pairs of functions that differ, in the order of the base's names.
func (c *comparison) differ() (pairs [][2]string) {
	for _, b := range c.base.names.sorted {
		if v, ok := c.toVariant[b]; ok && !c.same(b, v) {
			pairs = append(pairs, [2]string{b, v})
		}
	}
	return pairs
}

// count compares the binaries as wholes.
func (c *comparison) count(out *assay.CodeChange) {
	for _, f := range c.in.Base.Funcs {
		out.BaseText += int64(f.Size)
	}
	for _, f := range c.in.Variant.Funcs {
		out.VariantText += int64(f.Size)
	}
	out.Differ = len(c.differ())
	out.Same = len(c.toVariant) - out.Differ
	out.OnlyBase = len(c.base.names.sorted) - len(c.toVariant)
	out.OnlyVariant = len(c.variant.names.sorted) - len(c.toBase)
}

// sizes adds up the functions of every package, in bytes.
func (s *side) sizes() map[string]int64 {
	out := map[string]int64{}
	for _, f := range s.f.Funcs {
		pkg := binary.PackageOf(f.Name)
		if s.isC(f) {
			pkg = binary.CPackage
		}
		out[pkg] += int64(f.Size)
	}
	return out
}

// isC reports whether a function is not Go's: it is in no line table of Go.
func (s *side) isC(f binary.Func) bool {
	_, _, ok := s.f.Line(f.Addr)
	return !ok
}

// sizes compares packages: those that changed most, and the others as one.
func sizes(base, variant map[string]int64) []assay.SizeChange {
	all := maps.Clone(base)
	maps.Copy(all, variant)
	var out []assay.SizeChange
	for name := range all {
		if base[name] != variant[name] {
			out = append(out, assay.SizeChange{Name: binary.ReadableName(name), Base: base[name], Variant: variant[name]})
		}
	}
	slices.SortFunc(out, func(a, b assay.SizeChange) int {
		return cmp.Or(cmp.Compare(abs(b.Variant-b.Base), abs(a.Variant-a.Base)), cmp.Compare(a.Name, b.Name))
	})
	if len(out) <= mostPackages {
		return out
	}
	others := assay.SizeChange{Name: fmt.Sprintf("%d others", len(out)-mostPackages+1)}
	for _, s := range out[mostPackages-1:] {
		others.Base += s.Base
		others.Variant += s.Variant
	}
	return append(out[:mostPackages-1], others)
}

func abs(n int64) int64 { return max(n, -n) }

// unread lists what the files lack.
func (c *comparison) unread() (out []string) {
	for _, s := range []*side{c.base, c.variant} {
		if c.stripped[s.name] {
			out = append(out, "the "+s.name+" has no symbol table (built with -ldflags=-s): functions are named by its line table, "+
				"C functions are not seen, names of data are missing, and changed data does not make a function differ")
		}
	}
	if c.in.Base.Arch != c.in.Variant.Arch {
		out = append(out, fmt.Sprintf("the base is for %s and the variant for %s: no instruction is the same", c.in.Base.Arch, c.in.Variant.Arch))
	}
	return out
}
