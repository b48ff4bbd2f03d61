package sample

import (
	"fmt"
	"regexp"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/shell"
)

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
	w := failedWarning(tr, b.called(), b.set.Plan.Run)
	if ws := b.set.Plan.Study.Workloads; b.Plan.Workload < len(ws) && ws[b.Plan.Workload].Kind == assay.KindCommand && tr.Status == assay.StatusFailed {
		NameStatus(&w, tr.Reason, b.set.Plan.Command)
	}
	b.set.Warnings = append(b.set.Warnings, w)
}

// NameStatus says in a warning about a command that it failed for its exit status alone,
// if that is so. Of 1, which is the answer "no" of grep and others, it says how to measure
// the command all the same. command is the line of the run.
func NameStatus(w *assay.Warning, reason, command string) {
	if !exitStatus.MatchString(reason) {
		return
	}
	w.Facts = append(w.Facts, "an exit status other than 0 counts as a failure")
	if reason != "exit status 1" {
		return
	}
	if w.Try = shell.Tolerant(command); w.Try == "" {
		w.Advice = `run = ["sh", "-c", "COMMAND || true"], where that status is no failure`
	} else {
		w.Advice = "where that status is no failure; the shell's own start is measured then, too"
	}
}

var exitStatus = regexp.MustCompile(`^exit status \d+$`)

// called returns what people call the benchmark: BenchmarkX for a Go benchmark, else the
// name of the command or service.
func (b *Benchmark) called() string {
	ws := b.set.Plan.Study.Workloads
	if i := b.Plan.Workload; i < len(ws) && ws[i].IsProgram() {
		return b.Plan.Name
	}
	return assay.BenchmarkFunction(b.Plan.Name)
}

// failedWarning says that a failed trial excludes a benchmark, called what.
func failedWarning(tr assay.Trial, what, run string) assay.Warning {
	w := assay.Warning{
		Code: assay.CodeBenchFailed,
		Text: fmt.Sprintf("%s %s in %q, block %d", what, failedWord(tr.Status), tr.Variant, tr.Block),
	}
	if tr.Status == assay.StatusWrong {
		w = assay.Warning{Code: assay.CodeWrongOutput, Text: w.Text, Advice: "--expect any, if outputs may differ on purpose"}
	}
	if tr.Reason != "" {
		w.Facts = append(w.Facts, tr.Reason)
	}
	w.Facts = append(w.Facts, "excluded from the comparison for every variant; its output: "+logOf(run, tr.ID))
	return w
}

// logOf returns the command that prints the output of a trial.
func logOf(run string, trial int) string { return fmt.Sprintf("assay show %s --log %d", run, trial) }

// variesWarning says that a command's output cannot be compared.
func variesWarning(name string, a, b assay.Trial, run string) assay.Warning {
	return assay.Warning{Code: assay.CodeOutputVaries,
		Text:   fmt.Sprintf("%s prints something else every time, so assay does not compare the variants' output", name),
		Facts:  []string{fmt.Sprintf("%q did not print in trial %d what it did in trial %d: %s", a.Variant, b.ID, a.ID, logOf(run, b.ID))},
		Advice: `--expect any, in a study file expect = "any", where that is on purpose`}
}

func failedWord(s assay.Status) string {
	switch s {
	case assay.StatusTimeout:
		return "hung"
	case assay.StatusNoResult:
		return "printed no result"
	case assay.StatusWrong:
		return "answered differently"
	}
	return "failed"
}

// see adds the output of a trial that ended well. An output that the study prescribes was
// checked when the trial ran.
func (b *Benchmark) see(tr assay.Trial) {
	o, set := &b.outputs, b.set
	if tr.Output == "" || b.Plan.Output != "" || o.varies || !set.Plan.Study.Workloads[b.Plan.Workload].ComparesOutput() {
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
