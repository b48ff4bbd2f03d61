package session

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/milestone"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

// A yard builds each variant but those that are said to fail.
type yard struct{ fails []string }

func (y yard) Build(_ context.Context, r lab.BuildRequest) ([]lab.Artifact, error) {
	if slices.Contains(y.fails, r.Variant.Name) {
		return nil, assay.NewError(assay.ExitBuild, assay.CodeBuildFailed, "it does not build", []string{"undefined: y"}, "")
	}
	return []lab.Artifact{{ID: "build-of-" + r.Variant.Name, Workload: r.Workload, Package: "p"}}, nil
}

func (y yard) Locate(lab.Artifact) (at lab.Location, err error) { return at, nil }

func (y yard) Decisions(context.Context, *assay.Study, assay.Variant, lab.Artifact, []string) ([]assay.Decision, error) {
	return nil, nil
}

// aChain is a session of a chain of these steps after "base", of which some do not build.
func aChain(t *testing.T, s *assay.Study, fails ...string) (*Session, *heard) {
	t.Helper()
	h := &heard{}
	ses := &Session{Config: Config{Study: s, Progress: NewProgress(h)}, Builder: build.New(t.TempDir())}
	var err error
	if ses.Builds, err = lab.Build(t.Context(), yard{fails}, s, func(lab.Event) {}); err != nil {
		t.Fatal(err)
	}
	return ses, h
}

// chainStudy has a base at a revision and steps at others, "s1" and so on.
func chainStudy(dir string, revs ...string) *assay.Study {
	s := &assay.Study{Name: "chain", Dir: dir, Steps: &assay.Steps{}, Workloads: []assay.Workload{{Kind: assay.KindGoTest}}}
	for i, rev := range revs {
		name := "base"
		if i > 0 {
			name = "s" + string(rune('0'+i))
			s.Steps.List = append(s.Steps.List, assay.Step{Variant: name})
		}
		s.Variants = append(s.Variants, assay.Variant{Name: name, Rev: rev})
	}
	s.SetDefaults()
	return s
}

// The chain that gates are checked in is without the steps that do not build.
func TestChainOfBuilt(t *testing.T) {
	s, _ := aChain(t, chainStudy("", "a", "b", "c", "d"), "s2")
	var got []string
	for _, v := range s.chain() {
		got = append(got, v.Name)
	}
	if want := []string{"base", "s1", "s3"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Gates are checked at every step at its own commit; the user hears of those that fail, and
// with --gates=stop nothing is measured then.
func TestCheckGates(t *testing.T) {
	dir := sourcetest.Repository(t, nil)
	disktest.Write(t, dir, map[string]string{"fast.go": "package tiny\n\nimport \"unsafe\"\n\nvar Size = unsafe.Sizeof(0)\n"})
	sourcetest.Git(t, dir, "add", "-A")
	sourcetest.Git(t, dir, "commit", "-qm", "three")
	study := chainStudy(dir, "HEAD~2", "HEAD~1", "HEAD")
	study.Gates = assay.Gates{Unsafe: assay.GateNone, Allocs: assay.GateNoMore, Against: assay.AgainstPrevious}
	s, h := aChain(t, study)
	found, err := s.checkGates(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range found {
		got = append(got, f.Variant+" "+f.Gate+" "+string(f.Status))
	}
	if want := []string{"s1 unsafe held", "s2 unsafe failed"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(h.said) != 1 || !strings.HasPrefix(h.said[0], "assay: step s2: gate unsafe failed: ") {
		t.Errorf("said %q, want the gate that failed", h.said)
	}
	s.Config.Gates = GatesStop
	_, err = s.checkGates(t.Context())
	if text := errortest.Want(t, err, assay.CodeGateFailed, assay.ExitGate); !strings.Contains(text, "s2: unsafe: ") || !strings.Contains(text, "\n    fast.go") {
		t.Errorf("got %s, want the gate and its evidence", text)
	}
}

// Nothing is checked where no gate needs it: one on allocations follows from what is
// measured.
func TestNoGates(t *testing.T) {
	study := chainStudy("nowhere", "a", "b")
	study.Gates = assay.Gates{Allocs: assay.GateNoMore, Against: assay.AgainstBase}
	s, _ := aChain(t, study)
	if found, err := s.checkGates(t.Context()); found != nil || err != nil {
		t.Errorf("got %v, %v", found, err)
	}
	s.Config.Study.Steps, s.Config.Study.Gates = nil, assay.Gates{Unsafe: assay.GateNone}
	if found, err := s.checkGates(t.Context()); found != nil || err != nil {
		t.Errorf("without steps: got %v, %v", found, err)
	}
}

// Only a gate that failed stops the run: one that could not be checked does not.
func TestStopAtGates(t *testing.T) {
	of := func(status assay.GateStatus) milestone.Finding {
		return milestone.Finding{GateResult: assay.GateResult{Variant: "s1", Gate: assay.GateVet, Status: status, Text: "no", Evidence: []string{"x.go:1"}}}
	}
	s := &Session{Config: Config{Options: Options{Gates: GatesStop}}}
	if err := s.stopAtGates([]milestone.Finding{of(assay.GateHeld), of(assay.GateUnknown)}); err != nil {
		t.Errorf("got %v where none failed", err)
	}
	if err := s.stopAtGates([]milestone.Finding{of(assay.GateFailed)}); err == nil {
		t.Error("got no error of a gate that failed")
	}
	s.Config.Gates = GatesMark
	if err := s.stopAtGates([]milestone.Finding{of(assay.GateFailed)}); err != nil {
		t.Errorf("got %v, want the step marked alone", err)
	}
}

// A log is named by the number of the step and the gate; a gate that wrote nothing has none.
func TestGateLogs(t *testing.T) {
	s := chainStudy("", "a", "b", "c")
	found := []milestone.Finding{
		{GateResult: assay.GateResult{Variant: "s2", Gate: assay.GateOldTests}, Output: []byte("FAIL\n")},
		{GateResult: assay.GateResult{Variant: "s1", Gate: assay.GateAPI}},
	}
	got := results(s, found)
	if len(got) != 2 || got[0].Log != "gates/02-old-tests.txt" || got[1].Log != "" {
		t.Errorf("got %+v, want a log of the first alone", got)
	}
	if found[0].Log != "" {
		t.Errorf("got %+v", found[0])
	}
}
