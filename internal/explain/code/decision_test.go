package code

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// decisions reads "line kind what; reason" lines, all in a.go, the column 3.
func decisions(text string) []assay.Decision {
	var out []assay.Decision
	for line := range strings.Lines(text) {
		var d assay.Decision
		d.File, d.Col = "a.go", 3
		if _, err := fmt.Sscan(line, &d.Line, &d.Kind); err != nil {
			continue
		}
		rest := strings.TrimSpace(line[strings.Index(line, d.Kind)+len(d.Kind):])
		d.What, d.Reason, _ = strings.Cut(rest, "; ")
		out = append(out, d)
	}
	return out
}

func toldAs(list []assay.DecisionChange) string {
	var out []string
	for _, d := range list {
		out = append(out, fmt.Sprintf("%s %d %s %s", d.Side, d.Line, d.Kind, d.What))
	}
	return strings.Join(out, ", ")
}

func TestCompareDecisions(t *testing.T) {
	const twoFunctions = `
		10 inline F; cost 12
		12 bounds index
		13 bounds index
		20 no-inline G; function too complex: cost 90 exceeds budget 80
		22 bounds index`
	for _, c := range []struct {
		name, base, variant, want string
	}{
		{"nothing", "", "", ""},
		{"the same", twoFunctions, twoFunctions, ""},
		{"moved down, costs differ", twoFunctions, `
			15 inline F; cost 13
			17 bounds index
			18 bounds index
			30 no-inline G; function too complex: cost 91 exceeds budget 80
			32 bounds index`, ""},
		{"a check went in one function and came in the other", twoFunctions, `
			10 inline F
			13 bounds index
			20 no-inline G
			21 bounds index
			22 bounds index`, "base 12 bounds index, variant 21 bounds index"},
		{"an escape, moved down by two", "10 inline F\n11 stack make([]int, n)\n12 escape &node{...}; returned",
			"12 inline F\n13 escape make([]int, n); non-constant size\n14 escape &node{...}; stored in x",
			"base 11 stack make([]int, n), variant 13 escape make([]int, n)"},
		{"no longer inlined", "10 inline F\n20 no-inline G\n21 call F", "10 no-inline F; marked go:noinline\n20 no-inline G",
			"base 10 inline F, variant 10 no-inline F, base 21 call F"},
		{"one instance more", "10 inline Max[go.shape.int]\n30 no-inline G\n31 call Max[go.shape.int]",
			"10 inline Max[go.shape.int]\n10 inline Max[go.shape.string]\n10 inline Max[string]\n30 no-inline G\n31 call Max[go.shape.[]int]", ""},
		{"a function with another name", "10 inline F\n11 bounds index\n12 escape &x; returned\n13 bounds slice", "10 inline F2\n11 bounds index\n15 escape &x; returned",
			"base 10 inline F, variant 10 inline F2, base 13 bounds slice"},
		{"closures are within", "10 no-inline F\n12 inline F.func1\n13 bounds index", "10 no-inline F\n13 inline F.func1\n15 bounds index", ""},
		{"appends that the older compiler does not tell of", "10 inline F", "10 inline F\n11 escape append\n12 escape append\n13 stack append", ""},
		{"an append that came", "10 inline F\n11 stack append", "10 inline F\n11 stack append\n12 escape append(s, x)", "variant 12 escape append(s, x)"},
		{"two files of a name", "10 inline F\n12 bounds index\n11 inline G\n12 bounds index", "10 inline F\n12 bounds index\n13 bounds index\n12 inline G", "base 12 bounds index, variant 13 bounds index"},
		{"an equal line in another function", "10 inline F\n20 inline G\n22 bounds index", "10 inline F\n22 bounds index\n30 inline G", ""},
		{"a parameter", "10 inline F", "10 inline F\n10 stack p\n11 stack &x", "variant 11 stack &x"},
		{"a value in an interface", "10 inline F\n11 stack n", "10 inline F\n11 escape n; returned", "base 11 stack n, variant 11 escape n"},
		{"numbers of results", "10 inline F\n11 escape f(~r0)", "10 inline F\n11 escape f(~r1)", ""},
	} {
		if got := toldAs(CompareDecisions(decisions(c.base), decisions(c.variant))); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// Files are apart, and so are columns of a line.
func TestCompareDecisionsPlaces(t *testing.T) {
	base := []assay.Decision{{Kind: assay.DecisionBounds, File: "a.go", Line: 1, Col: 1, What: "index"}, {Kind: assay.DecisionBounds, File: "a.go", Line: 1, Col: 5, What: "index"}}
	variant := []assay.Decision{{Kind: assay.DecisionBounds, File: "a.go", Line: 1, Col: 5, What: "index"}, {Kind: assay.DecisionBounds, File: "b.go", Line: 1, Col: 1, What: "index"}}
	got := CompareDecisions(base, variant)
	want := []assay.DecisionChange{{Decision: base[0], Side: "base"}, {Decision: variant[1], Side: "variant"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// A function may be in another file, where build tags choose one.
func TestCompareDecisionsFiles(t *testing.T) {
	base, variant := decisions("10 inline F\n11 escape &x\n12 bounds index"), decisions("20 inline F\n21 escape &x\n21 bounds index\n22 bounds index")
	for i := range variant {
		variant[i].File = "b.go"
	}
	if got, want := toldAs(CompareDecisions(base, variant)), "variant 21 bounds index"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDecisionsIn(t *testing.T) {
	list := CompareDecisions(decisions("10 inline F\n12 bounds index\n19 bounds slice"), decisions("12 escape x\n20 escape y"))
	for _, c := range []struct {
		side, file string
		from, to   int
		want       string
	}{
		{"base", "a.go", 10, 12, "base 10 inline F, base 12 bounds index"},
		{"variant", "a.go", 12, 20, "variant 12 escape x, variant 20 escape y"},
		{"variant", "b.go", 12, 20, ""},
		{"base", "a.go", 13, 18, ""},
	} {
		if got := toldAs(DecisionsIn(list, c.side, c.file, c.from, c.to)); got != c.want {
			t.Errorf("%s %s %d-%d: got %q, want %q", c.side, c.file, c.from, c.to, got, c.want)
		}
	}
}
