package lab_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/survey"
)

// planIn plans a study of three benchmarks of which each trial takes a second of
// the budget.
func planIn(t *testing.T, budget time.Duration) (*assay.Plan, error) {
	t.Helper()
	m := sim(labtest.Benchmark{Name: "X", Time: time.Microsecond}, labtest.Benchmark{Name: "Y", Time: time.Microsecond},
		labtest.Benchmark{Name: "Z", Time: time.Microsecond})
	left := budget
	m.Hook = func(lab.RunRequest) error { left -= time.Second; return nil }
	s := labtest.Study("old", "new")
	s.Decide.Budget = budget
	builds, err := lab.Build(t.Context(), m, s, silent)
	if err != nil {
		t.Fatal(err)
	}
	return survey.Prepare(t.Context(), survey.Setup{Study: s, Machine: m, Builds: builds, Events: silent, Platform: assay.Platform{CPUs: 2},
		Run: "test", Command: "assay compare old new", Seed: 1, Left: func() time.Duration { return left }})
}

// Calibration has half of the budget: what is not calibrated then is left out by
// name, with a budget that holds all.
func TestHalfOfTheBudgetIsForMeasuring(t *testing.T) {
	p, err := planIn(t, 12*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Benchmarks) == 0 || len(p.Benchmarks) == 3 {
		t.Fatalf("%d of 3 benchmarks are measured, want a part of them", len(p.Benchmarks))
	}
	i := slices.IndexFunc(p.Warnings, func(w assay.Warning) bool { return w.Code == "left-out" })
	if i < 0 || !strings.Contains(p.Warnings[i].Text, "are not measured") || !strings.HasPrefix(p.Warnings[i].Try, "assay compare --budget ") {
		t.Errorf("warnings %v, want the benchmarks that are left out and what to type", p.Warnings)
	}
	if !slices.ContainsFunc(p.Warnings, func(w assay.Warning) bool { return strings.Contains(strings.Join(w.Facts, " "), "Z") }) {
		t.Errorf("warnings %v do not name Z", p.Warnings)
	}
	p, err = planIn(t, time.Hour)
	if err != nil || len(p.Benchmarks) != 3 {
		t.Fatalf("with an hour %v, %d benchmarks, want 3", err, len(p.Benchmarks))
	}
	if p.Left >= time.Hour || p.Left < time.Hour-time.Minute {
		t.Errorf("%v are left of an hour, want what calibration has not used", p.Left)
	}
}

// A budget that calibration eats up is refused for that, and not for the end of a
// context.
func TestNoTimeToMeasure(t *testing.T) {
	m := sim(labtest.Benchmark{Name: "X", Time: time.Microsecond})
	s := labtest.Study("old", "new")
	s.Decide.Budget = time.Second
	builds, err := lab.Build(t.Context(), m, s, silent)
	if err != nil {
		t.Fatal(err)
	}
	m.Hook = func(lab.RunRequest) error { return survey.ErrNoTime }
	_, err = survey.Prepare(t.Context(), survey.Setup{Study: s, Machine: m, Builds: builds, Events: silent, Platform: assay.Platform{CPUs: 2},
		Run: "test", Command: "assay compare old new", Seed: 1, Left: func() time.Duration { return 1 }})
	if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != "short-budget" || e.Try != "assay compare --budget 10s old new" {
		t.Errorf("got %v, want short-budget with the command of a larger one", err)
	}
}

// A slowLinker is a machine on which every link takes two seconds of a budget.
type slowLinker struct {
	*labtest.Simulator
	left *time.Duration
}

func (m slowLinker) Link(ctx context.Context, r lab.LinkRequest) (lab.Artifact, error) {
	*m.left -= 2 * time.Second
	return m.Simulator.Link(ctx, r)
}

// What the timed links take is no longer there when the plan settles whether there is
// time for fresh links. The budgets in the messages of one plan were two.
func TestOneBudgetIsAdvised(t *testing.T) {
	for left := 10 * time.Second; left < 30*time.Second; left += time.Second {
		rest := left
		sim := sim(labtest.Benchmark{Name: "X", Time: time.Microsecond})
		sim.Start, sim.LinkTime = 300*time.Millisecond, time.Second
		m := slowLinker{sim, &rest}
		s := labtest.Study("old", "new")
		s.Decide.Budget = left
		builds, err := lab.Build(t.Context(), m, s, silent)
		if err != nil {
			t.Fatal(err)
		}
		p, err := survey.Prepare(t.Context(), survey.Setup{Study: s, Machine: m, Builds: builds, Events: silent, Platform: assay.Platform{CPUs: 2},
			Run: "test", Command: "assay compare old new", Seed: 1, Left: func() time.Duration { return rest }})
		if err != nil {
			t.Fatal(err)
		}
		var advised []string
		for _, w := range p.Warnings {
			if strings.Contains(w.Try, "--budget") && !slices.Contains(advised, w.Try) {
				advised = append(advised, w.Try)
			}
		}
		if len(advised) > 1 {
			t.Errorf("with %v: advised is %q, want one budget", left, advised)
		}
	}
}
