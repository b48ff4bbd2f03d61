package nasty

import (
	"fmt"
	"os"
	"strconv"
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

// BenchmarkPaused tells what the page of stops says at its end.
func BenchmarkPaused(b *testing.B) {
	fd, err := strconv.Atoi(os.Getenv("ASSAY_CLOCK_FD"))
	if err != nil {
		b.Fatal(err)
	}
	page, err := syscall.Mmap(fd, 0, os.Getpagesize(), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		b.Fatal(err)
	}
	for range 200000 {
		sink = make([]byte, 64)
	}
	b.ReportMetric(float64(*(*int64)(unsafe.Pointer(&page[0]))), "paused-ns")
}
