package work

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
)

var (
	kept  *Node
	words = func() (list []string) {
		for i := range 64 {
			list = append(list, fmt.Sprintf("word%02d", i))
		}
		slices.Sort(list)
		return list
	}()
	table = make([]int32, 256)
	text  = make([]byte, 1024)
	total int
)

func BenchmarkBox(b *testing.B) {
	for range b.N {
		total += Box(100)
	}
}

func BenchmarkMix(b *testing.B) {
	for range b.N {
		total += int(Mix(1000))
	}
}

func BenchmarkSum(b *testing.B) {
	for range b.N {
		total += int(Sum(table, text))
	}
}

func BenchmarkLookup(b *testing.B) {
	for range b.N {
		total += Lookup(words, words)
	}
}

func BenchmarkChurn(b *testing.B) {
	live := Churn(200_000) // what every collection has to mark
	b.ResetTimer()
	for range b.N {
		kept = Churn(1000)
	}
	runtime.KeepAlive(live)
}
