package main

import (
	"io"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/live"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// newProgress returns the progress of a command: none, events, or lines.
func newProgress(c *console, f *runFlags) *session.Progress {
	switch {
	case c.quiet:
		return nil
	case f.events:
		e := live.NewWriter(c.stderr)
		p := session.NewProgress(e)
		p.Follow(e.Add, nil, false)
		return p
	case f.progress == "none":
		return nil
	}
	return session.NewProgress(newLines(c, f.progress == "plain"))
}

// newLines returns progress as lines on stderr; plain ones are never rewritten.
func newLines(c *console, plain bool) *terminal.Progress {
	_, tty := terminalOf(c.stderr)
	p := terminal.NewProgress(c.stderr, tty && os.Getenv("TERM") != "dumb" && !plain, time.Now)
	p.Style = c.err()
	return p
}

// terminalOf returns the terminal behind a writer or a file, if there is one.
func terminalOf(w io.Writer) (*os.File, bool) {
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// A view shows a run live, and prints lines after its end. A signal may end the run while
// another goroutine tells it something.
type view struct {
	screen *live.Screen
	after  *terminal.Progress
	ended  atomic.Bool
}

func (v *view) teller() session.Teller {
	if v.ended.Load() {
		return v.after
	}
	return v.screen
}

// Say implements session.Teller.
func (v *view) Say(text string) { v.teller().Say(text) }

// Line implements session.Teller.
func (v *view) Line(stage, text string) { v.teller().Line(stage, text) }

// Warn implements session.Teller.
func (v *view) Warn(w assay.Warning) { v.teller().Warn(w) }

// Done implements session.Teller.
func (v *view) Done() {
	v.teller().Done()
	v.ended.Store(true)
}
