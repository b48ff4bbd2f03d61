package document

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A Row is one line of a table, whose value is TOML.
type Row struct{ Key, Value string }

// Rows are the lines of a table.
type Rows []Row

// Rows returns the fields that have a value.
func (s Schema) Rows() (rows Rows) {
	for _, f := range s {
		if f.Write == nil {
			continue
		}
		if value := f.Write(); value != "" {
			rows = append(rows, Row{f.Key, value})
		}
	}
	return rows
}

// Inline returns the rows as a table on one line, "" for none.
func (r Rows) Inline() string {
	var list []string
	for _, row := range r {
		list = append(list, quoteKey(row.Key)+" = "+row.Value)
	}
	if len(list) == 0 {
		return ""
	}
	return "{ " + strings.Join(list, ", ") + " }"
}

// QuotePairs returns names and values as a table on one line, "" for none.
func QuotePairs(m map[string]string) string {
	var r Rows
	for _, k := range slices.Sorted(maps.Keys(m)) {
		r = append(r, Row{k, Quote(m[k])})
	}
	return r.Inline()
}

// A Writer lays out tables with their equals signs aligned.
type Writer struct {
	buf     bytes.Buffer
	comment bool // the last thing written is a comment
}

// Bytes returns what was written.
func (w *Writer) Bytes() []byte { return w.buf.Bytes() }

// Comment starts a paragraph; the next section follows without a blank line.
func (w *Writer) Comment(text string) {
	w.gap()
	w.buf.WriteString("# " + text + "\n")
	w.comment = true
}

func (w *Writer) gap() {
	if w.buf.Len() > 0 {
		w.buf.WriteByte('\n')
	}
}

// Section writes a table, or nothing if it has no rows.
func (w *Writer) Section(header string, r Rows) {
	if len(r) == 0 {
		return
	}
	if !w.comment {
		w.gap()
	}
	w.comment = false
	if header != "" {
		w.buf.WriteString(header + "\n")
	}
	width := 0
	for _, row := range r {
		width = max(width, len(row.Key))
	}
	for _, row := range r {
		fmt.Fprintf(&w.buf, "%-*s = %s\n", width, row.Key, row.Value)
	}
}

// Quote quotes a string, as a literal if that saves backslashes.
func Quote(s string) string {
	if strings.ContainsAny(s, `\"`) && !strings.ContainsFunc(s, func(r rune) bool { return r == '\'' || r < ' ' || r == 0x7f }) {
		return "'" + strings.ToValidUTF8(s, string(utf8.RuneError)) + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

// QuoteList returns a list of strings as TOML, "" for an empty one.
func QuoteList(items []string) string {
	if len(items) == 0 {
		return ""
	}
	var quoted []string
	for _, s := range items {
		quoted = append(quoted, Quote(s))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func quoteKey(s string) string {
	if s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == "" {
		return s
	}
	return Quote(s)
}

// FormatDuration is Duration.String without trailing zeros: "10m".
func FormatDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// quoteProse quotes text that may have several lines.
func quoteProse(s string) string {
	if !strings.Contains(s, "\n") {
		return Quote(s)
	}
	var b strings.Builder
	b.WriteString("\"\"\"\n")
	var last rune
	for i, r := range s {
		switch {
		case r == '\\', r == '"' && (last == '"' || i == len(s)-1): // three quotes in a row would end it
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '\n' || r == '\t' || r >= ' ' && r != 0x7f:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\u%04X`, r)
		}
		last = r
	}
	return b.String() + "\"\"\""
}
