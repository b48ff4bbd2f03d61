package sample

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/stats"
)

// offered returns the load of a planned benchmark if its rate is fixed, else nil. What a
// load generator reports may show it later.
func offered(p *assay.Plan, b assay.PlannedBenchmark) *assay.OfferedLoad {
	if b.Workload >= len(p.Study.Workloads) || p.Study.Workloads[b.Workload].Service == nil {
		return nil
	}
	s := p.Study.Workloads[b.Workload].Service
	rate, fixed := s.FixedRate()
	if !fixed {
		return nil
	}
	load := &assay.OfferedLoad{Benchmark: b.Benchmark, Rate: rate}
	if s.HTTP != nil {
		load.BuiltIn, load.Arrivals = true, s.HTTP.Arrivals
	}
	return load
}

// fixedRates takes tx/s from the metrics that decide if the loads of all benchmarks fix it.
// Where it was the only one the latencies decide. The caller's plan stays as it is.
func (set *Set) fixedRates() {
	decide := set.Plan.Study.Decide.Metrics
	if !slices.Contains(decide, assay.MetricRequests) ||
		slices.ContainsFunc(set.Benchmarks, func(b *Benchmark) bool { return b.load == nil }) {
		return
	}
	isRate := func(m string) bool { return m == assay.MetricRequests }
	left := slices.DeleteFunc(slices.Clone(decide), isRate)
	if len(left) == 0 {
		left = assay.ServiceMetrics(true)
	}
	set.Plan.Study.Decide.Metrics = left
	set.Metrics = append(slices.Clone(left), slices.DeleteFunc(set.Metrics[len(decide):], func(m string) bool { return isRate(m) || slices.Contains(left, m) })...)
}

// Loads returns the loads with a fixed rate, with what the slowest variant attained if it
// fell short.
func (set *Set) Loads() (out []assay.OfferedLoad) {
	for _, b := range set.Benchmarks {
		if b.load == nil {
			continue
		}
		load, least := *b.load, 1.0
		for _, v := range append([]string{set.Plan.Study.Base}, set.Variants...) {
			r := b.rates[v]
			if len(r.attained) < SaturatedFrom {
				continue
			}
			if share := stats.Median(r.attained); share < r.least() && share < least {
				least, load.Rate, load.Attained, load.Slowest = share, r.intended, share*r.intended, v
			}
		}
		out = append(out, load)
	}
	return out
}

// roughlyAttained is the share of a rate below which a load fell short if its generator
// does not report the rate: some start at random times, and miss it by chance.
const roughlyAttained = 0.95

// least returns the share below which the load fell short.
func (r rates) least() float64 {
	if r.known {
		return assay.LeastAttained
	}
	return roughlyAttained
}
