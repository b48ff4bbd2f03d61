package labtest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/survey"
)

// ChainBase is the name of the base of a simulated chain.
const ChainBase = "base"

// StepName is the name of step n, which counts from 1: "s01". Step 0 is the base.
func StepName(n int) string {
	if n == 0 {
		return ChainBase
	}
	return fmt.Sprintf("s%02d", n)
}

// ChainStudy is a study of a chain of so many steps.
func ChainStudy(steps int) *assay.Study {
	names := []string{ChainBase}
	chain := &assay.Steps{}
	for n := 1; n <= steps; n++ {
		names = append(names, StepName(n))
		chain.List = append(chain.List, assay.Step{Variant: StepName(n)})
	}
	s := Study(names...)
	s.Steps = chain
	s.SetDefaults()
	return s
}

// Chain is a study of a chain and a machine on which step i+1 changes the time of
// benchmark b by changes[i][b], as ln(time / that of the step before). Where a step
// gives fewer changes than there are benchmarks, its last one is that of the rest.
// Benchmarks are called "B00", "B01" and so on, and take a microsecond on the base;
// their noise is normal, of 1 %.
func Chain(benchmarks int, changes ...[]float64) (*assay.Study, *Simulator) {
	m := &Simulator{Seed: 1, Start: time.Millisecond, LinkTime: 20 * time.Millisecond}
	for b := range benchmarks {
		effects := map[string]float64{}
		ln := 0.0
		for i, step := range changes {
			if len(step) > 0 {
				ln += step[min(b, len(step)-1)]
			}
			effects[StepName(i+1)] = ln
		}
		m.Benchmarks = append(m.Benchmarks, Benchmark{Name: fmt.Sprintf("B%02d", b), Time: time.Microsecond, Bytes: 48, Allocs: 2,
			Effects: effects, Noise: Normal(0.01)})
	}
	s := ChainStudy(len(changes))
	s.Measure.Trial = 10 * time.Millisecond
	return s, m
}

// Plan builds a study on a simulated machine and prepares its plan, as Run does.
func Plan(ctx context.Context, m Computer, s *assay.Study) (*assay.Plan, *lab.Builds, error) {
	platform, err := m.Platform(ctx)
	if err != nil {
		return nil, nil, err
	}
	silent := func(lab.Event) {}
	builds, err := lab.Build(ctx, m, s, silent)
	if err != nil {
		return nil, nil, err
	}
	p, err := survey.Prepare(ctx, setup(m, s, builds, platform))
	return p, builds, err
}

// setup is what every simulated plan is made from.
func setup(m Computer, s *assay.Study, builds *lab.Builds, platform assay.Platform) survey.Setup {
	return survey.Setup{Study: s, Machine: m, Builds: builds, Platform: platform, Events: func(lab.Event) {},
		Run: RunID, Command: "simulated", Created: created, Seed: 1}
}

// buildError is what a build that fails gives.
func buildError(variant string, lines []string) error {
	return &assay.Error{Exit: assay.ExitBuild, Warning: assay.Warning{Code: assay.CodeBuildFailed,
		Text: fmt.Sprintf("variant %q does not build", variant), Facts: slices.Clone(lines)}}
}
