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
