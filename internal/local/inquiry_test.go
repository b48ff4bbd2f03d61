package local

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/survey"
)

// explainedSource is a package with a benchmark and a program, of which the tag
// "more" allocates one object more an operation.
var explainedSource = map[string]string{
	"go.mod":  "module example.com/why\n\ngo 1.24\n",
	"less.go": "//go:build !more\n\npackage main\n\nconst objects = 2\n",
	"more.go": "//go:build more\n\npackage main\n\nconst objects = 3\n",
	"main.go": `package main

import (
	"fmt"
	"os"
)

type node struct{ next *node; _ [56]byte }

//go:noinline
func grow(n int) (list *node) {
	for range n {
		list = &node{next: list}
	}
	return list
}

func main() {
	fmt.Println(grow(1000 * objects) != nil)
	os.Exit(0)
}
`,
	"main_test.go": `package main

import "testing"

var once = grow(5000)

func BenchmarkGrow(b *testing.B) {
	kept := grow(700) // set-up
	for range b.N {
		grow(objects)
	}
	_, _ = kept, once
}
`}

func explainedStudy(t *testing.T, w assay.Workload) *assay.Study {
	t.Helper()
	dir := t.TempDir()
	for name, text := range explainedSource {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := &assay.Study{Name: "why", Dir: dir, Workloads: []assay.Workload{w},
		Variants: []assay.Variant{{Name: "less"}, {Name: "more", Tags: []string{"more"}}}}
	s.SetDefaults()
	s.Measure.Layouts, s.Measure.Trial = 1, time.Millisecond
	return s
}

// Every link has the digest of its own file, and a plan those of the builds.
func TestArtifactDigests(t *testing.T) {
	s := explainedStudy(t, assay.Workload{Kind: assay.KindGoTest, Bench: "."})
	w, l := here(t)
	builds, err := lab.Build(t.Context(), w, s, func(lab.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	linked, err := l.Link(t.Context(), lab.LinkRequest{Artifact: builds.Of("less")[0], Layout: 7})
	if err != nil {
		t.Fatal(err)
	}
	info := builds.Infos()[0]
	for got, a := range map[string]lab.Artifact{info.SHA256[0]: builds.Of("less")[0], linked.Info.SHA256[0]: linked} {
		at, err := l.lookup(a)
		if err != nil {
			t.Fatal(err)
		}
		if want, err := disk.Digest(at.Path); err != nil || got != want {
			t.Errorf("digest of %s: %q, %v; want %q", a.ID, got, err, want)
		}
	}
	if info.SHA256[0] == linked.Info.SHA256[0] {
		t.Error("another layout has the same digest")
	}
}

// explain runs an inquiry of all kinds into the only benchmark of a study.
func explain(t *testing.T, w *Workshop, l *Machine, s *assay.Study) (*lab.Inquiry, []assay.EvidenceTrial) {
	t.Helper()
	builds, err := lab.Build(t.Context(), w, s, func(lab.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	p, err := survey.Prepare(t.Context(), survey.Setup{Study: s, Machine: l, Builds: builds, Events: func(lab.Event) {}, Run: "why", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := record.Create(t.TempDir(), p, assay.Platform{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	e, err := rec.Evidence()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	told := 0
	q := &lab.Inquiry{Plan: p, Machine: l, Builds: builds, Evidence: e, Benchmark: p.Benchmarks[0].Benchmark, Variants: []string{"more"},
		Kinds: []string{assay.CollectCPU, assay.CollectMem, assay.CollectGC}, Blocks: 2, Trial: 50 * time.Millisecond,
		BaseValue: 1e-6, AllocsPerOp: 99, Events: func(e lab.Event) {
			if told++; e.Kind != lab.EventEvidence || e.Trial != told {
				t.Errorf("got event %+v", e)
			}
		}}
	trials, warnings, err := q.Run(t.Context())
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	if told != len(trials) {
		t.Errorf("told of %d trials, ran %d", told, len(trials))
	}
	return q, trials
}

// objects counts those that a function allocated, by the profile of a trial.
func objects(t *testing.T, q *lab.Inquiry, trial assay.EvidenceTrial, function string) (n int64) {
	t.Helper()
	for _, s := range profileOf(t, q, trial).Sample {
		if slices.ContainsFunc(s.Location[0].Line, func(l profile.Line) bool { return strings.HasSuffix(l.Function.Name, function) }) {
			n += s.Value[0]
		}
	}
	return n
}

func profileOf(t *testing.T, q *lab.Inquiry, trial assay.EvidenceTrial) *profile.Profile {
	t.Helper()
	data, err := q.Evidence.Profile(trial)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.ParseData(data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// trialOf is the first of a kind, a variant and a number of operations.
func trialOf(t *testing.T, trials []assay.EvidenceTrial, kind, variant string, n int) assay.EvidenceTrial {
	t.Helper()
	i := slices.IndexFunc(trials, func(e assay.EvidenceTrial) bool {
		return e.Kind == kind && e.Variant == variant && (n == 0 || e.N == n)
	})
	if i < 0 {
		t.Fatalf("no trial of %s, %s, %d", kind, variant, n)
	}
	return trials[i]
}

// All kinds of evidence of a Go benchmark on this machine. What is allocated is
// exact: the difference of two numbers of operations leaves set-up out.
func TestInquiryOnThisMachine(t *testing.T) {
	w, l := here(t)
	s := explainedStudy(t, assay.Workload{Kind: assay.KindGoTest})
	q, trials := explain(t, w, l, s)
	if len(trials) != 2*2+2*4+2*2 {
		t.Errorf("got %d trials", len(trials))
	}
	for variant, want := range map[string]int64{"less": 2, "more": 3} {
		small, large := trialOf(t, trials, assay.CollectMem, variant, 500), trialOf(t, trials, assay.CollectMem, variant, 1000)
		if got := objects(t, q, large, ".grow") - objects(t, q, small, ".grow"); got != 500*want {
			t.Errorf("%s: 500 operations allocate %d objects, want %d", variant, got, 500*want)
		}
		cpu := trialOf(t, trials, assay.CollectCPU, variant, 0)
		if p := profileOf(t, q, cpu); p.SampleType[1].Type != "cpu" || cpu.Values[assay.MetricTime] <= 0 || cpu.Values[assay.MetricAllocs] != float64(want) {
			t.Errorf("%s: a CPU profile of %s, values %v", variant, p.SampleType[1].Type, cpu.Values)
		}
		gc := trialOf(t, trials, assay.CollectGC, variant, 0)
		if _, ok := gc.Values[assay.MetricGCMark]; !ok || gc.Profile != "" {
			t.Errorf("%s: profile %q, values %v", variant, gc.Profile, gc.Values)
		}
	}
	checkArtifact(t, w, s, q)
}

// checkArtifact asks for what an explanation reads of a binary.
func checkArtifact(t *testing.T, w *Workshop, s *assay.Study, q *lab.Inquiry) {
	t.Helper()
	a, err := q.Builds.Binary("more", q.Plan.Benchmarks[0])
	if err != nil {
		t.Fatal(err)
	}
	at, err := w.Locate(a)
	if err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(at.File); err != nil || st.Size() == 0 {
		t.Errorf("the binary: %v", err)
	}
	if _, err := os.Stat(filepath.Join(at.Dir, "more.go")); err != nil {
		t.Errorf("the source: %v", err)
	}
	ds, err := w.Decisions(t.Context(), s, s.Variants[1], a, []string{a.Package})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(ds, func(d assay.Decision) bool { return d.Kind == assay.DecisionEscape && d.File == "main.go" }) {
		t.Errorf("nothing escapes among %d decisions", len(ds))
	}
	if _, err := q.Builds.Binary("more", assay.PlannedBenchmark{Benchmark: assay.Benchmark{Package: "other"}}); err == nil {
		t.Error("found the binary of a package that is not there")
	}
	if _, err := w.Locate(lab.Artifact{ID: "other"}); err == nil {
		t.Error("found an artifact that is not there")
	}
}

// All kinds of evidence of a command: a program with the same functions profiles
// itself, once an operation.
func TestInquiryOfCommand(t *testing.T) {
	w, l := here(t)
	s := explainedStudy(t, assay.Workload{Kind: assay.KindCommand, Names: []string{"grow"}, Run: []string{"{bin}"}})
	q, trials := explain(t, w, l, s)
	if len(trials) != 2*2+2*2+2*2 {
		t.Errorf("got %d trials", len(trials))
	}
	for variant, want := range map[string]int64{"less": 2000, "more": 3000} {
		// The program may end within a sample, and has a profile then without any.
		if p := profileOf(t, q, trialOf(t, trials, assay.CollectCPU, variant, 1)); p.SampleType[1].Type != "cpu" {
			t.Errorf("%s: a CPU profile of %s", variant, p.SampleType[1].Type)
		}
		if got := objects(t, q, trialOf(t, trials, assay.CollectMem, variant, 1), ".grow"); got != want {
			t.Errorf("%s: got %d objects, want %d", variant, got, want)
		}
		if gc := trialOf(t, trials, assay.CollectGC, variant, 1); gc.Values[assay.MetricTime] <= 0 || gc.Profile != "" {
			t.Errorf("%s: values %v", variant, gc.Values)
		}
	}
}

// A program that assay did not build is not made to profile itself.
func TestGivenProgramIsNotProfiled(t *testing.T) {
	w, l := here(t)
	s := explainedStudy(t, assay.Workload{Kind: assay.KindCommand, Names: []string{"grow"}, Run: []string{l.Assay}})
	as, err := w.Build(t.Context(), lab.BuildRequest{Study: s, Variant: s.Variants[0]})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Build(t.Context(), lab.BuildRequest{Study: s, Variant: s.Variants[0], Profiled: true})
	if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != "no-profile" {
		t.Errorf("got %v", err)
	}
	if ds, err := w.Decisions(t.Context(), s, s.Variants[0], as[0], []string{"main"}); len(ds) > 0 || err != nil {
		t.Errorf("got %d decisions, %v", len(ds), err)
	}
}
