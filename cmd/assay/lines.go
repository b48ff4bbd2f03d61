package main

import (
	"io"
	"os"
	"strings"
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
func (l lineTeller) Warn(w assay.Warning) { l.Say(warningText(w, l.Style)) }

func warningText(w assay.Warning, s terminal.Style) string {
	return strings.Join(terminal.WarningLines(w, "assay: ", "  ", s), "\n")
}

// terminalOf is the terminal that is written to, if it is one.
func terminalOf(w io.Writer) (*os.File, bool) {
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// A view is a Teller that shows a run live, and prints lines when it has ended.
type view struct {
	says  // the screen, and then after
	after lineTeller
}

// says is what a screen and lines have in common.
type says interface {
	Say(text string)
	Line(stage, text string)
	Done()
}

// Warn implements Teller.
func (v *view) Warn(w assay.Warning) { v.Say(warningText(w, v.after.Style)) }

// Done implements Teller.
func (v *view) Done() {
	v.says.Done()
	v.says = v.after
}
