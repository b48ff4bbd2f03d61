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

// How often progress is printed: rewriting a line is cheap, a log keeps every
// line.
const (
	repaint  = 200 * time.Millisecond
	logEvery = 30 * time.Second
)

// A Progress prints a run's progress on stderr: one rewritten line on a
// terminal, elsewhere a line when a stage begins and then one every 30 s at
// most. It is safe for concurrent use. Errors of writing are ignored: a run
// does not end because nobody listens.
type Progress struct {
	// Style says whether texts are in ASCII; its width and colour do not count.
	Style Style

	w        io.Writer
	terminal bool
	now      func() time.Time
	width    int

	mu    sync.Mutex
	stage string
	last  time.Time // when the line was printed
	line  string    // what stands on the terminal's last line
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

// Line tells where a stage, such as "build" or "measure", has got to. Texts
// that come too fast are skipped, but never the first of a stage.
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
	if p.terminal {
		p.paint(p.format(stage, text))
		return
	}
	fmt.Fprintln(p.w, p.format(stage, text))
}

func (p *Progress) format(stage, text string) string {
	if p.terminal {
		// The last column stays free: some terminals wrap when it is written.
		return ansi.Truncate(Pad(p.Style.Text(stage), 8, false)+" "+p.Style.Text(text), p.width-1, p.Style.Text("…"))
	}
	return "assay: " + strings.TrimPrefix(p.Style.Text(text), "assay: ")
}

// Say prints a text, once however often it is said, above the line that is
// rewritten. A text may have several lines.
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

// Gap tells once that a step could not be built, and goes on without it.
func (p *Progress) Gap(g assay.Gap) {
	p.Say("assay: step " + printable.Clean(g.Variant) + " does not build: " + printable.Clean(g.Reason))
}

// Done removes the rewritten line. Calling it twice is harmless.
func (p *Progress) Done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.paint("")
	p.stage = ""
}

// paint replaces the terminal's last line. Spaces rather than an escape code
// remove what stood there, so that it works on any terminal.
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
