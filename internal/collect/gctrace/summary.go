package gctrace

import (
	"github.com/seed-1318a441/assay"
)

// Over has the denominators of the metrics: what happened while the cycles ran. A zero
// omits the metrics that need it.
type Over struct {
	// Seconds of the wall clock, and of CPU time of the whole process.
	Seconds, CPU float64
	// Transactions of a load, operations of a benchmark.
	Transactions, Operations float64
}

// A Summary adds up cycles, in constant memory. The zero value is ready.
type Summary struct {
	forced int
	// Sums of the cycles that were not forced.
	pause, cpu, assist, worker, idle, heap        float64
	sweep, mark, markPause, pauses, markCPU, live tally
	order                                         order
	last                                          assay.GCCycle
	span                                          float64
	allocated, allocating                         float64
}

// Add adds a cycle. Forced cycles are counted separately and are not in the metrics.
func (s *Summary) Add(c assay.GCCycle) {
	s.follow(c)
	if c.Forced {
		s.forced++
		return
	}
	s.pause += c.SweepPause + c.MarkPause
	s.cpu += c.SweepCPU + c.MarkCPU() + c.MarkTermCPU
	s.assist += c.AssistCPU
	s.worker += c.BackgroundCPU
	s.idle += c.IdleCPU
	s.heap += float64(c.Live)
	s.sweep.add(c.SweepPause)
	s.mark.add(c.Mark)
	s.markPause.add(c.MarkPause)
	s.pauses.add(c.SweepPause + c.MarkPause)
	s.markCPU.add(c.MarkCPU())
	s.live.add(float64(c.Live))
}

// follow adds the time and the allocation since the last cycle.
//
// The heap grows while a cycle marks, from its start to its end. Allocations meanwhile
// are marked at once and so belong to the live heap. From there the heap grows to the
// start of the next cycle (runtime/mgcpacer.go, heapLive).
func (s *Summary) follow(c assay.GCCycle) {
	last, processes := s.last, s.order.processes
	s.last = c
	if s.order.next(c.N) {
		s.allocated += float64(c.HeapStart) - float64(last.Live) + float64(last.HeapEnd) - float64(last.HeapStart)
		s.allocating += c.At - last.At
	}
	if s.order.processes > processes {
		if c.N == 1 {
			s.span += c.At
		}
		return
	}
	s.span += max(0, c.At-last.At)
}

// Cycles returns the number of cycles, normal and forced.
func (s *Summary) Cycles() (free, forced int) { return s.pauses.n, s.forced }

// Span returns the time that the cycles cover, in seconds: up to the last one, from the
// start of the program if its first cycle was added.
func (s *Summary) Span() float64 { return s.span }

// Values returns the metrics of the cycles that were not forced, by name. Cycles whose
// numbers are missing, such as those of torn lines, count as average ones.
func (s *Summary) Values(o Over) map[string]float64 {
	v := map[string]float64{}
	s.totals(v, o)
	n := float64(s.pauses.n)
	if n == 0 {
		return v
	}
	v[assay.MetricGCMark] = s.mark.quantile(0.5)
	v[assay.MetricGCMarkCPU] = s.markCPU.quantile(0.5)
	v[assay.MetricGCSweepPause] = s.sweep.quantile(0.5)
	v[assay.MetricGCMarkPause] = s.markPause.quantile(0.5)
	v[assay.MetricGCPauseP50] = s.pauses.quantile(0.5)
	v[assay.MetricGCLive] = s.live.quantile(0.5)
	if assay.Beyond(s.pauses.n, 0.99) >= assay.MinBeyond {
		v[assay.MetricGCPauseP99] = s.pauses.quantile(0.99)
	}
	v[assay.MetricGCAssistCPU] = s.assist / n
	v[assay.MetricGCWorkerCPU] = s.worker / n
	v[assay.MetricGCIdleCPU] = s.idle / n
	if s.heap > 0 {
		v[assay.MetricGCMarkMB] = (s.assist + s.worker + s.idle) / (s.heap / (1 << 20))
	}
	if s.allocating > 0 && s.allocated >= 0 {
		v[assay.MetricGCAlloc] = s.allocated / s.allocating
	}
	return v
}

// totals adds the metrics that have a denominator.
func (s *Summary) totals(v map[string]float64, o Over) {
	n := float64(s.pauses.n)
	all := 1.0 // the number of cycles that a read one stands for
	if s.order.missed > 0 && !s.order.mixed {
		all += float64(s.order.missed) / (n + float64(s.forced))
	}
	if o.Seconds > 0 {
		v[assay.MetricGCCyclesMin] = 60 * n * all / o.Seconds
		v[assay.MetricGCPauseMin] = 60 * s.pause * all / o.Seconds
	}
	if o.Transactions > 0 {
		v[assay.MetricGCCyclesTx] = 1000 * n * all / o.Transactions
	}
	if o.Operations > 0 {
		v[assay.MetricGCCyclesOp] = n * all / o.Operations
	}
	if o.CPU > 0 {
		v[assay.MetricGCShare] = s.cpu * all / o.CPU
	}
}
