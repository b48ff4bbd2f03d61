package sample

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed-1318a441/assay"
)

// steps is a plan of a chain of steps from v0.
func steps(benchmarks []string, list ...string) *assay.Plan {
	p := planOf(benchmarks, append([]string{"v0"}, list...)...)
	p.Study.Steps = &assay.Steps{}
	for _, s := range list {
		p.Study.Steps.List = append(p.Study.Steps.List, assay.Step{Variant: s})
	}
	return p
}

// unplanned removes variants from those that run.
func unplanned(p *assay.Plan, names ...string) {
	var left []assay.Variant
	for _, v := range p.Variants {
		keep := true
		for _, name := range names {
			keep = keep && v.Name != name
		}
		if keep {
			left = append(left, v)
		}
	}
	p.Variants = left
}

// A step is compared with the last one that has figures, of the same code with the variant
// that was measured for it.
func TestLinks(t *testing.T) {
	p := steps([]string{"X"}, "s1", "s2", "s3", "s4", "s5")
	p.Gaps = []assay.Gap{{Variant: "s2", Reason: "did not build"}}
	p.Same = []assay.SameCode{{Variant: "s4", As: "s3"}}
	unplanned(p, "s2", "s4")
	var got []string
	chain := NewSet(p).Chain
	for _, l := range chain.Links {
		got = append(got, fmt.Sprintf("%s after %s by %s and %s, gap %v, same %v", l.Step, l.Previous, l.Now, l.Before, l.Gap, l.Same()))
	}
	want := []string{
		"s1 after v0 by s1 and v0, gap false, same false",
		"s2 after s1 by s2 and s1, gap true, same false",
		"s3 after s1 by s3 and s1, gap false, same false",
		"s4 after s3 by s3 and s3, gap false, same true",
		"s5 after s4 by s5 and s3, gap false, same false",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	if n := len(chain.Steps()); n != 4 {
		t.Errorf("got %d steps with figures, want 4", n)
	}
	if g := GapOf(p, "s2"); g == nil || g.Reason != "did not build" || GapOf(p, "s1") != nil {
		t.Errorf("got the gap %v of s2, and %v of s1", g, GapOf(p, "s1"))
	}
	if set := NewSet(planOf([]string{"X"}, "a", "b")); len(set.Chain.Links) != 0 {
		t.Errorf("a study without steps has %v", set.Chain.Links)
	}
}

// A step against the one before it has the blocks with both, in each of which the base
// cancels out.
func TestCellsOfSteps(t *testing.T) {
	p := steps([]string{"X"}, "s1", "s2")
	set := filled(p, row{"v0": 10, "s1": 20, "s2": 60}, row{"v0": 10, "s1": 99}, row{"v0": 5, "s2": 7}, row{"v0": 5, "s1": 15, "s2": 30})
	x, links := set.Benchmarks[0], set.Chain.Links
	second := set.Chain.Cell(x, assay.MetricTime, links[1])
	expect(t, "s2 after s1", second.D, lns(3, 2)...)
	expect(t, "its base", second.Base, 20, 15)
	if fmt.Sprint(second.Blocks) != "[1 4]" {
		t.Errorf("got blocks %v, want 1 and 4", second.Blocks)
	}
	expect(t, "s1 after v0", set.Chain.Cell(x, assay.MetricTime, links[0]).D, lns(2, 9.9, 3)...)
	back := set.Chain.Cell(x, assay.MetricTime, Link{Step: "back", Now: "v0", Before: "s1"})
	expect(t, "v0 after s1", back.D, lns(0.5, 1/9.9, 1./3)...)
	set.Add([]assay.Trial{took("v0", "X", 1), took("s1", "X", 1), took("s2", "X", 8)})
	if again := set.Chain.Cell(x, assay.MetricTime, links[1]); again != second {
		t.Error("a cell is made anew, and loses its e-value")
	}
	expect(t, "s2 after one more block", second.D, lns(3, 2, 8)...)
	if c := set.Chain.Cell(x, assay.MetricTime, Link{Step: "s2", Now: "s1", Before: "s1"}); c != nil {
		t.Errorf("the same code has %v", c.D)
	}
	if c := set.Chain.Cell(x, "things", links[1]); c != nil {
		t.Errorf("a metric without values has %v", c.D)
	}
}

// On the whole a step has the mean over the benchmarks that all steps have, and a step
// that lacks one says so.
func TestStepsOnTheWhole(t *testing.T) {
	p := steps([]string{"X", "Y", "Z"}, "s1", "s2")
	p.Benchmarks[2].Missing = []string{"s2"}
	set := NewSet(p)
	for range 2 {
		set.Add([]assay.Trial{took("v0", "X", 1), took("s1", "X", 2), took("s2", "X", 4), took("v0", "Y", 1), took("s1", "Y", 3), took("s2", "Y", 24),
			took("v0", "Z", 1), took("s1", "Z", 99)})
	}
	wholes := set.Chain.Wholes(assay.MetricTime)
	expect(t, "s1", wholes[0].D, lns(math.Sqrt(6), math.Sqrt(6))...)
	expect(t, "s2", wholes[1].D, lns(4, 4)...)
	if got := set.Chain.Missing(set.Chain.Links[1]); len(got) != 1 || got[0] != bench("Z") {
		t.Errorf("s2 lacks %v, want Z", got)
	}
	if got := set.Chain.Missing(set.Chain.Links[0]); len(got) != 0 {
		t.Errorf("s1 lacks %v", got)
	}
	if got := set.Suite(assay.MetricTime).Name(); got != Geomean {
		t.Errorf("got %v, want the geomean", got)
	}
	set = set.Without(bench("Y"))
	expect(t, "s2 without Y", set.Chain.Whole(assay.MetricTime, set.Chain.Links[1]).D, lns(2, 2)...)
	if got := set.Suite(assay.MetricTime).Name(); got != bench("X") {
		t.Errorf("got %v, want X, the only one that all steps have", got)
	}
	if c := set.Chain.Whole("things", set.Chain.Links[1]); c != nil {
		t.Errorf("a metric without values has %v", c.D)
	}
}

// A count that varied in one trial of either step is no exact number in their comparison,
// although no median shows it.
func TestStepsThatVary(t *testing.T) {
	for _, test := range []struct {
		name string
		odd  string // the variant with another value in one trial
		want bool
	}{
		{"none", "", false}, {"the step", "s2", true}, {"the one before it", "s1", true}, {"another", "s3", false},
	} {
		p := steps([]string{"X"}, "s1", "s2", "s3")
		set := NewSet(p)
		for block := range 3 {
			var trials []assay.Trial
			for round := range 3 {
				for i, v := range p.Variants {
					x := float64(10 + i)
					if v.Name == test.odd && block == 1 && round == 1 {
						x++
					}
					trials = append(trials, took(v.Name, "X", x))
				}
			}
			set.Add(trials)
		}
		cell := set.Chain.Cell(set.Benchmarks[0], assay.MetricTime, set.Chain.Links[1])
		if cell.Varied != test.want {
			t.Errorf("%s: varied is %v, want %v", test.name, cell.Varied, test.want)
		}
		if whole := set.Chain.Whole(assay.MetricTime, set.Chain.Links[1]); whole.Varied != test.want {
			t.Errorf("%s, on the whole: varied is %v, want %v", test.name, whole.Varied, test.want)
		}
	}
}
