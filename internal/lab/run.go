package lab

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/trial"
)

// A Job is a plan to be run to its end.
type Job struct {
	Plan    *assay.Plan
	Machine Machine
	Builds  *Builds
	Record  *record.Record
	Rule    StopRule
	Events  func(Event)
	// Enough, when closed, ends the run after the block that is running.
	Enough <-chan struct{}
}

// Interrupted is the stop reason of a run that somebody ended.
const Interrupted = "interrupted"

// NothingLeft is the stop reason where the rule asks for what no variant has.
const NothingLeft = "nothing left"

// Run runs blocks until the rule stops it and returns the reason. Blocks that
// the record already holds are given to the rule first, so a run that was cut
// off goes on where it was. On an error all complete blocks are kept.
func (j *Job) Run(ctx context.Context) (stop string, err error) {
	for _, block := range j.Record.Run().Blocks() {
		j.Rule.Next() // as when the block was scheduled: the rule has state
		j.Rule.Add(block)
	}
	l := layouts{job: j, pool: map[poolKey][]Artifact{}}
	defer l.dropAll()
	for {
		next := j.Rule.Next()
		if next.Stop != "" {
			return next.Stop, nil
		}
		select {
		case <-j.Enough:
			return Interrupted, nil
		default:
		}
		block, err := j.block(ctx, &l, next)
		if err != nil {
			return Interrupted, err
		}
		if len(block) == 0 {
			return NothingLeft, nil
		}
		j.Rule.Add(block)
		j.Events(Event{Kind: EventBlock, Block: block[0].Block, Pilot: next.Pilot})
	}
}

// block runs one block: its links first, then its trials.
func (j *Job) block(ctx context.Context, l *layouts, next assay.NextBlock) ([]assay.Trial, error) {
	index, attempt := j.place()
	slots := design.Block(j.Plan, next, index, attempt)
	linked, took, err := l.link(ctx, index, slots)
	if err != nil {
		return nil, err
	}
	defer l.release()
	share := took / time.Duration(max(len(linked), 1))
	told := map[linkKey]bool{}
	failed := map[assay.Benchmark]bool{}
	var block []assay.Trial
	for _, slot := range slots {
		t := assay.Trial{ID: j.Record.NextID(), Block: index, Attempt: attempt, Pilot: next.Pilot, Of: len(slots),
			Position: slot.Position, Round: slot.Round, Variant: slot.Variant, Benchmark: slot.Benchmark, Traced: slot.Traced,
			Layout: design.Layout(j.Plan, slot.Variant, index)}
		pb := j.planned(slot.Benchmark)
		t.N = pb.N
		key := linkOf(j.Plan, slot.Variant, pb)
		if !told[key] && share > 0 {
			t.Link, told[key] = share, true
		}
		out, err := j.trial(ctx, &t, pb, linked[key], failed[slot.Benchmark])
		if err != nil {
			return nil, err
		}
		if t.Status != assay.StatusOK && !failed[slot.Benchmark] {
			failed[slot.Benchmark] = true
			j.Events(Event{Kind: EventWarning, Block: index, Text: j.failure(t, pb)})
		}
		if err := j.Record.Append(t, record.Raw{Stdout: out.Stdout, Stderr: out.Stderr, Server: out.Server, Collected: out.Collected}); err != nil {
			return nil, err
		}
		block = append(block, t)
		j.Events(Event{Kind: EventTrial, Block: index, Trial: slot.Position, Of: len(slots), Pilot: next.Pilot})
	}
	return block, j.Record.Sync()
}

// failure tells of the first trial of a benchmark that failed in a block. What
// it means is for package analysis to say: the next start of a server may go
// well.
func (j *Job) failure(t assay.Trial, b assay.PlannedBenchmark) string {
	text := fmt.Sprintf("it ended as %s in %q, block %d: %s", t.Status, t.Variant, t.Block, t.Reason)
	if j.Plan.Study.Workloads[b.Workload].Kind == assay.KindService {
		return fmt.Sprintf("%s is left out of block %d: %s", t.Benchmark.Name, t.Block, text)
	}
	return fmt.Sprintf("%s is excluded: %s", t.Benchmark.Name, text)
}

// place is the index and attempt of the next block.
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

func (j *Job) planned(b assay.Benchmark) assay.PlannedBenchmark {
	i := slices.IndexFunc(j.Plan.Benchmarks, func(p assay.PlannedBenchmark) bool { return p.Benchmark == b })
	return j.Plan.Benchmarks[i]
}

// trial runs one trial and fills in what came of it.
func (j *Job) trial(ctx context.Context, t *assay.Trial, b assay.PlannedBenchmark, a Artifact, skip bool) (trial.Outcome, error) {
	if skip {
		t.Status, t.Reason = assay.StatusSkipped, "the benchmark failed earlier in this block"
		return trial.Outcome{}, nil
	}
	t.Binary = a.digest()
	v, _ := j.Plan.Variant(t.Variant)
	name := b.NameFor(v, j.Plan.Study.Base)
	out, err := j.Machine.Run(ctx, RunRequest{Study: &j.Plan.Study, Workload: b.Workload, Artifact: a, Variant: v,
		Names: []string{name}, N: t.N, Output: b.Output, GCTrace: t.Traced, Block: t.Block, Round: t.Round, Benchmark: b.Benchmark})
	if err != nil {
		return out, err
	}
	t.Start, t.Duration, t.Status, t.Reason, t.Output = out.Start.UTC().Round(0), out.Wall, out.Status, out.Reason, out.Output
	t.Intended = out.Intended
	if t.Status == assay.StatusOK {
		t.Observations = out.Observations(name, t.N)
	}
	if t.Traced {
		maps.DeleteFunc(t.Observations, func(metric string, _ float64) bool { return !strings.HasPrefix(metric, assay.GCPrefix) })
	}
	return out, nil
}

// IsInterrupt reports whether an error of Run means that somebody ended it.
func IsInterrupt(err error) bool {
	return errors.Is(err, context.Canceled)
}
