package document

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A Row is one line of a table.
type Row struct{ Key, Value, Comment string }

// Rows are the lines of a table. Its methods return them with one more, or as they are
// where the value is the zero value.
type Rows []Row

// Add adds a line whose value is TOML.
func (r Rows) Add(key, value, comment string) Rows { return append(r, Row{key, value, comment}) }

// Str adds a string.
func (r Rows) Str(key, s string) Rows {
	if s == "" {
		return r
	}
	return r.Add(key, Quote(s), "")
}

// Number adds a whole number.
func (r Rows) Number(key string, n int) Rows {
	if n == 0 {
		return r
	}
	return r.Add(key, strconv.Itoa(n), "")
}

// Duration adds a length of time that is not the default.
func (r Rows) Duration(key string, d, def time.Duration) Rows {
	if d == 0 || d == def {
		return r
	}
	return r.Str(key, FormatDuration(d))
}

// List adds a list of strings.
func (r Rows) List(key string, items []string) Rows {
	if len(items) == 0 {
		return r
	}
	return r.Add(key, QuoteList(items), "")
}

// Lines writes one command line as it is, several as a list of them.
func (r Rows) Lines(key string, lines [][]string) Rows {
	switch len(lines) {
	case 0:
		return r
	case 1:
		return r.List(key, lines[0])
	}
	var lists []string
	for _, l := range lines {
		lists = append(lists, QuoteList(l))
	}
	return r.Add(key, "["+strings.Join(lists, ", ")+"]", "")
}

// Inner writes rows as a table on one line.
func (r Rows) Inner(key string, of Rows) Rows {
	if len(of) == 0 {
		return r
	}
	return r.Add(key, of.Inline(), "")
}

// Inline is a table on one line.
func (r Rows) Inline() string {
	var list []string
	for _, row := range r {
		list = append(list, row.Key+" = "+row.Value)
	}
	return "{ " + strings.Join(list, ", ") + " }"
}

// Pairs adds a table of strings on one line.
func (r Rows) Pairs(key string, m map[string]string) Rows {
	if len(m) == 0 {
		return r
	}
	var list []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		list = append(list, quoteKey(k)+" = "+Quote(m[k]))
	}
	return r.Add(key, "{ "+strings.Join(list, ", ")+" }", "")
}

// A Writer lays out tables with their equals signs in a column.
type Writer struct{ buf bytes.Buffer }

// Bytes is what was written.
func (w *Writer) Bytes() []byte { return w.buf.Bytes() }

// Comment starts a new paragraph; the section after it follows at once.
func (w *Writer) Comment(text string) {
	w.gap()
	w.buf.WriteString("# " + text + "\n")
}

func (w *Writer) gap() {
	if w.buf.Len() > 0 {
		w.buf.WriteByte('\n')
	}
}

// Section writes a table with its rows, or nothing where it has none.
func (w *Writer) Section(header string, r ...Row) {
	if len(r) == 0 {
		return
	}
	if !w.afterComment() {
		w.gap()
	}
	if header != "" {
		w.buf.WriteString(header + "\n")
	}
	width := 0
	for _, row := range r {
		width = max(width, len(row.Key))
	}
	for _, row := range r {
		fmt.Fprintf(&w.buf, "%-*s = %s", width, row.Key, row.Value)
		if row.Comment != "" {
			w.buf.WriteString("  # " + row.Comment)
		}
		w.buf.WriteByte('\n')
	}
}

func (w *Writer) afterComment() bool {
	lines := bytes.Split(bytes.TrimSuffix(w.buf.Bytes(), []byte("\n")), []byte("\n"))
	return bytes.HasPrefix(lines[len(lines)-1], []byte("# "))
}

// Quote quotes a string, as a literal where that spares backslashes.
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

// QuoteList returns a list of strings as TOML.
func QuoteList(items []string) string {
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

// FormatDuration is Duration.String without the zeros at its end: "10m".
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

// Prose writes text that may have several lines.
func (r Rows) Prose(key, s string) Rows {
	if !strings.Contains(s, "\n") {
		return r.Str(key, s)
	}
	return r.Add(key, quoteProse(s), "")
}

// quoteProse quotes text of several lines as such.
func quoteProse(s string) string {
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
