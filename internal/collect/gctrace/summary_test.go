package gctrace

import (
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/stats"
)

// near compares what went through a sum.
func near(got, want float64) bool { return math.Abs(got-want) <= 1e-12*math.Abs(want) }

func check(t *testing.T, got, want map[string]float64) {
	t.Helper()
	for name, v := range want {
		if x, ok := got[name]; !ok || !near(x, v) {
			t.Errorf("%s = %g, %v, want %g", name, x, ok, v)
		}
	}
	for name, v := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s = %g, want none", name, v)
		}
	}
}

// Three cycles and a forced one, by hand. Medians of three by Harrell-Davis
// weigh the order statistics with Beta(2, 2) over thirds: 7/27, 13/27, 7/27.
func TestValues(t *testing.T) {
	const mb = 1 << 20
	hd := func(a, b, c float64) float64 { return (7*a + 13*b + 7*c) / 27 }
	cycle := func(n int, at, sweep, mark, term, assist, worker, idle float64, start, end, live uint64) assay.GCCycle {
		return assay.GCCycle{N: n, At: at, SweepPause: sweep, Mark: mark, MarkPause: term, SweepCPU: 2 * sweep, MarkTermCPU: 2 * term,
			AssistCPU: assist, BackgroundCPU: worker, IdleCPU: idle, HeapStart: start * mb, HeapEnd: end * mb, Live: live * mb, Procs: 2}
	}
	var s Summary
	s.Add(cycle(1, 1, 1e-3, 10e-3, 2e-3, 1e-3, 4e-3, 0, 4, 5, 2))
	s.Add(cycle(2, 2, 2e-3, 20e-3, 2e-3, 2e-3, 4e-3, 1e-3, 5, 7, 3))
	forced := cycle(3, 3, 1, 1, 1, 1, 1, 1, 6, 6, 1)
	forced.Forced = true
	s.Add(forced)
	s.Add(cycle(4, 5, 4e-3, 60e-3, 2e-3, 3e-3, 7e-3, 2e-3, 4, 4, 4))

	if free, forced := s.Cycles(); free != 3 || forced != 1 {
		t.Errorf("%d cycles, %d forced, want 3 and 1", free, forced)
	}
	if got := s.Span(); got != 5 {
		t.Errorf("span %g, want 5", got)
	}
	perCycle := map[string]float64{
		assay.MetricGCMark: hd(10e-3, 20e-3, 60e-3), assay.MetricGCMarkCPU: hd(5e-3, 7e-3, 12e-3),
		assay.MetricGCSweepPause: hd(1e-3, 2e-3, 4e-3), assay.MetricGCMarkPause: 2e-3,
		assay.MetricGCPauseP50:  hd(3e-3, 4e-3, 6e-3),
		assay.MetricGCAssistCPU: 2e-3, assay.MetricGCWorkerCPU: 5e-3, assay.MetricGCIdleCPU: 1e-3,
		// 5+7+12 ms for 2+3+4 MB.
		assay.MetricGCMarkMB: 24e-3 / 9,
		assay.MetricGCLive:   hd(2*mb, 3*mb, 4*mb),
		// In the marks 1+2+0 MB, between them 3+3+3 MB, in the 4 s from first to last.
		assay.MetricGCAlloc: 12 * mb / 4.,
	}
	check(t, s.Values(Over{}), perCycle)
	all := map[string]float64{
		assay.MetricGCCyclesMin: 18, assay.MetricGCPauseMin: 78e-3,
		assay.MetricGCCyclesTx: 0.5, assay.MetricGCCyclesOp: 0.03,
		// Pauses 2*(3+4+6) ms, mark 5+7+12 ms.
		assay.MetricGCShare: 50e-3 / 2,
	}
	maps.Copy(all, perCycle)
	check(t, s.Values(Over{Seconds: 10, CPU: 2, Transactions: 6000, Operations: 100}), all)
}

// A trace without a cycle is one of zero cycles a minute, not of nothing.
func TestNoCycles(t *testing.T) {
	var s Summary
	check(t, s.Values(Over{}), nil)
	check(t, s.Values(Over{Seconds: 10, CPU: 2}), map[string]float64{assay.MetricGCCyclesMin: 0, assay.MetricGCPauseMin: 0, assay.MetricGCShare: 0})
}

// Torn lines leave gaps in the numbers, which count in the totals.
func TestMissing(t *testing.T) {
	var s Summary
	for _, n := range []int{5, 6, 8, 10} {
		s.Add(assay.GCCycle{N: n, At: float64(n), MarkPause: 1e-3, HeapStart: 4, HeapEnd: 4, Live: 2})
	}
	v := s.Values(Over{Seconds: 60})
	if got := v[assay.MetricGCCyclesMin]; !near(got, 6) {
		t.Errorf("4 cycles read of 6: %g a minute, want 6", got)
	}
	if got := v[assay.MetricGCPauseMin]; !near(got, 6e-3) {
		t.Errorf("pauses of %g a minute, want 6 ms", got)
	}
	if got := v[assay.MetricGCAlloc]; !near(got, 2) {
		t.Errorf("allocation of %g B/s, want 2 from the one pair that is whole", got)
	}
	if got := s.Span(); got != 5 {
		t.Errorf("span %g, want 5: the first cycles are not there", got)
	}
}

// Processes one after the other add up, their times too.
func TestProcesses(t *testing.T) {
	var s Summary
	for range 2 {
		s.Add(assay.GCCycle{N: 1, At: 1, HeapStart: 4})
		s.Add(assay.GCCycle{N: 2, At: 3, HeapStart: 10})
	}
	if got := s.Span(); got != 6 {
		t.Errorf("span %g, want 6", got)
	}
	if got := s.Values(Over{})[assay.MetricGCAlloc]; got != 6/2. {
		t.Errorf("allocation of %g B/s, want 3", got)
	}
}

// p99 needs ten cycles beyond it.
func TestPauseP99(t *testing.T) {
	var s Summary
	for n := range 1000 {
		if n == 999 {
			if got, ok := s.Values(Over{})[assay.MetricGCPauseP99]; ok {
				t.Errorf("p99 of 999 cycles: %g, want none", got)
			}
		}
		s.Add(assay.GCCycle{N: n + 1, SweepPause: 1e-3})
	}
	if got := s.Values(Over{})[assay.MetricGCPauseP99]; !near(got, 1e-3) {
		t.Errorf("p99 %g, want 1 ms", got)
	}
}

// A tally is the sorted values, and bounded when no two are equal.
func TestTally(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var few tally
	var sorted []float64
	for i := range 500 {
		v := float64(1+i/3) / 1e6
		sorted = append(sorted, v)
		few.add(v)
	}
	for _, p := range []float64{0.5, 0.99} {
		if got, want := few.quantile(p), stats.HarrellDavisCounts(sorted, slices.Repeat([]int{1}, len(sorted)), p); math.Abs(got/want-1) > 1e-9 {
			t.Errorf("quantile %g: %g, want %g", p, got, want)
		}
	}
	var many tally
	for range 300_000 {
		many.add(math.Exp(10 * rng.NormFloat64()))
	}
	if len(many.counts) > 2*maxDistinct || many.n != 300_000 {
		t.Errorf("%d distinct of %d values are kept, want %d or fewer", len(many.counts), many.n, 2*maxDistinct)
	}
	if got := many.quantile(0.5); math.Abs(got-1) > 0.1 {
		t.Errorf("median %g, want about 1", got)
	}
}

// testdata/program.go.txt allocates 12*4000 blocks of 512 bytes, 23.4 MB, in
// the time from the start to the last cycle or little more. What is printed is
// rounded down to MB, and the runtime counts whole spans.
func TestAllocationOfAKnownProgram(t *testing.T) {
	for _, release := range []string{"1.19.13", "1.21.13", "1.23.12", "1.24.9", "1.27.2"} {
		f, err := os.Open("testdata/go" + release + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var s Summary
		first := assay.GCCycle{}
		if _, err := Read(f, func(c assay.GCCycle) {
			if c.N == 1 {
				first = c
			}
			s.Add(c)
		}); err != nil {
			t.Fatal(err)
		}
		rate := s.Values(Over{})[assay.MetricGCAlloc]
		got := (rate*(s.Span()-first.At) + float64(first.HeapStart)) / (1 << 20)
		t.Logf("go%s: %.1f MB", release, got)
		if got < 17 || got > 30 {
			t.Errorf("go%s: %.1f MB allocated, want about 23", release, got)
		}
	}
}
