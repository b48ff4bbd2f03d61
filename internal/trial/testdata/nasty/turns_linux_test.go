package nasty

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// BenchmarkSpin leaves 20,000 times at which it ran.
func BenchmarkSpin(b *testing.B) {
	times := make([]int64, 20000)
	for i := range times {
		for range 2000 {
			sink = nil
		}
		times[i] = monotonic()
	}
	var text strings.Builder
	for _, at := range times {
		fmt.Fprintln(&text, at)
	}
	if err := os.WriteFile(os.Getenv("SPIN"), []byte(text.String()), 0o666); err != nil {
		b.Fatal(err)
	}
}

// monotonic is a clock that all processes share.
func monotonic() int64 {
	var ts syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, 1, uintptr(unsafe.Pointer(&ts)), 0)
	return ts.Nano()
}
