package sample

import (
	"fmt"

	"github.com/seed-1318a441/assay"
)

// see adds the output of a trial that ended well. An output that the study prescribes was
// checked when the trial ran.
func (b *Benchmark) see(tr assay.Trial) {
	o, set := &b.outputs, b.set
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
		set.Warnings = append(set.Warnings, variesWarning(b.called(), o.base[0], tr, set.Plan.Run))
	}
}

// judgeOutput excludes a benchmark if a variant's output differs, as soon as the base is
// known to print the same every time. It looks at the whole block, since the base may run
// last.
func (b *Benchmark) judgeOutput(block []assay.Trial) {
	o := &b.outputs
	if o.varies || len(o.base) < enoughOutputs {
		return
	}
	if o.odd == nil {
		for _, tr := range block {
			if tr.Benchmark == b.Plan.Benchmark && tr.Status == assay.StatusOK && !tr.Traced && tr.Output != o.base[0].Output {
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
	b.exclude(tr)
}
