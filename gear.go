package assay

import (
	"cmp"
	"slices"
)

// A Gear is how the variants of a block run: side by side, or one after the other. A new
// gear begins here. Package survey chooses the gear of a benchmark, package lab runs it,
// and package sheet has the words about it.
type Gear string

// The gears.
const (
	// GearSlices keeps all alive. Each runs a slice of about a millisecond in turn.
	GearSlices Gear = "slices"
	// GearTurns, of older versions, kept all alive: each ran for a tenth of a second and was
	// then stopped.
	GearTurns Gear = "turns"
	// GearProcesses runs them one after the other, each in a separate process. Plans and
	// trials have "" for it.
	GearProcesses Gear = "processes"
)

// Gears are all gears, in the order in which outputs list them.
var Gears = []Gear{GearSlices, GearTurns, GearProcesses}

// SideBySide reports whether all variants of a block are alive at once. They then share a
// trial's time, and a block has one trial of each.
func (g Gear) SideBySide() bool { return g == GearSlices || g == GearTurns }

// Measures reports whether a gear can measure a kind of workload.
func (g Gear) Measures(k Kind) bool {
	switch g {
	case GearSlices:
		return k == KindGoTest
	case GearTurns:
		return false
	}
	return true
}

// WarmSlices is how many of the first slices of a variant do not count: a new process finds
// cold caches.
const WarmSlices = 2

// HasGear reports whether a benchmark of the plan is measured in a gear that keeps all
// variants alive.
func (p *Plan) HasGear(g Gear) bool {
	return slices.ContainsFunc(p.Benchmarks, func(b PlannedBenchmark) bool { return b.Gear == g })
}

// Outdated reports whether a benchmark of the plan was measured in a way that only older
// versions have, or that they could be asked for, so that its run cannot go on.
func (p *Plan) Outdated() bool {
	return p.Study.Measure.Pair != "" || slices.ContainsFunc(p.Benchmarks, func(b PlannedBenchmark) bool {
		return b.Long || b.Workload < len(p.Study.Workloads) && !b.Gear.Measures(p.Study.Workloads[b.Workload].Kind)
	})
}

// A GearOf says how a benchmark was measured.
type GearOf struct {
	Benchmark Benchmark `json:"benchmark"`
	Gear      Gear      `json:"gear"`
	// N is the number of iterations of a slice or a process. Slices is their number
	// in a block.
	N      int `json:"n"`
	Slices int `json:"slices,omitempty"`
	// Long and Placement, in ln units, are copied from the planned benchmark.
	Long      bool    `json:"long,omitempty"`
	Placement float64 `json:"placement,omitempty"`
}

// Gears says how each benchmark is measured; nil if all run as processes.
func (p *Plan) Gears() (out []GearOf) {
	if !slices.ContainsFunc(p.Benchmarks, func(b PlannedBenchmark) bool { return b.Gear.SideBySide() }) {
		return nil
	}
	for _, b := range p.Benchmarks {
		g := GearOf{Benchmark: b.Benchmark, Gear: cmp.Or(b.Gear, GearProcesses), N: b.N, Slices: b.Slices, Placement: b.Placement, Long: b.Long}
		if b.BenchTime > 0 {
			g.N = 0 // each trial has its own
		}
		out = append(out, g)
	}
	return out
}
