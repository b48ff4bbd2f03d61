package collect

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/seed-1318a441/assay/internal/collect/gctrace"
	"github.com/seed-1318a441/assay/internal/line"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A StderrWriter parses a Go program's stderr as it arrives: it counts the unforced
// cycles of a gctrace (GODEBUG=gctrace=1) and finds the first line of a crash. The zero
// value is ready; its memory is bounded.
type StderrWriter struct {
	lines  line.Splitter
	cycles int
	// crash is the last line that looked like the first of a crash; sure is set if a
	// goroutine's stack followed it.
	crash string
	sure  bool
	last  []byte
}

// Write parses the next part of the output. It never fails.
func (w *StderrWriter) Write(p []byte) (int, error) {
	w.lines.Split(p, w.piece)
	return len(p), nil
}

// GCCycles returns the number of unforced cycles so far. Cycles that runtime.GC forced,
// as package testing does, do not count.
func (w *StderrWriter) GCCycles() int {
	w.lines.End(w.piece)
	return w.cycles
}

// Crash returns the first line of the panic or fatal error that ended the program, safe
// to print; "" for none.
func (w *StderrWriter) Crash() string {
	w.lines.End(w.piece)
	return w.crash
}

// Last returns the last line that is not blank, safe to print.
func (w *StderrWriter) Last() string {
	w.lines.End(w.piece)
	return printable.Brief(string(w.last))
}

func (w *StderrWriter) piece(p line.Piece) {
	if !p.Last {
		return
	}
	if c, is, whole := gctrace.Line(p.Text); is {
		if whole && !c.Forced {
			w.cycles++
		}
		return
	}
	if len(bytes.TrimSpace(p.Text)) > 0 {
		w.last = append(w.last[:0], p.Text[:min(len(p.Text), 16*printable.LongestBrief)]...)
	}
	if !w.sure {
		w.findCrash(p.Text)
	}
}

// stack matches the line that the runtime prints before a goroutine's frames.
var stack = regexp.MustCompile(`^goroutine \d+ .*\[.*\]:$`)

func (w *StderrWriter) findCrash(text []byte) {
	for _, mark := range [...]string{"panic: ", "fatal error: ", "SIGQUIT: "} {
		// Programs print without a newline at the end, so the mark may follow other text.
		if i := bytes.Index(text, []byte(mark)); i >= 0 && !bytes.HasPrefix(text, []byte("\t")) {
			w.crash = printable.Brief(string(text[i:]))
			return
		}
	}
	w.sure = w.crash != "" && stack.Match(text)
}

// LastLines returns the last n meaningful lines of a log, safe to print, oldest first. It
// skips the collector's trace.
func LastLines(log []byte, n int) []string {
	lines := make([]string, 0, n)
	for len(log) > 0 && len(lines) < n {
		log = bytes.TrimSuffix(log, []byte("\n"))
		at := bytes.LastIndexByte(log, '\n') + 1
		_, traced, _ := gctrace.Line(log[at:])
		if line := printable.Brief(string(log[at:])); line != "" && !traced {
			lines = append(lines, line)
		}
		log = log[:at]
	}
	slices.Reverse(lines)
	return lines
}
