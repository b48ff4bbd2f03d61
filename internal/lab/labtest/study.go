package labtest

import (
	"context"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/inquiry"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/session"
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

// A Computer builds and runs; a Simulator is one.
type Computer interface {
	lab.Builder
	lab.Machine
}

// Run runs a study on a simulated machine, in the store, by the session that the program
// runs it with, and returns the result. A run of the same study that was cut off goes on.
func Run(ctx context.Context, m Computer, s *assay.Study, store string) (*assay.Result, error) {
	return GoOn(ctx, m, s, store, RunID)
}

// GoOn is Run, with the id of the new run. A study with more steps than an earlier one
// goes on from what that measured.
func GoOn(ctx context.Context, m Computer, s *assay.Study, store, id string) (*assay.Result, error) {
	r, _, err := session.Measure(ctx, session.Config{
		Options: session.Options{Store: store, Trust: true}, Study: s, Command: "assay simulated",
		Lease: &session.Lease{}, Stop: session.NewStop(), Cache: store + ".cache",
		Simulation: &session.Simulation{Builder: m, Machine: m, Run: id, Seed: 1, Created: created},
		Explain:    inquiry.Changes,
	})
	return r, err
}

// created is when every simulated run was.
var created = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// RunID is the id of every simulated run.
const RunID = "sims"
