package sample

import (
	"fmt"

	"github.com/seed-1318a441/assay"
)

// see takes a trial that ended well. What somebody said must be printed has been
// checked when it ran.
func (set *Set) see(b *Benchmark, tr assay.Trial) {
	o := &b.outputs
	if tr.Output == "" || b.Plan.Output != "" || o.varies || set.Plan.Study.Workloads[b.Plan.Workload].Expect == assay.ExpectAny {
		return
	}
	isBase := tr.Variant == set.Plan.Study.Base || tr.Variant == set.Control
	switch {
	case isBase && len(o.base) < enoughOutputs:
		o.base = append(o.base, tr)
	case !isBase && o.odd == nil && len(o.base) > 0 && tr.Output != o.base[0].Output:
		o.odd = &tr
	}
	if isBase && tr.Output != o.base[0].Output {
		o.varies = true
		set.Warnings = append(set.Warnings, variesWarning(set.called(b), o.base[0], tr, set.Plan.Run))
	}
}

// judgeOutput excludes a benchmark that a variant answered differently, as soon
// as the base is known to answer the same every time. A block is judged as a
// whole: the base may have come last in it.
func (set *Set) judgeOutput(b *Benchmark, block []assay.Trial) {
	o := &b.outputs
	if o.varies || len(o.base) < enoughOutputs {
		return
	}
	if o.odd == nil {
		for _, tr := range block {
			if set.index[tr.Benchmark] == b && tr.Status == assay.StatusOK && !tr.Traced && tr.Output != o.base[0].Output {
				o.odd = &tr
				break
			}
		}
	}
	if o.odd == nil {
		return
	}
	tr := *o.odd
	tr.Status = assay.StatusWrong
	tr.Reason = fmt.Sprintf("its output has SHA-256 %.8s, that of %q %.8s: compare trials %d and %d",
		tr.Output, o.base[0].Variant, o.base[0].Output, tr.ID, o.base[0].ID)
	set.exclude(b, tr)
}
