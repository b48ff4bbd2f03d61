package local

import (
	"context"
	"fmt"

	"github.com/seed-1318a441/assay/internal/child"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/scratch"
	"github.com/seed-1318a441/assay/internal/trial"
)

// CPUs implements lab.SideBySide.
func (m *Machine) CPUs() ([]int, error) {
	if !child.SideBySide {
		return nil, trial.ErrNoSlices
	}
	return usableCPUs(), nil
}

// Together implements lab.SideBySide.
func (m *Machine) Together(ctx context.Context, r lab.TogetherRequest) ([]trial.Outcome, error) {
	if one := r.Arms[0]; one.Study.Workloads[one.Workload].IsProgram() {
		return nil, fmt.Errorf("run %s side by side: only Go benchmarks run in slices", one.Names[0])
	}
	if err := enoughMemory(ctx, r.Memory); err != nil {
		return nil, err
	}
	outs, err := m.slices(ctx, r)
	for i := range outs {
		outs[i] = m.secrets.hide(outs[i])
	}
	return outs, m.secrets.hideError(err)
}

// memoryRoom is how much memory must be free, as a multiple of what the variants of a
// block need: a peak is that of one run.
const memoryRoom = 1.25

// enoughMemory returns an error for trials that need more memory at once than is free.
// Unknown free memory counts as enough.
func enoughMemory(ctx context.Context, need uint64) error {
	free, err := host.AvailableMemory(ctx)
	if err != nil || float64(free) >= memoryRoom*float64(need) {
		return nil
	}
	return fmt.Errorf("%w: they need %d MB, and %d MB are free", lab.ErrNoMemory, need>>20, free>>20)
}

// slices runs Go benchmarks in slices, each variant in its own copy of the tree.
func (m *Machine) slices(ctx context.Context, r lab.TogetherRequest) ([]trial.Outcome, error) {
	s := trial.Slices{Warm: r.Warm, Rounds: r.Rounds, Order: r.Turns.Order(), CPUs: r.CPUs, Timeout: r.Arms[0].Study.Measure.Timeout}
	var copies []*scratch.Copy
	for _, one := range r.Arms {
		g, in, err := m.goTest(ctx, one)
		if err != nil {
			return nil, err
		}
		s.Arms, copies = append(s.Arms, g), append(copies, in)
	}
	outs, err := s.Run(ctx)
	for i := range outs {
		explainMissing(&outs[i], copies[i].Left())
	}
	return outs, err
}
