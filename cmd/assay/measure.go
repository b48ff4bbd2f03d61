package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/inquiry"
	"github.com/seed-1318a441/assay/internal/output"
	"github.com/seed-1318a441/assay/internal/session"
)

// measure runs a study to its end and prints the result. It resumes an interrupted run of
// the same study.
func measure(ctx context.Context, c *console, f *runFlags, s *assay.Study, text []byte, command string) error {
	if len(s.Hosts) > 1 {
		return errorEvent(c, f, measureSeveral(ctx, c, f, s, text, command))
	}
	f.live = true
	r, err := measured(ctx, c, f, s, text, command)
	if r == nil {
		return errorEvent(c, f, err)
	}
	// Print the result even if a file of -o could not be written.
	if err := errors.Join(printResult(c, f, r), err); err != nil {
		return errorEvent(c, f, err)
	}
	annotate(c, f, r.Warnings)
	printDone(c, f, r)
	if code := status(r, f); code != assay.ExitOK {
		return exitError(code)
	}
	return nil
}

// measured runs a study to its end, stores the result, and writes the files of -o.
func measured(ctx context.Context, c *console, f *runFlags, s *assay.Study, text []byte, command string) (*assay.Result, error) {
	if f.More < 0 {
		return nil, assay.UsageError(assay.CodeFlags, fmt.Sprintf("--more: %v is not above 0", f.More), "")
	}
	if err := errors.Join(checkSummary(f), output.Check(f.outputs)); err != nil {
		return nil, err
	}
	cfg := c.config(f, s, text, command)
	ctx, stop := watch(ctx, c, f, &cfg)
	defer stop()
	r, run, err := session.Measure(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return r, errors.Join(output.WriteAll(f.outputs, r, run), appendSummary(f, r))
}

// config returns the configuration of a session from the flags.
func (c *console) config(f *runFlags, s *assay.Study, text []byte, command string) session.Config {
	return session.Config{Options: f.Options, Study: s, Text: text, Command: command, Progress: newProgress(c, f), Lease: c.lease, Stop: session.NewStop(), Report: reportText,
		Group: group(c, f), Explain: inquiry.Changes}
}

// watch returns a context that signals cancel, and a function that ends the watching. It
// shows the run live if it may.
func watch(ctx context.Context, c *console, f *runFlags, cfg *session.Config) (context.Context, func()) {
	i := &interruption{stop: cfg.Stop}
	ctx, stop := i.watch(ctx, cfg.Progress.Stopping)
	showLive(c, f, cfg, i)
	return ctx, stop
}

// decides reports whether a table has comparisons that decide.
func decides(t assay.Table) bool { return t.Decides && len(t.Rows) > 0 }

// status returns the exit status of a result, as in docs/cli.md.
func status(r *assay.Result, f *runFlags) int {
	noisy := slices.ContainsFunc(r.Warnings, func(w assay.Warning) bool { return w.Code == assay.CodeNoisy })
	switch {
	case r.Spent.Stop == assay.StopInterrupted:
		return assay.ExitInterrupted
	case r.Answer.Gate == "failed", r.Answer.Gate == "undecided" && f.undecided == "fail":
		return assay.ExitGate
	case slices.ContainsFunc(r.Warnings, assay.Warning.Broken):
		return assay.ExitBuild
	case noisy && f.strict:
		return assay.ExitRefused
	case r.Answer.Gate == "undecided" && f.undecided != "pass", r.Answer.Verdict == assay.Invalid && !slices.ContainsFunc(r.Tables, decides):
		return assay.ExitUndecided
	}
	return assay.ExitOK
}
