package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/live"
	"github.com/seed-1318a441/assay/internal/record"
)

// An eventWriter prints what happens as JSON, one object a line. It is safe for
// concurrent use. Errors of writing are ignored: a run does not end because
// nobody listens.
type eventWriter struct {
	mu   sync.Mutex
	w    io.Writer
	said map[string]bool
}

func newEvents(c *console) *eventWriter { return &eventWriter{w: c.stderr, said: map[string]bool{}} }

// Add prints an event, unless it is for the view alone.
func (e *eventWriter) Add(ev live.Event) {
	switch ev.Kind {
	case live.KindStage, live.KindTrial, live.KindPause, live.KindStop:
		return
	}
	if ev.Time.IsZero() {
		ev.Time = time.Now().Round(0)
	}
	line, err := json.Marshal(ev)
	if err != nil { // a value that JSON has no number for
		ev.Cells = nil
		if line, err = json.Marshal(ev); err != nil {
			return
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.w.Write(append(line, '\n'))
}

// Say implements Teller.
func (e *eventWriter) Say(text string) {
	e.mu.Lock()
	known := e.said[text]
	e.said[text] = true
	e.mu.Unlock()
	if !known {
		e.Add(live.Event{Kind: live.KindSay, Text: strings.TrimPrefix(strings.TrimSpace(text), "assay: ")})
	}
}

// Line implements Teller: where the work before the blocks is, no event tells.
func (e *eventWriter) Line(_, _ string) {}

// Warn implements Teller.
func (e *eventWriter) Warn(w assay.Warning) { e.Add(live.Event{Kind: live.KindWarn, Warning: &w}) }

// Done implements Teller.
func (e *eventWriter) Done() {}

// tellDone says where the result is, when it has been printed.
func tellDone(c *console, f *runFlags, r *assay.Result) {
	name := filepath.Join(f.Store, r.Run, record.ReportFile)
	switch {
	case c.quiet:
	case f.events:
		newEvents(c).Add(live.Event{Kind: live.KindDone, Done: &live.Done{Stop: string(r.Spent.Stop), Verdict: r.Answer.Verdict, Answer: r.Answer.Text, Report: name}})
	case f.progress != "none":
		fmt.Fprintf(c.stderr, "assay: report %s\n", c.err().Text(name))
	}
}

// toldError prints an error as an event where events are asked for, and then only
// its exit status is left of it.
func toldError(c *console, f *runFlags, err error) error {
	if _, told := errors.AsType[exitError](err); err == nil || told || !f.events || c.quiet {
		return err
	}
	e, ok := errors.AsType[*assay.Error](err)
	if !ok {
		e = &assay.Error{Warning: assay.Warning{Text: err.Error()}}
	}
	newEvents(c).Add(live.Event{Kind: live.KindError, Warning: &e.Warning})
	return exitError(exitStatus(err, io.Discard))
}
