package code

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/explain/cputime"
	"github.com/seed-1318a441/assay/internal/slow"
)

// sharedPart is the part of the test program that both versions share.
const sharedPart = `package main

import "os"

type node struct {
	next *node
	n    int
}

var kept = &node{}
var pool = &node{}

//go:noinline
func loop(n int) (sum int) {
	for i := range n {
		sum += small(i)
	}
	return sum
}

//go:noinline
func fast(n int) int { return n + len(os.Args) }

//go:noinline
func slow(n int) int { return n * len(os.Args) / 3 }

//go:noinline
func unchanged(n int) int { return fast(n) + slow(n) }

//go:noinline
func each(n int, f func(int) int) int { return f(n) + f(n+1) }

type number interface{ int | string }

//go:noinline
func largest[T number](list []T) (m T) {
	for _, x := range list {
		if better(x, m) {
			m = x
		}
	}
	return m
}

func main() {
	n := len(os.Args)
	list := make([]int, n+8)
	println(loop(n), swapped(n), unchanged(n), sum(list, n), take(n).n, largest(list), largest(os.Args))
	println(each(n, func(i int) int { return fast(i) - n }))
}
`

// versions has the base and the variant: an inlining lost, a check of an index, an
// allocation (and the barrier of its store), a callee swapped, and a generic
// function.
var versions = map[string]string{"base": `//go:build !variant

package main

func small(n int) int {
	if n > 7 {
		return n ^ 5
	}
	return n*n + 1
}

//go:noinline
func swapped(n int) int { return fast(n) + 1 }

//go:noinline
func sum(list []int, n int) (s int) {
	for i := range list[:n] {
		s += list[i]
	}
	return s
}

//go:noinline
func take(n int) *node {
	pool.n = n
	return pool
}

func better[T number](a, b T) bool { return a > b }

//go:noinline
func onlyBase() int { return fast(7) }

func init() { kept.n = onlyBase() }
`, "variant": `//go:build variant

package main

//go:noinline
func small(n int) int {
	if n > 7 {
		return n ^ 5
	}
	return n*n + 1
}

//go:noinline
func swapped(n int) int { return slow(n) + 1 }

//go:noinline
func sum(list []int, n int) (s int) {
	for i := range n {
		s += list[i+1]
	}
	return s
}

//go:noinline
func take(n int) *node {
	kept.next = &node{n: n}
	return kept.next
}

func better[T number](a, b T) bool { return a >= b }
`}

// programs are built once: pairs of versions, by platform and link flags.
var programs struct {
	sync.Mutex
	dir  string
	open map[string]*binary.File
}

func TestMain(m *testing.M) {
	code := m.Run()
	if programs.dir != "" {
		os.RemoveAll(programs.dir)
	}
	os.Exit(code)
}

// program builds one version of the test program.
func program(t testing.TB, version, platform, ldflags string) *binary.File {
	t.Helper()
	programs.Lock()
	defer programs.Unlock()
	key := version + " " + platform + " " + ldflags
	if f := programs.open[key]; f != nil {
		return f
	}
	if programs.dir == "" {
		dir, err := os.MkdirTemp("", "explain")
		if err != nil {
			t.Fatal(err)
		}
		programs.dir, programs.open = dir, map[string]*binary.File{}
		for name, text := range map[string]string{"go.mod": "module main\n\ngo 1.26\n", "common.go": sharedPart, "base.go": versions["base"], "variant.go": versions["variant"]} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	goos, goarch, _ := strings.Cut(platform, "/")
	out := filepath.Join(programs.dir, strings.NewReplacer("/", "_", " ", "_").Replace(key))
	cmd := exec.Command("go", "build", "-trimpath", "-tags", version, "-ldflags", ldflags, "-o", out, ".")
	cmd.Dir = programs.dir
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false", "GOWORK=off", "GOEXPERIMENT=")
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, msg)
	}
	f, err := binary.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	programs.open[key] = f
	return f
}

// compared compares the two versions for these hot functions.
func compared(t *testing.T, platform, ldflags string, hot ...string) *assay.CodeChange {
	t.Helper()
	in := Input{Base: program(t, "base", platform, ldflags), Variant: program(t, "variant", platform, ldflags), BaseSize: 100, VariantSize: 200}
	for i, name := range hot {
		in.Hot = append(in.Hot, cputime.Hot{Name: name, Weight: 0.9 - float64(i)/10})
	}
	return Compare(in)
}

func find(t *testing.T, c *assay.CodeChange, name string) assay.FuncChange {
	t.Helper()
	for _, f := range c.Functions {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("%s is not among the functions that differ: %+v", name, c.Functions)
	return assay.FuncChange{}
}

// hasCall reports whether a changed call is in a list, without its place.
func hasCall(list []assay.CallChange, want assay.CallChange) bool {
	return slices.ContainsFunc(list, func(got assay.CallChange) bool {
		return got.From == want.From && got.To == want.To && got.Inlined == want.Inlined && got.Count == want.Count
	})
}

func TestCompareCode(t *testing.T) { testCompareCode(t, "linux/amd64") }

// otherPlatforms differ from linux/amd64 in files and instructions.
var otherPlatforms = []string{"linux/arm64", "darwin/arm64", "windows/amd64"}

func TestSlowCompareCode(t *testing.T) {
	slow.Test(t)
	testCompareCode(t, otherPlatforms...)
}

func testCompareCode(t *testing.T, platforms ...string) {
	for _, platform := range platforms {
		for _, ldflags := range []string{"", "-s -w"} {
			t.Run(platform+ldflags, func(t *testing.T) { testPlanted(t, platform, ldflags) })
		}
	}
}

// testPlanted looks for each planted change.
func testPlanted(t *testing.T, platform, ldflags string) {
	c := compared(t, platform, ldflags, "main.loop", "main.swapped", "main.sum", "main.take", "main.largest[...]", "main.unchanged", "main.small", "vdso.x")
	if c.Hot != 8 || c.SameHot != 1 {
		t.Errorf("hot: got %d, %d of them the same; want 8 (the generic one has two instances), and 1 (main.unchanged)", c.Hot, c.SameHot)
	}
	if c.BaseFile != 100 || c.VariantFile != 200 || c.BaseText < 100_000 || c.VariantText < 100_000 {
		t.Errorf("sizes: got %d %d %d %d", c.BaseFile, c.VariantFile, c.BaseText, c.VariantText)
	}
	if c.Same < 1000 || c.Differ < 5 || c.Differ > 20 || c.OnlyBase != 2 || c.OnlyVariant != 1 {
		t.Errorf("functions: got %d same, %d differ, %d and %d on one side; want most the same, a few that differ, two and one", c.Same, c.Differ, c.OnlyBase, c.OnlyVariant)
	}
	if len(c.Packages) == 0 || c.Packages[0].Name != "main" {
		t.Errorf("packages: got %+v, want main first", c.Packages)
	}

	loop := find(t, c, "main.loop")
	if want := (assay.CallChange{To: "main.small", Count: 1, Inlined: true}); !hasCall(loop.Calls, want) {
		t.Errorf("lost inlining: got %+v, want %+v", loop.Calls, want)
	}
	if loop.File != "common.go" || loop.Line != 14 {
		t.Errorf("main.loop begins at %s:%d, want common.go:14", loop.File, loop.Line)
	}
	if ch := loop.Calls[0]; ch.File != "common.go" || ch.Line != 16 {
		t.Errorf("main.small is called at %s:%d, want common.go:16", ch.File, ch.Line)
	}
	if want := (assay.CallChange{From: "main.fast", To: "main.slow", Count: 1}); !hasCall(find(t, c, "main.swapped").Calls, want) || !hasCall(c.Calls, want) {
		t.Errorf("callee: got %+v and %+v, want %+v", find(t, c, "main.swapped").Calls, c.Calls, want)
	}
	sum := find(t, c, "main.sum")
	if !hasMark(sum.Listing, "bounds") || sum.Base.Size == sum.Variant.Size {
		t.Errorf("check of an index: got %+v %+v %+v", sum.Base, sum.Variant, sum.Listing)
	}
	take := find(t, c, "main.take")
	if want := (assay.CallChange{To: "runtime.newobject", Count: 1}); !hasCall(take.Calls, want) {
		t.Errorf("allocation: got %+v, want %+v", take.Calls, want)
	}
	if take.Base.WriteBarriers != 0 || take.Variant.WriteBarriers == 0 || take.Base.Frame >= take.Variant.Frame {
		t.Errorf("facts of take: got %+v and %+v, want a barrier and a larger frame", *take.Base, *take.Variant)
	}
	for _, name := range []string{"main.largest[int]", "main.largest[string]"} {
		if f := find(t, c, name); f.Weight < 0.49 || f.Weight > 0.51 || !strings.Contains(f.Symbol, "go.shape.") {
			t.Errorf("%s: got weight %v, symbol %q", name, f.Weight, f.Symbol)
		}
	}
	if f := find(t, c, "main.small"); f.Base != nil || f.Variant == nil {
		t.Errorf("main.small: got %+v and %+v, want only the variant's", f.Base, f.Variant)
	}
	if got := strings.Contains(strings.Join(c.Missing, "\n"), "no symbol table"); got != (ldflags != "") {
		t.Errorf("missing: got %q", c.Missing)
	}
	listed := 0
	for _, f := range c.Functions {
		if len(f.Listing) > 0 {
			listed++
		}
	}
	if listed != mostListings {
		t.Errorf("got %d listings, want %d", listed, mostListings)
	}
}

func hasMark(listing []assay.CodeLine, mark string) bool {
	return slices.ContainsFunc(listing, func(l assay.CodeLine) bool { return l.Mark == mark })
}

// A file is the same code as itself in every format, and as itself without its symbol table,
// which is said of that side alone.
func TestCompareCodeOfOneBinary(t *testing.T) {
	for _, platform := range []string{"linux/amd64", "windows/amd64", "darwin/arm64"} {
		f, stripped := program(t, "base", platform, ""), program(t, "base", platform, "-s")
		for _, in := range []Input{{Base: f, Variant: f}, {Base: f, Variant: stripped}, {Base: stripped, Variant: f}, {Base: stripped, Variant: stripped}} {
			in.Hot = []cputime.Hot{{Name: "main.loop", Weight: 1}}
			c := Compare(in)
			if c.Differ+c.OnlyBase+c.OnlyVariant+len(c.Packages)+len(c.Calls)+len(c.Functions) != 0 || c.SameHot != 1 || c.Same < 1000 {
				t.Errorf("%s: got %+v, want all the same", platform, c)
			}
			var want []string
			for _, s := range []struct {
				name string
				f    *binary.File
			}{{"the base has no symbol table", in.Base}, {"the variant has no symbol table", in.Variant}} {
				if s.f.Stripped() {
					want = append(want, s.name)
				}
			}
			if !slices.EqualFunc(c.Missing, want, strings.HasPrefix) {
				t.Errorf("%s: got %q missing, want %q", platform, c.Missing, want)
			}
		}
	}
}

func TestNamedFunctions(t *testing.T) {
	in := Input{Base: program(t, "base", "linux/amd64", ""), Variant: program(t, "variant", "linux/amd64", ""),
		Named: []*regexp.Regexp{regexp.MustCompile(`^main\.s`), regexp.MustCompile(`^main\.larg.*\[int\]`), regexp.MustCompile(`swaped`), regexp.MustCompile(`^onlyBas$`)}}
	c := Compare(in)
	var got []string
	for _, f := range c.Functions {
		got = append(got, f.Name)
	}
	slices.Sort(got)
	if want := []string{"main.largest[int]", "main.small", "main.sum", "main.swapped"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	want := []string{`no function of either binary matches "swaped": near are main.swapped`, `no function of either binary matches "^onlyBas$": near are main.onlyBase`}
	if !slices.Equal(c.Missing, want) {
		t.Errorf("got %q, want %q", c.Missing, want)
	}
}

// TestInlinedEverywhere: a hot function without a symbol is where it is inlined.
func TestInlinedEverywhere(t *testing.T) {
	f := program(t, "base", "linux/amd64", "")
	c := Compare(Input{Base: f, Variant: f, Hot: []cputime.Hot{{Name: "main.small", Weight: 1}}, Named: []*regexp.Regexp{regexp.MustCompile(`main\.small$`)}})
	if c.Hot != 1 || c.SameHot != 1 {
		t.Errorf("got %d hot functions, %d the same; want main.loop, the same", c.Hot, c.SameHot)
	}
	if len(c.Missing) != 1 || !strings.Contains(c.Missing[0], "inlined wherever it is called") {
		t.Errorf("missing: got %q", c.Missing)
	}
}

func TestCallsAskedFor(t *testing.T) {
	in := Input{Base: program(t, "base", "linux/amd64", ""), Variant: program(t, "variant", "linux/amd64", ""), Calls: []string{"runtime.*object", "nothing"}}
	c := Compare(in)
	if len(c.Calls) != 1 || c.Calls[0].To != "runtime.newobject" || c.Calls[0].Callers != 1 {
		t.Errorf("got %+v, want the call of runtime.newobject alone", c.Calls)
	}
}

func TestDecisionsOfFunctions(t *testing.T) {
	in := Input{Base: program(t, "base", "linux/amd64", ""), Variant: program(t, "variant", "linux/amd64", ""), Hot: []cputime.Hot{{Name: "main.loop"}, {Name: "main.take"}}}
	in.BaseDecisions = []assay.Decision{
		{Kind: assay.DecisionInline, File: "base.go", Line: 5, What: "small"},
		{Kind: assay.DecisionNoInline, File: "common.go", Line: 14, What: "loop", Reason: "marked go:noinline"},
		{Kind: assay.DecisionCall, File: "common.go", Line: 16, What: "small"},
		{Kind: assay.DecisionNoInline, File: "common.go", Line: 22, What: "fast", Reason: "marked go:noinline"},
		{Kind: assay.DecisionEscape, File: "common.go", Line: 22, What: "far away"},
		// Another package's file of the same name, at the same lines.
		{Kind: assay.DecisionInline, File: "base.go", Line: 27, What: "other"},
		{Kind: assay.DecisionEscape, File: "base.go", Line: 28, What: "far away"},
	}
	in.VariantDecisions = []assay.Decision{
		{Kind: assay.DecisionNoInline, File: "variant.go", Line: 6, What: "small", Reason: "marked go:noinline"},
		{Kind: assay.DecisionNoInline, File: "common.go", Line: 14, What: "loop", Reason: "marked go:noinline"},
		{Kind: assay.DecisionNoInline, File: "common.go", Line: 22, What: "fast", Reason: "marked go:noinline"},
		{Kind: assay.DecisionNoInline, File: "variant.go", Line: 25, What: "take", Reason: "marked go:noinline"},
		{Kind: assay.DecisionEscape, File: "variant.go", Line: 26, What: "&node{...}"},
	}
	c := Compare(in)
	var got []string
	for _, f := range c.Functions {
		for _, d := range f.Decisions {
			got = append(got, f.Name+" "+d.Side+" "+d.Kind+" "+d.What)
		}
	}
	for _, want := range []string{"main.loop base call small", "main.loop variant no-inline small", "main.take variant escape &node{...}"} {
		if !slices.Contains(got, want) {
			t.Errorf("got %q, want %q among them", got, want)
		}
	}
	if slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "far away") }) {
		t.Errorf("got %q: a decision of another function", got)
	}
}

// TestPairsOfNames: a function with another name on the other side is the same one
// where its plain name leaves no choice.
func TestPairsOfNames(t *testing.T) {
	of := func(names ...string) *side {
		f := &binary.File{}
		for _, n := range names {
			f.Funcs = append(f.Funcs, binary.Func{Name: n})
		}
		return &side{f: f, names: newNames(f)}
	}
	c := comparison{
		base:    of("a.F", "a.G[go.shape.int]", "a.H[go.shape.int]", "a.H[go.shape.string]", "a.I[go.shape.int]", "a.I[go.shape.string]", "a.old"),
		variant: of("a.F", "a.G[int]", "a.H[int]", "a.I[go.shape.int]", "a.I[string]", "a.new")}
	c.pair()
	want := map[string]string{"a.F": "a.F", "a.G[go.shape.int]": "a.G[int]", "a.I[go.shape.int]": "a.I[go.shape.int]", "a.I[go.shape.string]": "a.I[string]"}
	if !maps.Equal(c.toVariant, want) {
		t.Errorf("got %v, want %v", c.toVariant, want)
	}
	if len(c.toBase) != len(want) || c.toBase["a.G[int]"] != "a.G[go.shape.int]" {
		t.Errorf("the reverse: got %v", c.toBase)
	}
}

// TestSameOfOneName: functions that share a name are the same if all of them are.
func TestSameOfOneName(t *testing.T) {
	of := func(keys ...string) *side {
		s := &side{hashes: map[string]binary.Hash{}}
		for i, k := range keys {
			s.hashes[k] = binary.Hash(i)
		}
		s.share()
		return s
	}
	const one, two, three = "copy~00000000000000a1", "copy~00000000000000a2", "copy~00000000000000a3"
	for _, x := range []struct {
		variant *side
		want    bool
	}{{of(one, two), true}, {of(two, one), true}, {of(one, three), false}, {of(one), false}, {of("copy"), false}} {
		c := comparison{base: of(one, two), variant: x.variant}
		if got := c.same("copy", "copy"); got != x.want {
			t.Errorf("%v: got %v, want %v", x.variant.hashes, got, x.want)
		}
	}
}

func TestSizes(t *testing.T) {
	base, variant := map[string]int64{"same": 5, "gone": 7}, map[string]int64{"same": 5, "new": 9}
	want := []assay.SizeChange{{Name: "new", Variant: 9}, {Name: "gone", Base: 7}}
	if got := sizes(base, variant); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for i := range 100 {
		variant[fmt.Sprint("p", i)] = int64(i + 100)
	}
	got := sizes(base, variant)
	var grown int64
	for _, s := range got {
		grown += s.Variant - s.Base
	}
	if len(got) != mostPackages || got[len(got)-1].Name != "63 others" || grown != 9-7+100*100+99*100/2 {
		t.Errorf("got %d packages, the last %v, grown by %d", len(got), got[len(got)-1], grown)
	}
}

// TestHostileFiles: what is in a file cannot write to a terminal.
func TestHostileFiles(t *testing.T) {
	if got := fileName("C:\\x\\y\x1b[2J.go"); got != "y.go" {
		t.Errorf("got %q, want y.go", got)
	}
	if got := closeNames("frob", []string{"a.fro\x07b", "a.other"}); !slices.Equal(got, []string{"a.frob"}) {
		t.Errorf("got %q, want a.frob", got)
	}
}
