package analysis

import (
	"slices"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/schedule"
)

// A Tracker follows a run block by block. It is not safe for concurrent use.
type Tracker struct {
	plan     *assay.Plan
	budget   schedule.Budget
	costs    *schedule.Costs
	rounds   *schedule.Rounds
	from     int      // blocks before which nothing can be decided
	variants []string // what is compared with the base, the control last
	control  string
	// beside has the variants whose comparisons the control is part of.
	beside map[string]bool
	// relinked has the variants that a fresh layout in every block moves against the base.
	relinked map[string]bool

	blocks int // complete blocks that carry verdicts
	pilots int
	trials int

	effects []effect // what the variants can tell of single switches

	chain   []link // the steps, each with the one before it
	pairs   map[stepKey]*stepSample
	earlier int // blocks that were measured in an earlier run

	faults *faults

	bench   []*benchmark
	index   map[assay.Benchmark]*benchmark
	metrics []string // in the order first seen, those that decide first

	// known keeps what was worked out after so many trials: the stop rule, the tables
	// and the effects ask for the same. See refresh.
	known struct {
		trials   int
		geomeans map[[2]string]*sample // by metric and variant
		heads    map[string]claim      // by metric
		steps    map[string][]*sample  // by metric, in the order of chain
	}

	warnings []assay.Warning
}

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

// NewTracker follows a run of the plan. budget is the time after which Next
// stops, the plan's own unless the run was given more; it is counted in the time
// of trials and links unless TimedBy names another clock.
func NewTracker(p *assay.Plan, budget time.Duration) *Tracker {
	costs := schedule.NewCosts(p)
	t := &Tracker{
		plan: p, budget: schedule.Budget{Limit: budget, Elapsed: costs.Spent}, costs: costs, rounds: schedule.NewRounds(p, costs),
		control: p.ControlVariant(), index: map[assay.Benchmark]*benchmark{},
		metrics: slices.Clone(p.Study.Decide.Metrics),
		from:    design.LeastBlocks(p), beside: map[string]bool{},
		relinked: relinked(p), faults: newFaults(p),
		chain: chainOf(p), pairs: map[stepKey]*stepSample{},
	}
	for _, v := range p.Variants {
		if v.Name != p.Study.Base && v.Name != t.control {
			t.variants = append(t.variants, v.Name)
			t.beside[v.Name] = design.Beside(p, v.Name)
		}
	}
	if t.control != "" {
		t.variants = append(t.variants, t.control)
	}
	t.effects = findEffects(p)
	for _, pb := range p.Benchmarks {
		b := &benchmark{plan: pb, samples: map[string]map[string]*sample{},
			ran: map[string]int{}, rates: map[string]rates{}}
		if b.lacks(p.Study.Base) {
			b.failed = "not in " + p.Study.Base + ", which all are compared with"
		}
		t.bench = append(t.bench, b)
		t.index[pb.Benchmark] = b
	}
	return t
}

// TimedBy has the budget count what a clock tells, such as the time since the
// command was started.
func (t *Tracker) TimedBy(elapsed func() time.Duration) { t.budget.Elapsed = elapsed }

// Add takes the next complete block.
func (t *Tracker) Add(block []assay.Trial) {
	t.costs.Add(block)
	for _, tr := range block {
		t.trials++
		b := t.index[tr.Benchmark]
		if !serves(t.plan, b.plan) {
			t.exclude(b, tr)
		}
		if tr.Status == assay.StatusOK && !tr.Traced {
			t.see(b, tr)
		}
	}
	t.faults.add(block)
	for _, b := range t.bench {
		t.judgeOutput(b, block)
		t.excludeService(b)
	}
	pilot := len(block) > 0 && block[0].Pilot
	if pilot {
		t.pilots++
	} else {
		t.blocks++
		if len(block) > 0 && block[0].Run != "" {
			t.earlier++
		}
	}
	for b, rounds := range t.byBenchmark(block) {
		switch {
		case b.failed != "" || t.faults.spoiled(b.plan.Benchmark):
		case pilot:
			b.addPilot(rounds, t.plan.Study.Base, t.variants)
		default:
			t.addRounds(b, rounds)
			t.addSlices(b, block)
			b.addRates(block)
		}
	}
	if pilot && t.pilots == schedule.PilotBlocks {
		ratios := map[assay.Benchmark][][]float64{}
		for _, b := range t.bench {
			ratios[b.plan.Benchmark] = b.pilot
		}
		t.rounds.Size(ratios, len(t.active()))
	}
}

// exclude takes a benchmark out for every variant when one of its trials
// failed: a comparison of what is left would no longer be of like with like.
func (t *Tracker) exclude(b *benchmark, tr assay.Trial) {
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
	t.warnings = append(t.warnings, failedWarning(tr, t.called(b), t.plan.Run))
}

// excludeService takes a service out when too many of its blocks failed.
func (t *Tracker) excludeService(b *benchmark) {
	if f := t.faults.of[b.plan.Benchmark]; f.out && b.failed == "" && serves(t.plan, b.plan) {
		b.failed = f.why()
	}
}

// called is what people call a benchmark: BenchmarkX where it is a Go benchmark,
// the name of a command or of a service.
func (t *Tracker) called(b *benchmark) string {
	ws := t.plan.Study.Workloads
	if i := b.plan.Workload; i < len(ws) && (ws[i].Kind == assay.KindCommand || ws[i].Kind == assay.KindService) {
		return b.plan.Name
	}
	return "Benchmark" + b.plan.Name
}

// rounds maps a metric and a variant to the values of the inner rounds.
type rounds map[string]map[string][]float64

func (t *Tracker) byBenchmark(block []assay.Trial) map[*benchmark]rounds {
	out := map[*benchmark]rounds{}
	for _, tr := range block {
		b := t.index[tr.Benchmark]
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

func (t *Tracker) addRounds(b *benchmark, r rounds) {
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
		if !slices.Contains(t.metrics, m) {
			t.metrics = append(t.metrics, m)
			slices.Sort(t.metrics[len(t.plan.Study.Decide.Metrics):])
		}
		base := byVariant[t.plan.Study.Base]
		for _, v := range t.variants {
			if x := byVariant[v]; len(x) > 0 && len(base) > 0 {
				s := b.sample(m, v)
				s.relinked = t.relinked[v]
				s.add(t.blocks, base, x, byVariant[t.besides(v)])
			}
		}
		b.spreadVariance(m, t.control)
	}
}

// besides is the variant that stands beside another and the base as the base once more:
// the control, or "" where there is none or it cannot (design.Beside).
func (t *Tracker) besides(variant string) string {
	if !t.beside[variant] {
		return ""
	}
	return t.control
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

// active are the benchmarks that are not excluded.
func (t *Tracker) active() []*benchmark {
	return slices.DeleteFunc(slices.Clone(t.bench), func(b *benchmark) bool { return b.failed != "" })
}

// planned are benchmarks as the plan has them.
func planned(bs []*benchmark) []assay.PlannedBenchmark {
	out := make([]assay.PlannedBenchmark, len(bs))
	for i, b := range bs {
		out[i] = b.plan
	}
	return out
}
