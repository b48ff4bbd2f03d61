package stats

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func BenchmarkInterval(b *testing.B) {
	for _, n := range []int{20, 100, 1000} {
		for _, nz := range []noise{normal, spikes} {
			b.Run(fmt.Sprintf("n=%d/%s", n, nz.name), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, 2))
				var s [64]Series
				for i := range s {
					s[i] = nz.draw(rng, n)
				}
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					s[i%64].Interval(100)
					i++
				}
			})
		}
	}
}

func BenchmarkEAt(b *testing.B) {
	for _, n := range []int{20, 1000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			s := normal.draw(rand.New(rand.NewPCG(1, 2)), n)
			b.ReportAllocs()
			for b.Loop() {
				s.EAt(0)
			}
		})
	}
}
