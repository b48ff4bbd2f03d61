package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/live"
	"github.com/seed-1318a441/assay/internal/runs"
)

// printDone reports the file with the result, after the result was printed.
func printDone(c *console, f *runFlags, r *assay.Result) {
	name := runs.ReportFile(f.Store, r.Run)
	switch {
	case c.quiet:
	case f.events:
		live.NewWriter(c.stderr).Add(live.Event{Kind: live.KindDone, Run: r.Run, Machine: r.Machine, Done: &live.Done{Stop: string(r.Spent.Stop), Verdict: r.Answer.Verdict, Answer: r.Answer.Text, Report: name}})
	case f.progress != "none":
		fmt.Fprintf(c.stderr, "assay: report %s\n", c.err().Text(name))
	}
}

// errorEvent prints an error as an event if --events is set. What it then returns has
// only the exit status.
func errorEvent(c *console, f *runFlags, err error) error {
	if _, printed := errors.AsType[exitError](err); err == nil || printed || !f.events || c.quiet {
		return err
	}
	e, ok := errors.AsType[*assay.Error](err)
	if !ok {
		e = &assay.Error{Warning: assay.Warning{Text: err.Error()}}
	}
	live.NewWriter(c.stderr).Add(live.Event{Kind: live.KindError, Warning: &e.Warning})
	return exitError(exitStatus(err, io.Discard))
}
