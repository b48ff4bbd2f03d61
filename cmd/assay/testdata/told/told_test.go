package told

import (
	"math/rand/v2"
	"testing"
)

var sum int

func BenchmarkSum(b *testing.B) {
	for range b.N {
		sum += Sum(10)
	}
	b.ReportMetric(Cost*(1+rand.NormFloat64()/200), "ns/op")
}
