package report

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// written returns the text of a plan by label: the lines behind each label, with single
// blanks between their words. No line may be wider than the terminal.
func written(t *testing.T, p *assay.Plan, order func(block int) [][]string, s terminal.Style) map[string][]string {
	t.Helper()
	var b strings.Builder
	if err := WritePlan(&b, p, order, s); err != nil {
		t.Fatal(err)
	}
	out, label := map[string][]string{}, ""
	for line := range strings.Lines(b.String()) {
		line = strings.TrimRight(line, "\n")
		if w := terminal.Width(line); w > s.Columns() {
			t.Errorf("%q has %d columns", line, w)
		}
		begin := strings.TrimSpace(line[:min(planIndent, len(line))])
		if begin == label && label != "" && label != "note" {
			t.Errorf("the label of %q is there twice", line)
		}
		if begin != "" {
			label = begin
		}
		out[label] = append(out[label], strings.Join(strings.Fields(line[min(planIndent, len(line)):]), " "))
	}
	return out
}

func checkPlanLines(t *testing.T, got map[string][]string, want map[string][]string) {
	t.Helper()
	for label, lines := range want {
		if !slices.Equal(got[label], lines) {
			t.Errorf("%s: got  %q\nwant %q", label, got[label], lines)
		}
	}
}

// comparedPlan is a plan of two variants and the control.
func comparedPlan() *assay.Plan {
	p := &assay.Plan{StudyHash: "0123456789abcdef", Seed: 42, Command: "assay compare go1.25.7 'new: go1.26.8 GOGC=200'",
		Study: assay.Study{Question: "which toolchain?", Base: "go1.25.7", Workloads: []assay.Workload{{Kind: assay.KindGoTest}}},
		Variants: []assay.Variant{{Name: "go1.25.7", Go: "go1.25.7"}, {Name: "new", Go: "go1.26.8", Rev: "main", Env: map[string]string{"GOGC": "200"}},
			{Name: "control", Go: "go1.25.7", Control: true}},
		Artifacts: []assay.ArtifactInfo{{Variant: "go1.25.7", GoVersion: "go1.25.7"},
			{Variant: "new", GoVersion: "go1.26.8 X:jsonv2", Commit: "fedcba9876543210", Profile: &assay.ProfileInfo{Samples: 1200, Match: 0.9}}},
		Benchmarks: []assay.PlannedBenchmark{{Benchmark: assay.Benchmark{Package: "p", Name: "Decode"}, Trial: 100 * time.Millisecond}}}
	p.Study.SetDefaults()
	return p
}

// A plan says what is compared as one would type it, with what that led to, how it is
// measured and decided, what it costs, and how to repeat it.
func TestWritePlan(t *testing.T) {
	order := func(block int) [][]string {
		return [][]string{{"new", fmt.Sprint("in", block)}, {"of another benchmark"}}
	}
	got := written(t, comparedPlan(), order, terminal.Style{Width: 120})
	checkPlanLines(t, got, map[string][]string{
		"question": {"which toolchain?"},
		"variants": {"go1.25.7 base", "new go1.26.8 main GOGC=200 · commit fedcba98 · profile: 90 % of 1,200 samples match",
			"control control the base again, to measure the noise floor"},
		"benchmarks": {"1: Decode"}, "measured in": nil, "factors": nil, "command": nil,
		"decide": {"sec/op · changes within ±1 % are same · 99 % intervals"},
		"time":   {"at least 1.5 s, stops at 10 min; builds not included"},
		"order":  {"block 1: new in1", "block 2: new in2", "block 3: new in3"},
		"study":  {"01234567 · seed 0x2a"},
		"run":    {"assay compare go1.25.7 'new: go1.26.8 GOGC=200'"},
	})
	if len(got["blocks"]) == 0 || len(got["certainty"]) == 0 {
		t.Errorf("got %q, want the blocks and what they buy", got)
	}
	p := comparedPlan()
	p.Benchmarks = append(p.Benchmarks, p.Benchmarks[0])
	if got := written(t, p, order, terminal.Style{})["order"]; len(got) != 4 || got[3] != "… for Decode; drawn afresh for every benchmark and block" {
		t.Errorf("got the order %q of two benchmarks", got)
	}
	if got := written(t, p, func(int) [][]string { return nil }, terminal.Style{})["order"]; got != nil {
		t.Errorf("got the order %q of nothing", got)
	}
}

// A variant with the code of another is not measured, unless it takes the place of the
// control.
func TestWritePlanSameCode(t *testing.T) {
	p := comparedPlan()
	p.Variants[2] = assay.Variant{Name: "twin", Control: true}
	p.Same = []assay.SameCode{{Variant: "twin", As: "go1.25.7", Control: true}, {Variant: "other", As: "new"}}
	checkPlanLines(t, written(t, p, nil, terminal.Style{Width: 120}), map[string][]string{"order": nil,
		"variants": {"go1.25.7 base", "new go1.26.8 main GOGC=200 · commit fedcba98 · profile: 90 % of 1,200 samples match",
			"twin control same code as go1.25.7, for the noise floor", "other ≡ same code as new: not measured"}})
}

// Where nothing is measured there is no price; warnings say why, and those that are minor
// only on demand.
func TestWritePlanNothing(t *testing.T) {
	p := comparedPlan()
	p.Benchmarks = nil
	p.Warnings = []assay.Warning{{Code: assay.CodePair, Text: "minor"}, {Code: assay.CodeBenchmarkSetsDiffer, Text: "they have none in common", Facts: []string{"old: A"}}}
	got := written(t, p, nil, terminal.Style{})
	checkPlanLines(t, got, map[string][]string{"benchmarks": {"nothing is measured: see the notes"}, "decide": nil, "blocks": nil, "time": nil, "certainty": nil,
		"note": {"they have none in common [" + string(assay.CodeBenchmarkSetsDiffer) + "]", "old: A"}})
	if got := written(t, p, nil, terminal.Style{All: true})["note"]; len(got) != 3 || got[0] != "minor [pair]" {
		t.Errorf("got the notes %q, want all", got)
	}
}

// Of very many variants the first are listed, or all on demand.
func TestWritePlanManyVariants(t *testing.T) {
	p := comparedPlan()
	for i := len(p.Variants); i < sheet.MaxRows+1200; i++ {
		p.Variants = append(p.Variants, assay.Variant{Name: fmt.Sprint("v", i)})
	}
	rows := written(t, p, nil, terminal.Style{Width: 120})["variants"]
	if len(rows) != sheet.MaxRows+1 || rows[sheet.MaxRows] != "… 1,200 more (--all shows them)" {
		t.Errorf("got %d rows, the last of them %q", len(rows), rows[len(rows)-1])
	}
	if rows := written(t, p, nil, terminal.Style{Width: 120, All: true})["variants"]; len(rows) != len(p.Variants) {
		t.Errorf("got %d rows of %d variants", len(rows), len(p.Variants))
	}
}

// Commands and services are told as they run, in this order, with the files that they read.
func TestWritePlanCommands(t *testing.T) {
	p := comparedPlan()
	p.Variants[1] = assay.Variant{Name: "new", Select: "fast"}
	p.Artifacts = nil
	p.Study.Workloads = []assay.Workload{{Kind: assay.KindCommand, Names: []string{"sort"},
		Prepare: []string{"mkdir", "{tmp}/x"}, Run: []string{"{bin}", "--n", "5 6"}, Stdin: "data.txt", Cleanup: []string{"rm", "x"}}}
	checkPlanLines(t, written(t, p, nil, terminal.Style{Width: 120}), map[string][]string{
		"variants": {"go1.25.7 base", "new fast", "control control the base again, to measure the noise floor"},
		"prepare":  {"mkdir {tmp}/x"}, "command": {"{bin} --n '5 6' < data.txt"}, "clean up": {"rm x"},
	})
	load := assay.Service{Start: []string{"{bin}", "-p", "{port}"}, Prepare: [][]string{{"make", "db"}, {"make", "more"}},
		Setup: [][]string{{"fill"}}, Warmup: [][]string{{"hey"}}, Load: []string{"wrk", "-t", "2"},
		Parse: "wrk", Stop: assay.StopKill, Cleanup: [][]string{{"rm", "db"}}, CPUs: "0"}
	built := assay.Service{Start: []string{"serve"}, HTTP: &assay.HTTPLoad{URL: "http://x", Rate: 1, Duration: time.Second}, StopWithin: time.Second}
	p.Study.Workloads = []assay.Workload{{Kind: assay.KindService, Names: []string{"web"}, Service: &load}}
	checkPlanLines(t, written(t, p, nil, terminal.Style{Width: 120}), map[string][]string{"service": nil,
		"prepare": {"make db", "make more"}, "start": {"{bin} -p {port}"}, "ready": {"TCP 127.0.0.1:{port}, within 30 s"}, "set up": {"fill"}, "warm up": {"hey"},
		"load": {"wrk -t 2 · read as wrk"}, "stop": {"kill, within 10 s"}, "clean up": {"rm db"}, "CPUs": {"the server on 0"},
	})
	p.Study.Workloads = append(p.Study.Workloads, assay.Workload{Kind: assay.KindService, Names: []string{"api", "rpc"}, Service: &built})
	checkPlanLines(t, written(t, p, nil, terminal.Style{Width: 120}), map[string][]string{"service": {"web", "api, rpc"}, "start": {"{bin} -p {port}", "serve"},
		"load": {"wrk -t 2 · read as wrk", "GET http://x, 1 requests/s, even arrivals, for 1.0 s, built in: latency counts from the intended start"},
		"stop": {"kill, within 10 s", "terminate, within 1.0 s"}})
}

// chainOf is a plan of a chain of four steps, of which the second has not been built, the
// third is the code of the first, and the fourth is the tree as it is.
func chainOf() *assay.Plan {
	p := comparedPlan()
	p.Study.Base = "v1"
	p.Study.Steps = &assay.Steps{Range: "v1..v2", Phases: []assay.Phase{{ID: "A", Name: "Parser"}, {ID: "B"}},
		List: []assay.Step{{Variant: "s1", Phase: "A"}, {Variant: "s2", Phase: "A"}, {Variant: "s3", Phase: "B"}, {Variant: "tip", Phase: "B"}}}
	p.Variants = []assay.Variant{{Name: "v1", Rev: "v1"}, {Name: "s1", Rev: "abcdef12"},
		{Name: "tip", Env: map[string]string{"GOGC": "50"}}, {Name: "control", Rev: "v1", Control: true}}
	p.Artifacts = []assay.ArtifactInfo{{Variant: "v1", GoVersion: "go1.26.8", Commit: "1111111122", Suite: "rev:main 3333 tree:4444"},
		{Variant: "s1", GoVersion: "go1.26.8", Commit: "abcdef1234567890"}, {Variant: "tip", GoVersion: "go1.26.8"}}
	p.Gaps = []assay.Gap{{Variant: "s2", Reason: "did not build: x.go:1: no"}}
	p.Same = []assay.SameCode{{Variant: "s3", As: "s1"}}
	p.Benchmarks[0].Missing = []string{"s1", "s2"}
	p.Study.Source.Suite = "rev:main"
	p.Study.Gates = assay.Gates{Tests: assay.GatePass, Vet: assay.GatePass, Against: assay.AgainstBase}
	p.Gates = []assay.GateResult{{Variant: "s1", Gate: assay.GateTests, Status: assay.GateFailed, Evidence: []string{"TestA", "TestB"}},
		{Variant: "s1", Gate: assay.GateVet, Status: assay.GateHeld},
		{Variant: "tip", Gate: assay.GateVet, Status: assay.GateUnknown}}
	p.Earlier = "7k2m"
	return p
}

// A chain is told step by step: what each is, or why it is not measured, where a phase
// begins, and what the gates say so far.
func TestWritePlanSteps(t *testing.T) {
	p := chainOf()
	got := written(t, p, nil, terminal.Style{Width: 120})
	checkPlanLines(t, got, map[string][]string{
		"range": {"v1..v2"}, "phases": {"★A Parser · ★B"}, "variants": nil,
		"base": {"v1 base go1.26.8 · commit 11111111", "control control the base again, to measure the noise floor"},
		"steps": {"1 ★A s1 commit abcdef12 · 1 benchmark missing · fails: tests (2)",
			"2 s2 a gap: did not build: x.go:1: no", "3 ★B s3 same code as s1: not measured", "4 tip the tree as it is GOGC=50 · unknown: vet"},
		"suite":     {"the benchmarks of rev:main, copied over every step · tree:4444"},
		"gates":     {"tests pass, vet pass (against the base)", "3 checked, 1 failed, 1 unknown"},
		"continues": {"run 7k2m: its blocks are not measured again"},
	})
	p.Gates, p.Study.Gates = nil, assay.Gates{Vet: assay.GatePass}
	checkPlanLines(t, written(t, p, nil, terminal.Style{Width: 120}), map[string][]string{"gates": {"vet pass"}})
	p.Study.Gates = assay.Gates{}
	checkPlanLines(t, written(t, p, nil, terminal.Style{Width: 120}), map[string][]string{"gates": nil})
	p.Artifacts[1].GoVersion = "go1.27.2" // so that more than the commit differs from the base
	if got, want := written(t, p, nil, terminal.Style{Width: 120})["steps"][0], "1 ★A s1 abcdef12 · go1.27.2 · commit abcdef12 · 1 benchmark missing"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p.Artifacts[1].GoVersion, p.Artifacts[1].Profile = "go1.26.8", &assay.ProfileInfo{Samples: 1, Match: 1}
	p.Same = append(p.Same, assay.SameCode{Variant: "tip", As: "v1", Control: true}) // and so it is measured
	checkPlanLines(t, written(t, p, nil, terminal.Style{Width: 120}), map[string][]string{"steps": {
		"1 ★A s1 abcdef12 · go1.26.8 · commit abcdef12 · profile: 100 % of 1 sample match · 1 benchmark missing",
		"2 s2 a gap: did not build: x.go:1: no", "3 ★B s3 same code as s1: not measured", "4 tip the tree as it is GOGC=50"}})
}

// On a narrow terminal a description goes on below itself, without the name.
func TestWritePlanNarrow(t *testing.T) {
	rows := written(t, comparedPlan(), nil, terminal.Style{Width: 60})["variants"]
	if got, want := strings.Join(rows[1:len(rows)-2], " "), "new go1.26.8 main GOGC=200 · commit fedcba98 · profile: 90 % of 1,200 samples match"; len(rows) < 6 || got != want {
		t.Errorf("got %q, want %q on several lines", rows, want)
	}
}

// Of very many steps the first are listed, their numbers below each other.
func TestWritePlanManySteps(t *testing.T) {
	p := chainOf()
	for i := len(p.Study.Steps.List); i < sheet.MaxRows+5; i++ {
		p.Study.Steps.List = append(p.Study.Steps.List, assay.Step{Variant: fmt.Sprint("more", i)})
	}
	rows := (&planner{plan: p, Writer: terminal.NewWriter(terminal.Style{}, planIndent)}).stepRows()
	if want := [3]string{"", "… 5 more", "(--all shows them)"}; len(rows) != sheet.MaxRows+1 || rows[sheet.MaxRows] != want {
		t.Errorf("got %d rows, the last of them %q, want %q", len(rows), rows[len(rows)-1], want)
	}
	if got, want := []string{rows[0][0], rows[1][0], rows[9][0]}, []string{" 1 ★A", " 2", "10"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got the numbers %q, want %q", got, want)
	}
	all := (&planner{plan: p, Writer: terminal.NewWriter(terminal.Style{All: true}, planIndent)}).stepRows()
	if len(all) != sheet.MaxRows+5 {
		t.Errorf("got %d rows of %d steps", len(all), sheet.MaxRows+5)
	}
}

// brokenPipe takes nothing.
type brokenPipe struct{}

var errBroken = errors.New("broken pipe")

func (brokenPipe) Write([]byte) (int, error) { return 0, errBroken }

// A text that nobody takes is an error.
func TestWritePlanError(t *testing.T) {
	if err := WritePlan(brokenPipe{}, comparedPlan(), nil, terminal.Style{}); !errors.Is(err, errBroken) {
		t.Errorf("got %v, want %v", err, errBroken)
	}
}
