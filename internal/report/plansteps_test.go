package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// stepsPlan is the plan of case 004 with n steps.
func stepsPlan(n int) *assay.Plan {
	p := planFixture()
	p.Same, p.Warnings, p.Together = nil, nil, 6
	p.Artifacts = []assay.ArtifactInfo{{Variant: "v2", GoVersion: "go1.26.4", Commit: "00a1b2c3d4e5f6a7b8c9"}}
	p.Command, p.Earlier = "assay run toml-arc.toml", "q3fz"
	p.Variants = []assay.Variant{{Name: "v2", Rev: "v2.2.4"}, {Name: assay.ControlName, Control: true}}
	s := &p.Study
	s.Base, s.Question = "v2", "What did each of the steps do to go-toml?"
	s.Source = assay.Source{Overlay: "frozen-suite", Hide: []string{"benchmark/*_test.go"}}
	s.Gates = assay.Gates{API: assay.GateSame, Tests: assay.GatePass}
	s.Steps = &assay.Steps{Range: "v2.2.4..main", Every: 3, Touching: "unstable",
		Phases: []assay.Phase{{ID: "A", Name: "rewrite from scratch"}, {ID: "B", Name: "faster decoding"}}}
	for i := range n {
		x := arcSteps[i%len(arcSteps)]
		if i >= len(arcSteps) {
			x.name += fmt.Sprint(" ", i)
		}
		s.Steps.List = append(s.Steps.List, assay.Step{Variant: x.name, Phase: x.phase})
		if i+1 == arcGap {
			p.Gaps = append(p.Gaps, assay.Gap{Variant: x.name, Reason: "parser.go:41: undefined: newTree"})
			continue
		}
		if i+1 == arcSame {
			p.Same = append(p.Same, assay.SameCode{Variant: x.name, As: arcSteps[i-1].name})
			continue
		}
		p.Variants = append(p.Variants, assay.Variant{Name: x.name, Rev: fmt.Sprintf("arc/%02d", i+1)})
		p.Artifacts = append(p.Artifacts, assay.ArtifactInfo{Variant: x.name, GoVersion: "go1.26.4", Commit: fmt.Sprintf("%02da1b2c3d4e5f6a7b8c9", i+1)})
		p.Gates = append(p.Gates, assay.GateResult{Variant: x.name, Gate: assay.GateAPI, Status: assay.GateHeld})
		if i+1 == 13 {
			p.Gates = append(p.Gates, assay.GateResult{Variant: x.name, Gate: assay.GateOldTests, Status: assay.GateFailed, Evidence: make([]string, 10)})
		}
	}
	p.Benchmarks[4].Missing = []string{arcSteps[arcMissing-1].name}
	return p
}

func TestPlanSteps(t *testing.T) {
	for name, s := range map[string]terminal.Style{"plan-steps.80": {Width: 80}, "plan-steps.100.ascii": {Width: 100, ASCII: true}} {
		var b strings.Builder
		if err := WritePlan(&b, stepsPlan(20), nil, s); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.String())
		checkLines(t, name, b.String(), s)
	}
	var b strings.Builder
	if err := WritePlan(&b, stepsPlan(60), nil, terminal.Style{Width: 80}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "… 20 more") || strings.Contains(b.String(), "40 aft") {
		t.Errorf("60 steps:\n%s", b.String())
	}
}

func TestPlanSuite(t *testing.T) {
	for want, s := range map[string]assay.Source{
		"": {}, "the files of frozen, copied over every step": {Overlay: "frozen"},
		"the benchmarks of the module suite, built against every step":   {Suite: "suite"},
		"the benchmarks of example.org/m@v1.2.0, copied over every step": {Suite: "example.org/m@v1.2.0"},
		"bench, check of rev:v1, copied over every step":                 {Suite: "rev:v1", Folders: []string{"bench", "check"}},
	} {
		if got := planSuite(s); got != want {
			t.Errorf("suiteText(%+v) = %q, want %q", s, got, want)
		}
	}
	p := stepsPlan(2)
	p.Study.Source.Suite = "example.org/m@v1.2.0"
	p.Artifacts[1].Suite = "example.org/m@v1.2.0 h1:abc="
	var b strings.Builder
	if err := WritePlan(&b, p, nil, terminal.Style{Width: 120}); err != nil || !strings.Contains(b.String(), "copied over every step · h1:abc=\n") {
		t.Errorf("%v: no hash in\n%s", err, b.String())
	}
	if got, want := planRange(assay.Steps{Range: "v1..v2", Module: "example.org/m"}), "v1..v2 of module example.org/m"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPlanStepsHostile(t *testing.T) {
	evil := "\x1b[31mred\x07 \u202e" + strings.Repeat("漢字 subject ", 12)
	p := stepsPlan(20)
	for i := range p.Study.Steps.List {
		p.Study.Steps.List[i].Variant, p.Study.Steps.List[i].Phase = evil, evil
	}
	p.Gaps[0] = assay.Gap{Variant: evil, Reason: evil}
	p.Study.Source.Overlay, p.Study.Steps.Range, p.Study.Steps.Phases[0].Name = evil, evil, evil
	for width := 58; width <= 140; width += 7 {
		s := terminal.Style{Width: width, ASCII: width%2 == 0}
		var b strings.Builder
		if err := WritePlan(&b, p, nil, s); err != nil {
			t.Fatal(err)
		}
		checkLines(t, fmt.Sprint("hostile plan at ", width), b.String(), s)
	}
}

// A gap is told once, in one line that obeys nobody.
func TestProgressGap(t *testing.T) {
	var b bytes.Buffer
	p := terminal.NewProgress(&b, false, time.Now)
	g := assay.Gap{Variant: "pool\x1b[2J buffers", Reason: "pool.go:3: undefined: Pool\nmore"}
	p.Gap(g)
	p.Gap(g)
	if got, want := b.String(), "assay: step pool buffers does not build: pool.go:3: undefined: Pool more\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if slices.Contains([]rune(b.String()), '\x1b') {
		t.Error("an escape sequence came through")
	}
}

// Of a chain the largest number of blocks is asked for each step.
func TestPlanStepsBlocks(t *testing.T) {
	p := stepsPlan(20)
	p.Study.Decide.MaxBlocks, p.Study.Decide.Budget = 20, 0
	if got, want := planBlocks(p, schedule.Foresee(p)), "60 to 120, each base, control, 4 neighbouring steps and 1 of the others at random (all 18 in 6 blocks),"; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := planCertainty(p, schedule.Foresee(p)), "about 120 blocks, 20 or more with each pair of neighbours: "; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
