package spec

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

// A row is one line of a table.
type row struct{ key, value, comment string }

// Rows are the lines of a table that have something to say: the methods add
// none for a zero value.
type rows []row

func (r rows) add(key, value, comment string) rows { return append(r, row{key, value, comment}) }

func (r rows) str(key, s string) rows {
	if s == "" {
		return r
	}
	return r.add(key, tomlString(s), "")
}

func (r rows) number(key string, n int) rows {
	if n == 0 {
		return r
	}
	return r.add(key, strconv.Itoa(n), "")
}

func (r rows) duration(key string, d, def time.Duration) rows {
	if d == 0 || d == def {
		return r
	}
	return r.str(key, formatDuration(d))
}

func (r rows) list(key string, items []string) rows {
	if len(items) == 0 {
		return r
	}
	return r.add(key, tomlList(items), "")
}

// lines writes one command line as it is, several as a list of them.
func (r rows) lines(key string, lines [][]string) rows {
	switch len(lines) {
	case 0:
		return r
	case 1:
		return r.list(key, lines[0])
	}
	var lists []string
	for _, l := range lines {
		lists = append(lists, tomlList(l))
	}
	return r.add(key, "["+strings.Join(lists, ", ")+"]", "")
}

// inner writes rows as a table on one line.
func (r rows) inner(key string, of rows) rows {
	if len(of) == 0 {
		return r
	}
	return r.add(key, of.inline(), "")
}

// inline is a table on one line.
func (r rows) inline() string {
	var list []string
	for _, row := range r {
		list = append(list, row.key+" = "+row.value)
	}
	return "{ " + strings.Join(list, ", ") + " }"
}

func (r rows) pairs(key string, m map[string]string) rows {
	if len(m) == 0 {
		return r
	}
	var list []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		list = append(list, tomlKey(k)+" = "+tomlString(m[k]))
	}
	return r.add(key, "{ "+strings.Join(list, ", ")+" }", "")
}

// A tomlWriter lays out tables with their equals signs in a column.
type tomlWriter struct{ buf bytes.Buffer }

// text is what was written.
func (w *tomlWriter) text() []byte { return w.buf.Bytes() }

// comment starts a new paragraph; the section after it follows at once.
func (w *tomlWriter) comment(text string) {
	w.gap()
	w.buf.WriteString("# " + text + "\n")
}

func (w *tomlWriter) gap() {
	if w.buf.Len() > 0 {
		w.buf.WriteByte('\n')
	}
}

// section writes a table with its rows, or nothing where it has none.
func (w *tomlWriter) section(header string, r ...row) {
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
		width = max(width, len(row.key))
	}
	for _, row := range r {
		fmt.Fprintf(&w.buf, "%-*s = %s", width, row.key, row.value)
		if row.comment != "" {
			w.buf.WriteString("  # " + row.comment)
		}
		w.buf.WriteByte('\n')
	}
}

func (w *tomlWriter) afterComment() bool {
	lines := bytes.Split(bytes.TrimSuffix(w.buf.Bytes(), []byte("\n")), []byte("\n"))
	return bytes.HasPrefix(lines[len(lines)-1], []byte("# "))
}

// tomlString quotes a string, as a literal where that spares backslashes.
func tomlString(s string) string {
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

func tomlList(items []string) string {
	var quoted []string
	for _, s := range items {
		quoted = append(quoted, tomlString(s))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func tomlKey(s string) string {
	if s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == "" {
		return s
	}
	return tomlString(s)
}

// formatDuration is Duration.String without the zeros at its end: "10m".
func formatDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// prose writes text that may have several lines.
func (r rows) prose(key, s string) rows {
	if !strings.Contains(s, "\n") {
		return r.str(key, s)
	}
	return r.add(key, tomlProse(s), "")
}

// tomlProse quotes text of several lines as such.
func tomlProse(s string) string {
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
