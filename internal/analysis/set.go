package analysis

import (
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/stats"
)

// A Set holds the samples of a run: what its trials say of each variant against the
// base, by benchmark and metric, accumulated block by block. It judges nothing. It is
// not safe for concurrent use.
type Set struct {
	plan     *assay.Plan
	from     int      // blocks before which nothing can be decided
	variants []string // what is compared with the base, the control last
	control  string
	// beside has the variants whose comparisons the control is part of.
	beside map[string]bool
	// relinked has the variants that a fresh layout in every block moves against the base.
	relinked map[string]bool

	blocks  int // complete blocks that carry verdicts
	pilots  int // blocks of the pilot
	trials  int
	earlier int // blocks that were measured in an earlier run

	bench    []*benchmark
	index    map[assay.Benchmark]*benchmark
	metrics  []string                 // in the order first seen, those that decide first
	geomeans memo[[2]string, *sample] // by metric and variant
	chain    *chain

	faults   *faults
	warnings []assay.Warning // of benchmarks that are excluded
}

// NewSet is the set of a plan before its first block.
func NewSet(p *assay.Plan) *Set {
	set := &Set{
		plan: p, from: design.LeastBlocks(p), control: p.ControlVariant(),
		beside: map[string]bool{}, relinked: relinked(p),
		index: map[assay.Benchmark]*benchmark{}, metrics: slices.Clone(p.Study.Decide.Metrics),
		faults: newFaults(p),
	}
	set.chain = &chain{set: set, links: chainOf(p), pairs: map[stepKey]*stepSample{}}
	for _, v := range p.Variants {
		if v.Name != p.Study.Base && v.Name != set.control {
			set.variants = append(set.variants, v.Name)
			set.beside[v.Name] = design.Beside(p, v.Name)
		}
	}
	if set.control != "" {
		set.variants = append(set.variants, set.control)
	}
	for _, pb := range p.Benchmarks {
		b := &benchmark{plan: pb, samples: map[string]map[string]*sample{}, ran: map[string]int{}, rates: map[string]rates{}}
		if b.lacks(p.Study.Base) {
			b.failed = "not in " + p.Study.Base + ", which all are compared with"
		}
		set.bench = append(set.bench, b)
		set.index[pb.Benchmark] = b
	}
	return set
}

// Add takes the next complete block.
func (set *Set) Add(block []assay.Trial) {
	for _, tr := range block {
		set.trials++
		b := set.index[tr.Benchmark]
		if !serves(set.plan, b.plan) {
			set.exclude(b, tr)
		}
		if tr.Status == assay.StatusOK && !tr.Traced {
			set.see(b, tr)
		}
	}
	set.faults.add(block)
	for _, b := range set.bench {
		set.judgeOutput(b, block)
		set.excludeService(b)
	}
	pilot := len(block) > 0 && block[0].Pilot
	if pilot {
		set.pilots++
	} else {
		set.blocks++
		if len(block) > 0 && block[0].Run != "" {
			set.earlier++
		}
	}
	for b, rounds := range set.byBenchmark(block) {
		switch {
		case b.failed != "" || set.faults.spoiled(b.plan.Benchmark):
		case pilot:
			b.addPilot(rounds, set.plan.Study.Base, set.variants)
		default:
			set.addRounds(b, rounds)
			set.addSlices(b, block)
			b.addRates(block)
		}
	}
}

// pilotRatios are the ln ratios of the pilot, a list for each block and variant.
func (set *Set) pilotRatios() map[assay.Benchmark][][]float64 {
	out := map[assay.Benchmark][][]float64{}
	for _, b := range set.bench {
		out[b.plan.Benchmark] = b.pilot
	}
	return out
}

// exclude takes a benchmark out for every variant when one of its trials
// failed: a comparison of what is left would no longer be of like with like.
func (set *Set) exclude(b *benchmark, tr assay.Trial) {
	if tr.Status == assay.StatusOK || tr.Status == assay.StatusSkipped || b.failed != "" {
		return
	}
	b.failed = string(tr.Status)
	if tr.Status == assay.StatusWrong {
		b.failed = failedWord(tr.Status)
	}
	if tr.Reason != "" {
		b.failed += ": " + tr.Reason
	}
	set.warnings = append(set.warnings, failedWarning(tr, set.called(b), set.plan.Run))
}

// excludeService takes a service out when too many of its blocks failed.
func (set *Set) excludeService(b *benchmark) {
	if f := set.faults.of[b.plan.Benchmark]; f.out && b.failed == "" && serves(set.plan, b.plan) {
		b.failed = f.why()
	}
}

// called is what people call a benchmark: BenchmarkX where it is a Go benchmark,
// the name of a command or of a service.
func (set *Set) called(b *benchmark) string {
	ws := set.plan.Study.Workloads
	if i := b.plan.Workload; i < len(ws) && (ws[i].Kind == assay.KindCommand || ws[i].Kind == assay.KindService) {
		return b.plan.Name
	}
	return "Benchmark" + b.plan.Name
}

// rounds maps a metric and a variant to the values of the inner rounds.
type rounds map[string]map[string][]float64

func (set *Set) byBenchmark(block []assay.Trial) map[*benchmark]rounds {
	out := map[*benchmark]rounds{}
	for _, tr := range block {
		b := set.index[tr.Benchmark]
		if out[b] == nil {
			out[b] = rounds{}
		}
		for m, x := range tr.Observations {
			// Tracing costs time: what else such a trial may have observed is no part of
			// the comparison.
			if tr.Traced && !strings.HasPrefix(m, assay.GCPrefix) {
				continue
			}
			if out[b][m] == nil {
				out[b][m] = map[string][]float64{}
			}
			// Trials come in the order of running, so round r of one variant pairs
			// with round r of another.
			out[b][m][tr.Variant] = append(out[b][m][tr.Variant], x)
		}
	}
	return out
}

func (set *Set) addRounds(b *benchmark, r rounds) {
	ran := map[string]bool{}
	defer func() {
		for v := range ran {
			b.ran[v]++
		}
	}()
	for m, byVariant := range r {
		for v := range byVariant {
			ran[v] = true
		}
		if !slices.Contains(set.metrics, m) {
			set.metrics = append(set.metrics, m)
			slices.Sort(set.metrics[len(set.plan.Study.Decide.Metrics):])
		}
		base := byVariant[set.plan.Study.Base]
		for _, v := range set.variants {
			if x := byVariant[v]; len(x) > 0 && len(base) > 0 {
				s := b.sample(m, v)
				s.relinked = set.relinked[v]
				s.add(set.blocks, base, x, byVariant[set.besides(v)])
			}
		}
		b.spreadVariance(m, set.control)
	}
}

// besides is the variant that stands beside another and the base as the base once more:
// the control, or "" where there is none or it cannot (design.Beside).
func (set *Set) besides(variant string) string {
	if !set.beside[variant] {
		return ""
	}
	return set.control
}

// active are the benchmarks that are not excluded.
func (set *Set) active() []*benchmark {
	return slices.DeleteFunc(slices.Clone(set.bench), func(b *benchmark) bool { return b.failed != "" })
}

// others are the variants that are compared with the base, the control left
// out.
func (set *Set) others() []string {
	return slices.DeleteFunc(slices.Clone(set.variants), func(v string) bool { return v == set.control })
}

// rowBase is the median of the base, over the blocks of the variant that has
// most of them: that of the control, which is in every block.
func (set *Set) rowBase(b *benchmark, metric string) float64 {
	var most []float64
	for _, v := range set.variants {
		if s := b.samples[metric][v]; s != nil && len(s.base) > len(most) {
			most = s.base
		}
	}
	if most == nil {
		return 0
	}
	return stats.Median(most)
}

// baseValue is the base's geometric mean over the suite, or its median on the
// only benchmark, over the blocks of the variant that has most.
func (set *Set) baseValue(metric string) (x float64, ok bool) {
	most := 0
	for _, v := range set.variants {
		if s := set.whole(metric, v); s != nil && !s.zero && len(s.d) > most {
			most, x, ok = len(s.d), stats.Median(s.base), true
		}
	}
	return x, ok
}

// whole is the suite as one sample: the geomean, or the only benchmark. The
// base against itself is nil.
func (set *Set) whole(metric, variant string) *sample {
	if variant == set.plan.Study.Base {
		return nil
	}
	if g := set.geomean(metric, variant); g != nil {
		return g
	}
	if b := set.only(metric); b != nil {
		return set.unsaturated(b, metric, variant)
	}
	return nil
}

// only is the benchmark that is the whole suite: there is no other, or in a chain
// the one that all steps have. Nil where there are several, or none.
func (set *Set) only(metric string) *benchmark {
	bs := set.active()
	if len(bs) > 1 && len(set.chain.links) > 0 {
		bs = set.common(metric)
	}
	if len(bs) != 1 {
		return nil
	}
	return bs[0]
}

// wholeName is what stands for the benchmark of a comparison of the whole suite.
func (set *Set) wholeName(metric string) assay.Benchmark {
	if b := set.only(metric); b != nil {
		return b.plan.Benchmark
	}
	return wholeName(set.active())
}

// everywhere reports whether all variants that are measured have the benchmark.
func (set *Set) everywhere(b *benchmark) bool {
	return !slices.ContainsFunc(set.variants, b.lacks)
}

// tooFew reports whether a variant has not yet had the blocks before which
// nothing is decided, because they held others.
func (set *Set) tooFew(b *benchmark, variant string) bool {
	return schedule.Partial(set.plan) && !b.lacks(variant) && b.ran[variant] < set.least()
}

// least is the number of blocks that every variant must have had; of a chain it
// is what the study asks for, if that is more.
func (set *Set) least() int {
	if len(set.chain.links) > 0 {
		return max(set.from, set.plan.Study.Decide.MinBlocks)
	}
	return set.from
}

// notYet reports whether a variant had no block of a benchmark so far.
func (set *Set) notYet(b *benchmark, variant string) bool {
	return schedule.Partial(set.plan) && b.ran[variant] == 0
}
