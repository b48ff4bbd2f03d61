package schedule

import (
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// Short slices take four trials together, within limits, and are odd in number; long ones
// take a second, and are few.
func TestNumberOfSlices(t *testing.T) {
	for length, want := range map[time.Duration]int{
		0: 301, 100 * time.Microsecond: 301, time.Millisecond: 201, 4 * time.Millisecond: 51, 5 * time.Millisecond: 41, 20 * time.Millisecond: 31,
	} {
		if got := ShortSlices(length, 50*time.Millisecond); got != want {
			t.Errorf("%d short slices of %v, want %d", got, length, want)
		}
	}
	for length, want := range map[time.Duration]int{
		0: 4, 100 * time.Millisecond: 4, 250 * time.Millisecond: 4, 300 * time.Millisecond: 3, 600 * time.Millisecond: 1, 5 * time.Second: 1,
	} {
		if got := LongSlices(length); got != want {
			t.Errorf("%d long slices of %v, want %d", got, length, want)
		}
	}
}

// Where a verdict would not fit there are fewer long slices after the one that warms up, and
// the last one is shorter, by half at most.
func TestFitLongSlices(t *testing.T) {
	for _, c := range []struct {
		had       int // slices of a second, besides the one that warms up
		left      time.Duration
		slices, n int
		trial     time.Duration
	}{
		{4, time.Hour, 4, 1000, 5 * time.Second},
		{4, 2 * time.Minute, 2, 1000, 3 * time.Second},
		{4, time.Minute, 1, 1000, 2 * time.Second},
		{4, time.Second, 1, 500, time.Second},
		{1, time.Second, 1, 500, time.Second},
	} {
		p := plan("new")
		p.Left = c.left
		p.Benchmarks = []assay.PlannedBenchmark{{Gear: assay.GearSlices, Long: true, Slices: c.had, Warm: 1, N: 1000, Trial: time.Duration(c.had+1) * time.Second}}
		FitSlices(p)
		if b := p.Benchmarks[0]; b.Slices != c.slices || b.N != c.n || b.Trial.Round(time.Millisecond) != c.trial {
			t.Errorf("%d slices, %v left: %d slices of %d, %v; want %d of %d, %v", c.had, c.left, b.Slices, b.N, b.Trial, c.slices, c.n, c.trial)
		}
	}
}

// A single operation cannot be cut, and without slices nothing is changed.
func TestFitNothing(t *testing.T) {
	p := plan("new")
	p.Left = time.Second
	p.Benchmarks = []assay.PlannedBenchmark{{Gear: assay.GearSlices, Long: true, Slices: 1, Warm: 1, N: 1, Trial: 6 * time.Second}}
	FitSlices(p)
	if b := p.Benchmarks[0]; b.Slices != 1 || b.N != 1 || b.Trial != 6*time.Second {
		t.Errorf("one operation: got %+v", b)
	}
	p.Benchmarks = []assay.PlannedBenchmark{{Gear: assay.GearTurns, Trial: time.Hour}, {Slices: 7, Trial: time.Hour}}
	FitSlices(p)
	if a, b := p.Benchmarks[0], p.Benchmarks[1]; a.Trial != time.Hour || b.Trial != time.Hour || b.Slices != 7 {
		t.Errorf("turns and processes: got %+v and %+v", a, b)
	}
}
