// Package malloc measures what one small allocation costs, by size and by
// whether the collector has to look inside.
package malloc

import "testing"

type (
	size16 struct{ a, b int64 }
	size32 struct{ a, b, c, d int64 }
	size64 struct{ data [8]int64 }

	pointers16 struct {
		p *int
		n int
	}
	pointers32 struct {
		p, q *int
		m, n int
	}
	pointers64 struct {
		p [4]*int
		n [4]int
	}
)

// The sinks keep the compiler from allocating on the stack.
var (
	sink16 *size16
	sink32 *size32
	sink64 *size64

	sinkPointers16 *pointers16
	sinkPointers32 *pointers32
	sinkPointers64 *pointers64
)

func BenchmarkAlloc16(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink16 = &size16{a: int64(i)}
	}
}

func BenchmarkAlloc32(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink32 = &size32{a: int64(i)}
	}
}

func BenchmarkAlloc64(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink64 = &size64{data: [8]int64{int64(i)}}
	}
}

func BenchmarkAlloc16WithPointers(b *testing.B) {
	v := 42
	for i := 0; i < b.N; i++ {
		sinkPointers16 = &pointers16{p: &v, n: i}
	}
}

func BenchmarkAlloc32WithPointers(b *testing.B) {
	v := 42
	for i := 0; i < b.N; i++ {
		sinkPointers32 = &pointers32{p: &v, n: i}
	}
}

func BenchmarkAlloc64WithPointers(b *testing.B) {
	v := 42
	for i := 0; i < b.N; i++ {
		sinkPointers64 = &pointers64{p: [4]*int{&v}, n: [4]int{i}}
	}
}
