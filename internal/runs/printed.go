package runs

import (
	"fmt"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/shell"
)

// Printed returns what the processes of a trial printed: a title and a text fit to print
// for each that printed something.
func Printed(store, name string, trial int) (parts [][2]string, err error) {
	run, err := Find(store, name)
	if err != nil {
		return nil, err
	}
	raw, err := run.Printed(trial)
	if err != nil {
		e := assay.UsageError(assay.CodeNoLog, fmt.Sprintf("trial %d of run %s: %v", trial, run.Plan.Run, err), "assay show "+shell.Quote(run.Ref))
		switch {
		case trial < 1 || trial > len(run.Trials):
			e.Facts = []string{fmt.Sprintf("it has trials 1 to %d", len(run.Trials))}
		case run.Trials[trial-1].Run != "":
			e.Facts = []string{"run " + run.Trials[trial-1].Run + " measured it and has its output"}
		}
		return nil, e
	}
	for _, stream := range []struct {
		name string
		data []byte
	}{{"stdout", raw.Stdout}, {"stderr", raw.Stderr}, {"server", raw.Server}} {
		if text := strings.TrimRight(string(stream.data), "\n"); len(stream.data) > 0 {
			parts = append(parts, [2]string{fmt.Sprintf("%s of trial %d:", stream.name, trial), printable.Lines(text)})
		}
	}
	return parts, nil
}
