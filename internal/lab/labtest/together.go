package labtest

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/child"
	"github.com/seed-1318a441/assay/internal/collect"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// What disturbs slices: each CPU has a speed of its own, which drifts from slice to
// slice, and now and then a slice is interrupted for as long as it takes, or longer.
const (
	speedOfCPUs = 0.2   // standard deviation of ln(time) between CPUs
	driftOfCPU  = 0.02  // and of the step from slice to slice
	backOfCPU   = 0.02  // share of the way back to its own speed in each
	ownOfSlice  = 0.002 // and of a slice by itself
	spikes      = 0.1   // share of slices that are interrupted
)

// CPUs implements lab.SideBySide.
func (m *Simulator) CPUs() ([]int, error) { return m.Cores, nil }

// Together implements lab.SideBySide.
func (m *Simulator) Together(_ context.Context, r lab.TogetherRequest) ([]trial.Outcome, error) {
	first := r.Arms[0]
	if m.Hook != nil {
		if err := m.Hook(first); err != nil {
			return nil, err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	b, _ := m.find(first.Names[0])
	if b.Prints {
		return nil, fmt.Errorf("%w: %q", trial.ErrPrints, "hello")
	}
	if m.Memory > 0 && r.Memory > m.Memory {
		return nil, lab.ErrNoMemory
	}
	m.runs = append(m.runs, fmt.Sprintf("%s %d CPUs %v", b.Name, first.Block, r.CPUs))
	outs := make([]trial.Outcome, len(r.Arms))
	for i, arm := range r.Arms {
		outs[i] = trial.Outcome{Exit: child.Exit{Start: m.now()}, Status: assay.StatusOK, Slices: map[string][]float64{}}
		if b.Fail != nil {
			if status, reason := b.Fail(arm.Variant.Name, arm.Block); status != "" {
				outs[i] = m.failed(b, status, reason)
				outs[i].Start = m.now()
				for k := range outs[:i] {
					outs[k].Status, outs[k].Reason = assay.StatusSkipped, "another variant ended early"
				}
				return append(outs[:i+1], skipped(len(outs)-i-1)...), nil
			}
		}
	}
	m.slice(b, r, outs)
	return outs, nil
}

func skipped(n int) []trial.Outcome {
	outs := make([]trial.Outcome, n)
	for i := range outs {
		outs[i].Status, outs[i].Reason = assay.StatusSkipped, "another variant ended early"
	}
	return outs
}

// speeds returns the standard deviation of ln(time) between CPUs.
func (m *Simulator) speeds() float64 {
	if m.Alike {
		return speedOfCPUs / 10
	}
	return speedOfCPUs
}

// plain is what disturbs a plain run: it is on a CPU of its own speed, and meets as many
// interruptions as slices do.
func (m *Simulator) plain() float64 {
	if len(m.Cores) == 0 {
		return 0
	}
	return math.Log1p(spikes) + m.speeds()*design.Rand(m.Seed, "plain", int(m.clock)).NormFloat64()
}

// slice runs all slices, in their order.
func (m *Simulator) slice(b Benchmark, r lab.TogetherRequest, outs []trial.Outcome) {
	rnd := design.Rand(m.Seed, "slices", b.Name, r.Arms[0].Block)
	speed := 0.0
	if len(r.CPUs) == 1 {
		at := r.Arms[0].Block
		if at == 0 { // tries before the first block
			at = -int(m.clock)
		}
		speed = m.speeds() * design.Rand(m.Seed, "speed", r.CPUs[0], at).NormFloat64()
	}
	begun, order, own := m.clock, r.Turns.Order(), speed
	worked := make([]time.Duration, len(r.Arms))
	for round := range r.Warm + r.Rounds {
		for _, i := range order(round) {
			arm := r.Arms[i]
			speed += backOfCPU*(own-speed) + driftOfCPU*rnd.NormFloat64()
			ln := b.Effects[arm.Variant.Name] + speed + ownOfSlice*rnd.NormFloat64()
			if sd := m.scatter(arm.Artifact.ID); sd > 0 {
				ln += sd * design.Rand(m.Seed, "layout", b.Name, arm.Artifact.ID).NormFloat64()
			}
			if rnd.Float64() < spikes {
				ln += math.Log1p(rnd.ExpFloat64())
			}
			sec := b.Time.Seconds()*math.Exp(ln) + b.Once.Seconds()/float64(arm.N)
			took := time.Duration(sec * float64(arm.N) * float64(time.Second))
			lump := b.lumps(arm.Variant.Name, worked[i], worked[i]+took)
			worked[i], took = worked[i]+took, took+lump
			sec = took.Seconds() / float64(arm.N)
			m.clock += took
			if round < r.Warm {
				continue
			}
			reading := b.reading(arm.N, sec, arm.Variant.Name)
			for metric, x := range reading.Values {
				outs[i].Slices[metric] = append(outs[i].Slices[metric], x)
			}
			outs[i].Readings = []collect.Reading{reading}
		}
	}
	for i := range outs {
		outs[i].Wall, outs[i].PeakRSS = m.Start+m.clock-begun, 10<<20
	}
}

// scatter is by how much links of the kind of an artifact differ, in ln units.
func (m *Simulator) scatter(id string) float64 {
	if strings.HasSuffix(id, unaligned) && m.Placement > 0 {
		return m.Placement
	}
	return m.Layout
}
