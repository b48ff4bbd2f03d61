package report

import (
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// A writer lays a report out on a terminal: lines that are wrapped to its width, behind
// labels or not, and tables. It keeps what it wrote until it is asked for it.
type writer struct {
	s   Style
	out strings.Builder
	// indent is the width of the labels that stand left of texts.
	indent int
}

// labelWidth is the width of labels such as "ANSWER".
const labelWidth = 8

// newWriter is a writer in a style, with labels of the usual width.
func newWriter(s Style) *writer { return &writer{s: s, indent: labelWidth} }

// line writes one line as it is, less blanks at its end.
func (w *writer) line(text string) { w.out.WriteString(strings.TrimRight(text, " ") + "\n") }

// blank writes an empty line.
func (w *writer) blank() { w.out.WriteString("\n") }

// written is all that was written.
func (w *writer) written() string { return w.out.String() }

// parts prints the parts that are not empty on one line with a separator, and
// breaks between them where the line is full.
func (w *writer) parts(sep string, parts ...string) {
	sep, at := w.s.Text(sep), 0
	for _, t := range parts {
		t = strings.TrimSpace(w.s.Text(t))
		if t == "" {
			continue
		}
		switch {
		case at == 0:
		case at+cells(sep)+cells(t) <= w.s.columns():
			w.out.WriteString(sep)
			at += cells(sep)
		default:
			w.out.WriteString("\n")
			at = 0
		}
		lines := wrap(t, w.s.columns())
		w.out.WriteString(strings.Join(lines, "\n"))
		at += cells(lines[len(lines)-1])
	}
	if at > 0 {
		w.out.WriteString("\n")
	}
}

// grid prints a grid after a blank line.
func (w *writer) grid(g *grid) {
	if len(g.lines) == 0 {
		return
	}
	if g.widths == nil {
		g.measure()
	}
	w.out.WriteString("\n")
	g.write(&w.out)
}

// labelled prints lines behind a label.
func (w *writer) labelled(label string, t sheet.Tone, lines ...string) {
	lead := pad(label, w.indent, false)
	for _, l := range lines {
		for _, part := range wrap(w.s.Text(l), w.s.columns()-w.indent) {
			text := strings.TrimRight(part, " ")
			w.out.WriteString(w.s.paint(t, strings.TrimRight(lead+text, " ")) + "\n")
			lead = strings.Repeat(" ", w.indent)
		}
	}
}

// hanging prints a text behind a lead that fills indent cells.
func (w *writer) hanging(lead string, indent int, t sheet.Tone, text string) {
	lead = pad(lead, indent, false)
	for _, l := range wrap(w.s.Text(text), w.s.columns()-indent) {
		w.out.WriteString(w.s.paint(t, strings.TrimRight(lead+l, " ")) + "\n")
		lead = strings.Repeat(" ", indent)
	}
}

// command writes a command line behind a label, broken so that it can be pasted; nothing
// of none.
func (w *writer) command(label, text string) {
	if text == "" {
		return
	}
	lead := pad(label, w.indent, false)
	for _, l := range commandLines(w.s.Text(text), w.s.columns()-len(lead)) {
		w.line(lead + l)
		lead = strings.Repeat(" ", len(lead))
	}
}

// warning writes a warning behind the label "note".
func (w *writer) warning(x assay.Warning) {
	w.blank()
	for _, l := range warningLines(x, pad("note", w.indent, false), strings.Repeat(" ", w.indent), w.s) {
		w.line(l)
	}
}

// insert adds what another writer wrote.
func (w *writer) insert(text string) { w.out.WriteString(text) }
