package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1318a441/assay"
)

// million is 1,000,000 observations: 25,000 benchmarks, 2 variants, 20 blocks.
func million() *assay.Samples {
	const benchmarks, blocks = 25_000, 20
	r := rand.New(rand.NewPCG(1, 2))
	s := &assay.Samples{Variants: []string{"a", "b"}, Metrics: []assay.Metric{{Name: assay.MetricTime, Better: assay.BetterLower}}}
	for i := range benchmarks {
		for _, v := range s.Variants {
			x := assay.Sample{Benchmark: assay.Benchmark{Name: fmt.Sprintf("X/n=%d", i)}, Variant: v, Metric: assay.MetricTime}
			for block := range blocks {
				x.Blocks = append(x.Blocks, block+1)
				x.Values = append(x.Values, math.Round(1000*math.Exp(0.01*r.NormFloat64()))/1e10)
			}
			s.Samples = append(s.Samples, x)
		}
	}
	return s
}

// BenchmarkMillion analyses a million observations; make bench reports it
// together with reading them.
func BenchmarkMillion(b *testing.B) {
	s := million()
	var d assay.Study
	d.SetDefaults()
	for b.Loop() {
		FromSamples(s, d.Decide)
	}
}

// BenchmarkDistribute makes the pictures of 1,000 runs of 100,000 requests, each
// a histogram of about 300 to 500 buckets: under a second (issue 4).
func BenchmarkDistribute(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	s := &service{plan: servicePlan("classic", "greentea")}
	var made []*assay.Histogram
	for range 10 {
		made = append(made, wideRun(rng))
	}
	for range 500 {
		s.add(func(tr *assay.Trial) (assay.Collected, bool) {
			return assay.Collected{Latency: made[tr.ID%len(made)]}, true
		})
	}
	for b.Loop() {
		r := new(assay.Result)
		if err := Distribute(r, s.plan, s.trials, s.collected); err != nil || len(r.Latencies) != 1 {
			b.Fatal(err, r.Latencies)
		}
	}
	b.ReportMetric(float64(len(made[0].Values)), "buckets")
}

// wideRun is 100,000 latencies over four powers of ten in buckets of 1.8 %.
func wideRun(rng *rand.Rand) *assay.Histogram {
	h := new(assay.Histogram)
	for k := range 500 {
		z := (float64(k) - 180) / 60
		h.Values = append(h.Values, 1e-3*math.Exp(0.018*float64(k)))
		h.Counts = append(h.Counts, 1+int(660*math.Exp(-z*z/2)*(0.9+0.2*rng.Float64())))
	}
	return h
}
