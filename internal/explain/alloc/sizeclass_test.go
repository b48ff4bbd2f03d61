package alloc

import "testing"

func TestSizeClass(t *testing.T) {
	for _, c := range []struct{ size, want int64 }{
		{-1, 0}, {0, 0}, {1, 8}, {8, 8}, {9, 16}, {33, 48}, {100, 112}, {1024, 1024}, {1025, 1152}, {32768, 32768},
		{32769, 40960}, {40960, 40960}, {40961, 49152},
	} {
		if got := SizeClass(c.size); got != c.want {
			t.Errorf("SizeClass(%d) = %d, want %d", c.size, got, c.want)
		}
	}
}

// The run time that runs this test has the same classes: append rounds the
// capacity of a slice up to them.
func TestSizeClassesOfTheRunTime(t *testing.T) {
	for size := 1; size <= 100_000; size += 1 + size/7 {
		got := int64(cap(append([]byte(nil), make([]byte, size)...)))
		if want := SizeClass(int64(size)); got != want {
			t.Errorf("append of %d bytes has capacity %d, want %d", size, got, want)
		}
	}
}
