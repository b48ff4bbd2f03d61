package terminal

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// asciiFor replaces the characters that assay itself prints.
var asciiFor = strings.NewReplacer("−", "-", "–", "-", "—", "-", "±", "+-", "·", "|", "×", "x", "≡", "==",
	"▼", "-", "▲", "+", "…", "...", "≤", "<=", "≥", ">=", "µ", "u", "μ", "u", "─", "-", "│", "|", "┤", "+", "└", "+", "→", "->", "\u00a0", " ",
	"▁", ".", "▂", ":", "▃", "-", "▄", "=", "▅", "+", "▆", "*", "▇", "#", "█", "@", "★", "*",
	"“", `"`, "”", `"`, "‘", "'", "’", "'")

// Text makes a text printable in the style: cleaned, and in ASCII if the style is. What
// has no ASCII form becomes \u escapes, so that different names stay different.
func (s Style) Text(text string) string {
	text = printable.Clean(text)
	if s.Hyphen && !s.ASCII {
		text = strings.ReplaceAll(text, "−", "-")
	}
	if !s.ASCII || printable.IsASCII(text) {
		return text
	}
	text = asciiFor.Replace(text)
	if printable.IsASCII(text) {
		return text
	}
	var b []byte
	for _, r := range text {
		if r < utf8.RuneSelf {
			b = append(b, byte(r))
		} else {
			b = append(b, strings.Trim(strconv.QuoteRuneToASCII(r), "'")...)
		}
	}
	return string(b)
}

// Width is the number of terminal cells that a text takes.
func Width(text string) int { return ansi.StringWidth(text) }

// WidthOf is the number of cells that a text takes as it is printed.
func (s Style) WidthOf(text string) int { return Width(s.Text(text)) }

// MinName is the shortest cut of a name.
const MinName = 10

// NameLimit is the room that names in the first column may take.
func (s Style) NameLimit() int { return max(MinName, s.Columns()*3/10) }

// Beside is a text in full, followed by as much of a name as there is room for.
func (s Style) Beside(text, name string, width int) string {
	text, name = s.Text(text), s.Text(name)
	if room := width - Width(text) - 1; room >= MinName {
		name = s.Middle(name, room)
	}
	return sheet.JoinWords(" ", text, name)
}

// Pad fills a text with spaces up to width cells. With right it stands at the right.
func Pad(text string, width int, right bool) string {
	fill := strings.Repeat(" ", max(0, width-Width(text)))
	if right {
		return fill + text
	}
	return text + fill
}

// Middle is Text, cut in its middle to at most width cells: names of benchmarks differ in
// their first and last elements.
func (s Style) Middle(text string, width int) string {
	if text = s.Text(text); Width(text) <= width {
		return text
	}
	dots := s.Text("…")
	room := width - Width(dots)
	if room < 2 {
		return ansi.Truncate(text, width, "")
	}
	tail := room / 2
	return ansi.Truncate(text, room-tail, "") + dots + lastCells(text, tail)
}

// Elements is Text, with its elements between slashes cut at their ends until it has at
// most width cells: for names that Middle makes the same.
func (s Style) Elements(text string, width int) string {
	least := 2 + Width(s.Text("…")) // cells of an element
	elements := strings.Split(s.Text(text), "/")
	room := width - len(elements) + 1
	if Width(s.Text(text)) <= width || len(elements) == 1 || room < least*len(elements) {
		return s.Middle(text, width)
	}
	limit := room
	cells := func() (n int) {
		for _, e := range elements {
			n += min(Width(e), limit)
		}
		return n
	}
	for cells() > room {
		limit--
	}
	for i, e := range elements {
		elements[i] = ansi.Truncate(e, limit, s.Text("…"))
	}
	return strings.Join(elements, "/")
}

// lastCells is the end of a text, at most width cells wide. A wide character that fits
// only by half is left out.
func lastCells(text string, width int) string {
	for cut := Width(text) - width; ; cut++ {
		if end := ansi.TruncateLeft(text, cut, ""); Width(end) <= width {
			return end
		}
	}
}
