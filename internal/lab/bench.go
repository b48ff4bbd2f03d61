package lab

import (
	"context"
	"maps"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/trial"
)

// A BlockRequest requests one block of a plan. It has everything that the block depends
// on, so that it can be repeated.
type BlockRequest struct {
	Plan *assay.Plan
	// Next is what the block runs; Index and Attempt are its place. From them
	// design.BlockOf draws its trials.
	Next           assay.NextBlock
	Index, Attempt int
	// Artifacts are the builds, by variant. The control's are the base's.
	Artifacts map[string][]Artifact
}

// A Bench runs the blocks of a plan where the trials run: it makes the links of a block,
// runs its trials in order, and skips a benchmark that has failed. Every Machine has one,
// so that a block is the same everywhere. It keeps the links that later blocks of the
// plan use again, and drops them for another plan.
type Bench struct {
	// Runner runs the trials. A SideBySide runs them in every gear.
	Runner Runner

	links layouts
}

// A Keeper takes a trial of a block when it has ended, with its output. Its error ends
// the block.
type Keeper func(t assay.Trial, raw record.Raw) error

// Block runs one block. An error means that it was cut off; keep has received the trials
// before that.
func (b *Bench) Block(ctx context.Context, r BlockRequest, keep Keeper) error {
	b.links.begin(b.Runner, r)
	defer b.links.release()
	drawn := design.BlockOf(r.Plan, r.Next, r.Index, r.Attempt)
	linked, took, err := b.links.link(ctx, drawn.Links())
	if err != nil {
		return err
	}
	run := block{BlockRequest: r, runner: b.Runner, linked: linked, share: took / time.Duration(max(len(linked), 1)), drawn: drawn,
		counted: map[design.Link]bool{}, failed: map[assay.Benchmark]bool{}, keep: keep}
	for rest := drawn.Slots; len(rest) > 0; {
		batch := run.batch(rest)
		rest = rest[len(batch):]
		if err := run.run(ctx, batch); err != nil {
			return err
		}
	}
	return nil
}

// Close drops the bench's links.
func (b *Bench) Close() { b.links.dropAll() }

// A block is a running block.
type block struct {
	BlockRequest
	runner  Runner
	drawn   *design.Block
	linked  map[design.Link]Artifact
	share   time.Duration        // each link's share of the time of all links
	counted map[design.Link]bool // links whose share is in a trial
	failed  map[assay.Benchmark]bool
	keep    Keeper
}

// batch returns the first of some slots that run side by side, or only the first.
func (b *block) batch(slots []design.Slot) []design.Slot {
	n := 1
	if planned(b.Plan, slots[0].Benchmark).Gear.SideBySide() && !slots[0].Traced {
		for n < len(slots) && slots[n].Benchmark == slots[0].Benchmark && slots[n].Round == slots[0].Round && !slots[n].Traced {
			n++
		}
	}
	return slots[:n]
}

// run runs the trials of a batch and gives them to the keeper.
func (b *block) run(ctx context.Context, batch []design.Slot) error {
	trials, artifacts := make([]assay.Trial, len(batch)), make([]Artifact, len(batch))
	for i, slot := range batch {
		trials[i], artifacts[i] = b.drawn.Trial(slot), b.linked[slot.Link]
		if !b.counted[slot.Link] && b.share > 0 {
			trials[i].Link, b.counted[slot.Link] = b.share, true
		}
	}
	outs, err := b.trials(ctx, trials, artifacts)
	if err != nil {
		return err
	}
	for i, t := range trials {
		if t.Status != assay.StatusOK && t.Status != assay.StatusSkipped {
			b.failed[t.Benchmark] = true
		}
		if err := b.keep(t, record.Raw{Stdout: outs[i].Stdout, Stderr: outs[i].Stderr, Server: outs[i].Server, Collected: outs[i].Collected}); err != nil {
			return err
		}
	}
	return nil
}

// trials runs a batch, and fills in the results.
func (b *block) trials(ctx context.Context, ts []assay.Trial, as []Artifact) ([]trial.Outcome, error) {
	bench, skip := planned(b.Plan, ts[0].Benchmark), b.failed[ts[0].Benchmark]
	if bench.Gear.SideBySide() && !ts[0].Traced && !skip {
		return b.together(ctx, ts, bench, as)
	}
	outs := make([]trial.Outcome, len(ts))
	for i := range ts {
		if skip {
			ts[i].Status, ts[i].Reason = assay.StatusSkipped, "the benchmark failed earlier in this block"
			continue
		}
		var err error
		if outs[i], err = b.trial(ctx, &ts[i], bench, as[i]); err != nil {
			return nil, err
		}
	}
	return outs, nil
}

// trial runs one trial and fills in its result.
func (b *block) trial(ctx context.Context, t *assay.Trial, bench assay.PlannedBenchmark, a Artifact) (trial.Outcome, error) {
	r := b.request(t, bench, a)
	out, err := b.runner.Run(ctx, r)
	if err != nil {
		return out, err
	}
	fill(t, out)
	if t.Status == assay.StatusOK {
		if found, ok := out.Reading(r.Names[0]); ok && r.Time > 0 {
			t.N = found.N
		}
		t.Observations = out.Observations(r.Names[0], t.N)
		if r.Time > 0 { // of the whole process, which ran other numbers of operations before
			delete(t.Observations, assay.MetricUser)
			delete(t.Observations, assay.MetricSys)
		}
	}
	if t.Traced {
		maps.DeleteFunc(t.Observations, func(metric string, _ float64) bool { return !strings.HasPrefix(metric, assay.GCPrefix) })
	}
	return out, nil
}

// request returns the request for a trial of a block.
func (b *block) request(t *assay.Trial, bench assay.PlannedBenchmark, a Artifact) RunRequest {
	t.Binary = a.digest()
	v, _ := b.Plan.Variant(t.Variant)
	warm := bench.Warm
	if t.Traced {
		warm = 0 // its metrics are of the whole process
	}
	r := RunRequest{Study: &b.Plan.Study, Workload: bench.Workload, Artifact: a, Variant: v, Names: []string{bench.NameFor(v, b.Plan.Study.Base)},
		N: t.N, Warm: warm, Output: bench.Output, GCTrace: t.Traced, Block: t.Block, Round: t.Round, Benchmark: bench.Benchmark,
		Seed: design.Rand(b.Plan.Seed, "arrivals", bench.Benchmark.String(), t.Block, t.Round).Uint64()}
	if bench.BenchTime > 0 && !t.Traced {
		r.N, r.Time = 0, bench.BenchTime
	}
	return r
}

// fill fills in how a trial ended.
func fill(t *assay.Trial, out trial.Outcome) {
	t.Start, t.Duration, t.Status, t.Reason, t.Output = out.Start.UTC().Round(0), out.Wall, out.Status, out.Reason, out.Output
	t.RuntimeFault, t.Intended = out.RuntimeFault, out.Intended
}

// planned returns the plan of one of its benchmarks.
func planned(p *assay.Plan, b assay.Benchmark) assay.PlannedBenchmark {
	out, _ := p.Planned(b)
	return out
}
