package design

import (
	"slices"
	"testing"

	"github.com/seed-1318a441/assay"
)

// tracedPlan is a plan of a benchmark X and a service S.
func tracedPlan(collect ...string) *assay.Plan {
	p := testPlan(0)
	p.Study.Measure.Collect = collect
	p.Study.Workloads = []assay.Workload{{Kind: assay.KindGoTest}, {Kind: assay.KindService}}
	p.Benchmarks = []assay.PlannedBenchmark{{Benchmark: assay.Benchmark{Name: "X"}}, {Benchmark: assay.Benchmark{Name: "S"}, Workload: 1}}
	return p
}

// Tracing adds trials and changes no order of the others.
func TestTracedTrialsComeBehindTheRounds(t *testing.T) {
	orders := map[string]int{}
	for block := 1; block <= 40; block++ {
		next := assay.NextBlock{Turns: turns("X", "S")}
		plain := BlockOf(tracedPlan(), next, block, 1).Slots
		all := BlockOf(tracedPlan(assay.CollectGC), next, block, 1).Slots
		var traced, order []string
		var measured []Slot
		for i, s := range all {
			if s.Position != i+1 {
				t.Fatalf("slot %d has position %d", i, s.Position)
			}
			if s.Traced {
				traced, order = append(traced, s.Benchmark.Name+" "+s.Variant), append(order, s.Variant)
				if s.Round != 3 {
					t.Errorf("a traced trial is in round %d, want 3: behind two", s.Round)
				}
				continue
			}
			if s.Benchmark.Name == "X" && len(traced) > 0 {
				t.Errorf("block %d: a measured trial of X comes after its traced ones", block)
			}
			s.Position = len(measured) + 1
			measured = append(measured, s)
		}
		if !slices.Equal(measured, plain) {
			t.Fatalf("block %d: tracing changed the order of the others:\n%v\n%v", block, measured, plain)
		}
		slices.Sort(traced)
		if want := []string{"X a", "X b", "X control"}; !slices.Equal(traced, want) {
			t.Fatalf("block %d: traced are %q, want %q: each once, and no service", block, traced, want)
		}
		orders[order[0]]++
	}
	if len(orders) != 3 {
		t.Errorf("first among the traced in 40 blocks: %v; each of the three should be at times", orders)
	}
}

// A study of before services and tracing must go on being the same one: records
// are found by this hash.
func TestStudyHashStays(t *testing.T) {
	s := assay.Study{Name: "x", Base: "a", Variants: []assay.Variant{{Name: "a", Env: map[string]string{"GOGC": "50"}}, {Name: "b", Go: "go1.26.8"}},
		Workloads: []assay.Workload{{Kind: assay.KindGoTest, Bench: "."}, {Kind: assay.KindCommand, Names: []string{"n"}, Run: []string{"{bin}"}}}}
	s.SetDefaults()
	if got, want := StudyHash(&s), "6da5e0aee4287063"; got != want {
		t.Errorf("the hash is %s, was %s", got, want)
	}
	s.Measure.Collect = []string{assay.CollectGC}
	if StudyHash(&s) == "6da5e0aee4287063" {
		t.Error("a study that traces the collector has the same hash")
	}
}
