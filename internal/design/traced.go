package design

import (
	"github.com/seed-1318a441/assay"
)

// tracedSlots are a turn's traced trials: each present variant once, behind the
// rounds, in an order of their own. Tracing costs time, so it has trials of its
// own; services are traced inside the measured trials, all alike, since their
// trials are long and their tracing is cheap.
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
