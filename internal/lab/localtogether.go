package lab

import (
	"context"
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/trial"
)

// CPUs implements SideBySide.
func (l *Local) CPUs() ([]int, error) {
	if !trial.SideBySide {
		return nil, trial.ErrNoSlices
	}
	return usableCPUs(), nil
}

// Together implements SideBySide.
func (l *Local) Together(ctx context.Context, r TogetherRequest) ([]trial.Outcome, error) {
	var arms []trial.GoTest
	var copies []*build.Copy
	for _, one := range r.Arms {
		w := one.Study.Workloads[one.Workload]
		if isProgram(w) {
			return nil, fmt.Errorf("run trials side by side: %s is a %s", one.Names[0], w.Kind)
		}
		b, err := l.held(one)
		if err != nil {
			return nil, err
		}
		g, in, err := l.goTest(ctx, one, w, b)
		if err != nil {
			return nil, err
		}
		arms, copies = append(arms, g), append(copies, in)
	}
	if r.Gear != assay.GearSlices {
		return nil, fmt.Errorf("run trials side by side: no gear %q", r.Gear)
	}
	outs, err := trial.Slices{Arms: arms, Warm: r.Warm, Rounds: r.Rounds, Order: r.Order, CPUs: r.CPUs,
		Timeout: r.Arms[0].Study.Measure.Timeout}.Run(ctx)
	for i := range outs {
		explainMissing(&outs[i], copies[i].Left())
	}
	return outs, err
}
