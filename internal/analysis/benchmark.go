package analysis

import (
	"slices"

	"github.com/seed-1318a441/assay"
)

// A benchmark is what the tracker knows of one benchmark.
type benchmark struct {
	plan    assay.PlannedBenchmark
	samples map[string]map[string]*sample // metric, variant
	rates   map[string]rates
	failed  string         // why it is excluded; "" when it is not
	pilot   [][]float64    // ln ratios by pilot block, all variants pooled
	ran     map[string]int // blocks in which a variant ran
	outputs outputs
}

// addPilot keeps the ln ratios of a pilot block on the time metric, every
// variant against the base.
func (b *benchmark) addPilot(r rounds, base string, variants []string) {
	times := r[assay.MetricTime]
	for _, v := range variants {
		if logs := logRatios(times[base], times[v]); logs != nil {
			b.pilot = append(b.pilot, logs)
		}
	}
}

// spreadVariance marks all samples of a metric as varied where the control's is:
// what differs between trials of the same code is no exact number, whatever a
// variant had so far.
func (b *benchmark) spreadVariance(metric, control string) {
	if c := b.samples[metric][control]; c == nil || !c.varied {
		return
	}
	for _, s := range b.samples[metric] {
		s.varied = true
	}
}

// sample finds or makes the sample of a metric and variant.
func (b *benchmark) sample(metric, variant string) *sample {
	byVariant := b.samples[metric]
	if byVariant == nil {
		byVariant = map[string]*sample{}
		b.samples[metric] = byVariant
	}
	if byVariant[variant] == nil {
		byVariant[variant] = &sample{e: 1}
	}
	return byVariant[variant]
}

// planned are benchmarks as the plan has them.
func planned(bs []*benchmark) []assay.PlannedBenchmark {
	out := make([]assay.PlannedBenchmark, len(bs))
	for i, b := range bs {
		out[i] = b.plan
	}
	return out
}

// lacks reports whether a variant has no such benchmark.
func (b *benchmark) lacks(variant string) bool { return slices.Contains(b.plan.Missing, variant) }
