package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/calibration"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/record"
)

// An Inquiry runs the trials for an explanation of one benchmark. Each has an instrument
// in it, so they are separate from measured trials, in separate blocks. In each block the
// base and every variant run in random order. There is no control, since no verdict
// follows.
//
// CPU profiles use binaries linked like the measured ones, anew for each block if those
// were: they also show effects of the placement of functions. All other trials use the
// linker's own layout.
type Inquiry struct {
	Plan      *assay.Plan
	Machine   Machine
	Builds    *Builds
	Evidence  *record.Evidence
	Events    func(Event) // EventEvidence
	Benchmark assay.Benchmark
	// Variants are those to explain, besides the base; at least one.
	Variants []string
	// Kinds are assay.CollectCPU, CollectMem and CollectGC, in running order.
	Kinds []string
	// Blocks is the number of blocks of CPU profiles. 0 means as many as take the time of
	// 10 trials, but at least 3 if one operation takes longer than a trial should, and at
	// most 60 if the author fixed the number of operations; then more until every variant
	// has assay.EnoughSamples, if that takes a minute at most. Memory has 2, since
	// allocations vary little. The collector has half of 10, but 3.
	Blocks int
	// Trial is the time of a trial with a CPU profile; 0 means 1 s, which yields 100
	// samples.
	Trial time.Duration
	// BaseValue is the measured time of an operation of the base, in seconds; 0 if known
	// from calibration only. Slowest is that of the slowest variant; 0 means no slower
	// than the base.
	BaseValue, Slowest float64
	// AllocsPerOp is the number of objects that an operation allocates, for the variant
	// with most.
	AllocsPerOp float64
}

// Settings of an inquiry.
const (
	inquiryBlocks = 10
	inquiryTrial  = time.Second
	memBlocks     = 2 // enough to see whether two trials agree
	minBlocks     = 3
	// maxObjects limits a trial that profiles every allocation: an object costs about 2
	// µs there.
	maxObjects = 100_000
	// maxBlocks is for trials that are short because their author fixed the number of
	// iterations: more trials make up for the few samples of each.
	maxBlocks = 60
	maxPlain  = time.Second // of such a trial without a profile
)

// Run runs the inquiry and returns the trials of its complete blocks, by kind. If a trial
// fails, or cannot run with the instrument, the rest of its kind is omitted and a warning
// says why. The error says that the inquiry matches nothing in the run, or that the
// record cannot be written, or is the cause of ctx's end. The evidence keeps what ran.
func (q *Inquiry) Run(ctx context.Context) (trials []assay.EvidenceTrial, warnings []assay.Warning, err error) {
	in, err := q.start()
	if err != nil {
		return nil, nil, err
	}
	for _, kind := range q.Kinds {
		ts, failed, err := in.collect(ctx, kind)
		trials = append(trials, ts...)
		if failed != nil {
			warnings = append(warnings, *failed)
		}
		if err != nil {
			return trials, warnings, err
		}
	}
	return trials, warnings, nil
}

// runningInquiry is an Inquiry with the facts found for it.
type runningInquiry struct {
	*Inquiry
	number    int // of the inquiry
	benchmark assay.PlannedBenchmark
	variants  []assay.Variant // the base first
	artifacts []Artifact      // theirs
	profiled  []Artifact      // for programs, a build with the same functions that profiles itself
	done, of  int             // trials
	// samples are those of the CPU profiles so far, by variant, and took their time.
	samples map[string]int64
	took    time.Duration
}

// start finds what the inquiry runs.
func (q *Inquiry) start() (*runningInquiry, error) {
	in := &runningInquiry{Inquiry: q, number: q.Evidence.NextInquiry(), samples: map[string]int64{}}
	if len(q.Variants) == 0 {
		return nil, errors.New("explain: no variant is named")
	}
	var ok bool
	if in.benchmark, ok = q.Plan.Planned(q.Benchmark); !ok {
		return nil, fmt.Errorf("explain: no benchmark %s is in the run", q.Benchmark.Name)
	}
	for _, name := range append([]string{q.Plan.Study.Base}, q.Variants...) {
		v, ok := q.Plan.Variant(name)
		if !ok || slices.Contains(in.benchmark.Missing, name) {
			return nil, fmt.Errorf("explain: %s is not measured in variant %q", q.Benchmark.Name, name)
		}
		a, err := q.Builds.Binary(name, in.benchmark)
		if err != nil {
			return nil, err
		}
		in.variants, in.artifacts = append(in.variants, v), append(in.artifacts, a)
	}
	for _, kind := range q.Kinds {
		in.of += in.blocks(kind) * len(in.variants) * len(in.operations(kind))
	}
	return in, nil
}

// workload returns the benchmark's workload.
func (in *runningInquiry) workload() assay.Workload {
	return in.Plan.Study.Workloads[in.benchmark.Workload]
}

// blocks returns the number of blocks of a kind.
func (in *runningInquiry) blocks(kind string) int {
	blocks := in.Blocks
	if blocks <= 0 {
		long := in.perOp() * float64(in.operations(assay.CollectCPU)[0]) / in.trialTime().Seconds()
		blocks = min(max(minBlocks, int(math.Round(inquiryBlocks/long))), maxBlocks)
	}
	switch kind {
	case assay.CollectMem:
		return memBlocks
	case assay.CollectGC:
		return min(blocks, max(minBlocks, min(blocks, inquiryBlocks)/2))
	}
	return blocks
}

// trialTime returns how long a trial with a CPU profile should take.
func (in *runningInquiry) trialTime() time.Duration { return cmp.Or(in.Trial, inquiryTrial) }

// operations returns the numbers of operations with which every variant runs in a block
// of a kind. Memory has two, one twice the other: their difference excludes
// allocations before the first operation. A command is one operation.
func (in *runningInquiry) operations(kind string) []int {
	switch {
	case in.workload().IsProgram():
		return []int{1}
	case kind == assay.CollectMem:
		return in.memoryN()
	}
	return []int{in.timedN()}
}

// perOp returns the mean time of an operation, in seconds, of the base and the slowest
// variant. If a variant is ten times as slow, its trials should not take ten times too
// long.
func (in *runningInquiry) perOp() float64 {
	base := in.BaseValue
	if base <= 0 {
		base = in.benchmark.Trial.Seconds() / float64(max(in.benchmark.N, 1)) // with the start of the process
	}
	return (base + max(base, in.Slowest)) / 2
}

// timedN returns the number of operations that take as long as a trial should.
func (in *runningInquiry) timedN() int {
	n := in.benchmark.N
	if in.workload().BenchIters > 0 {
		return n // the author fixed it; another number may change what runs
	}
	perOp := in.perOp()
	if perOp <= 0 {
		return n
	}
	const fuzz = 1 - 1e-9 // keeps a round number
	return max(n, calibration.RoundN(min(max(fuzz*in.trialTime().Seconds()/perOp, 1), calibration.MaxN)))
}

// memoryN returns the two numbers of operations of memory profiles. A benchmark prints
// objects per operation without the fraction, so it may have almost one more. A number
// fixed by the author is not exceeded.
func (in *runningInquiry) memoryN() []int {
	n := maxObjects / (max(in.AllocsPerOp, 0) + 1)
	if perOp := in.perOp(); perOp > 0 {
		n = min(n, maxPlain.Seconds()/perOp)
	}
	large := int(max(n, 4))
	if fixed := in.workload().BenchIters; fixed > 0 {
		large = min(large, fixed)
	}
	if large < 4 {
		return []int{large}
	}
	return []int{large / 2, large / 2 * 2}
}

// An evidenceSlot is one trial of a block.
type evidenceSlot struct {
	variant int // index
	n       int
}

// tasks returns the trials of a block in running order. The order is drawn for this block
// alone, all orders equally likely.
func (in *runningInquiry) tasks(kind string, block int) []evidenceSlot {
	var all []evidenceSlot
	for _, n := range in.operations(kind) {
		for v := range in.variants {
			all = append(all, evidenceSlot{v, n})
		}
	}
	rnd := design.Rand(in.Plan.Seed, "evidence", in.number, kind, in.Benchmark.String(), block)
	rnd.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// collect runs the blocks of a kind, and returns the trials of complete ones. failed says
// why there are no more.
func (in *runningInquiry) collect(ctx context.Context, kind string) (trials []assay.EvidenceTrial, failed *assay.Warning, err error) {
	if !slices.Contains([]string{assay.CollectCPU, assay.CollectMem, assay.CollectGC}, kind) {
		return nil, nil, fmt.Errorf("explain: no trial collects %q", kind)
	}
	if in.workload().Kind == assay.KindService {
		return nil, in.warning(kind, "services are not profiled"), nil
	}
	for block := 1; block <= in.blocks(kind) || kind == assay.CollectCPU && in.more(block-1); block++ {
		ts, failed, err := in.block(ctx, kind, block)
		if err := errors.Join(err, in.Evidence.Sync()); err != nil || failed != nil {
			return trials, failed, err
		}
		trials = append(trials, ts...)
	}
	return trials, nil, nil
}

// block runs one block of a kind.
func (in *runningInquiry) block(ctx context.Context, kind string, block int) (trials []assay.EvidenceTrial, failed *assay.Warning, err error) {
	tasks := in.tasks(kind, block)
	artifacts, drop, err := in.linked(ctx, kind, block)
	if refused, ok := errors.AsType[*assay.Error](err); ok {
		return nil, &refused.Warning, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer drop()
	for i, task := range tasks {
		t := assay.EvidenceTrial{Inquiry: in.number, Kind: kind, Benchmark: in.Benchmark, Variant: in.variants[task.variant].Name,
			Block: block, Position: i + 1, N: task.n}
		t, failed, err := in.trial(ctx, t, task.variant, artifacts[task.variant])
		if err != nil || failed != nil {
			return nil, failed, err
		}
		trials = append(trials, t)
		in.done++
		in.Events(Event{Kind: EventEvidence, Block: block, Trial: in.done, Of: in.of, Text: in.Benchmark.Name + ": " + kindName(kind)})
	}
	return trials, nil, nil
}

// linked returns what the variants run in a block, with the layouts of the measured block
// of that number, and a function that drops them.
func (in *runningInquiry) linked(ctx context.Context, kind string, block int) ([]Artifact, func(), error) {
	if in.workload().IsProgram() && kind != assay.CollectGC {
		as, err := in.selfProfiling(ctx)
		return as, func() {}, err
	}
	if kind != assay.CollectCPU || in.Plan.Study.Measure.Layouts == 1 || in.workload().IsProgram() {
		return in.artifacts, func() {}, nil
	}
	out := slices.Clone(in.artifacts)
	var made []Artifact
	drop := func() { in.Machine.Drop(made) }
	for i, v := range in.variants {
		if !in.artifacts[i].CanLayout {
			continue
		}
		a, err := in.Machine.Link(ctx, LinkRequest{Artifact: in.artifacts[i], Layout: design.Layout(in.Plan, v.Name, block)})
		if err != nil {
			drop()
			return nil, nil, err
		}
		made, out[i] = append(made, a), a
	}
	return out, drop, nil
}

// selfProfiling builds, once, the programs that profile themselves.
func (in *runningInquiry) selfProfiling(ctx context.Context) ([]Artifact, error) {
	for _, v := range in.variants[len(in.profiled):] {
		as, err := in.Builds.Builder.Build(ctx, BuildRequest{Study: &in.Plan.Study, Workload: in.benchmark.Workload, Variant: v, Profiled: true})
		if err != nil {
			return nil, err
		}
		in.profiled = append(in.profiled, as[0])
	}
	return in.profiled, nil
}

// trial runs one trial and appends it to the evidence.
func (in *runningInquiry) trial(ctx context.Context, t assay.EvidenceTrial, variant int, a Artifact) (_ assay.EvidenceTrial, failed *assay.Warning, err error) {
	v, b := in.variants[variant], in.benchmark
	r := RunRequest{Study: &in.Plan.Study, Workload: b.Workload, Artifact: a, Variant: v,
		Names: []string{b.NameFor(v, in.Plan.Study.Base)}, N: t.N, Output: b.Output, Block: t.Block, Benchmark: b.Benchmark}
	if r.GCTrace = t.Kind == assay.CollectGC; !r.GCTrace {
		r.Profile = t.Kind
	}
	out, err := in.Machine.Run(ctx, r)
	if err != nil && ctx.Err() != nil {
		return t, nil, err
	}
	if refused, ok := errors.AsType[*assay.Error](err); ok {
		return t, &refused.Warning, nil
	}
	if err != nil {
		return t, in.warning(t.Kind, err.Error()), nil
	}
	t.Start, t.Duration, t.Status, t.Reason = out.Start.UTC().Round(0), out.Wall, out.Status, out.Reason
	if t.Status == assay.StatusOK {
		t.Values = out.Observations(r.Names[0], t.N)
		in.count(t, out.Profile)
	}
	if t, err = in.Evidence.Append(t, out.Profile); err == nil && t.Status != assay.StatusOK {
		failed = in.warning(t.Kind, fmt.Sprintf("it ended as %s in %q: %s", t.Status, t.Variant, t.Reason))
	}
	return t, failed, err
}

// warning says why there is no more evidence of a kind.
func (in *runningInquiry) warning(kind, why string) *assay.Warning {
	return &assay.Warning{Code: assay.CodeNoProfile, Text: fmt.Sprintf("%s: no %s", in.Benchmark.Name, kindName(kind)), Facts: []string{why}}
}

// kindName says what trials of a kind collect.
func kindName(kind string) string {
	switch kind {
	case assay.CollectCPU:
		return "CPU profiles"
	case assay.CollectMem:
		return "memory profiles"
	}
	return "traces of the collector"
}
