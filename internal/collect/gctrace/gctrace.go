// Package gctrace reads the output of GODEBUG=gctrace=1: a line for each cycle of the
// garbage collector, mixed with everything that the program and its libraries write to
// the same stream.
//
// It knows the lines of every release from go1.19 to go1.27, and reads the known fields
// of others. Notes report unknown fields, and lines torn apart by other output. No value
// is ever guessed. The runtime writes a line in some forty pieces, each a separate system
// call, so torn lines are common in a program that logs.
//
// Writer and Read find the cycles; a Summary computes their metrics. Memory does not grow
// with the trace. Package trial decides which cycles belong to a measurement, and package
// analysis what they mean. Package collect imports this one and knows the rest of a
// program's stderr.
package gctrace

import (
	"errors"
	"io"
	"regexp"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/line"
)

// A Writer finds the cycles in a program's stderr as it arrives. The zero value with
// Cycle set is ready. Its memory is bounded. It must not be used by several goroutines at
// once.
type Writer struct {
	// Cycle is called for each cycle, in the order of the trace.
	Cycle func(assay.GCCycle)

	lines line.Splitter
	read  reader
	note  notes

	// afterPackage is true after a line "# path", with which the go command heads what the
	// compiler prints of a package; compilers counts those that trace.
	afterPackage bool
	compilers    int
}

// Write reads the next part of the output. It never fails.
func (w *Writer) Write(p []byte) (int, error) {
	w.lines.Split(p, w.piece)
	return len(p), nil
}

// End reads a last line without newline.
func (w *Writer) End() { w.lines.End(w.piece) }

// Notes lists what was not understood: each kind once, with its number and an example,
// safe to print.
func (w *Writer) Notes() []string { return w.note.list() }

func (w *Writer) piece(p line.Piece) {
	if p.Last {
		w.line(p.Text)
		return
	}
	// A beginning this far before the end of a line is not a complete cycle.
	old := p.Text[:len(p.Text)-line.Keep]
	if at, n := findHead(old); n > 0 {
		w.note.torn(old[at:], n)
	}
}

func (w *Writer) line(text []byte) {
	at, heads := findHead(text)
	if heads == 0 {
		w.afterPackage = packageLine.Match(text)
		return
	}
	if w.afterPackage && at == 0 {
		w.compilers++
	}
	w.afterPackage = false
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

// packageLine matches the line above a compiler's output.
var packageLine = regexp.MustCompile(`^# [\w.~/-]+\r?$`)

// ErrBuild means that a trace is of several programs: the go command, and the compilers and
// linkers that it started.
var ErrBuild = errors.New("the go command, the compiler and the linker traced into it as well")

// Read reads a whole trace in constant memory. notes lists what was not understood. An
// error is ErrBuild, or one of r.
func Read(r io.Reader, cycle func(assay.GCCycle)) (notes []string, err error) {
	w := Writer{Cycle: cycle}
	buf := make([]byte, 256<<10)
	for err == nil {
		var n int
		n, err = r.Read(buf)
		_, _ = w.Write(buf[:n])
	}
	w.End()
	if err == io.EOF {
		err = nil
	}
	if err == nil && w.compilers > 0 && w.note.order.processes > 1 {
		err = ErrBuild
	}
	return w.Notes(), err
}

// Line reads one line. is reports whether it has a line of a trace, whole whether it is
// undamaged; only then is there a cycle.
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
