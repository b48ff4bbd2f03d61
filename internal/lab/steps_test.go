package lab_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/survey"
)

// chain is a chain of so many steps, each 5 % faster than the one before.
func chain(steps, benchmarks int) (*assay.Study, *labtest.Simulator) {
	changes := make([][]float64, steps)
	for i := range changes {
		changes[i] = []float64{-0.05}
	}
	return labtest.Chain(benchmarks, changes...)
}

func planNames(p *assay.Plan) (names []string) {
	for _, v := range p.Variants {
		names = append(names, v.Name)
	}
	return names
}

// wantError asks for an error with a code, and for words in it.
func wantError(t *testing.T, err error, code string, words ...string) {
	t.Helper()
	var e *assay.Error
	if !errors.As(err, &e) || string(e.Code) != code || e.Exit != assay.ExitBuild {
		t.Fatalf("got error %v, want %s with exit %d", err, code, assay.ExitBuild)
	}
	for _, w := range words {
		if strings.Count(e.Error(), w) != 1 {
			t.Errorf("%q is not once in the error:\n%s", w, e.Error())
		}
	}
}

func TestStepThatDoesNotBuildIsAGap(t *testing.T) {
	s, m := chain(4, 2)
	m.Fails = map[string][]string{"s02": {"\x1b[31mscan.go:3:5: undefined: scan\x1b[0m", "scan.go:4:1: more", "log: /home/me/x.log"}}
	var mu sync.Mutex
	var told []string
	builds, err := lab.Build(t.Context(), m, s, func(e lab.Event) {
		mu.Lock()
		defer mu.Unlock()
		if e.Kind == lab.EventWarning {
			told = append(told, e.Text)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []assay.Gap{{Variant: "s02", Reason: "scan.go:3:5: undefined: scan", Facts: []string{"scan.go:3:5: undefined: scan", "scan.go:4:1: more"}}}
	if got := builds.Gaps(); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("got gaps %q, want %q", got, want)
	}
	if len(told) != 1 || !strings.Contains(told[0], `step "s02" does not build and will be a gap: scan.go:3:5`) {
		t.Errorf("told %q", told)
	}
	p, err := survey.Prepare(t.Context(), survey.Setup{Study: s, Machine: m, Builds: builds, Events: silent, Platform: assay.Platform{CPUs: 2}, Run: "test", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := planNames(p), []string{"base", "s01", "s03", "s04", "control"}; !slices.Equal(got, want) {
		t.Errorf("planned %v, want %v", got, want)
	}
	if len(p.Gaps) != 1 || len(p.Artifacts) != 4 {
		t.Errorf("%d gaps and %d artifacts in the plan, want 1 and 4", len(p.Gaps), len(p.Artifacts))
	}
}

func TestWhatIsNoGap(t *testing.T) {
	s, m := chain(3, 1)
	m.Fails = map[string][]string{"base": {"no such package"}}
	_, err := lab.Build(t.Context(), m, s, silent)
	wantError(t, err, "build-failed", "no such package")

	m.Fails = map[string][]string{"s01": {"syntax error"}}
	s.Steps = nil // as without steps
	_, err = lab.Build(t.Context(), m, s, silent)
	wantError(t, err, "build-failed", "syntax error")

	s, m = chain(3, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m.Fails = map[string][]string{"s01": {"killed"}, "s02": {"killed"}, "s03": {"killed"}}
	if _, err = lab.Build(ctx, m, s, silent); err == nil || strings.Contains(err.Error(), "[steps]") {
		t.Errorf("builds that were interrupted: %v", err)
	}
}

func TestNoStepBuilds(t *testing.T) {
	s, m := chain(3, 1)
	line := "suite_test.go:9:2: undefined: toml.Marshal"
	m.Fails = map[string][]string{"s01": {line}, "s02": {line}, "s03": {line}}
	_, err := lab.Build(t.Context(), m, s, silent)
	wantError(t, err, "steps", "none of the 3 steps builds", line)

	m.Fails["base"] = []string{line}
	s.Source.Suite = "suite"
	_, err = lab.Build(t.Context(), m, s, silent)
	wantError(t, err, "steps", "neither the base nor any of the 3 steps builds", `the suite "suite" does not fit`, line)

	m.Fails["base"] = []string{"something else"}
	_, err = lab.Build(t.Context(), m, s, silent)
	wantError(t, err, "build-failed", "something else")

	delete(m.Fails, "base")
	m.Fails["s02"] = []string{"other.go:1:1: syntax error"}
	_, err = lab.Build(t.Context(), m, s, silent)
	wantError(t, err, "steps", "s01: "+line, "s02: other.go:1:1", "s03: "+line)
}

// A benchmark that some steps lack is listed, and runs in the others.
func TestBenchmarksThatStepsLack(t *testing.T) {
	s, m := chain(3, 5)
	m.Benchmarks[1].Lacks = []string{"s01"}
	m.Benchmarks[2].Broken = map[string]string{"s02": "panic: no"}
	m.Benchmarks[3].Lacks = []string{"base", "s01"}
	m.Benchmarks[4].Lacks = []string{"s01", "s02", "s03"}
	p, builds := prepare(t, m, s)
	got := map[string][]string{}
	for _, b := range p.Benchmarks {
		got[b.Name] = b.Missing
	}
	if want := map[string][]string{"B00": nil, "B01": {"s01"}, "B02": {"s02"}}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("planned %v, want %v", got, want)
	}
	text := fmt.Sprint(p.Warnings)
	for _, want := range []string{"3 of 4 benchmarks are not in every step   [steps-missing]", "B01: not in s01", "B02: failed in s02: panic: no",
		"B04: not in s01, s02, s03", "there is no geomean: 1 benchmark is in every step", `1 benchmark is in steps and not in the base "base": not measured`} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q is not once in the warnings:\n%s", want, text)
		}
	}
	rec, err := record.Create(t.TempDir(), p, assay.Platform{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	var turns []assay.Turn
	for _, b := range p.Benchmarks {
		turns = append(turns, assay.Turn{Benchmark: b.Benchmark, Inner: 1})
	}
	if _, err := (&lab.Job{Plan: p, Machine: m, Builds: builds, Record: rec, Rule: &fixed{turns: turns, blocks: 2}, Events: silent}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, tr := range rec.Run().Trials {
		if tr.Status != assay.StatusOK || slices.Contains(got[tr.Benchmark.Name], tr.Variant) {
			t.Errorf("%s ran in %s, %s", tr.Benchmark.Name, tr.Variant, tr.Status)
		}
	}
	if run, err := record.Read(record.Folder(rec.Dir)); err != nil || len(run.Trials) != 2*(5+4+4) {
		t.Errorf("%d trials, want 26; %v", len(rec.Run().Trials), err)
	}
}

// A step without any benchmark of the base is a gap, and so is its equal; where none
// is left, that is the error.
func TestStepWithoutBenchmarksIsAGap(t *testing.T) {
	s, m := chain(3, 1)
	m.Benchmarks[0].Broken = map[string]string{"s01": "panic: early", "s03": "panic: early"}
	m.Code = map[string]string{"s01": "a", "s03": "a"}
	p, _ := prepare(t, m, s)
	if got, want := planNames(p), []string{"base", "s02", "control"}; !slices.Equal(got, want) {
		t.Errorf("planned %v, want %v", got, want)
	}
	if len(p.Gaps) != 2 || p.Gaps[0].Variant != "s01" || p.Gaps[1].Variant != "s03" || !strings.Contains(p.Gaps[1].Reason, "panic: early") || len(p.Same) != 0 {
		t.Errorf("gaps %+v, same %+v", p.Gaps, p.Same)
	}
	m.Benchmarks[0].Lacks = []string{"s02"}
	builds, err := lab.Build(t.Context(), m, s, silent)
	if err != nil {
		t.Fatal(err)
	}
	_, err = survey.Prepare(t.Context(), survey.Setup{Study: s, Machine: m, Builds: builds, Events: silent, Run: "test", Seed: 1})
	wantError(t, err, "steps", "no step can be compared")
}

func TestEqualSteps(t *testing.T) {
	s, m := chain(4, 1)
	m.Code = map[string]string{"base": "a", "s02": "a", "s01": "b", "s04": "b"}
	p, _ := prepare(t, m, s)
	want := []assay.SameCode{{Variant: "s02", As: "base", Functions: 1}, {Variant: "s04", As: "s01", Functions: 1}}
	if !slices.Equal(p.Same, want) {
		t.Errorf("got %+v, want %+v", p.Same, want)
	}
	if got, want := planNames(p), []string{"base", "s01", "s03", "control"}; !slices.Equal(got, want) {
		t.Errorf("planned %v, want %v", got, want)
	}
}

// measureChain runs a chain's study for so many blocks and leaves its run.
func measureChain(t *testing.T, store, id string, s *assay.Study, m *labtest.Simulator, blocks int, earlier *record.Run) *record.Run {
	t.Helper()
	platform := assay.Platform{ID: "p", CPUs: 2}
	builds, err := lab.Build(t.Context(), m, s, silent)
	if err != nil {
		t.Fatal(err)
	}
	setup := survey.Setup{Study: s, Machine: m, Builds: builds, Events: silent, Platform: platform, Run: id, Seed: uint64(len(id)), Created: time.Unix(int64(len(s.Variants)), 0)}
	if earlier != nil {
		setup.Earlier = earlier.Plan
	}
	p, err := survey.Prepare(t.Context(), setup)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := open(store, p, platform, earlier)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	rule := &fixed{blocks: blocks}
	for _, b := range p.Benchmarks {
		rule.turns = append(rule.turns, assay.Turn{Benchmark: b.Benchmark, Inner: 1})
	}
	if _, err := (&lab.Job{Plan: p, Machine: m, Builds: builds, Record: rec, Rule: rule, Events: silent}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return rec.Run()
}

func open(store string, p *assay.Plan, platform assay.Platform, earlier *record.Run) (*record.Record, error) {
	if earlier == nil {
		return record.Create(store, p, platform, nil)
	}
	return record.Extend(store, p, platform, nil, earlier)
}

func find(t *testing.T, store string, s *assay.Study, m *labtest.Simulator, platform string) *record.Run {
	t.Helper()
	runs, err := record.List(store)
	if err != nil {
		t.Fatal(err)
	}
	builds, err := lab.Build(t.Context(), m, s, silent)
	if err != nil {
		t.Fatal(err)
	}
	run, err := survey.Earlier(runs, s, assay.Platform{ID: platform}, builds.Infos())
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// A longer chain goes on from the shorter one's record, and its record from the
// next: what was measured stays, with the same N and seed, and the new step runs in
// the blocks that follow.
func TestLongerChainGoesOn(t *testing.T) {
	store := t.TempDir()
	s, m := chain(7, 2)
	first := measureChain(t, store, "aaaa", s, m, 4, nil)
	longer, m := chain(8, 2)
	m.Benchmarks[0].Time *= 3 // a calibration would now find another N
	m.Code = map[string]string{"base": "a", "s08": "a"}
	found := find(t, store, longer, m, "p")
	if found == nil || found.Plan.Run != "aaaa" {
		t.Fatalf("the earlier run is not found: %v", found)
	}
	if find(t, store, longer, m, "q") != nil || find(t, store, s, m, "p") != nil {
		t.Error("a run of another platform, or of the same chain, is gone on with")
	}
	before := len(m.Log())
	second := measureChain(t, store, "bbbbb", longer, m, 6, found)
	if second.Plan.Earlier != "aaaa" || second.Plan.Seed != first.Plan.Seed || second.Plan.Benchmarks[0].N != first.Plan.Benchmarks[0].N {
		t.Errorf("earlier %q, seed %d, N %d", second.Plan.Earlier, second.Plan.Seed, second.Plan.Benchmarks[0].N)
	}
	if got := second.Plan.ControlVariant(); got != assay.ControlName {
		t.Errorf("the control is %q in a chain whose new step equals the base", got)
	}
	longest, m2 := chain(9, 2)
	m2.Code = m.Code
	third := measureChain(t, store, "cccccc", longest, m2, 8, find(t, store, longest, m2, "p"))
	from := map[string]int{}
	for _, block := range third.Blocks() {
		from[block[0].Run]++
	}
	if want := map[string]int{"aaaa": 4, "bbbbb": 2, "": 2}; fmt.Sprint(from) != fmt.Sprint(want) {
		t.Errorf("blocks by the run that measured them: %v, want %v", from, want)
	}
	for _, line := range m.Log()[before:] {
		var bench, variant string
		var block int
		fmt.Sscan(line, &bench, &variant, &block)
		if 0 < block && block <= 4 {
			t.Fatalf("block %d is measured again: %s", block, line)
		}
	}
	if !design.Extends(&first.Plan.Study, &third.Plan.Study) {
		t.Error("the chain of 9 does not extend that of 7")
	}
}

// Of several shorter chains the one with the most steps is extended, even if it is older:
// a study with every = 4 has fewer steps, too.
func TestEarlierHasTheMostSteps(t *testing.T) {
	store := t.TempDir()
	for id, n := range map[string]int{"aaaa": 5, "bbbb": 3} {
		s, m := chain(n, 1)
		measureChain(t, store, id, s, m, 2, nil)
	}
	longer, m := chain(6, 1)
	builds, err := lab.Build(t.Context(), m, longer, silent)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := record.List(store)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		found, err := survey.Earlier(runs, longer, assay.Platform{ID: "p"}, builds.Infos())
		if err != nil || found == nil || found.Plan.Run != "aaaa" {
			t.Fatalf("of %v it goes on from %v, %v; want aaaa", runs, found, err)
		}
		slices.Reverse(runs)
	}
}

// A run is not extended if something builds differently; it is if a gap now builds.
func TestEarlierWantsTheSameArtifacts(t *testing.T) {
	store := t.TempDir()
	s, m := chain(3, 1)
	m.Fails = map[string][]string{"s02": {"no"}}
	measureChain(t, store, "aaaa", s, m, 2, nil)
	longer, m := chain(4, 1)
	if find(t, store, longer, m, "p") == nil {
		t.Error("a chain in which a gap now builds is not gone on with")
	}
	m.Fails = map[string][]string{"s03": {"no"}}
	if find(t, store, longer, m, "p") != nil {
		t.Error("a chain whose step does not build any more is gone on with")
	}
}
