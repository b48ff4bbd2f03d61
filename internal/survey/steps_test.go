package survey

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/lab"
)

// chain is the plan of a chain of so many steps: "s1", "s2" and so on.
func chain(steps int) *assay.Plan {
	s := &assay.Study{Base: "base", Variants: []assay.Variant{{Name: "base"}}, Steps: &assay.Steps{}}
	for i := range steps {
		name := fmt.Sprint("s", i+1)
		s.Variants = append(s.Variants, assay.Variant{Name: name})
		s.Steps.List = append(s.Steps.List, assay.Step{Variant: name})
	}
	return planned(s)
}

// A benchmark of the base is planned if a step has it; those that lack it, or equal one that
// does, are named. One that no step has is not measured.
func TestPlanSteps(t *testing.T) {
	p := chain(3)
	p.Same = []assay.SameCode{{Variant: "s4", As: "s2"}}
	err := planSteps(p, listings(map[string]listing{
		"base": {Names: []string{"All", "Some", "None"}},
		"s1":   {Names: []string{"All", "Some", "Later"}},
		"s2":   {Names: []string{"All"}, Failed: map[string]string{"None": "panic: boom"}},
		"s3":   {Names: []string{"Later", "All", "Some"}},
	}))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range p.Benchmarks {
		got = append(got, fmt.Sprint(b.Benchmark, b.Missing))
	}
	if want := []string{"p.All []", "p.Some [s2 s4]"}; !slices.Equal(got, want) {
		t.Errorf("planned %q, want %q", got, want)
	}
	want := []string{"2 of 3 benchmarks are not in every step", `1 benchmark is in steps and not in the base "base": not measured`}
	if got := texts(p.Warnings); !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	facts := []string{"Some: not in s2", "None: failed in 1 of s1, s2, s3, not in the others: panic: boom", "there is no geomean: 1 benchmark is in every step"}
	if got := p.Warnings[0].Facts; !slices.Equal(got, facts) {
		t.Errorf("got facts %q, want %q", got, facts)
	}
}

// A step without any benchmark of the base is a gap that says why, like steps of the same
// code. If no step is left the gaps are the error, a common reason once.
func TestStepsWithoutBenchmarks(t *testing.T) {
	p := chain(4)
	p.Same = []assay.SameCode{{Variant: "s4", As: "s2"}}
	p.Variants = slices.DeleteFunc(p.Variants, func(v assay.Variant) bool { return v.Name == "s4" })
	err := planSteps(p, listings(map[string]listing{
		"base": {Names: []string{"A"}},
		"s1":   {Names: []string{"A"}},
		"s2":   {Failed: map[string]string{allNames: "the test binary ends early"}},
		"s3":   {Names: []string{"Other"}},
	}))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range p.Gaps {
		got = append(got, g.Variant+": "+g.Reason)
	}
	want := []string{"s2: none of the base's benchmarks runs: the test binary ends early", "s3: it has none of the base's benchmarks",
		"s4: none of the base's benchmarks runs: the test binary ends early"}
	if !slices.Equal(got, want) || len(p.Same) > 0 {
		t.Errorf("gaps %q, same %v; want %q", got, p.Same, want)
	}
	if got := comparedSteps(p); !slices.Equal(got, []string{"s1"}) {
		t.Errorf("compared are %v, want s1", got)
	}

	none := planSteps(chain(2), listings(map[string]listing{"base": {Names: []string{"A"}}, "s1": {Failed: map[string]string{"A": "boom"}}}))
	text := errortest.Want(t, none, assay.CodeSteps, assay.ExitBuild)
	wantText(t, "no step", text, "no step can be compared with the base   [steps]\n"+
		"  s1: none of the base's benchmarks runs: A: boom\n  s2: it has none of the base's benchmarks")
	none = planSteps(chain(2), listings(map[string]listing{"base": {Names: []string{"A"}}}))
	text = errortest.Want(t, none, assay.CodeSteps, assay.ExitBuild)
	wantText(t, "no step, for one reason", text, "no step can be compared with the base   [steps]\n  it has none of the base's benchmarks")
}

// A gap keeps a few reasons only, without a name where all benchmarks fail for one.
func TestWhyNone(t *testing.T) {
	failed := map[string]string{allNames: "exit status 2"}
	for i := range lab.MaxGapFacts {
		failed[fmt.Sprint("B", i)] = "boom"
	}
	got := whyNone([]artifactListing{{listing{Failed: failed}, lab.Artifact{}}})
	if len(got) != lab.MaxGapFacts || got[0] != "exit status 2" || got[1] != "B0: boom" {
		t.Errorf("got %q, want %d reasons, the first without a name", got, lab.MaxGapFacts)
	}
}

// Benchmarks that the same steps lack share a line, of which there are a few.
func TestLackingWarning(t *testing.T) {
	groups := func(n int) (out []absence) {
		for i := range n {
			in := []string{fmt.Sprint("s", i)}
			out = append(out, absence{name: fmt.Sprint("A", i), in: in}, absence{name: fmt.Sprint("B", i), in: in, failed: 1, why: "boom"})
		}
		return out
	}
	w := lackingWarning(groups(1), 4, 2)
	want := []string{"A0: not in s0", "B0: failed in s0: boom", "the geomean is over the 2 that are"}
	if !slices.Equal(w.Facts, want) {
		t.Errorf("got %q, want %q", w.Facts, want)
	}
	w = lackingWarning(groups(4), 8, 0)
	if len(w.Facts) != maxLacking+2 || w.Facts[maxLacking] != "… 2 more such groups" || w.Facts[maxLacking+1] != "there is no geomean: no benchmark is in every step" {
		t.Errorf("got %q, want %d groups and how many more there are", w.Facts, maxLacking)
	}
	w = lackingWarning([]absence{{name: "A", in: []string{"s1"}}, {name: "B", in: []string{"s1"}}}, 2, 0)
	if w.Facts[0] != "A, B: not in s1" {
		t.Errorf("got %q, want both benchmarks in one line", w.Facts[0])
	}
	if w = lackingWarning([]absence{{name: "A", in: []string{"s1"}}}, 1, 0); !strings.HasPrefix(w.Text, "1 of 1 benchmark is not") {
		t.Errorf("got %q, want one benchmark in the singular", w.Text)
	}
}

// A benchmark of a run that goes on with more steps has what the earlier run found, in the
// same workload only.
func TestBefore(t *testing.T) {
	x := assay.Benchmark{Package: "p", Name: "X"}
	s := &surveyor{}
	if _, ok := s.before(assay.PlannedBenchmark{Benchmark: x}); ok {
		t.Error("a run without an earlier one has an earlier benchmark")
	}
	s.Earlier = &assay.Plan{Benchmarks: []assay.PlannedBenchmark{{Benchmark: x, Workload: 1, N: 7}}}
	if e, ok := s.before(assay.PlannedBenchmark{Benchmark: x, Workload: 1}); !ok || e.N != 7 {
		t.Errorf("got %+v, %t, want the earlier one of 7 operations", e, ok)
	}
	if _, ok := s.before(assay.PlannedBenchmark{Benchmark: x}); ok {
		t.Error("a benchmark of another workload is the same")
	}
}
