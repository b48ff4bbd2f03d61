package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/markdown"
	"github.com/seed-1318a441/assay/internal/output"
	"github.com/seed-1318a441/assay/internal/page"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/session"
)

// measureSeveral runs a study on several machines side by side and prints what they show
// together. Progress is in lines: the live view is of one run.
func measureSeveral(ctx context.Context, c *console, f *runFlags, s *assay.Study, text []byte, command string) error {
	if f.More < 0 {
		return assay.UsageError(assay.CodeFlags, fmt.Sprintf("--more: %v is not above 0", f.More), "")
	}
	if err := errors.Join(checkSummary(f), output.CheckSeveral(f.outputs)); err != nil {
		return err
	}
	cfg := c.config(f, s, text, command)
	i := &interruption{stop: cfg.Stop}
	ctx, stop := i.watch(ctx, cfg.Progress.Stopping)
	defer stop()
	measured, err := session.MeasureAll(ctx, session.Several(cfg))
	if err != nil {
		return err
	}
	o, err := reportOf(measured)
	if err != nil {
		return err
	}
	if err := errors.Join(printMerged(c, f.json, false, o.Merged), o.WriteAll(f.outputs), summarise(f, func(w io.Writer) error {
		return markdown.WriteMerged(w, o.Merged, markdown.Options{})
	})); err != nil {
		return err
	}
	for i := range o.Merged.Machines {
		r := &o.Merged.Machines[i].Result
		annotate(c, f, r.Warnings)
		printDone(c, f, r)
	}
	if code := worst(o.Merged, f, len(measured)); code != assay.ExitOK {
		return exitError(code)
	}
	return nil
}

// reportOf merges what the machines measured. One without a run is in a warning.
func reportOf(measured []session.MachineResult) (*output.Report, error) {
	o := &output.Report{Embed: page.EmbedFive}
	var missing []assay.Warning
	for _, m := range measured {
		if m.Result == nil {
			missing = append(missing, m.Missing())
			continue
		}
		o.Sources = append(o.Sources, runs.Source{Machine: m.Machine, Ref: m.Result.Run, Result: m.Result, Run: m.Run})
	}
	var err error
	if o.Merged, err = output.Merge(o.Sources); err == nil {
		o.Merged.Warnings = append(o.Merged.Warnings, missing...)
	}
	return o, err
}

// worst returns the exit status of the worst of several machines: interrupted, a gate that
// failed, a benchmark that did, a noisy machine with --strict, an undecided gate.
func worst(m *assay.Merged, f *runFlags, machines int) int {
	codes := []int{assay.ExitInterrupted, assay.ExitGate, assay.ExitBuild, assay.ExitRefused, assay.ExitUndecided, assay.ExitOK}
	at := len(codes) - 1
	if len(m.Machines) < machines {
		at = 0 // one has no run
	}
	for i := range m.Machines {
		at = min(at, slices.Index(codes, status(&m.Machines[i].Result, f)))
	}
	return codes[at]
}
