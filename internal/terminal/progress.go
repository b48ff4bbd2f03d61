package terminal

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// How often progress is printed. Rewriting a line is cheap, but a log keeps every line.
const (
	repaint  = 200 * time.Millisecond
	logEvery = 30 * time.Second
)

// A Progress prints a run's progress on stderr: on a terminal a line that it rewrites,
// elsewhere a line when a stage begins and then at most one every 30 s. It is safe for
// concurrent use. It ignores errors of writing: a run does not end because nobody reads.
type Progress struct {
	Style Style // whether texts are in ASCII; width and colour do not count

	w        io.Writer
	terminal bool
	now      func() time.Time
	width    int

	mu    sync.Mutex
	stage string
	last  time.Time // when the line was printed
	line  string    // the terminal's last line
	said  map[string]bool
}

// NewProgress returns the progress of a run. now is time.Now outside tests.
func NewProgress(w io.Writer, terminal bool, now func() time.Time) *Progress {
	p := &Progress{w: w, terminal: terminal, now: now, width: defaultWidth, said: map[string]bool{}}
	if cols, ok := terminalWidth(w); ok && cols > 0 {
		p.width = cols
	}
	return p
}

// Line says how far a stage, such as "build" or "measure", has got. It skips texts that
// come too fast, but never the first of a stage.
func (p *Progress) Line(stage, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	wait := logEvery
	if p.terminal {
		wait = repaint
	}
	now := p.now()
	if stage == p.stage && now.Sub(p.last) < wait {
		return
	}
	p.stage, p.last = stage, now
	text = p.Style.Text(text)
	if !p.terminal {
		fmt.Fprintln(p.w, "assay: "+strings.TrimPrefix(text, "assay: "))
		return
	}
	// The last column stays free: some terminals wrap when it is written.
	p.paint(ansi.Truncate(Pad(p.Style.Text(stage), 8, false)+" "+text, p.width-1, p.Style.Text("…")))
}

// Say prints a text of one or more lines above the line that is rewritten, once however
// often it is called with it.
func (p *Progress) Say(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.said[text] {
		return
	}
	p.said[text] = true
	line := p.line
	p.paint("")
	for l := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		fmt.Fprintln(p.w, p.Style.Text(l))
	}
	p.paint(line)
}

// Gap says once that a step does not build.
func (p *Progress) Gap(g assay.Gap) {
	p.Say("assay: step " + printable.Clean(g.Variant) + " does not build: " + printable.Clean(g.Reason))
}

// Warn prints a warning, once however often it is given.
func (p *Progress) Warn(w assay.Warning) {
	p.Say(strings.Join(WarningLines(w, "assay: ", "  ", p.Style), "\n"))
}

// Done removes the rewritten line. Calling it twice is harmless.
func (p *Progress) Done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.paint("")
	p.stage = ""
}

// paint replaces the terminal's last line. It overwrites the old one with spaces rather
// than by an escape code, which works on any terminal.
func (p *Progress) paint(line string) {
	if !p.terminal || line == p.line {
		return
	}
	fmt.Fprint(p.w, "\r"+Pad(line, Width(p.line), false))
	if line == "" {
		fmt.Fprint(p.w, "\r")
	}
	p.line = line
}
