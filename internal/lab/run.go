package lab

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

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
	l := layouts{job: j, links: map[linkKey][]Artifact{}}
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
	artifacts, took, err := l.prepare(ctx, index, slots)
	if err != nil {
		return nil, err
	}
	defer l.release()
	share := took / time.Duration(max(len(artifacts), 1))
	told := map[linkKey]bool{}
	failed := map[assay.Benchmark]bool{}
	var block []assay.Trial
	for _, slot := range slots {
		t := assay.Trial{ID: j.Record.NextID(), Block: index, Attempt: attempt, Pilot: next.Pilot, Of: len(slots),
			Position: slot.Position, Round: slot.Round, Variant: slot.Variant, Benchmark: slot.Benchmark, Traced: slot.Traced,
			Layout: design.Layout(j.Plan, slot.Variant, index)}
		pb := j.planned(slot.Benchmark)
		t.N = pb.N
		key := linkKey{variant: slot.Variant, workload: pb.Workload, pkg: pb.Package}
		if !told[key] && share > 0 {
			t.Link, told[key] = share, true
		}
		out, err := j.trial(ctx, &t, pb, artifacts[key], failed[slot.Benchmark])
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

// needed are the packages of a variant that a block's trials run, by workload.
func (j *Job) needed(slots []design.Slot, variant string) map[int][]string {
	out := map[int][]string{}
	for _, s := range slots {
		if s.Variant != variant {
			continue
		}
		b := j.planned(s.Benchmark)
		if !slices.Contains(out[b.Workload], b.Package) {
			out[b.Workload] = append(out[b.Workload], b.Package)
		}
	}
	return out
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

// linkKey tells the links of a block apart.
type linkKey struct {
	variant  string
	workload int
	pkg      string
	layout   uint64
}

// layouts makes and keeps the links that blocks need.
type layouts struct {
	job   *Job
	links map[linkKey][]Artifact // with layouts = K: made once, by variant, workload and seed
	block []Artifact             // with fresh layouts: of the running block
	mu    sync.Mutex
}

// prepare returns the artifacts of a block's trials, by key without layout, and the
// time that linking them took.
func (l *layouts) prepare(ctx context.Context, index int, slots []design.Slot) (map[linkKey]Artifact, time.Duration, error) {
	// In a long chain most steps are not in most blocks: the pool fills as they come.
	if k := l.job.Plan.Study.Measure.Layouts; k > 1 && len(l.links) == 0 && !l.fills() {
		if err := l.makePool(ctx, k); err != nil {
			return nil, 0, err
		}
	}
	out := map[linkKey]Artifact{}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, v := range l.job.Plan.Variants {
		for w, pkgs := range l.job.needed(slots, v.Name) {
			g.Go(func() error { return l.link(ctx, out, v, w, pkgs, design.Layout(l.job.Plan, v.Name, index)) })
		}
	}
	if err := g.Wait(); err != nil {
		return nil, 0, err
	}
	if l.job.Plan.Study.Measure.Layouts != 0 {
		return out, 0, nil // made before, or never
	}
	var took time.Duration
	for _, a := range out {
		took += a.Took
	}
	return out, took / time.Duration(min(runtime.GOMAXPROCS(0), max(len(out), 1))), nil
}

func (l *layouts) link(ctx context.Context, out map[linkKey]Artifact, v assay.Variant, w int, pkgs []string, seed uint64) error {
	as, err := l.artifacts(ctx, v, w, pkgs, seed)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, pkg := range pkgs {
		a, err := find(as, w, pkg)
		if err != nil {
			return fmt.Errorf("link %s: %w", v.Name, err)
		}
		out[linkKey{variant: v.Name, workload: w, pkg: pkg}] = a
	}
	return nil
}

func (l *layouts) artifacts(ctx context.Context, v assay.Variant, w int, pkgs []string, seed uint64) ([]Artifact, error) {
	if seed == 0 {
		return l.job.Builds.of(v.Name), nil
	}
	l.mu.Lock()
	pooled := l.links[linkKey{variant: v.Name, workload: w, layout: seed}]
	l.mu.Unlock()
	if pooled != nil {
		return pooled, nil
	}
	if l.fills() {
		pkgs = l.job.needed(l.job.everything(v.Name), v.Name)[w] // a later block may run more of them
	}
	as, err := l.job.Machine.Build(ctx, BuildRequest{Study: &l.job.Plan.Study, Workload: w, Variant: v, Packages: pkgs, Layout: seed})
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.job.Plan.Study.Measure.Layouts == 0:
		l.block = append(l.block, as...)
	case l.fills():
		l.links[linkKey{variant: v.Name, workload: w, layout: seed}] = as
	}
	return as, nil
}

// fills reports whether the pool of links fills block by block.
func (l *layouts) fills() bool {
	p := l.job.Plan
	return p.Study.Steps != nil && p.Together > 0 && p.Study.Measure.Layouts > 1
}

// makePool makes the K links of every variant before the first block.
func (l *layouts) makePool(ctx context.Context, k int) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	if limit := l.job.Plan.Study.Decide.MaxBlocks; limit > 0 {
		k = min(k, limit)
	}
	for _, v := range l.job.Plan.Variants {
		for w, pkgs := range l.job.needed(l.job.everything(v.Name), v.Name) {
			for block := 1; block <= k; block++ {
				seed := design.Layout(l.job.Plan, v.Name, block)
				g.Go(func() error {
					as, err := l.artifacts(ctx, v, w, pkgs, seed)
					l.mu.Lock()
					defer l.mu.Unlock()
					l.links[linkKey{variant: v.Name, workload: w, layout: seed}] = as
					return err
				})
			}
		}
	}
	return g.Wait()
}

// everything is a trial of each benchmark that a variant has.
func (j *Job) everything(variant string) (all []design.Slot) {
	for _, b := range j.Plan.Benchmarks {
		if !slices.Contains(b.Missing, variant) {
			all = append(all, design.Slot{Benchmark: b.Benchmark, Variant: variant})
		}
	}
	return all
}

// release drops the links of a block that is done.
func (l *layouts) release() {
	l.job.Machine.Drop(l.block)
	l.block = nil
}

func (l *layouts) dropAll() {
	for _, as := range l.links {
		l.job.Machine.Drop(as)
	}
}

// IsInterrupt reports whether an error of Run means that somebody ended it.
func IsInterrupt(err error) bool {
	return errors.Is(err, context.Canceled)
}
