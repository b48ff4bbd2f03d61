package sample

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// The variants of case 000: three switches off one by one, and all three.
func TestListedSwitches(t *testing.T) {
	p := &assay.Plan{Study: assay.Study{Base: "go1.25.7"}}
	p.Study.Variants = []assay.Variant{
		{Name: "go1.25.7", Go: "go1.25.7"},
		{Name: "go1.26.0", Go: "go1.26.0"},
		{Name: "no-greentea", Go: "go1.26.0", Experiment: []string{"nogreenteagc"}},
		{Name: "no-stack-slices", Go: "go1.26.0", GCFlags: []string{"all=-d=variablemakehash=n"}},
		{Name: "no-sizespec", Go: "go1.26.0", Experiment: []string{"nosizespecializedmalloc"}},
		{Name: "all-off", Go: "go1.26.0", Experiment: []string{"nogreenteagc", "nosizespecializedmalloc"}, GCFlags: []string{"all=-d=variablemakehash=n"}},
		{Name: "go1.26.8", Go: "go1.26.8"},
		{Name: "go1.27.2", Go: "go1.27.2"},
		{Name: "gogc", Go: "go1.27.2", Env: map[string]string{"GOGC": "50"}},
		{Name: "pgo", Go: "go1.27.2", PGO: "cpu.pprof"},
	}
	p.Same = []assay.SameCode{{Variant: "no-sizespec", As: "go1.26.0"}}
	var got []string
	for _, e := range listedSwitches(p) {
		got = append(got, fmt.Sprintf("%s %s in %s, %d groups", e.Switches[0].Factor, e.Switches[0], e.Held, len(e.Contrast.groups)))
	}
	want := []string{
		"experiment nogreenteagc in go1.26.0, 1 groups",
		"gcflags all=-d=variablemakehash=n in go1.26.0, 1 groups",
		"experiment nosizespecializedmalloc in go1.26.0, 0 groups",
		"go go: go1.26.0 to go1.26.8 in go1.26.0, 1 groups",
		"go go: go1.26.8 to go1.27.2 in go1.26.8, 1 groups",
		"env GOGC=50 in go1.27.2, 1 groups",
		"pgo cpu.pprof in go1.27.2, 1 groups",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
