package session_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/session/sessiontest"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

// stepsOf is a study of a chain of so many steps that ends after so many blocks.
func stepsOf(n, blocks int) *assay.Study {
	s := labtest.ChainStudy(n)
	s.Measure.Trial, s.Measure.Inner = 10*time.Millisecond, 1
	s.Decide.MinBlocks, s.Decide.MaxBlocks = blocks, blocks
	return s
}

// What the gates of a chain found is in the result of each step and in the run folder, with
// what their checks wrote; with --gates=stop nothing is measured then.
func TestGatesOfAChain(t *testing.T) {
	dir := sourcetest.Repository(t, nil)
	disktest.Write(t, dir, map[string]string{"fast.go": "package tiny\n\nimport \"unsafe\"\n\nvar Size = unsafe.Sizeof(0)\n"})
	sourcetest.Git(t, dir, "add", "-A")
	sourcetest.Git(t, dir, "commit", "-qm", "three")
	r := sessiontest.New(t, sessiontest.Bench("Sum", map[string]float64{"s01": -0.2, "s02": -0.4}))
	study := stepsOf(2, 6)
	for i := range study.Variants {
		study.Variants[i].Rev = "HEAD" + strings.Repeat("^", 2-i)
	}
	study.Dir, study.Gates = dir, assay.Gates{Unsafe: assay.GateNone, Against: assay.AgainstBase}
	cfg := r.Config(study)
	cfg.Gates = session.GatesStop
	_, _, err := session.Measure(t.Context(), cfg)
	if errortest.Want(t, err, assay.CodeGateFailed, assay.ExitGate); len(r.Log()) != 0 || len(r.Runs(t)) != 0 {
		t.Errorf("%d trials in %q, want nothing measured", len(r.Log()), r.Runs(t))
	}
	got := r.Measure(t, study)
	var gates []string
	for _, s := range got.Arc.Steps {
		for _, g := range s.Gates {
			gates = append(gates, s.Variant+" "+g.Gate+" "+string(g.Status)+" "+g.Log)
		}
	}
	if want := []string{"s01 unsafe held ", "s02 unsafe failed gates/02-unsafe.txt"}; !slices.Equal(gates, want) {
		t.Errorf("got %q, want %q", gates, want)
	}
	text, err := os.ReadFile(filepath.Join(r.Store, got.Run, "gates", "02-unsafe.txt"))
	if err != nil || !strings.Contains(string(text), "fast.go") || disk.IsFile(filepath.Join(r.Store, got.Run, "gates", "01-unsafe.txt")) {
		t.Errorf("got %q, %v, want a log of the second step alone", text, err)
	}
}

// A longer chain goes on from the run of a shorter one; the same chain a second time is
// measured anew.
func TestLongerChain(t *testing.T) {
	r := sessiontest.New(t, sessiontest.Bench("Sum", map[string]float64{"s01": -0.2, "s02": -0.4}))
	r.Measure(t, stepsOf(1, 5))
	got := r.Measure(t, stepsOf(2, 5))
	if !r.Teller.Heard("assay: run run2 continues run run1, which has fewer steps, after its block 5") || got.Run != "run2" || got.Spent.Blocks <= 5 {
		t.Errorf("got run %s with %+v, said %q", got.Run, got.Spent, r.Teller.Said)
	}
	if f := r.Found(t, "run2"); f.Plan.Earlier != "run1" || f.Trials[0].Run != "run1" {
		t.Errorf("got a plan after %q and a first trial of %q, want both of run1", f.Plan.Earlier, f.Trials[0].Run)
	}
	change := got.Tables[0].Steps[1].Whole.Change
	if want := 0.6/0.8 - 1; math.Abs(float64(change)-want) > 0.01 {
		t.Errorf("the second step changes by %v, want %v", change, want)
	}
	before := len(r.Log())
	if again := r.Measure(t, stepsOf(2, 5)); again.Run != "run3" || r.Found(t, "run3").Plan.Earlier != "" || len(r.Log()) == before {
		t.Errorf("got run %s after %q, want a run of its own", again.Run, r.Found(t, "run3").Plan.Earlier)
	}
}
