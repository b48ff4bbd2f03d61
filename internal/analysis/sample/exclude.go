package sample

import "github.com/seed-1318a441/assay"

// exclude excludes the benchmark for all variants after a failed trial: the rest would
// not compare like with like.
func (b *Benchmark) exclude(tr assay.Trial) {
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
	b.set.Warnings = append(b.set.Warnings, failedWarning(tr, b.called(), b.set.Plan.Run))
}

// excludeService excludes a service if too many of its blocks failed.
func (b *Benchmark) excludeService() {
	if f := b.set.faults.of[b.Plan.Benchmark]; f.out && f.service && b.Failed == "" {
		b.Failed = f.why()
	}
}

// called returns what people call the benchmark: BenchmarkX for a Go benchmark, else the
// name of the command or service.
func (b *Benchmark) called() string {
	ws := b.set.Plan.Study.Workloads
	if i := b.Plan.Workload; i < len(ws) && ws[i].IsProgram() {
		return b.Plan.Name
	}
	return "Benchmark" + b.Plan.Name
}
