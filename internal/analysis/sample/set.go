package sample

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/memo"
)

// A Set holds the samples of a run: each variant against the base, by benchmark and
// metric, accumulated block by block. It judges nothing. It is not safe for concurrent
// use.
type Set struct {
	// Plan is the plan of the run.
	Plan *assay.Plan
	// From is the number of blocks before the first decision.
	From int
	// Variants are those compared with the base, the control last.
	Variants []string
	// Control is the name of the control, "" without one.
	Control string
	// beside has the variants beside which the control runs as a second base.
	beside map[string]bool
	// relinked has the variants that a fresh layout in every block moves against the
	// base.
	relinked map[string]bool

	// Blocks counts complete blocks that carry verdicts, which those of a pilot of older
	// versions do not. Trials counts all trials, and Earlier the blocks of an earlier run
	// among Blocks.
	Blocks, Trials, Earlier int

	// Benchmarks are those of the plan, including the excluded ones.
	Benchmarks []*Benchmark
	index      map[assay.Benchmark]*Benchmark
	// Metrics are those that decide, then others in the order first seen.
	Metrics  []string
	geomeans memo.Epoch[[2]string, *Sample] // by metric and variant
	// Chain has the steps; it has no links in a study without steps.
	Chain *Chain

	faults *Faults
	looks  *looks
	// Warnings are those about excluded benchmarks.
	Warnings []assay.Warning
}

// Sample returns the sample of a variant on a benchmark and metric; nil if there is none.
func (set *Set) Sample(b assay.Benchmark, metric, variant string) *Sample {
	if x := set.index[b]; x != nil {
		return x.Samples[metric][variant]
	}
	return nil
}

// Without returns the set without a benchmark. It shares the samples, so add no blocks to
// either.
func (set *Set) Without(b assay.Benchmark) *Set {
	out, chain := *set, *set.Chain
	out.Benchmarks = slices.DeleteFunc(slices.Clone(set.Benchmarks), func(x *Benchmark) bool { return x.Plan.Benchmark == b })
	out.geomeans, chain.wholes = memo.Epoch[[2]string, *Sample]{}, memo.Epoch[string, []*Sample]{}
	chain.set, out.Chain = &out, &chain
	return &out
}

// Active returns the benchmarks that are not excluded.
func (set *Set) Active() []*Benchmark {
	return slices.DeleteFunc(slices.Clone(set.Benchmarks), func(b *Benchmark) bool { return b.Failed != "" })
}

// Others returns the variants that are compared with the base, without the control.
func (set *Set) Others() []string {
	return slices.DeleteFunc(slices.Clone(set.Variants), func(v string) bool { return v == set.Control })
}
