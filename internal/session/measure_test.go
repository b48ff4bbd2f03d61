package session_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/live"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/session/sessiontest"
)

// A plan is what a run would do, and no run: it has no name and nothing is kept of it.
func TestPlan(t *testing.T) {
	r := sessiontest.New(t, sessiontest.Bench("Sum", nil), sessiontest.Bench("Decode", nil))
	p, _, err := session.Plan(t.Context(), r.Config(sessiontest.Blocks(8, "old", "new", "other")))
	if err != nil {
		t.Fatal(err)
	}
	if p.Run != "" || !p.Created.IsZero() || len(p.Benchmarks) != 2 || len(r.Runs(t)) != 0 {
		t.Errorf("got run %q of %v with %d benchmarks, kept %q; want an unnamed plan of 2", p.Run, p.Created, len(p.Benchmarks), r.Runs(t))
	}
	firsts, controls := map[string]bool{}, 0
	for block := 1; block <= 72; block++ {
		orders := session.Orders(p, block)
		for i, order := range orders {
			got := slices.Sorted(slices.Values(order))
			if controls += strings.Count(strings.Join(got, " "), "control"); !slices.Equal(got, []string{"new", "old", "other"}) && !slices.Equal(got, []string{"control", "new", "old", "other"}) {
				t.Fatalf("block %d of benchmark %d runs %q, want each variant once", block, i, order)
			}
		}
		if len(orders) != 2 {
			t.Fatalf("block %d has orders %q, want one of each benchmark", block, orders)
		}
		firsts[orders[0][0]] = true
	}
	if want := 2 * (72 - 8) / 4; controls != want { // one block of four after the eighth
		t.Errorf("%d controls in 72 blocks of two benchmarks, want %d", controls, want)
	}
	if len(firsts) != 4 {
		t.Errorf("%v came first in 72 blocks, want each variant at times", firsts)
	}
}

// A run that the user stops keeps its blocks; the same line goes on with it, and a third
// time begins a new one.
func TestStopAndGoOn(t *testing.T) {
	r := sessiontest.New(t, sessiontest.Bench("Sum", map[string]float64{"new": 0.05}))
	study := func() *assay.Study { return sessiontest.Blocks(9, "old", "new") }
	r.EndAt(4, func() error { r.Stop.Request(); return nil })
	if got := r.Measure(t, study()); got.Spent.Stop != assay.StopInterrupted || got.Spent.Blocks != 4 {
		t.Fatalf("got %+v, want 4 blocks and an interruption", got.Spent)
	}
	if got := r.Measure(t, study()); got.Run != "run1" || got.Spent.Blocks != 9 || got.Spent.Stop == assay.StopInterrupted {
		t.Errorf("got run %s with %+v, want the same to its end", got.Run, got.Spent)
	}
	if !r.Teller.Heard("assay: run run1 resumes after block 4") {
		t.Errorf("said %q", r.Teller.Said)
	}
	r.Measure(t, study())
	if got, want := r.Runs(t), []string{"run1 9", "run3 9"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// An error ends a run with how to go on, and where its blocks are.
func TestErrorTellsHowToGoOn(t *testing.T) {
	r := sessiontest.New(t, sessiontest.Bench("Sum", nil))
	r.EndAt(3, func() error { return errors.New("the disk is full") })
	_, _, err := session.Measure(t.Context(), r.Config(sessiontest.Blocks(9, "old", "new")))
	text := errortest.Want(t, err, assay.CodeStopped, assay.ExitRefused)
	for _, want := range []string{"the disk is full", "run run1 keeps its 2 complete blocks", "assay compare --store ", r.Store, "(resumes)"} {
		if !strings.Contains(text, want) {
			t.Errorf("got %s\nwant %s", text, want)
		}
	}
}

// Code that has changed since is not measured into a run that was interrupted.
func TestChangedCodeBeginsAnew(t *testing.T) {
	r := sessiontest.New(t, sessiontest.Bench("Sum", nil))
	r.EndAt(3, func() error { r.Stop.Request(); return nil })
	r.Measure(t, sessiontest.Blocks(5, "old", "new"))
	r.BuiltAs = map[string]string{"new": "edited"}
	r.Measure(t, sessiontest.Blocks(5, "old", "new"))
	if got, want := r.Runs(t), []string{"run1 3", "run2 5"}; !slices.Equal(got, want) ||
		!r.Teller.Heard("run run1 is not taken up again: the code it measured has changed since; a new run begins") {
		t.Errorf("got %q, said %q, want %q", got, r.Teller.Said, want)
	}
}

// A run of another computer like this one is left to that one.
func TestAnotherComputer(t *testing.T) {
	r := sessiontest.New(t, sessiontest.Bench("Sum", nil))
	r.Host = "one"
	r.EndAt(3, func() error { r.Stop.Request(); return nil })
	r.Measure(t, sessiontest.Blocks(5, "old", "new"))
	r.Host = "two"
	r.Measure(t, sessiontest.Blocks(5, "old", "new"))
	if got, want := r.Runs(t), []string{"run1 3", "run2 5"}; !slices.Equal(got, want) ||
		!r.Teller.Heard("run run1 is not taken up again here: another computer like this one measured it") {
		t.Errorf("got %q, said %q, want %q", got, r.Teller.Said, want)
	}
}

// More adds blocks to the last run, also beyond the most that its study has; without such a
// run it is an error.
func TestMore(t *testing.T) {
	r := sessiontest.New(t, sessiontest.Bench("Sum", nil))
	cfg := r.Config(sessiontest.Blocks(5, "old", "new"))
	cfg.More = 2 * time.Second
	_, _, err := session.Measure(t.Context(), cfg)
	errortest.Want(t, err, assay.CodeNoRun, assay.ExitUsage)
	first := r.Measure(t, sessiontest.Blocks(5, "old", "new"))
	cfg = r.Config(sessiontest.Blocks(5, "old", "new"))
	cfg.More = 2 * time.Second
	got, run, err := session.Measure(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if got.Run != first.Run || got.Spent.Blocks <= 5 || !run.End.More || got.Spent.Time < first.Spent.Time+time.Second || got.Spent.Time > first.Spent.Time+3*time.Second {
		t.Errorf("got run %s with %+v after %+v, want the same and about 2 s more", got.Run, got.Spent, first.Spent)
	}
	// Both ends were planned, so each is a look; the record knows, and means the same result.
	for _, tr := range run.Trials {
		if want := min(1, (tr.Block-1)/5); tr.Looks != want {
			t.Fatalf("trial %d of block %d comes after %d looks, want %d", tr.ID, tr.Block, tr.Looks, want)
		}
	}
	if f, err := runs.Read(filepath.Join(r.Store, run.Plan.Run), "run1"); err != nil || run.Looks() != 2 {
		t.Errorf("%v, %d looks, want 2", err, run.Looks())
	} else if err := f.Verify(); err != nil {
		t.Error(err)
	}
}

// A run made here goes on here without more ado. One of somebody else does not, though it
// is the same question: its plan names programs.
func TestRunOfSomebodyElse(t *testing.T) {
	for _, own := range []bool{true, false} {
		r := sessiontest.New(t, sessiontest.Bench("Sum", nil))
		measure := func() string {
			cfg := r.Config(sessiontest.Blocks(4, "old", "new"))
			cfg.Trust, cfg.Cache = false, ""
			got, _, err := session.Measure(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			return got.Run
		}
		r.EndAt(2, func() error { r.Stop.Request(); return nil })
		measure()
		want := "run1"
		if !own {
			sessiontest.OwnCache(t) // where the key is
			want = "run2"
		}
		if got := measure(); got != want || own == r.Teller.Heard("run run1 is not taken up again: it was not made here") {
			t.Errorf("own: %t: got %s, said %q, want %s", own, got, r.Teller.Said, want)
		}
	}
}

// Whoever follows a run hears of its builds, its plan, each block once and what was decided,
// in that order: Sum early, Slow by the last look.
func TestFollow(t *testing.T) {
	r := sessiontest.New(t, sessiontest.Bench("Sum", map[string]float64{"new": 0.2}), sessiontest.Bench("Slow", map[string]float64{"new": 0.015}))
	cfg := r.Config(sessiontest.Blocks(8, "old", "new"))
	cfg.Study.Decide.MinBlocks = 0
	var events []live.Event
	over := make(chan struct{})
	pause := session.NewPause(cfg.Stop.Requested(), over)
	close(over) // no pause lasts
	pause.Toggle()
	cfg.Progress.Follow(func(e live.Event) { events = append(events, e) }, pause, true)
	if _, _, err := session.Measure(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	var kinds []string
	blocks, decided, early := 0, "", ""
	for _, e := range events {
		if len(kinds) == 0 || kinds[len(kinds)-1] != e.Kind {
			kinds = append(kinds, e.Kind)
		}
		switch e.Kind {
		case live.KindPlan:
			if e.Plan.Benchmarks != 2 || !slices.Equal(e.Variants, []string{"old", "new"}) || e.MaxBlocks != 8 || e.Run != "run1" {
				t.Errorf("got plan %+v of run %q", e.Plan, e.Run)
			}
		case live.KindBlock:
			if blocks++; e.Number != blocks {
				t.Errorf("block %d came as number %d", e.Number, blocks)
			}
		case live.KindDecide:
			for _, c := range e.Cells {
				decided += fmt.Sprintf("%s %s %s ", c.Benchmark.Name, c.Variant, c.Verdict)
				if blocks < 8 {
					early = decided
				}
			}
		}
	}
	if len(kinds) < 4 || !slices.Equal(kinds[:4], []string{live.KindBuild, live.KindPlan, live.KindTrial, live.KindBlock}) || !slices.Contains(kinds, live.KindPause) {
		t.Errorf("got %q", kinds)
	}
	if blocks != 8 || decided != "Sum new slower Slow new slower " || early != "Sum new slower " {
		t.Errorf("got %d blocks, decided %q, before the end %q; want 8, once each, that Sum is slower before the end", blocks, decided, early)
	}
	if !r.Teller.Heard(": 2 of 2 decided, stopped: ") || r.Teller.Heard("at most") {
		t.Errorf("said %q, want how it ended alone", r.Teller.Said)
	}
}

// Without a follower the same is told in lines, with what is wrong as a warning.
func TestLines(t *testing.T) {
	r := sessiontest.New(t, sessiontest.Bench("Sum", map[string]float64{"new": 0.2}))
	r.BuildTime = 1500 * time.Millisecond
	grouped := ""
	cfg := r.Config(sessiontest.Blocks(8, "old", "new"))
	cfg.Group = func(title string, do func() error) error { grouped += title; return do() }
	if _, _, err := session.Measure(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"assay: built new (", "assay: run run1: 1 benchmark × 2 variants, at most 10m0s", "1 of 1 decided, stopped: "} {
		if !r.Teller.Heard(want) {
			t.Errorf("said %q, want %q", r.Teller.Said, want)
		}
	}
	block := func(l string) bool {
		return strings.HasPrefix(l, "measure: block 8, ") && strings.Contains(l, ": 1 of 1 decided")
	}
	if !slices.ContainsFunc(r.Teller.Lines, func(l string) bool { return l == "survey: calibrated 1 of 1 benchmarks" }) ||
		!slices.ContainsFunc(r.Teller.Lines, block) || grouped != "build" {
		t.Errorf("got lines %q, groups %q", r.Teller.Lines, grouped)
	}
}

// The texts of an author may change between two parts of a run: the result has the latest,
// and the record knows both.
func TestAuthorsTexts(t *testing.T) {
	r := sessiontest.New(t, sessiontest.Bench("Sum", nil))
	told := func(title string) *assay.Study {
		s := sessiontest.Blocks(4, "old", "new")
		s.Report.Title = title
		return s
	}
	r.EndAt(2, func() error { r.Stop.Request(); return nil })
	r.Measure(t, told("first"))
	got, run, err := session.Measure(t.Context(), r.Config(told("second")))
	if err != nil {
		t.Fatal(err)
	}
	if got.Run != "run1" || got.Report.Title != "second" || run.End.Told == nil || run.End.Told.Report.Title != "second" {
		t.Errorf("got run %s with title %q, told %+v; want the same run with the second", got.Run, got.Report.Title, run.End.Told)
	}
}

// A machine of a pool that is lost in a run is replaced once, and the user hears of it.
func TestLostMachineOfAPool(t *testing.T) {
	r := sessiontest.New(t, sessiontest.Bench("Sum", nil))
	lost := func() error {
		return assay.NewError(assay.ExitRefused, assay.CodeMachineLost, "bench1 does not answer", nil, "")
	}
	r.EndAt(3, lost)
	s := sessiontest.Blocks(5, "old", "new")
	s.Hosts = []assay.Host{{Label: "quiet", Address: "pool:quiet"}}
	got := r.Measure(t, s)
	if got.Spent.Blocks != 5 || got.Machine != "quiet" || !r.Teller.Heard("a new run begins on another machine of quiet") {
		t.Errorf("got %+v on %q, said %q", got.Spent, got.Machine, r.Teller.Said)
	}
	// A machine that is no pool's is not replaced.
	r.EndAt(3, lost)
	s = sessiontest.Blocks(6, "old", "new")
	s.Hosts = []assay.Host{{Label: "bench1", Address: "ssh:bench1"}}
	_, _, err := session.Measure(t.Context(), r.Config(s))
	errortest.Want(t, err, assay.CodeStopped, assay.ExitRefused)
}

// A study of two machines is not for a command that measures on one.
func TestOneMachine(t *testing.T) {
	r := sessiontest.New(t, sessiontest.Bench("Sum", nil))
	s := sessiontest.Blocks(5, "old", "new")
	s.Hosts = []assay.Host{{Label: "a"}, {Label: "b", Address: "ssh:b"}}
	_, _, err := session.Measure(t.Context(), r.Config(s))
	errortest.Want(t, err, assay.CodeNoMachine, assay.ExitUsage)
}

// A store that cannot be written is an error before anything is measured.
func TestStoreThatIsAFile(t *testing.T) {
	r := sessiontest.New(t, sessiontest.Bench("Sum", nil))
	if err := os.WriteFile(r.Store, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	_, _, err := session.Measure(t.Context(), r.Config(sessiontest.Blocks(5, "old", "new")))
	if text := errortest.Want(t, err, assay.CodeStore, assay.ExitRefused); !strings.Contains(text, r.Store) || len(r.Log()) != 0 {
		t.Errorf("got %s after %d trials", text, len(r.Log()))
	}
}

// Two assays do not measure into one run.
func TestRunInUse(t *testing.T) {
	r := sessiontest.New(t, sessiontest.Bench("Sum", nil))
	r.EndAt(2, func() error { r.Stop.Request(); return nil })
	r.Measure(t, sessiontest.Blocks(4, "old", "new"))
	rec, err := record.Open(filepath.Join(r.Store, "run1"))
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	_, _, err = session.Measure(t.Context(), r.Config(sessiontest.Blocks(4, "old", "new")))
	errortest.Want(t, err, assay.CodeRunLocked, assay.ExitRefused)
}

// The end of the context ends a run before its first block as well.
func TestCancelBeforeTheRun(t *testing.T) {
	r := sessiontest.New(t, sessiontest.Bench("Sum", nil))
	ctx, cancel := context.WithCancel(t.Context())
	r.EndAt(0, func() error { cancel(); return context.Cause(ctx) })
	if _, _, err := session.Measure(ctx, r.Config(sessiontest.Blocks(4, "old", "new"))); !errors.Is(err, context.Canceled) || len(r.Runs(t)) != 0 {
		t.Errorf("got %v, kept %q, want the end of the context and no run", err, r.Runs(t))
	}
}
