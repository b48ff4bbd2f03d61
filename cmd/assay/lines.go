package main

import (
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/live"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// newProgress is where the progress of a command goes: nowhere, to events, or to lines.
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

// A lineTeller is a Teller that prints on stderr.
type lineTeller struct{ *terminal.Progress }

// newLines prints lines; plain ones are never rewritten.
func newLines(c *console, plain bool) lineTeller {
	_, tty := terminalOf(c.stderr)
	p := terminal.NewProgress(c.stderr, tty && os.Getenv("TERM") != "dumb" && !plain, time.Now)
	p.Style = c.err()
	return lineTeller{p}
}

// Warn implements Teller.
func (l lineTeller) Warn(w assay.Warning) {
	terminal.WarningText(sayer{l}, []assay.Warning{w}, l.Style)
}

// A sayer is an io.Writer onto Say.
type sayer struct{ to session.Teller }

func (s sayer) Write(b []byte) (int, error) {
	s.to.Say(string(b))
	return len(b), nil
}

// terminalOf is the terminal that is written to, if it is one.
func terminalOf(w io.Writer) (*os.File, bool) {
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// A view is a Teller that shows a run live, and prints lines when it has ended.
type view struct {
	*live.Screen
	after lineTeller
	ended bool
}

// Say implements Teller.
func (v *view) Say(text string) {
	if v.ended {
		v.after.Say(text)
		return
	}
	v.Screen.Say(text)
}

// Line implements Teller.
func (v *view) Line(stage, text string) {
	if v.ended {
		v.after.Line(stage, text)
		return
	}
	v.Screen.Line(stage, text)
}

// Warn implements Teller.
func (v *view) Warn(w assay.Warning) {
	terminal.WarningText(sayer{v}, []assay.Warning{w}, v.after.Style)
}

// Done implements Teller.
func (v *view) Done() {
	if v.ended {
		v.after.Done()
		return
	}
	v.Screen.Done()
	v.ended = true
}
