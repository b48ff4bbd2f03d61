package design

import (
	"github.com/seed-1318a441/assay"
)

// tracedSlots returns a turn's traced trials: each present variant once, after the
// rounds, in a separately drawn order. Tracing costs time, so it has separate trials.
// Services are all traced inside the measured trials, which are long enough to make
// tracing cheap.
func tracedSlots(p *assay.Plan, t assay.Turn, present []assay.Variant, block, attempt int) []Slot {
	if !p.Study.Measure.Collects(assay.CollectGC) || serves(p, t.Benchmark) {
		return nil
	}
	var slots []Slot
	for _, v := range permutation(len(present), p.Seed, "traced", t.Benchmark.String(), block, attempt) {
		slots = append(slots, Slot{Benchmark: t.Benchmark, Variant: present[v].Name, Round: t.Inner + 1, Traced: true})
	}
	return slots
}

// serves reports whether a benchmark is a service.
func serves(p *assay.Plan, b assay.Benchmark) bool {
	planned, ok := p.Planned(b)
	return ok && planned.Workload < len(p.Study.Workloads) && p.Study.Workloads[planned.Workload].Kind == assay.KindService
}
