package design

import (
	"fmt"
	"slices"
	"testing"

	"github.com/seed-1318a441/assay"
)

// chainPlan is a plan of a base and so many steps.
func chainPlan(steps int) *assay.Plan {
	s := assay.Study{Base: "base", Variants: []assay.Variant{{Name: "base"}}, Steps: &assay.Steps{}}
	for i := range steps {
		name := fmt.Sprintf("s%02d", i+1)
		s.Variants = append(s.Variants, assay.Variant{Name: name})
		s.Steps.List = append(s.Steps.List, assay.Step{Variant: name})
	}
	vs, _ := Variants(&s, nil)
	return &assay.Plan{Study: s, Seed: 7, Variants: vs, Together: Together(&s, vs)}
}

// Whatever the length of the chain: base and control in every block, five steps of
// which four are neighbours on the ring, and in every cycle each two neighbours
// together at least once.
func TestNeighboursMeetInEveryCycle(t *testing.T) {
	for steps := 6; steps <= 40; steps++ {
		p := chainPlan(steps)
		k := CycleLength(p, steps)
		if want := (steps + 2) / 3; k != want {
			t.Errorf("%d steps: a cycle has %d blocks, want %d", steps, k, want)
		}
		for cycle := range 8 {
			met := map[string]bool{}
			for part := range k {
				names := present(p, assay.NextBlock{}, cycle*k+part+1)
				if len(names) != 7 || names[0] != "base" || names[6] != assay.ControlName || len(slices.Compact(slices.Clone(names))) != 7 {
					t.Fatalf("%d steps: a block has %v", steps, names)
				}
				for i, a := range p.Study.Variants[1 : len(p.Study.Variants)-1] {
					b := p.Study.Variants[i+2]
					if slices.Contains(names, a.Name) && slices.Contains(names, b.Name) {
						met[a.Name] = true
					}
				}
			}
			if len(met) != steps-1 {
				t.Fatalf("%d steps, cycle %d: %d pairs of neighbours met, want %d", steps, cycle, len(met), steps-1)
			}
		}
	}
}

// All steps run equally often, those at the ends of the chain too, and distant ones
// meet.
func TestWindowsAreBalanced(t *testing.T) {
	for _, steps := range []int{7, 13, 20, 31} {
		p := chainPlan(steps)
		const blocks = 3000
		count := map[string]int{}
		ends := 0
		for block := 1; block <= blocks; block++ {
			names := present(p, assay.NextBlock{}, block)
			for _, n := range names[1:6] {
				count[n]++
			}
			if slices.Contains(names, "s02") && slices.Contains(names, fmt.Sprintf("s%02d", steps/2+2)) {
				ends++
			}
		}
		want := float64(blocks) * 5 / float64(steps)
		for i := range steps {
			// Drawn in cycles, so closer than a binomial's 5 standard deviations.
			if n := float64(count[fmt.Sprintf("s%02d", i+1)]); n < 0.9*want || n > 1.1*want {
				t.Errorf("%d steps: s%02d ran in %g blocks of %d, want about %g", steps, i+1, n, blocks, want)
			}
		}
		if ends < blocks/200 {
			t.Errorf("%d steps: s02 met the middle of the chain in %d of %d blocks", steps, ends, blocks)
		}
	}
}

func TestWindowsFollowSeedAndList(t *testing.T) {
	p, q := chainPlan(20), chainPlan(20)
	q.Seed = 8
	some := assay.NextBlock{Variants: []string{"s02", "s03", "s09", "s10", "s11", "s17", "s20"}}
	differs := 0
	for block := 1; block <= 30; block++ {
		a, b := present(p, assay.NextBlock{}, block), present(p, assay.NextBlock{}, block)
		if !slices.Equal(a, b) {
			t.Fatalf("block %d: %v and then %v", block, a, b)
		}
		if !slices.Equal(a, present(q, assay.NextBlock{}, block)) {
			differs++
		}
		for _, n := range present(p, some, block)[1:6] {
			if !slices.Contains(some.Variants, n) {
				t.Fatalf("block %d runs %s, which is not in question", block, n)
			}
		}
	}
	if differs < 20 {
		t.Errorf("two seeds draw different blocks %d times of 30", differs)
	}
	few := assay.NextBlock{Variants: []string{"s04", "s05"}}
	if got, want := present(p, few, 3), []string{"base", "s04", "s05", assay.ControlName}; !slices.Equal(got, want) {
		t.Errorf("two in question: got %v, want %v", got, want)
	}
}

// Chains count until neighbours have met, others until each has run.
func TestCycleLength(t *testing.T) {
	for _, tc := range []struct {
		plan       *assay.Plan
		candidates int
		want       int
	}{{manyPlan(20, 6), 20, 4}, {manyPlan(20, 6), 5, 1}, {manyPlan(4, 0), 4, 1}, {chainPlan(20), 20, 7}, {chainPlan(20), 5, 1}, {chainPlan(5), 5, 1}} {
		if got := CycleLength(tc.plan, tc.candidates); got != tc.want {
			t.Errorf("together %d, %d candidates: got %d, want %d", tc.plan.Together, tc.candidates, got, tc.want)
		}
	}
}

func TestBlockLeavesOutWhatStepsLack(t *testing.T) {
	p := chainPlan(3)
	p.Study.Measure.Collect = []string{assay.CollectGC}
	for _, b := range []struct {
		name    string
		missing []string
	}{{"X", nil}, {"Y", []string{"s01", "s02"}}, {"Z", []string{"s01", "s02", "s03"}}} {
		p.Benchmarks = append(p.Benchmarks, assay.PlannedBenchmark{Benchmark: assay.Benchmark{Name: b.name}, Missing: b.missing})
	}
	p.Study.Workloads = []assay.Workload{{}}
	ran := map[string]int{}
	slots := BlockOf(p, assay.NextBlock{Turns: turns("X", "Y", "Z")}, 1, 1).Slots
	for i, s := range slots {
		ran[s.Benchmark.Name+" "+s.Variant]++
		if s.Position != i+1 {
			t.Errorf("slot %d has position %d", i, s.Position)
		}
	}
	want := map[string]int{}
	for _, v := range []string{"base", "s01", "s02", "s03", assay.ControlName} {
		want["X "+v] = 3 // two rounds and one traced
	}
	for _, v := range []string{"base", "s03", assay.ControlName} {
		want["Y "+v] = 3
	}
	if fmt.Sprint(ran) != fmt.Sprint(want) {
		t.Errorf("ran %v, want %v", ran, want)
	}
	next := assay.NextBlock{Turns: turns("Y"), Variants: []string{"s01", "s02"}}
	if got := BlockOf(p, next, 2, 1).Slots; len(got) != 0 {
		t.Errorf("a benchmark that only the base has of the block ran: %v", got)
	}
}

// A benchmark that one step of a long chain has runs in every block that is for its
// sake: who lacks it takes no place.
func TestWhoLacksAllTakesNoPlace(t *testing.T) {
	p := chainPlan(20)
	pb := assay.PlannedBenchmark{Benchmark: assay.Benchmark{Name: "Y"}}
	for i := range 20 {
		if i != 12 {
			pb.Missing = append(pb.Missing, fmt.Sprintf("s%02d", i+1))
		}
	}
	p.Benchmarks = []assay.PlannedBenchmark{pb}
	for block := 1; block <= 9; block++ {
		got := present(p, assay.NextBlock{Turns: turns("Y")}, block)
		if want := []string{"base", "s13", assay.ControlName}; !slices.Equal(got, want) {
			t.Errorf("block %d has %v, want %v", block, got, want)
		}
	}
}

func TestGapsAndEqualStepsDoNotRun(t *testing.T) {
	p := chainPlan(4)
	vs, same := Variants(&p.Study, []assay.SameCode{{Variant: "s02", As: "base"}}, assay.Gap{Variant: "s03"})
	var names []string
	for _, v := range vs {
		names = append(names, v.Name)
	}
	if want := []string{"base", "s01", "s04", assay.ControlName}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
	if same[0].Control {
		t.Error("a step runs in the control's place, which it would have to leave in a longer chain")
	}
}

func TestExtends(t *testing.T) {
	old := &chainPlan(4).Study
	for name, tc := range map[string]struct {
		change func(*assay.Study)
		want   bool
	}{
		"one more":               {func(*assay.Study) {}, true},
		"its range":              {func(s *assay.Study) { s.Steps.Range = "v1..v3" }, true},
		"a story":                {func(s *assay.Study) { s.Steps.List[0].Story = "so" }, true},
		"more time":              {func(s *assay.Study) { s.Decide.Budget = 99 }, true},
		"none more":              {func(s *assay.Study) { s.Variants = s.Variants[:5] }, false},
		"one in the middle":      {func(s *assay.Study) { s.Variants[2], s.Variants[5] = s.Variants[5], s.Variants[2] }, false},
		"put in":                 {func(s *assay.Study) { s.Variants = slices.Insert(s.Variants[:5], 2, assay.Variant{Name: "x"}) }, true},
		"other settings of one":  {func(s *assay.Study) { s.Variants[2].Rev = "abc" }, false},
		"another base":           {func(s *assay.Study) { s.Base = "s01" }, false},
		"another suite":          {func(s *assay.Study) { s.Source.Suite = "bench" }, false},
		"another effect":         {func(s *assay.Study) { s.Decide.MinEffect = 0.5 }, false},
		"a step renamed":         {func(s *assay.Study) { s.Variants[1].Name = "x" }, false},
		"no steps":               {func(s *assay.Study) { s.Steps = nil }, false},
		"another set of layouts": {func(s *assay.Study) { s.Measure.Layouts = 1 }, false},
	} {
		s := chainPlan(5).Study
		tc.change(&s)
		if got := Extends(old, &s); got != tc.want {
			t.Errorf("%s: got %v, want %v", name, got, tc.want)
		}
	}
	if Extends(&chainPlan(5).Study, old) {
		t.Error("a chain extends a longer one")
	}
}
