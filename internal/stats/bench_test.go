package stats

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func BenchmarkInterval(b *testing.B) {
	for _, n := range []int{20, 100, 1000} {
		for _, spikes := range []float64{0, 0.1} {
			b.Run(fmt.Sprintf("n=%d/spikes=%g", n, spikes), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, 2))
				var d [64][]float64
				for i := range d {
					d[i] = make([]float64, n)
					for j := range d[i] {
						d[i][j] = 0.01 * rng.NormFloat64()
						if rng.Float64() < spikes {
							d[i][j] += 0.1
						}
					}
				}
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					Interval(d[i%64], 1e-6, 100, 10)
					i++
				}
			})
		}
	}
}

func BenchmarkEAt(b *testing.B) {
	for _, n := range []int{20, 1000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			d := make([]float64, n)
			for j := range d {
				d[j] = 0.01 * rng.NormFloat64()
			}
			b.ReportAllocs()
			for b.Loop() {
				EAt(d, 0, 1e-6, 10)
			}
		})
	}
}

func BenchmarkMore(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	d := make([]float64, 20)
	for j := range d {
		d[j] = 0.008 + 0.02*rng.NormFloat64()
	}
	b.ReportAllocs()
	for b.Loop() {
		More(d, 1e-6, 0.01, 0.01, 1000)
	}
}
