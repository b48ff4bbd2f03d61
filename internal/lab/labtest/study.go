package labtest

import (
	"context"
	"path/filepath"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/survey"
)

// Study is a study of the named variants, the first being the base.
func Study(variants ...string) *assay.Study {
	s := &assay.Study{Name: "sim", Workloads: []assay.Workload{{Kind: assay.KindGoTest}}}
	for _, v := range variants {
		s.Variants = append(s.Variants, assay.Variant{Name: v})
	}
	s.SetDefaults()
	return s
}

// ServiceStudy is a study of the named variants of a service called "sim", the
// first variant being the base.
func ServiceStudy(variants ...string) *assay.Study {
	s := &assay.Study{Name: "sim", Workloads: []assay.Workload{{Kind: assay.KindService, Names: []string{"sim"},
		Service: &assay.Service{Start: []string{"{bin}"}, Load: []string{"load"}, Parse: "assay"}}}}
	for _, v := range variants {
		s.Variants = append(s.Variants, assay.Variant{Name: v})
	}
	s.SetDefaults()
	return s
}

// A Computer builds and runs; a Machine is one.
type Computer interface {
	lab.Builder
	lab.Machine
}

// Run runs a study on a simulated machine through the real lab, record and
// analysis, in the store, and returns the result. A run of the same id that
// was cut off is gone on with, as the program does.
func Run(ctx context.Context, m Computer, s *assay.Study, store string) (*assay.Result, error) {
	platform, err := m.Platform(ctx)
	if err != nil {
		return nil, err
	}
	silent := func(lab.Event) {}
	builds, err := lab.Build(ctx, m, s, silent)
	if err != nil {
		return nil, err
	}
	rec, err := takeUp(store)
	if err != nil {
		return nil, err
	}
	if rec == nil {
		p, err := survey.Prepare(ctx, setup(m, s, builds, platform))
		if err != nil {
			return nil, err
		}
		if rec, err = record.Create(store, p, platform, nil); err != nil {
			return nil, err
		}
	}
	return finish(ctx, m, builds, rec)
}

// GoOn runs a study with more steps than an earlier run had, from what that one
// measured, in a run of its own called id. One that was cut off is gone on with.
func GoOn(ctx context.Context, m Computer, s *assay.Study, store, id string, earlier *record.Run) (*assay.Result, error) {
	builds, err := lab.Build(ctx, m, s, func(lab.Event) {})
	if err != nil {
		return nil, err
	}
	if rec, err := record.Open(filepath.Join(store, id)); err == nil {
		return finish(ctx, m, builds, rec)
	}
	set := setup(m, s, builds, earlier.Platform)
	set.Run, set.Earlier = id, earlier.Plan
	p, err := survey.Prepare(ctx, set)
	if err != nil {
		return nil, err
	}
	rec, err := record.Extend(store, p, earlier.Platform, nil, earlier)
	if err != nil {
		return nil, err
	}
	return finish(ctx, m, builds, rec)
}

// finish runs what is left of a record's plan and closes it.
func finish(ctx context.Context, m Computer, builds *lab.Builds, rec *record.Record) (*assay.Result, error) {
	defer rec.Close()
	plan := rec.Run().Plan
	t := analysis.NewTracker(plan, plan.Study.Decide.Budget)
	job := &lab.Job{Plan: plan, Machine: m, Builds: builds, Record: rec, Rule: t, Events: func(lab.Event) {}}
	stop, err := job.Run(ctx)
	if err != nil {
		return nil, err
	}
	if err := rec.WriteEnd(assay.End{Stop: stop}); err != nil {
		return nil, err
	}
	r := t.Result(rec.Run().Platform, stop)
	r.Record = rec.Run().Head()
	return r, rec.WriteResult(r)
}

// RunID is the id of every simulated run.
const RunID = "sims"

func takeUp(store string) (*record.Record, error) {
	runs, err := record.List(store)
	if err != nil || len(runs) == 0 {
		return nil, err
	}
	return record.Open(runs[0].Dir)
}
