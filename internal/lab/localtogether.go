package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

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
	w := r.Arms[0].Study.Workloads[r.Arms[0].Workload]
	switch kind := w.Kind; {
	case r.Gear == assay.GearSlices && !isProgram(w):
		return l.slices(ctx, r)
	case r.Gear == assay.GearTurns && kind == assay.KindCommand:
		return l.turns(ctx, r)
	case r.Gear == assay.GearTurns && kind == assay.KindService:
		return l.loadTurns(ctx, r)
	}
	return nil, fmt.Errorf("run %s side by side: not in %s", r.Arms[0].Names[0], r.Gear)
}

// slices runs Go benchmarks in slices, each variant in its own copy of the tree.
func (l *Local) slices(ctx context.Context, r TogetherRequest) ([]trial.Outcome, error) {
	s := trial.Slices{Warm: r.Warm, Rounds: r.Rounds, Order: r.Order, CPUs: r.CPUs, Timeout: r.Arms[0].Study.Measure.Timeout}
	var copies []*build.Copy
	for _, one := range r.Arms {
		b, err := l.held(one)
		if err != nil {
			return nil, err
		}
		g, in, err := l.goTest(ctx, one, one.Study.Workloads[one.Workload], b)
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

// turns runs commands in turns.
func (l *Local) turns(ctx context.Context, r TogetherRequest) ([]trial.Outcome, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := trial.NewTurnstile(turn, r.Order, slices.Repeat([]float64{1}, len(r.Arms))...)
	programs := make([]trial.Program, len(r.Arms))
	for i, one := range r.Arms {
		b, err := l.held(one)
		if err != nil {
			return nil, err
		}
		p, drop, err := l.program(one, one.Study.Workloads[one.Workload], b.Path)
		if err != nil {
			return nil, err
		}
		defer drop()
		p.CPUs, p.Seat = r.CPUs, t.Seat(i)
		p.Timeout *= time.Duration(len(r.Arms)) // most of the time it stands
		programs[i] = p
	}
	outs, errs := make([]trial.Outcome, len(programs)), make([]error, len(programs))
	var wg sync.WaitGroup
	for i, p := range programs {
		wg.Go(func() {
			defer p.Seat.Leave()
			if outs[i], errs[i] = p.Run(ctx); errs[i] != nil {
				cancel() // the others would be for nothing
			}
		})
	}
	t.Run(ctx)
	wg.Wait()
	// The first error in time is the one that is no consequence of another.
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return nil, err
		}
	}
	return outs, errors.Join(errs...)
}
