package live

import (
	"encoding/json"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/seed-1318a441/assay"
)

// A Writer prints events as JSON, one object per line, for --events. It is safe for
// concurrent use. It ignores errors of writing: a run does not end because nobody
// listens.
type Writer struct {
	mu   sync.Mutex
	w    io.Writer
	said map[string]bool
}

// NewWriter returns a Writer onto w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w, said: map[string]bool{}} }

// Add prints an event, unless only the view needs it.
func (e *Writer) Add(ev Event) {
	switch ev.Kind {
	case KindStage, KindTrial, KindPause, KindStop:
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

// Say prints a remark; repeated ones are printed once.
func (e *Writer) Say(text string) {
	e.mu.Lock()
	known := e.said[text]
	e.said[text] = true
	e.mu.Unlock()
	if !known {
		e.Add(Event{Kind: KindSay, Text: strings.TrimPrefix(strings.TrimSpace(text), "assay: ")})
	}
}

// Line does nothing: there is no event for the work before the blocks.
func (e *Writer) Line(_, _ string) {}

// Warn prints a warning.
func (e *Writer) Warn(w assay.Warning) { e.Add(Event{Kind: KindWarn, Warning: &w}) }

// Done does nothing: there is no line to remove.
func (e *Writer) Done() {}
