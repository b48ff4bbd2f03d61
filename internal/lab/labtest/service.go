package labtest

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/child"
	"github.com/seed-1318a441/assay/internal/collect"
	"github.com/seed-1318a441/assay/internal/collect/gctrace"
	"github.com/seed-1318a441/assay/internal/collect/load"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// A Service is the truth about a service under load.
type Service struct {
	// Latency is the truth about latencies: their u-quantile in seconds, u from 0 to
	// 1. A trial draws Requests from it, moves all of them by its noise, and counts
	// them in buckets that are 1.8 % wide, as sysbench does.
	Latency  func(variant string, u float64) float64
	Requests int
	// Load is how long the load lasts.
	Load time.Duration
	// Intended is the rate of an open load; 0 for a closed one.
	Intended float64
	// Metrics are others of the base, by name, such as tx/s, which is
	// Requests/Load where it is not given.
	Metrics map[string]float64
	// Effects maps a variant to ln(its value / the base's) of Metrics, by name.
	Effects map[string]map[string]float64
}

// A GC is the truth about the cycles of one trial.
type GC struct {
	Cycles int
	// Mark is the wall time of one concurrent mark of the base, Pause of each of the
	// two pauses.
	Mark, Pause time.Duration
	// Live is the live heap in bytes, which is marked.
	Live uint64
	// Effects maps a variant to ln(its Mark / the base's).
	Effects map[string]float64
}

// LogNormal is a truth for Service.Latency: ln(latency) is normal with standard
// deviation sigma, and effects maps a variant to what is added to all of it.
func LogNormal(median time.Duration, sigma float64, effects map[string]float64) func(string, float64) float64 {
	return func(variant string, u float64) float64 {
		return median.Seconds() * math.Exp(effects[variant]+sigma*distuv.UnitNormal.Quantile(u))
	}
}

// bucket is ln(width) of a bucket of latencies.
const bucket = 0.018

// noise draws what one quantity of a trial is off by.
func (m *Simulator) noise(b Benchmark, r lab.RunRequest, what string) float64 {
	if b.Noise == nil {
		return 0
	}
	return b.Noise(m.rand(b, r, what), r.Block)
}

// rand is keyed by a trial and what is drawn for it.
func (m *Simulator) rand(b Benchmark, r lab.RunRequest, what string) *rand.Rand {
	return design.Rand(m.Seed, "service", b.Name, r.Block, r.Round, r.Variant.Name, what)
}

// serve is a trial of a service.
func (m *Simulator) serve(b Benchmark, r lab.RunRequest) trial.Outcome {
	s := b.Service
	others := m.metrics(b, r)
	res := load.Result{Latency: m.latencies(b, r), Requests: s.Requests, Seconds: s.Load.Seconds(), Intended: s.Intended, Metrics: others}
	res.Rate = float64(res.Requests) / res.Seconds
	out := trial.Outcome{
		Exit:   child.Exit{Start: m.now(), Wall: m.Start + s.Load, PeakRSS: uint64(others[assay.MetricRSS])},
		Status: assay.StatusOK, Intended: s.Intended, Server: []byte("simulated\n"),
		Collected: &assay.Collected{Latency: &res.Latency},
		Readings:  []collect.Reading{{Name: b.Name, N: 1, Values: res.Observations()}},
	}
	if r.Study.Measure.Collects(assay.CollectGC) {
		m.trace(b, r, &out, gctrace.Over{Seconds: res.Seconds, Transactions: float64(res.Requests)})
	}
	m.clock += out.Wall
	return out
}

// latencies draws a trial's.
func (m *Simulator) latencies(b Benchmark, r lab.RunRequest) assay.Histogram {
	rnd := m.rand(b, r, "requests")
	off := m.noise(b, r, "latency")
	counts := map[float64]int{}
	for range b.Service.Requests {
		ln := math.Log(b.Service.Latency(r.Variant.Name, rnd.Float64())) + off
		counts[math.Exp(math.Ceil(ln/bucket)*bucket)]++
	}
	h := assay.Histogram{Values: slices.Sorted(maps.Keys(counts))}
	for _, v := range h.Values {
		h.Counts = append(h.Counts, counts[v])
	}
	return h
}

// metrics draws a trial's.
func (m *Simulator) metrics(b Benchmark, r lab.RunRequest) map[string]float64 {
	out := map[string]float64{}
	for name, v := range b.Service.Metrics {
		out[name] = v * math.Exp(b.Service.Effects[r.Variant.Name][name]+m.noise(b, r, name))
	}
	return out
}

// trace adds what a trace of the collector tells to a trial of one benchmark.
func (m *Simulator) trace(b Benchmark, r lab.RunRequest, out *trial.Outcome, over gctrace.Over) {
	if b.GC == nil {
		return
	}
	var sum gctrace.Summary
	cycles := m.cycles(b, r, out.Wall.Seconds())
	for _, c := range cycles {
		sum.Add(c)
	}
	if out.Collected == nil {
		out.Collected = new(assay.Collected)
	}
	out.Collected.GC = cycles
	maps.Copy(out.Readings[0].Values, sum.Values(over))
}

// cycles draws a trial's, spread evenly over so many seconds. The workers have a
// quarter of two processors while they mark.
func (m *Simulator) cycles(b Benchmark, r lab.RunRequest, seconds float64) (out []assay.GCCycle) {
	off := b.GC.Effects[r.Variant.Name] + m.noise(b, r, "gc")
	rnd := m.rand(b, r, "cycles")
	for n := range b.GC.Cycles {
		mark := b.GC.Mark.Seconds() * math.Exp(off+0.1*rnd.NormFloat64())
		pause := b.GC.Pause.Seconds() * math.Exp(0.1*rnd.NormFloat64())
		out = append(out, assay.GCCycle{N: n + 1, At: seconds * float64(n+1) / float64(b.GC.Cycles+1), SweepPause: pause, Mark: mark, MarkPause: pause,
			BackgroundCPU: mark / 2, HeapStart: 2 * b.GC.Live, HeapEnd: 2 * b.GC.Live, Live: b.GC.Live, Goal: 2 * b.GC.Live, Procs: 2})
	}
	return out
}
