package lab

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
)

// A Job is a plan to run to its end.
type Job struct {
	Plan    *assay.Plan
	Machine Machine
	Builds  *Builds
	Record  *record.Record
	Rule    StopRule
	Events  func(Event)
	// Enough, when closed, ends the run after the current block.
	Enough <-chan struct{}
}

// Run runs blocks until the rule stops it and returns the reason. It first gives the rule
// the blocks in the record, so that an interrupted run resumes where it was. After an
// error all complete blocks are kept.
func (j *Job) Run(ctx context.Context) (stop assay.StopReason, err error) {
	for _, block := range j.Record.Run().Blocks() {
		j.Rule.Next() // as when the block was scheduled: the rule has state
		j.Rule.Add(block)
	}
	artifacts := j.Builds.artifactsOf(j.Plan.Variants)
	for {
		next := j.Rule.Next()
		if next.Stop != "" {
			return next.Stop, nil
		}
		select {
		case <-j.Enough:
			return assay.StopInterrupted, nil
		default:
		}
		index, attempt := j.place()
		block, err := j.insist(ctx, BlockRequest{Plan: j.Plan, Next: next, Index: index, Attempt: attempt, Artifacts: artifacts})
		if err != nil {
			return assay.StopInterrupted, err
		}
		if len(block) == 0 {
			return assay.StopNothingLeft, nil
		}
		j.Rule.Add(block)
		j.Events(Event{Kind: EventBlock, Block: index})
	}
}

// insist has the machine run one block. If the machine is lost meanwhile, and comes back,
// the block is asked for again: as its next attempt if a trial of it had come.
func (j *Job) insist(ctx context.Context, r BlockRequest) (block []assay.Trial, err error) {
	for {
		block, err = j.block(ctx, r)
		back, ok := j.Machine.(Recoverer)
		if !ok || !errors.Is(err, ErrLost) || ctx.Err() != nil {
			return block, err
		}
		if err := back.Recover(ctx, err); err != nil {
			return nil, err
		}
		if blocks := j.Record.Run().Blocks(); len(blocks) >= r.Index {
			return blocks[r.Index-1], j.Record.Sync() // only its end had not come
		}
		r.Index, r.Attempt = j.place()
	}
}

// Insist does something on a machine, again if the machine is lost meanwhile and comes back.
func Insist(ctx context.Context, m Machine, do func() error) error {
	for {
		err := do()
		back, ok := m.(Recoverer)
		if !ok || !errors.Is(err, ErrLost) || ctx.Err() != nil {
			return err
		}
		if err := back.Recover(ctx, err); err != nil {
			return err
		}
	}
}

// place returns the index and attempt of the next block.
func (j *Job) place() (index, attempt int) {
	run := j.Record.Run()
	index, attempt = len(run.Blocks())+1, 1
	for _, t := range run.Trials {
		if t.Block == index {
			attempt = max(attempt, t.Attempt+1)
		}
	}
	return index, attempt
}

// block has the machine run one block, and appends its trials to the record.
func (j *Job) block(ctx context.Context, r BlockRequest) (block []assay.Trial, err error) {
	failed := map[assay.Benchmark]bool{}
	err = j.Machine.Block(ctx, r, func(t assay.Trial, raw record.Raw) error {
		if t.Status != assay.StatusOK && t.Status != assay.StatusSkipped && !failed[t.Benchmark] {
			failed[t.Benchmark] = true
			j.Events(Event{Kind: EventWarning, Block: t.Block, Text: j.failure(t)})
		}
		t.ID, t.Looks = j.Record.NextID(), j.Record.Run().Looks()
		if err := j.Record.Append(t, raw); err != nil {
			return err
		}
		j.Events(Event{Kind: EventTrial, Block: t.Block, Trial: t.Position, Of: t.Of})
		block = append(block, t)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return block, j.Record.Sync()
}

// failure reports the first failed trial of a benchmark in a block. Package analysis
// decides what it means: the next start of a server may succeed, and a fault of the Go
// runtime hardly ever comes twice.
func (j *Job) failure(t assay.Trial) string {
	text := fmt.Sprintf("it ended as %s in %q, block %d: %s", t.Status, t.Variant, t.Block, t.Reason)
	if t.RuntimeFault != "" || j.Plan.Study.Workloads[planned(j.Plan, t.Benchmark).Workload].Kind == assay.KindService {
		return fmt.Sprintf("%s is excluded from block %d: %s", t.Benchmark.Name, t.Block, text)
	}
	return fmt.Sprintf("%s is excluded: %s", t.Benchmark.Name, text)
}

// IsInterrupt reports whether an error of Run means that the user ended it.
func IsInterrupt(err error) bool {
	return errors.Is(err, context.Canceled)
}
