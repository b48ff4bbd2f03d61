package sample

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/stats"
)

// A Benchmark has the samples of one benchmark.
type Benchmark struct {
	set *Set
	// Plan is the planned benchmark.
	Plan assay.PlannedBenchmark
	// Samples are by metric, then variant.
	Samples map[string]map[string]*Sample
	rates   map[string]rates
	load    *assay.OfferedLoad // nil if its rate is not fixed
	Failed  string             // why it is excluded; "" when it is not
	Ran     map[string]int     // blocks in which a variant ran
	outputs outputs
}

// spreadVariance marks all samples of a metric as varied if the control's is: what
// differs between trials of the same code is no exact number, whatever a variant had so
// far.
func (b *Benchmark) spreadVariance(metric, control string) {
	if c := b.Samples[metric][control]; c == nil || !c.Varied {
		return
	}
	for _, s := range b.Samples[metric] {
		s.Varied = true
	}
}

// sample finds or makes the sample of a metric and variant.
func (b *Benchmark) sample(metric, variant string) *Sample {
	byVariant := b.Samples[metric]
	if byVariant == nil {
		byVariant = map[string]*Sample{}
		b.Samples[metric] = byVariant
	}
	if byVariant[variant] == nil {
		byVariant[variant] = &Sample{E: 1, looks: b.set.looks, precision: precisionOf(metric, b.isGoTest())}
	}
	return byVariant[variant]
}

// isGoTest reports whether package testing prints the values. So it does those in files,
// whose plan has no workload.
func (b *Benchmark) isGoTest() bool {
	w := b.set.Plan.Study.Workloads
	return b.Plan.Workload >= len(w) || w[b.Plan.Workload].Kind == assay.KindGoTest
}

// Planned returns the planned benchmarks.
func Planned(bs []*Benchmark) []assay.PlannedBenchmark {
	out := make([]assay.PlannedBenchmark, len(bs))
	for i, b := range bs {
		out[i] = b.Plan
	}
	return out
}

// Lacks reports whether a variant lacks the benchmark.
func (b *Benchmark) Lacks(variant string) bool { return slices.Contains(b.Plan.Missing, variant) }

// Base returns the median of the base, over the blocks of the variant that has most of
// them: the control is in every block.
func (b *Benchmark) Base(metric string) float64 {
	var most []float64
	for _, v := range b.set.Variants {
		if s := b.Samples[metric][v]; s != nil && len(s.Base) > len(most) {
			most = s.Base
		}
	}
	if most == nil {
		return 0
	}
	return stats.Median(most)
}

// Everywhere reports whether all measured variants have the benchmark.
func (b *Benchmark) Everywhere() bool { return !slices.ContainsFunc(b.set.Variants, b.Lacks) }

// TooFew reports whether a variant still lacks blocks before which nothing is decided,
// because they held others. In a chain the study's own minimum counts, if it is more.
func (b *Benchmark) TooFew(variant string) bool {
	least := b.set.From
	if len(b.set.Chain.Links) > 0 {
		least = max(least, b.set.Plan.Study.Decide.MinBlocks)
	}
	return schedule.Partial(b.set.Plan) && !b.Lacks(variant) && b.Ran[variant] < least
}

// NotYet reports whether a variant had no block of the benchmark so far.
func (b *Benchmark) NotYet(variant string) bool {
	return schedule.Partial(b.set.Plan) && b.Ran[variant] == 0
}

// uncontrolled reports whether the benchmark left the schedule before a block that had the
// control, which a few have.
func (b *Benchmark) uncontrolled(metric string) bool {
	s := b.Samples[metric][b.set.Control]
	return b.set.Plan.ControlEvery > 1 && (s == nil || len(s.D) == 0)
}

// A rates holds the rates of an open load by block, for one benchmark and variant.
type rates struct {
	intended float64   // of the last trial, transactions a second
	known    bool      // the load generator reports the intended rate
	attained []float64 // per block, a share of what was intended then
}

// outputs follows what the variants of a command print if the study expects the same of
// all without saying what: the base sets it.
type outputs struct {
	base []assay.Trial // of the base or the control, up to enoughOutputs
	// odd is the first trial of another variant that differs from base[0].
	odd *assay.Trial
	// varies means that the base prints different things itself, so nothing can be
	// expected.
	varies bool
}

// enoughOutputs is the number of outputs that show whether the base always prints the
// same.
const enoughOutputs = 2

// rounds maps a metric and a variant to the values of the inner rounds.
type rounds map[string]map[string][]float64
