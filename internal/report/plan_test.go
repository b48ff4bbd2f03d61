package report

import (
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/terminal"
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
	for name, s := range map[string]terminal.Style{"plan.80": {Width: 80}, "plan.100.ascii": {Width: 100, ASCII: true}} {
		var b strings.Builder
		if err := WritePlan(&b, planFixture(), order, s); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.String())
		checkLines(t, name, b.String(), s)
	}
}

// factorPlan is a plan of commands: three factors, eight variants, of which a
// block holds six and the control.
func factorPlan() *assay.Plan {
	p := &assay.Plan{
		Schema: 1, Run: "7k2m", StudyHash: "9c41f00d5a3b", Seed: 0x5d31, Together: 6,
		Command: "assay run studies/interpreters/factorial.toml",
		Study: assay.Study{Name: "factorial", Base: "greentea/stack/special", Decide: assay.Decide{Budget: 30 * time.Minute},
			Factors: []assay.Factor{
				{Name: "gc", Levels: []assay.Level{{Name: "greentea"}, {Name: "classic"}}},
				{Name: "slices", Levels: []assay.Level{{Name: "stack"}, {Name: "heap"}}},
				{Name: "malloc", Levels: []assay.Level{{Name: "special"}, {Name: "plain"}}}},
			Workloads: []assay.Workload{{Kind: assay.KindCommand, Names: mereBenches, Run: []string{"{bin}", "lua/{name}.lua", "a b"},
				Prepare: []string{"mkdir", "{tmp}/out"}, Stdin: "in/{name}.txt"}}},
		Artifacts: []assay.ArtifactInfo{{Variant: "classic/heap/plain", GoVersion: "go1.27.2 X:nogreenteagc",
			Profile: &assay.ProfileInfo{Path: "auto", Samples: 1234, Match: 0.93}}},
	}
	for _, v := range fixtureNames(factorial()) {
		p.Variants = append(p.Variants, assay.Variant{Name: v})
		p.Study.Variants = append(p.Study.Variants, assay.Variant{Name: v})
	}
	p.Variants = append(p.Variants, assay.Variant{Name: assay.ControlName, Control: true})
	p.Study.SetDefaults()
	for _, name := range mereBenches {
		p.Benchmarks = append(p.Benchmarks, assay.PlannedBenchmark{N: 1, Trial: 900 * time.Millisecond, Benchmark: assay.Benchmark{Name: name}})
	}
	return p
}

func fixtureNames(r *assay.Result) (names []string) {
	for _, v := range r.Variants {
		names = append(names, v.Name)
	}
	return names
}

func TestFactorPlanText(t *testing.T) {
	for name, s := range map[string]terminal.Style{"factors.80": {Width: 80}, "factors.100.ascii": {Width: 100, ASCII: true}} {
		var b strings.Builder
		if err := WritePlan(&b, factorPlan(), nil, s); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.String())
		checkLines(t, name, b.String(), s)
	}
}

func TestCertainty(t *testing.T) {
	set := func(budget time.Duration, f func(*assay.Plan)) *assay.Plan {
		p := planFixture() // blocks of 2.15 s
		p.Study.Decide.Budget = budget
		if f != nil {
			f(p)
		}
		return p
	}
	long := func(p *assay.Plan) { // blocks of 4 programs of 10 s, 5 variants
		p.Benchmarks, p.Link = p.Benchmarks[:4], 0
		for i := range p.Benchmarks {
			p.Benchmarks[i].Trial = 10 * time.Second
		}
	}
	for _, c := range []struct {
		plan *assay.Plan
		want string
	}{
		{set(10*time.Minute, nil), "about 279 blocks in 10 min: ±0.2 % where a block scatters by 1 %, ±0.5 % at 3 %, ±1.6 % at 10 %; about half of that in 40 min"},
		{set(25*time.Second, nil), "about 11 blocks in 25 s: ±1.0 % where a block scatters by 1 %, ±3.1 % at 3 %, ±11 % at 10 %; about half of that in 1m40s"},
		{set(10*time.Minute, long), "about 3 blocks in 10 min: nothing can be decided before 10"},
		{set(42*time.Minute, long), "about 12 blocks in 42 min: ±1.0 % where a block scatters by 1 %, ±2.9 % at 3 %, ±10 % at 10 %; about half of that in 2h48m"},
		{set(10*time.Minute, func(p *assay.Plan) { p.Study.Decide.MaxBlocks = 5 }),
			"about 5 blocks: nothing can be decided before 10"},
		{set(5*time.Second, func(p *assay.Plan) { p.Study.Decide.Confidence, p.Study.Decide.MinBlocks = 0.95, 0 }),
			"about 2 blocks in 5.0 s: nothing can be decided before 4"},
		{set(0, nil), ""},
	} {
		if got := planCertainty(c.plan, schedule.Foresee(c.plan)); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

func TestPlanFactors(t *testing.T) {
	s := factorPlan().Study
	if got, want := planFactors(s), "gc (greentea, classic) × slices (stack, heap) × malloc (special, plain) = 8 variants"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s.Factors = s.Factors[:1]
	s.Variants = []assay.Variant{{Levels: map[string]string{"variant": "a", "gc": "greentea"}}, {Levels: map[string]string{"variant": "b", "gc": "greentea"}}}
	if got, want := planFactors(s), "variant (a, b) × gc (greentea, classic) = 4 variants"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPlanCosts(t *testing.T) {
	p := planFixture()
	// 5 benchmarks of 62 ms, 5 variants, and 600 ms of linking
	if got, want := schedule.Foresee(p).Block, 5*5*62*time.Millisecond+600*time.Millisecond; got != want {
		t.Errorf("a block takes %v, want %v", got, want)
	}
	if got, want := planTime(p, schedule.Foresee(p)), "at least 22 s, stops at 10 min; builds not included"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p.Study.Decide.Budget = 5 * time.Second
	if got, want := planTime(p, schedule.Foresee(p)), "stops at 5.0 s; builds not included"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p.Study.Decide.MaxBlocks, p.Link = 40, 0
	if got, want := planBlocks(p, schedule.Foresee(p)), "10 to 40, each 5 variants × 5 benchmarks = about 1.6 s in random order"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPlanWithoutOrder(t *testing.T) {
	var b strings.Builder
	if err := WritePlan(&b, planFixture(), nil, terminal.Style{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "\norder") {
		t.Errorf("an order is printed:\n%s", b.String())
	}
}
