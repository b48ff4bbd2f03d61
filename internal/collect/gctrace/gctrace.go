// Package gctrace reads what a Go program prints under GODEBUG=gctrace=1: a
// line for each cycle of the garbage collector, among all that the program and
// its libraries write to the same stream.
//
// It knows the line of every release from go1.19 to go1.27 and takes that of
// others as far as it goes: fields that it does not know, and lines that other
// output tore apart, are told in notes, and no value is ever guessed. The
// runtime writes a line in some forty pieces, each a system call of its own, so
// that torn lines are ordinary in a program that logs.
//
// Writer and Read find the cycles, a Summary makes the metrics of a run of
// them; all work in memory that does not grow with the trace. Which cycles
// belong to a measurement is for package trial to say, what they mean for
// analysis. Package collect, which imports this one, knows the rest of a
// program's stderr.
package gctrace

import (
	"bytes"
	"io"

	"github.com/seed-1318a441/assay"
)

// A part of a line that is longer than maxPart is looked at and then let go of,
// but for its last keepPart bytes, in which the longest line of a trace fits.
const (
	maxPart  = 64 << 10
	keepPart = 1 << 10
)

// A Writer finds the cycles in a program's stderr as it comes. The zero value
// with Cycle set is ready; its memory is bounded. It is not for several
// goroutines at once.
type Writer struct {
	// Cycle is called with each cycle, in the order of the trace.
	Cycle func(assay.GCCycle)

	// part is a line without its end so far.
	part []byte
	read reader
	note notes
}

// Write reads the next part of the output. It never fails.
func (w *Writer) Write(p []byte) (int, error) {
	rest := p
	for {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			w.keep(rest)
			return len(p), nil
		}
		line := rest[:i]
		if len(w.part) > 0 {
			w.keep(line)
			line, w.part = w.part, w.part[:0]
		}
		w.line(line)
		rest = rest[i+1:]
	}
}

// End reads a last line that has no newline.
func (w *Writer) End() {
	if len(w.part) > 0 {
		w.line(w.part)
		w.part = w.part[:0]
	}
}

// Notes is what was not understood, each kind once with its number and an
// example, fit to print.
func (w *Writer) Notes() []string { return w.note.list() }

// keep adds to the line that has not ended.
func (w *Writer) keep(p []byte) {
	for len(w.part)+len(p) > maxPart {
		n := min(len(p), maxPart-len(w.part))
		w.part, p = append(w.part, p[:n]...), p[n:]
		// What begins this far before the end of a line is no whole cycle.
		old := len(w.part) - keepPart
		if at, n := findHead(w.part[:old]); n > 0 {
			w.note.torn(w.part[at:old], n)
		}
		w.part = w.part[:copy(w.part, w.part[old:])]
	}
	w.part = append(w.part, p...)
}

func (w *Writer) line(text []byte) {
	at, heads := findHead(text)
	if heads == 0 {
		return
	}
	if heads > 1 {
		w.note.torn(text[:at], heads-1)
	}
	if !w.read.line(text[at:]) {
		w.note.torn(text[at:], 1)
		return
	}
	for _, field := range w.read.odd {
		w.note.unknown(field)
	}
	w.note.order.next(w.read.cycle.N)
	if w.Cycle != nil {
		w.Cycle(w.read.cycle)
	}
}

// Read reads a whole trace in constant memory. What was not understood is in
// the notes; an error is one of r.
func Read(r io.Reader, cycle func(assay.GCCycle)) (notes []string, err error) {
	w := Writer{Cycle: cycle}
	// Writes go straight from this buffer, so that the size is that of a read.
	_, err = io.CopyBuffer(onlyWriter{&w}, onlyReader{r}, make([]byte, 256<<10))
	w.End()
	return w.Notes(), err
}

// io.CopyBuffer leaves its buffer aside where it sees more than Read and Write.
type (
	onlyReader struct{ io.Reader }
	onlyWriter struct{ io.Writer }
)

// Line reads one line. is says that it holds a line of a trace, whole that
// nothing tore it; only then is there a cycle.
func Line(text []byte) (c assay.GCCycle, is, whole bool) {
	at, heads := findHead(text)
	if heads == 0 {
		return c, false, false
	}
	var r reader
	if !r.line(text[at:]) {
		return c, true, false
	}
	return r.cycle, true, true
}
