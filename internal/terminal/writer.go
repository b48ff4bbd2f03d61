package terminal

import (
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// A Writer lays a report out on a terminal: wrapped lines, with labels or without, and
// tables. It keeps what it wrote; String returns it.
type Writer struct {
	Style  Style
	out    strings.Builder
	indent int // the width of labels
}

// LabelWidth is the width of labels such as "ANSWER".
const LabelWidth = 8

// NewWriter is a writer in a style, with labels of a width.
func NewWriter(s Style, labels int) *Writer { return &Writer{Style: s, indent: labels} }

// Line writes one line as it is, less blanks at its end.
func (w *Writer) Line(text string) { w.out.WriteString(strings.TrimRight(text, " ") + "\n") }

// Blank writes an empty line.
func (w *Writer) Blank() { w.out.WriteString("\n") }

// String is all that was written.
func (w *Writer) String() string { return w.out.String() }

// Parts prints the parts that are not empty on a line, with separators, and breaks
// between them where the line is full.
func (w *Writer) Parts(sep string, parts ...string) {
	sep, at := w.Style.Text(sep), 0
	for _, t := range parts {
		t = strings.TrimSpace(w.Style.Text(t))
		if t == "" {
			continue
		}
		switch {
		case at == 0:
		case at+Width(sep)+Width(t) <= w.Style.Columns():
			w.out.WriteString(sep)
			at += Width(sep)
		default:
			w.out.WriteString("\n")
			at = 0
		}
		lines := Wrap(t, w.Style.Columns())
		w.out.WriteString(strings.Join(lines, "\n"))
		at += Width(lines[len(lines)-1])
	}
	if at > 0 {
		w.out.WriteString("\n")
	}
}

// Grid prints a grid after an empty line.
func (w *Writer) Grid(g *Grid) {
	if len(g.Rows) > 0 {
		w.Blank()
		g.Write(&w.out)
	}
}

// Table prints a table after an empty line.
func (w *Writer) Table(t *sheet.Table) { w.Grid(NewGrid(w.Style, t)) }

// FirstFit prints the first of n tables that fits, or the last, and returns which one
// that was. In a last one that does not fit it cuts the names in a column, -1 being none.
func (w *Writer) FirstFit(n, names int, table func(i int) *sheet.Table) int {
	for i := range n {
		if g := NewGrid(w.Style, table(i)); g.Fits() || i == n-1 {
			if names >= 0 {
				g.Narrow(names, MinName)
			}
			w.Grid(g)
			return i
		}
	}
	return -1
}

// Behind prints lines behind a lead, which stands before the first of them.
func (w *Writer) Behind(lead string, t sheet.Tone, lines ...string) {
	for _, l := range lines {
		w.out.WriteString(w.Style.Paint(t, strings.TrimRight(lead+l, " ")) + "\n")
		lead = strings.Repeat(" ", Width(lead))
	}
}

// Labelled prints texts behind a label.
func (w *Writer) Labelled(label string, t sheet.Tone, texts ...string) {
	for _, text := range texts {
		w.Hanging(label, w.indent, t, text)
		label = ""
	}
}

// Hanging prints a text behind a lead that fills indent cells.
func (w *Writer) Hanging(lead string, indent int, t sheet.Tone, text string) {
	w.Behind(Pad(lead, indent, false), t, Wrap(w.Style.Text(text), w.Style.Columns()-indent)...)
}

// Command writes a command line, unless it is empty, behind a label. However narrow the
// screen, it is one line, so that it can be pasted.
func (w *Writer) Command(label, text string) {
	if text != "" {
		w.Behind(Pad(label, w.indent, false), sheet.Plain, w.Style.Text(text))
	}
}

// Warning writes a warning behind the label "note".
func (w *Writer) Warning(x assay.Warning) {
	for _, l := range WarningLines(x, Pad("note", w.indent, false), strings.Repeat(" ", w.indent), w.Style) {
		w.Line(l)
	}
}

// Insert adds what another writer wrote.
func (w *Writer) Insert(text string) { w.out.WriteString(text) }
