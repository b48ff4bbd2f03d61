package labtest

import (
	"context"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/record"
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

// Run runs a study on a simulated machine through the real lab, record and
// analysis, in the store, and returns the result. A run of the same id that
// was cut off is gone on with, as the program does.
func Run(ctx context.Context, m lab.Machine, s *assay.Study, store string) (*assay.Result, error) {
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
		p, err := lab.Prepare(ctx, lab.Setup{Study: s, Machine: m, Builds: builds, Platform: platform, Events: silent,
			Run: RunID, Command: "simulated", Created: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Seed: 1})
		if err != nil {
			return nil, err
		}
		if rec, err = record.Create(store, p, platform, nil); err != nil {
			return nil, err
		}
	}
	defer rec.Close()
	plan := rec.Run().Plan
	t := analysis.NewTracker(plan, plan.Study.Decide.Budget)
	job := &lab.Job{Plan: plan, Machine: m, Builds: builds, Record: rec, Rule: t, Events: silent}
	stop, err := job.Run(ctx)
	if err != nil {
		return nil, err
	}
	r := t.Result(platform, stop)
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
