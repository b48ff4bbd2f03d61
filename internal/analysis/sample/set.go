package sample

import (
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/memo"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/stats"
)

// A Set holds the samples of a run: what its trials say of each variant against the
// base, by benchmark and metric, accumulated block by block. It judges nothing. It is
// not safe for concurrent use.
type Set struct {
	// Plan is the plan of the run.
	Plan *assay.Plan
	// From is the number of blocks before which nothing can be decided.
	From int
	// Variants are those compared with the base, the control last.
	Variants []string
	// Control is the name of the control, "" without one.
	Control string
	// beside has the variants whose comparisons the control is part of.
	beside map[string]bool
	// relinked has the variants that a fresh layout in every block moves against the base.
	relinked map[string]bool

	// Blocks counts complete blocks that carry verdicts, Pilots those of the pilot,
	// Trials all trials, and Earlier the blocks of an earlier run among Blocks.
	Blocks, Pilots, Trials, Earlier int

	// Benchmarks are those of the plan, also the excluded ones.
	Benchmarks []*Benchmark
	index      map[assay.Benchmark]*Benchmark
	// Metrics are in the order first seen, those that decide first.
	Metrics  []string
	geomeans memo.Epoch[[2]string, *Sample] // by metric and variant
	// Chain has the steps, without links in a study without steps.
	Chain *Chain

	faults *Faults
	// Warnings are those of excluded benchmarks.
	Warnings []assay.Warning
}

// NewSet is the set of a plan before its first block.
func NewSet(p *assay.Plan) *Set {
	set := &Set{
		Plan: p, From: design.LeastBlocks(p), Control: p.ControlVariant(),
		beside: map[string]bool{}, relinked: relinked(p),
		index: map[assay.Benchmark]*Benchmark{}, Metrics: slices.Clone(p.Study.Decide.Metrics),
		faults: NewFaults(p),
	}
	set.Chain = &Chain{set: set, Links: chainOf(p), pairs: map[stepKey]*stepSample{}}
	for _, v := range p.Variants {
		if v.Name != p.Study.Base && v.Name != set.Control {
			set.Variants = append(set.Variants, v.Name)
			set.beside[v.Name] = design.Beside(p, v.Name)
		}
	}
	if set.Control != "" {
		set.Variants = append(set.Variants, set.Control)
	}
	for _, pb := range p.Benchmarks {
		b := &Benchmark{Plan: pb, Samples: map[string]map[string]*Sample{}, Ran: map[string]int{}, rates: map[string]rates{}}
		if b.Lacks(p.Study.Base) {
			b.Failed = "not in " + p.Study.Base + ", which all are compared with"
		}
		set.Benchmarks = append(set.Benchmarks, b)
		set.index[pb.Benchmark] = b
	}
	return set
}

// Add takes the next complete block.
func (set *Set) Add(block []assay.Trial) {
	for _, tr := range block {
		set.Trials++
		b := set.index[tr.Benchmark]
		if !Serves(set.Plan, b.Plan) {
			set.exclude(b, tr)
		}
		if tr.Status == assay.StatusOK && !tr.Traced {
			set.see(b, tr)
		}
	}
	set.faults.Add(block)
	for _, b := range set.Benchmarks {
		set.judgeOutput(b, block)
		set.excludeService(b)
	}
	pilot := len(block) > 0 && block[0].Pilot
	if pilot {
		set.Pilots++
	} else {
		set.Blocks++
		if len(block) > 0 && block[0].Run != "" {
			set.Earlier++
		}
	}
	for b, rounds := range set.byBenchmark(block) {
		switch {
		case b.Failed != "" || set.faults.Spoiled(b.Plan.Benchmark):
		case pilot:
			b.addPilot(rounds, set.Plan.Study.Base, set.Variants)
		default:
			set.addRounds(b, rounds)
			set.addSlices(b, block)
			b.addRates(block)
		}
	}
}

// Sample is the sample of a variant on a benchmark and metric; nil where there is none.
func (set *Set) Sample(b assay.Benchmark, metric, variant string) *Sample {
	if x := set.index[b]; x != nil {
		return x.Samples[metric][variant]
	}
	return nil
}

// PilotRatios are the ln ratios of the pilot, a list for each block and variant.
func (set *Set) PilotRatios() map[assay.Benchmark][][]float64 {
	out := map[assay.Benchmark][][]float64{}
	for _, b := range set.Benchmarks {
		out[b.Plan.Benchmark] = b.pilot
	}
	return out
}

// exclude takes a benchmark out for every variant when one of its trials
// failed: a comparison of what is left would no longer be of like with like.
func (set *Set) exclude(b *Benchmark, tr assay.Trial) {
	if tr.Status == assay.StatusOK || tr.Status == assay.StatusSkipped || b.Failed != "" {
		return
	}
	b.Failed = string(tr.Status)
	if tr.Status == assay.StatusWrong {
		b.Failed = failedWord(tr.Status)
	}
	if tr.Reason != "" {
		b.Failed += ": " + tr.Reason
	}
	set.Warnings = append(set.Warnings, failedWarning(tr, set.called(b), set.Plan.Run))
}

// excludeService takes a service out when too many of its blocks failed.
func (set *Set) excludeService(b *Benchmark) {
	if f := set.faults.of[b.Plan.Benchmark]; f.out && b.Failed == "" && Serves(set.Plan, b.Plan) {
		b.Failed = f.why()
	}
}

// called is what people call a benchmark: BenchmarkX where it is a Go benchmark,
// the name of a command or of a service.
func (set *Set) called(b *Benchmark) string {
	ws := set.Plan.Study.Workloads
	if i := b.Plan.Workload; i < len(ws) && (ws[i].Kind == assay.KindCommand || ws[i].Kind == assay.KindService) {
		return b.Plan.Name
	}
	return "Benchmark" + b.Plan.Name
}

// rounds maps a metric and a variant to the values of the inner rounds.
type rounds map[string]map[string][]float64

func (set *Set) byBenchmark(block []assay.Trial) map[*Benchmark]rounds {
	out := map[*Benchmark]rounds{}
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

func (set *Set) addRounds(b *Benchmark, r rounds) {
	ran := map[string]bool{}
	defer func() {
		for v := range ran {
			b.Ran[v]++
		}
	}()
	for m, byVariant := range r {
		for v := range byVariant {
			ran[v] = true
		}
		if !slices.Contains(set.Metrics, m) {
			set.Metrics = append(set.Metrics, m)
			slices.Sort(set.Metrics[len(set.Plan.Study.Decide.Metrics):])
		}
		base := byVariant[set.Plan.Study.Base]
		for _, v := range set.Variants {
			if x := byVariant[v]; len(x) > 0 && len(base) > 0 {
				s := b.sample(m, v)
				s.Relinked = set.relinked[v]
				s.Add(set.Blocks, base, x, byVariant[set.besides(v)])
			}
		}
		b.spreadVariance(m, set.Control)
	}
}

// besides is the variant that stands beside another and the base as the base once more:
// the control, or "" where there is none or it cannot (design.Beside).
func (set *Set) besides(variant string) string {
	if !set.beside[variant] {
		return ""
	}
	return set.Control
}

// Active are the benchmarks that are not excluded.
func (set *Set) Active() []*Benchmark {
	return slices.DeleteFunc(slices.Clone(set.Benchmarks), func(b *Benchmark) bool { return b.Failed != "" })
}

// Others are the variants that are compared with the base, the control left
// out.
func (set *Set) Others() []string {
	return slices.DeleteFunc(slices.Clone(set.Variants), func(v string) bool { return v == set.Control })
}

// Base is the median of the base, over the blocks of the variant that has
// most of them: that of the control, which is in every block.
func (set *Set) Base(b *Benchmark, metric string) float64 {
	var most []float64
	for _, v := range set.Variants {
		if s := b.Samples[metric][v]; s != nil && len(s.Base) > len(most) {
			most = s.Base
		}
	}
	if most == nil {
		return 0
	}
	return stats.Median(most)
}

// SuiteBase is the base's geometric mean over the suite, or its median on the
// only benchmark, over the blocks of the variant that has most.
func (set *Set) SuiteBase(metric string) (x float64, ok bool) {
	most := 0
	for _, v := range set.Variants {
		if s := set.Suite(metric, v); s != nil && !s.Zero && len(s.D) > most {
			most, x, ok = len(s.D), stats.Median(s.Base), true
		}
	}
	return x, ok
}

// Suite is the whole suite as one sample: the geomean, or the only benchmark. It is
// nil where there is neither, and of the base.
func (set *Set) Suite(metric, variant string) *Sample {
	if variant == set.Plan.Study.Base {
		return nil
	}
	if g := set.Geomean(metric, variant); g != nil {
		return g
	}
	if b := set.Only(metric); b != nil {
		return set.Unsaturated(b, metric, variant)
	}
	return nil
}

// Only is the benchmark that is the whole suite: there is no other, or in a chain
// the one that all steps have. Nil where there are several, or none.
func (set *Set) Only(metric string) *Benchmark {
	bs := set.Active()
	if len(bs) > 1 && len(set.Chain.Links) > 0 {
		bs = set.Common(metric)
	}
	if len(bs) != 1 {
		return nil
	}
	return bs[0]
}

// SuiteName is what stands for the benchmark of a comparison of the whole suite.
func (set *Set) SuiteName(metric string) assay.Benchmark {
	if b := set.Only(metric); b != nil {
		return b.Plan.Benchmark
	}
	return SuiteName(set.Active())
}

// Everywhere reports whether all variants that are measured have the benchmark.
func (set *Set) Everywhere(b *Benchmark) bool {
	return !slices.ContainsFunc(set.Variants, b.Lacks)
}

// TooFew reports whether a variant has not yet had the blocks before which
// nothing is decided, because they held others.
func (set *Set) TooFew(b *Benchmark, variant string) bool {
	return schedule.Partial(set.Plan) && !b.Lacks(variant) && b.Ran[variant] < set.least()
}

// least is the number of blocks that every variant must have had; of a chain it
// is what the study asks for, if that is more.
func (set *Set) least() int {
	if len(set.Chain.Links) > 0 {
		return max(set.From, set.Plan.Study.Decide.MinBlocks)
	}
	return set.From
}

// NotYet reports whether a variant had no block of a benchmark so far.
func (set *Set) NotYet(b *Benchmark, variant string) bool {
	return schedule.Partial(set.Plan) && b.Ran[variant] == 0
}

// SuiteName is what stands for the benchmark of a comparison over these benchmarks.
func SuiteName(active []*Benchmark) assay.Benchmark {
	if len(active) == 1 {
		return active[0].Plan.Benchmark
	}
	return assay.Benchmark{Name: "geomean"}
}
