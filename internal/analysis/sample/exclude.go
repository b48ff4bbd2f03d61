package sample

import "github.com/seed-1318a441/assay"

// exclude takes a benchmark out for every variant when one of its trials
// failed: a comparison of what is left would no longer be of like with like.
func (set *Set) exclude(b *Benchmark, tr assay.Trial) {
	if tr.Status == assay.StatusOK || tr.Status == assay.StatusSkipped || b.Failed != "" {
		return
	}
	b.Failed = string(tr.Status)
	if tr.Status == assay.StatusWrong {
		b.Failed = failedWord(tr.Status)
	}
	if tr.Reason != "" {
		b.Failed += ": " + tr.Reason
	}
	set.Warnings = append(set.Warnings, failedWarning(tr, set.called(b), set.Plan.Run))
}

// excludeService takes a service out when too many of its blocks failed.
func (set *Set) excludeService(b *Benchmark) {
	if f := set.faults.of[b.Plan.Benchmark]; f.out && b.Failed == "" && Serves(set.Plan, b.Plan) {
		b.Failed = f.why()
	}
}

// called is what people call a benchmark: BenchmarkX where it is a Go benchmark,
// the name of a command or of a service.
func (set *Set) called(b *Benchmark) string {
	ws := set.Plan.Study.Workloads
	if i := b.Plan.Workload; i < len(ws) && (ws[i].Kind == assay.KindCommand || ws[i].Kind == assay.KindService) {
		return b.Plan.Name
	}
	return "Benchmark" + b.Plan.Name
}
