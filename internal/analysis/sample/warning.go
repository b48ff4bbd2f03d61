package sample

import (
	"fmt"

	"github.com/seed-1318a441/assay"
)

// failedWarning says that a failed trial excludes a benchmark, called what.
func failedWarning(tr assay.Trial, what, run string) assay.Warning {
	w := assay.Warning{
		Code: assay.CodeBenchFailed,
		Text: fmt.Sprintf("%s %s in %q, block %d", what, failedWord(tr.Status), tr.Variant, tr.Block),
	}
	if tr.Status == assay.StatusWrong {
		w = assay.Warning{Code: assay.CodeWrongOutput, Text: w.Text, Try: "--expect any, if outputs may differ on purpose"}
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
		Text:  fmt.Sprintf("%s prints something else every time, so assay does not compare the variants' output", name),
		Facts: []string{fmt.Sprintf("%q did not print in trial %d what it did in trial %d: %s", a.Variant, b.ID, a.ID, logOf(run, b.ID))},
		Try:   `--expect any, in a study file expect = "any", where that is on purpose`}
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
