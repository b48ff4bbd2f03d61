package tiny

import "testing"

var (
	sum  int
	fill []byte
)

func BenchmarkSum(b *testing.B) {
	for range b.N {
		sum += Sum(100)
	}
}

func BenchmarkFill(b *testing.B) {
	for range b.N {
		fill = Fill(64)
	}
}
