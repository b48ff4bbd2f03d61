package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/child"
	"github.com/seed-1318a441/assay/internal/fault"
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
	if err := enoughMemory(ctx, r.Memory); err != nil {
		return nil, err
	}
	outs, err := m.together(ctx, r)
	for i := range outs {
		outs[i] = m.secrets.hide(outs[i])
	}
	return outs, m.secrets.hideError(err)
}

func (m *Machine) together(ctx context.Context, r lab.TogetherRequest) ([]trial.Outcome, error) {
	w := r.Arms[0].Study.Workloads[r.Arms[0].Workload]
	switch {
	case r.Gear == assay.GearSlices && !w.IsProgram():
		return m.slices(ctx, r)
	case r.Gear == assay.GearTurns && w.Kind == assay.KindCommand:
		return m.turns(ctx, r, cmp.Or(r.Turn, 2*time.Millisecond), m.commandAtSeat) // plans of older versions have no Turn
	}
	return nil, fmt.Errorf("run %s side by side: not in %s", r.Arms[0].Names[0], r.Gear)
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

// A seated is a trial with a seat at a turnstile. drop removes the trial's folder.
type seated struct {
	run  func(context.Context) (trial.Outcome, error)
	drop func()
}

// commandAtSeat returns a trial of a command that takes turns.
func (m *Machine) commandAtSeat(_ context.Context, r lab.TogetherRequest, i int, seat *child.Seat) (s seated, err error) {
	p, drop, err := m.program(r.Arms[i])
	p.CPUs, p.Seat = r.CPUs, seat
	p.Timeout *= time.Duration(len(r.Arms)) // it is stopped most of the time
	return seated{p.Run, drop}, err
}

// turns runs trials in turns.
func (m *Machine) turns(ctx context.Context, r lab.TogetherRequest, length time.Duration,
	at func(context.Context, lab.TogetherRequest, int, *child.Seat) (seated, error)) ([]trial.Outcome, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := child.NewTurnstile(length, r.Turns.Order(), slices.Repeat([]float64{1}, len(r.Arms))...)
	trials := make([]seated, len(r.Arms))
	for i := range r.Arms {
		s, err := at(ctx, r, i, t.Seat(i))
		if err != nil {
			return nil, err
		}
		defer s.drop()
		trials[i] = s
	}
	outs, errs := make([]trial.Outcome, len(trials)), make([]error, len(trials))
	var wg sync.WaitGroup
	for i, s := range trials {
		wg.Go(func() {
			defer fault.Exit()
			defer t.Seat(i).Leave()
			if outs[i], errs[i] = s.run(ctx); errs[i] != nil {
				cancel() // the others would be useless
			}
		})
	}
	t.Run(ctx)
	wg.Wait()
	// The first error in time is the one that is not caused by another.
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return nil, err
		}
	}
	return outs, errors.Join(errs...)
}
