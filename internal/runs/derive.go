package runs

import (
	"errors"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/analysis/distribution"
	"github.com/seed-1318a441/assay/internal/explain"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/search"
)

// Derive computes the result of a run from its record alone, exactly as the run itself
// did: it gives the blocks to the run's rule, one by one. It runs no program. end is the
// run's end; the zero value stands for a run that was interrupted. The study in the plan
// gets its author's latest texts.
func Derive(run *record.Run, end assay.End) (*assay.Result, error) {
	tracker, race := follow(run, end, func(*analysis.Tracker) {})
	r, err := Verdicts(tracker, race, run, end)
	if err != nil {
		return nil, err
	}
	Conclude(r, run, end)
	return r, nil
}

// follow gives the blocks of a run to its rule, as when it ran. It calls after after each
// block.
func follow(run *record.Run, end assay.End, after func(*analysis.Tracker)) (*analysis.Tracker, *search.Race) {
	plan := run.Plan
	if end.Told != nil {
		plan.Study.Steps, plan.Study.Report = end.Told.Steps, end.Told.Report
	}
	budget := plan.Study.Decide.Budget
	if end.Budget > 0 {
		budget = end.Budget
	}
	if end.More {
		plan = schedule.Unlimited(plan)
	}
	tracker := analysis.NewTracker(plan, budget)
	rule, race := Rule(plan, tracker)
	next := rule.Next
	if end.Rule == assay.RuleProbe {
		next = func() assay.NextBlock { return assay.NextBlock{} }
	}
	for _, block := range run.Blocks() {
		next() // as when the block was scheduled: the rule has state
		rule.Add(block)
		after(tracker)
	}
	next()
	return tracker, race
}

// Rule returns the stop rule of a plan: the tracker's own, or a race if the study asks
// which variant is best.
func Rule(plan *assay.Plan, t *analysis.Tracker) (lab.StopRule, *search.Race) {
	if !plan.Study.Decide.Race {
		return t, nil
	}
	race := search.NewRace(plan, t)
	return race, race
}

// Verdicts returns the result that follows from a run's trials, as seen by a tracker.
func Verdicts(t *analysis.Tracker, race *search.Race, run *record.Run, end assay.End) (*assay.Result, error) {
	r := t.Result(run.Platform, end.Stop)
	if race != nil {
		r.Race, r.Answer = race.Result(), race.Answer(r)
	}
	return r, addPictures(r, run)
}

// Conclude adds to the verdicts of a run what it recorded at its end, and the versions
// and the record behind the result.
func Conclude(r *assay.Result, run *record.Run, end assay.End) {
	r.Assay, r.Record = assay.Version(), run.Head()
	if i := slices.IndexFunc(r.Warnings, IsNoisy); i >= 0 {
		w := &r.Warnings[i]
		w.Facts = slices.Concat(w.Facts, end.Noise)
	}
	r.Warnings = append(r.Warnings, end.Warnings...)
	r.Explanations = explain.Restated(end.Explanations)
}

func IsNoisy(w assay.Warning) bool { return w.Code == assay.CodeNoisy }

// addPictures adds to a result what the trials collected beside their observations:
// latencies and cycles of the collector. If that cannot be read the verdicts stand, and
// the result says what is missing. If it was modified since the trials, that is an error.
func addPictures(r *assay.Result, run *record.Run) error {
	err := distribution.Fill(r, run.Plan, run.Trials, run.Collected)
	if err == nil || errors.Is(err, record.ErrCollected) {
		return err
	}
	r.Warnings = append(r.Warnings, assay.Warning{Code: assay.CodeNoPictures,
		Text:  "the distributions of latencies and of the collector's cycles are omitted",
		Facts: []string{printable.OneLine(err), "no verdict rests on them"}})
	return nil
}
