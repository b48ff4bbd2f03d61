// Package speed is what the speed benchmarks of package lab measure: three
// kinds of work, of which PLANT=1 does 2 % more.
package speed

import (
	"os"
	"slices"
	"strconv"
	"testing"
)

// repeats is the work of one operation: 50 units, 51 with the planted change.
var repeats = func() int {
	if os.Getenv("PLANT") == "1" {
		return 51
	}
	return 50
}()

var sink any

func BenchmarkSort(b *testing.B) {
	x := make([]int, 64)
	for range b.N {
		for range repeats {
			for i := range x {
				x[i] = i * 7919 % 64
			}
			slices.Sort(x)
		}
	}
}

func BenchmarkItoa(b *testing.B) {
	for range b.N {
		for range repeats {
			m := map[string]int{}
			for i := range 12 {
				m[strconv.Itoa(i)] = i
			}
			sink = m
		}
	}
}

func BenchmarkAlloc(b *testing.B) {
	for range b.N {
		for range repeats {
			sink = &[4]int64{}
		}
	}
}
