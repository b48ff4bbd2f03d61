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
	// LinkAhead has the links of the next block made while a block runs, on CPUs that it
	// leaves free.
	LinkAhead bool
}

// Run runs blocks until the rule stops it and returns the reason. Blocks that
// the record already holds are given to the rule first, so a run that was cut
// off goes on where it was. On an error all complete blocks are kept.
func (j *Job) Run(ctx context.Context) (stop assay.StopReason, err error) {
	for _, block := range j.Record.Run().Blocks() {
		j.Rule.Next() // as when the block was scheduled: the rule has state
		j.Rule.Add(block)
	}
	l := layouts{job: j, pool: map[layoutKey]Artifact{}}
	defer l.dropAll()
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
		block, err := j.block(ctx, &l, next)
		if err != nil {
			return assay.StopInterrupted, err
		}
		if len(block) == 0 {
			return assay.StopNothingLeft, nil
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
	l.foresee(next, index)
	share := took / time.Duration(max(len(linked), 1))
	told := map[linkKey]bool{}
	failed := map[assay.Benchmark]bool{}
	var block []assay.Trial
	for rest := slots; len(rest) > 0; {
		batch := j.batch(rest)
		rest = rest[len(batch):]
		trials, artifacts := make([]assay.Trial, len(batch)), make([]Artifact, len(batch))
		for i, slot := range batch {
			trials[i] = assay.Trial{Block: index, Attempt: attempt, Pilot: next.Pilot, Of: len(slots),
				Position: slot.Position, Round: slot.Round, Variant: slot.Variant, Benchmark: slot.Benchmark, Traced: slot.Traced,
				Layout: design.Layout(j.Plan, slot.Variant, index), N: j.planned(slot.Benchmark).N}
			key := linkOf(j.Plan, slot.Variant, j.planned(slot.Benchmark))
			artifacts[i] = linked[key]
			if !told[key] && share > 0 {
				trials[i].Link, told[key] = share, true
			}
		}
		wait := l.beside(ctx, trials[0], len(trials))
		outs, err := j.trials(ctx, trials, artifacts, failed[batch[0].Benchmark])
		wait()
		if err != nil {
			return nil, err
		}
		for i, t := range trials {
			if err := j.keep(&t, outs[i], failed); err != nil {
				return nil, err
			}
			block = append(block, t)
		}
	}
	return block, j.Record.Sync()
}

// batch are the first of some slots that run side by side, or the first alone.
func (j *Job) batch(slots []design.Slot) []design.Slot {
	n := 1
	if j.planned(slots[0].Benchmark).Gear != "" && !slots[0].Traced {
		for n < len(slots) && slots[n].Benchmark == slots[0].Benchmark && slots[n].Round == slots[0].Round && !slots[n].Traced {
			n++
		}
	}
	return slots[:n]
}

// trials runs a batch, and fills in what came of it.
func (j *Job) trials(ctx context.Context, ts []assay.Trial, as []Artifact, skip bool) ([]trial.Outcome, error) {
	b := j.planned(ts[0].Benchmark)
	if b.Gear != "" && !ts[0].Traced && !skip {
		return j.together(ctx, ts, b, as)
	}
	outs := make([]trial.Outcome, len(ts))
	for i := range ts {
		var err error
		if outs[i], err = j.trial(ctx, &ts[i], b, as[i], skip); err != nil {
			return nil, err
		}
	}
	return outs, nil
}

// keep appends a trial to the record, and tells of it.
func (j *Job) keep(t *assay.Trial, out trial.Outcome, failed map[assay.Benchmark]bool) error {
	if t.Status != assay.StatusOK && t.Status != assay.StatusSkipped && !failed[t.Benchmark] {
		failed[t.Benchmark] = true
		j.Events(Event{Kind: EventWarning, Block: t.Block, Text: j.failure(*t, j.planned(t.Benchmark))})
	}
	t.ID = j.Record.NextID()
	if err := j.Record.Append(*t, record.Raw{Stdout: out.Stdout, Stderr: out.Stderr, Server: out.Server, Collected: out.Collected}); err != nil {
		return err
	}
	j.Events(Event{Kind: EventTrial, Block: t.Block, Trial: t.Position, Of: t.Of, Pilot: t.Pilot})
	return nil
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
	r := j.request(t, b, a)
	out, err := j.Machine.Run(ctx, r)
	if err != nil {
		return out, err
	}
	fill(t, out)
	if t.Status == assay.StatusOK {
		t.Observations = out.Observations(r.Names[0], t.N)
	}
	if t.Traced {
		maps.DeleteFunc(t.Observations, func(metric string, _ float64) bool { return !strings.HasPrefix(metric, assay.GCPrefix) })
	}
	return out, nil
}

// request asks for a trial of a block.
func (j *Job) request(t *assay.Trial, b assay.PlannedBenchmark, a Artifact) RunRequest {
	t.Binary = a.digest()
	v, _ := j.Plan.Variant(t.Variant)
	warm := b.Warm
	if t.Traced {
		warm = 0 // its metrics are of the whole process
	}
	return RunRequest{Study: &j.Plan.Study, Workload: b.Workload, Artifact: a, Variant: v, Names: []string{b.NameFor(v, j.Plan.Study.Base)},
		N: t.N, Warm: warm, Output: b.Output, GCTrace: t.Traced, Block: t.Block, Round: t.Round, Benchmark: b.Benchmark}
}

// fill fills in how a trial ended.
func fill(t *assay.Trial, out trial.Outcome) {
	t.Start, t.Duration, t.Status, t.Reason, t.Output = out.Start.UTC().Round(0), out.Wall, out.Status, out.Reason, out.Output
	t.Intended = out.Intended
}

// IsInterrupt reports whether an error of Run means that somebody ended it.
func IsInterrupt(err error) bool {
	return errors.Is(err, context.Canceled)
}
