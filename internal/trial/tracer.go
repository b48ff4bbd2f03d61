package trial

import (
	"io"
	"math"
	"slices"
	"sync/atomic"
	"time"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/child"
	"github.com/seed-1318a441/assay/internal/collect/gctrace"
)

// maxCycles is the maximum number of collector cycles kept in a trial, some 50 MB. A
// collector that always runs reaches it in a few minutes.
const maxCycles = 1 << 18

// A tracer keeps the cycles of a program's collector.
type tracer struct {
	writer gctrace.Writer
	cycles []assay.GCCycle
	lost   int // beyond maxCycles
	// since is the time, since the start of the program, from which cycles are kept.
	since atomic.Int64
}

func newTracer() *tracer {
	t := new(tracer)
	t.writer.Cycle = t.add
	return t
}

// newLateTracer returns a tracer that keeps nothing until keepSince sets a time.
func newLateTracer() *tracer {
	t := newTracer()
	t.since.Store(math.MaxInt64)
	return t
}

func (t *tracer) keepSince(d time.Duration) { t.since.Store(int64(d)) }

func (t *tracer) add(c assay.GCCycle) {
	switch {
	case c.At*1e9 < float64(t.since.Load()):
	case len(t.cycles) == maxCycles:
		t.lost++
	default:
		t.cycles = append(t.cycles, c)
	}
}

// tee returns w with everything written to it also traced.
func (t *tracer) tee(w io.Writer) io.Writer { return io.MultiWriter(w, &t.writer) }

// end reads the rest after the program has ended, and returns all cycles.
func (t *tracer) end() []assay.GCCycle {
	t.writer.End()
	return t.cycles
}

// cyclesBetween returns the cycles that began in a period, in times since the start of
// the program. Their times are rounded to a millisecond.
func cyclesBetween(cycles []assay.GCCycle, from, to time.Duration) []assay.GCCycle {
	const half = 0.0005
	return slices.DeleteFunc(slices.Clone(cycles), func(c assay.GCCycle) bool {
		return c.At < from.Seconds()-half || c.At > to.Seconds()+half
	})
}

// cycleMetrics returns the metrics of cycles.
func cycleMetrics(cycles []assay.GCCycle, over gctrace.Over) map[string]float64 {
	var s gctrace.Summary
	for _, c := range cycles {
		s.Add(c)
	}
	return s.Values(over)
}

// whole returns the cycles of an ended process, and their metrics for n operations; no
// metrics if some cycles were lost.
func (t *tracer) whole(e child.Exit, n int) (*assay.Collected, map[string]float64) {
	c := &assay.Collected{GC: t.end()}
	if t.lost > 0 {
		return c, nil
	}
	cpu := e.User + e.Sys
	return c, cycleMetrics(c.GC, gctrace.Over{Seconds: e.Wall.Seconds(), CPU: cpu.Seconds(), Operations: float64(n)})
}
