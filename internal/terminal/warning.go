package terminal

import (
	"io"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// WarningText prints warnings as all messages look: "assay: text [code]", the facts
// indented, and what to try. Lines to paste are not wrapped.
func WarningText(w io.Writer, warns []assay.Warning, s Style) {
	for _, x := range warns {
		// The talk on stderr has nowhere to report that stderr is closed.
		_, _ = io.WriteString(w, strings.Join(WarningLines(x, "assay: ", "  ", s), "\n")+"\n")
	}
}

// ErrorText prints an error that has no code, as it is but for what a terminal would
// obey.
func ErrorText(w io.Writer, err error) {
	_, _ = io.WriteString(w, "assay: "+strings.TrimPrefix(printable.Lines(err.Error()), "assay: ")+"\n")
}

// WarningLines formats a warning behind a lead, its details indented.
func WarningLines(w assay.Warning, lead, indent string, s Style) []string {
	code := "   [" + s.Middle(string(w.Code), s.Columns()-len(indent)-2) + "]" // a stranger's record may have a code of any length
	lines := Hanging(lead+s.Text(w.Text), s.Columns(), len(indent))
	if last := len(lines) - 1; Width(lines[last]+code) <= s.Columns() {
		lines[last] += code
	} else {
		lines = append(lines, indent+strings.TrimSpace(code))
	}
	for _, f := range w.Facts {
		if strings.HasPrefix(f, "assay ") || strings.HasPrefix(f, "mkdir -p ") { // a line to paste
			lines = append(lines, indent+s.Text(f))
			continue
		}
		for _, l := range Wrap(s.Text(f), s.Columns()-len(indent)) {
			lines = append(lines, indent+l)
		}
	}
	if remedy := w.Remedy(); remedy != "" {
		lines = append(lines, indent+s.Text(remedy))
	}
	return lines
}
