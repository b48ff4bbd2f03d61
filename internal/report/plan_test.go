package report

import (
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

func planFixture() *assay.Plan {
	p := &assay.Plan{
		Schema: 1, Run: "7k2m", StudyHash: "9c41f00d5a3b", Seed: 0x5d31, Link: 600 * time.Millisecond,
		Command: "assay compare go1.25.7 go1.26.8 'no: go1.26.8 GOEXPERIMENT=nogreenteagc' 'ns: go1.26.8 GOEXPERIMENT=nosizespecializedmalloc' -- -bench=. ./...",
		Study:   assay.Study{Name: "compare", Base: "go1.25.7", Question: "Is go1.26.8 faster?", Decide: assay.Decide{MinBlocks: 10}},
		Variants: []assay.Variant{{Name: "go1.25.7", Go: "go1.25.7"}, {Name: "go1.26.8", Go: "go1.26.8"},
			{Name: "no", Go: "go1.26.8", Experiment: []string{"nogreenteagc"}}, {Name: "head", Rev: "HEAD~1"},
			{Name: "control", Go: "go1.25.7", Control: true}},
		Same: []assay.SameCode{{Variant: "ns", As: "go1.26.8", Functions: 3318}},
		Artifacts: []assay.ArtifactInfo{{Variant: "go1.25.7", GoVersion: "go1.25.7"}, {Variant: "no", GoVersion: "go1.26.8 X:nogreenteagc"},
			{Variant: "head", GoVersion: "go1.26.8", Commit: "445946d0a1b2c3d4"}},
		Warnings: []assay.Warning{{Code: "gcflags-scope", Text: `variant "no": -gcflags=-d=… reaches only the packages named`,
			Facts: []string{"312 of 314 packages are built as in the base"}, Try: "-gcflags=all=-d=variablemakehash=n"}},
	}
	p.Study.SetDefaults()
	for _, name := range []string{"Decode/large", "Decode/small", "Encode/large", "Encode/small", "Skip"} {
		p.Benchmarks = append(p.Benchmarks, assay.PlannedBenchmark{N: 1000, Trial: 62 * time.Millisecond,
			Benchmark: assay.Benchmark{Package: "example.org/" + name[:2], Name: name}})
	}
	return p
}

func order(block int) [][]string {
	if block%2 == 0 {
		return [][]string{{"go1.25.7", "no", "head", "go1.26.8", "control"}}
	}
	return [][]string{{"control", "go1.26.8", "head", "no", "go1.25.7"}}
}

func TestPlanText(t *testing.T) {
	for name, s := range map[string]Style{"plan.80": {Width: 80}, "plan.100.ascii": {Width: 100, ASCII: true}} {
		var b strings.Builder
		if err := PlanText(&b, planFixture(), order, s); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.String())
		checkLines(t, name, b.String(), s)
	}
}

func TestPlanCosts(t *testing.T) {
	p := planFixture()
	// 5 benchmarks of 62 ms, 5 variants, and 600 ms of linking
	if got, want := blockTime(p), 5*5*62*time.Millisecond+600*time.Millisecond; got != want {
		t.Errorf("a block takes %v, want %v", got, want)
	}
	if got, want := planTime(p), "at least 22 s, stops at 10 min"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p.Study.Decide.Budget = 5 * time.Second
	if got, want := planTime(p), "stops at 5.0 s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p.Study.Decide.MaxBlocks, p.Study.Measure.Inner, p.Link = 40, 3, 0
	if got, want := planBlocks(p), "10 to 40, each 5 variants × 5 benchmarks × 3 rounds = about 4.7 s in random order"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPlanWithoutOrder(t *testing.T) {
	var b strings.Builder
	if err := PlanText(&b, planFixture(), nil, Style{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "\norder") {
		t.Errorf("an order is printed:\n%s", b.String())
	}
}
