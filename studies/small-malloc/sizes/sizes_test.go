// Package sizes measures one allocation of each size class up to 128 bytes, and on both
// sides of the sizes at which a toolchain changes the function that allocates: 80, 256
// and 512. A benchmark is named after what it allocates and
// its bytes on a 64-bit platform.
package sizes

import (
	"testing"
	"unsafe"
)

type ptr = unsafe.Pointer

// The sink keeps the compiler from allocating on the stack.
var sink ptr

// repeat is inlined with f, so the benchmark itself calls the allocator. It has no type
// parameter: new(T) of one always calls the general runtime.newobject.
func repeat(b *testing.B, f func() ptr) {
	for range b.N {
		sink = f()
	}
}

func BenchmarkNumbers8(b *testing.B)   { repeat(b, func() ptr { return ptr(new([1]int64)) }) }
func BenchmarkNumbers16(b *testing.B)  { repeat(b, func() ptr { return ptr(new([2]int64)) }) }
func BenchmarkNumbers24(b *testing.B)  { repeat(b, func() ptr { return ptr(new([3]int64)) }) }
func BenchmarkNumbers32(b *testing.B)  { repeat(b, func() ptr { return ptr(new([4]int64)) }) }
func BenchmarkNumbers48(b *testing.B)  { repeat(b, func() ptr { return ptr(new([6]int64)) }) }
func BenchmarkNumbers64(b *testing.B)  { repeat(b, func() ptr { return ptr(new([8]int64)) }) }
func BenchmarkNumbers80(b *testing.B)  { repeat(b, func() ptr { return ptr(new([10]int64)) }) }
func BenchmarkNumbers81(b *testing.B)  { repeat(b, func() ptr { return ptr(new([81]byte)) }) }
func BenchmarkNumbers96(b *testing.B)  { repeat(b, func() ptr { return ptr(new([12]int64)) }) }
func BenchmarkNumbers112(b *testing.B) { repeat(b, func() ptr { return ptr(new([14]int64)) }) }
func BenchmarkNumbers128(b *testing.B) { repeat(b, func() ptr { return ptr(new([16]int64)) }) }
func BenchmarkNumbers256(b *testing.B) { repeat(b, func() ptr { return ptr(new([32]int64)) }) }
func BenchmarkNumbers264(b *testing.B) { repeat(b, func() ptr { return ptr(new([33]int64)) }) }
func BenchmarkNumbers512(b *testing.B) { repeat(b, func() ptr { return ptr(new([64]int64)) }) }
func BenchmarkNumbers520(b *testing.B) { repeat(b, func() ptr { return ptr(new([65]int64)) }) }

func BenchmarkPointers8(b *testing.B)   { repeat(b, func() ptr { return ptr(new([1]*int)) }) }
func BenchmarkPointers16(b *testing.B)  { repeat(b, func() ptr { return ptr(new([2]*int)) }) }
func BenchmarkPointers24(b *testing.B)  { repeat(b, func() ptr { return ptr(new([3]*int)) }) }
func BenchmarkPointers32(b *testing.B)  { repeat(b, func() ptr { return ptr(new([4]*int)) }) }
func BenchmarkPointers48(b *testing.B)  { repeat(b, func() ptr { return ptr(new([6]*int)) }) }
func BenchmarkPointers64(b *testing.B)  { repeat(b, func() ptr { return ptr(new([8]*int)) }) }
func BenchmarkPointers80(b *testing.B)  { repeat(b, func() ptr { return ptr(new([10]*int)) }) }
func BenchmarkPointers88(b *testing.B)  { repeat(b, func() ptr { return ptr(new([11]*int)) }) }
func BenchmarkPointers96(b *testing.B)  { repeat(b, func() ptr { return ptr(new([12]*int)) }) }
func BenchmarkPointers112(b *testing.B) { repeat(b, func() ptr { return ptr(new([14]*int)) }) }
func BenchmarkPointers128(b *testing.B) { repeat(b, func() ptr { return ptr(new([16]*int)) }) }
func BenchmarkPointers256(b *testing.B) { repeat(b, func() ptr { return ptr(new([32]*int)) }) }
func BenchmarkPointers264(b *testing.B) { repeat(b, func() ptr { return ptr(new([33]*int)) }) }
func BenchmarkPointers512(b *testing.B) { repeat(b, func() ptr { return ptr(new([64]*int)) }) }
func BenchmarkPointers520(b *testing.B) { repeat(b, func() ptr { return ptr(new([65]*int)) }) }
