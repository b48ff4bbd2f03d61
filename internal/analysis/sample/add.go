package sample

import (
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
)

// NewSet returns the set of a plan before its first block.
func NewSet(p *assay.Plan) *Set {
	if p.Study.Serves() {
		own := *p // fixedRates may change it
		p = &own
	}
	set := &Set{
		Plan: p, From: design.LeastBlocks(p), Control: p.ControlVariant(),
		beside: map[string]bool{}, relinked: relinked(p),
		index: map[assay.Benchmark]*Benchmark{}, Metrics: slices.Clone(p.Study.Decide.Metrics),
		faults: NewFaults(p),
	}
	set.looks = newLooks(p, set.From)
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
		b := &Benchmark{set: set, Plan: pb, load: offered(p, pb), Samples: map[string]map[string]*Sample{}, Ran: map[string]int{}, rates: map[string]rates{}}
		if b.Lacks(p.Study.Base) {
			b.Failed = "not in " + p.Study.Base + ", which all are compared with"
		}
		set.Benchmarks = append(set.Benchmarks, b)
		set.index[pb.Benchmark] = b
	}
	set.fixedRates()
	return set
}

// Add adds the next complete block.
func (set *Set) Add(block []assay.Trial) {
	set.End("")
	if len(block) > 0 {
		set.had(block[0].Looks)
	}
	for _, tr := range block {
		set.Trials++
		b := set.index[tr.Benchmark]
		if tr.Intended > 0 && b.load == nil {
			b.load = &assay.OfferedLoad{Benchmark: tr.Benchmark, Rate: tr.Intended}
			set.fixedRates()
		}
		if !design.Serves(set.Plan, b.Plan) && tr.RuntimeFault == "" {
			b.exclude(tr)
		}
		if tr.Status == assay.StatusOK && !tr.Traced {
			b.see(tr)
		}
	}
	set.faults.Add(block)
	for _, b := range set.Benchmarks {
		b.judgeOutput(block)
		if f := set.faults.of[b.Plan.Benchmark]; f.out && b.Failed == "" {
			b.Failed = f.why()
		}
	}
	if len(block) > 0 && block[0].Pilot {
		return
	}
	set.Blocks++
	if len(block) > 0 && block[0].Run != "" {
		set.Earlier++
	}
	for b, rounds := range set.byBenchmark(block) {
		if b.Failed != "" || set.faults.Spoiled(b.Plan.Benchmark) {
			continue
		}
		b.addRounds(rounds)
		b.addSlices(block)
		b.addLinks(block)
		b.addRates(block)
	}
}

func (set *Set) byBenchmark(block []assay.Trial) map[*Benchmark]rounds {
	out := map[*Benchmark]rounds{}
	for _, tr := range block {
		b := set.index[tr.Benchmark]
		if out[b] == nil {
			out[b] = rounds{}
		}
		for m, x := range tr.Observations {
			// Tracing costs time: other values of such a trial do not belong to the
			// comparison.
			if tr.Traced && !strings.HasPrefix(m, assay.GCPrefix) {
				continue
			}
			if m == assay.MetricRequests && b.load != nil {
				continue // the load's, whatever the server
			}
			if out[b][m] == nil {
				out[b][m] = map[string][]float64{}
			}
			// Trials come in running order, so round r of one variant pairs with round r
			// of another.
			out[b][m][tr.Variant] = append(out[b][m][tr.Variant], x)
		}
	}
	return out
}

func (b *Benchmark) addRounds(r rounds) {
	set, ran := b.set, map[string]bool{}
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

// besides returns the control if it runs beside the variant as a second base
// (design.Beside), else "".
func (set *Set) besides(variant string) string {
	if !set.beside[variant] {
		return ""
	}
	return set.Control
}
