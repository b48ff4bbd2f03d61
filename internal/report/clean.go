package report

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/seed-1318a441/assay/internal/printable"
)

// clean removes what could move the cursor, change colours or reorder the line:
// escape sequences, control characters (a line break or tab becomes a space)
// and the invisible format characters, which include the bidirectional ones. What is left
// is inert in a log of GitHub Actions.
func clean(text string) string {
	if plainASCII(text) {
		return printable.Inert(text)
	}
	text = strings.ToValidUTF8(ansi.Strip(text), "?")
	return printable.Inert(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r' || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text))
}

func plainASCII(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// asciiFor replaces the characters that assay itself prints.
var asciiFor = strings.NewReplacer("−", "-", "–", "-", "—", "-", "±", "+-", "·", "|", "×", "x", "≡", "==",
	"▼", "-", "▲", "+", "…", "...", "≤", "<=", "≥", ">=", "µ", "u", "μ", "u", "─", "-", "│", "|", "┤", "+", "└", "+", "→", "->", "\u00a0", " ",
	"▁", ".", "▂", ":", "▃", "-", "▄", "=", "▅", "+", "▆", "*", "▇", "#", "█", "@", "★", "*",
	"“", `"`, "”", `"`, "‘", "'", "’", "'")

// text makes a text printable in the style: cleaned, and in ASCII where asked
// for. What has no ASCII form is written as \u escapes, so that two names that
// differ still do.
func (s Style) text(text string) string {
	text = clean(text)
	if s.Hyphen && !s.ASCII {
		text = strings.ReplaceAll(text, "−", "-")
	}
	if !s.ASCII || plainASCII(text) {
		return text
	}
	text = asciiFor.Replace(text)
	if plainASCII(text) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
		} else {
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		}
	}
	return b.String()
}

// Text makes a text printable in the style, for what is printed outside of this
// package: without escape sequences, and in ASCII where asked for.
func (s Style) Text(text string) string { return s.text(text) }

// Middle makes a text printable as Text does and cuts it in its middle down to
// width cells.
func (s Style) Middle(text string, width int) string { return s.middle(s.text(text), width) }

// cells is the number of terminal cells that a text takes.
func cells(text string) int { return ansi.StringWidth(text) }

// pad fills a text with spaces up to width cells, on the left where right is
// true.
func pad(text string, width int, right bool) string {
	fill := strings.Repeat(" ", max(0, width-cells(text)))
	if right {
		return fill + text
	}
	return text + fill
}

// middle cuts a text in its middle down to width cells: benchmark names tell
// apart by their first and last elements.
func (s Style) middle(text string, width int) string {
	if cells(text) <= width {
		return text
	}
	dots := s.text("…")
	room := width - cells(dots)
	if room < 2 {
		return ansi.Truncate(text, width, "")
	}
	tail := room / 2
	return ansi.Truncate(text, room-tail, "") + dots + lastCells(text, tail)
}

// lastCells is the end of a text, at most width cells of it: a wide character
// that would only half fit is left out.
func lastCells(text string, width int) string {
	for cut := cells(text) - width; ; cut++ {
		if end := ansi.TruncateLeft(text, cut, ""); cells(end) <= width {
			return end
		}
	}
}

// wrap breaks a text at spaces into lines of at most width cells. A word that
// is longer than a line is broken inside.
func wrap(text string, width int) []string {
	// ansi.Wrap also breaks behind hyphens, which tears flags and "+-1 %" apart.
	const hyphen = "\u2011"
	if !strings.Contains(text, hyphen) {
		text = ansi.Wrap(strings.ReplaceAll(text, "-", hyphen), max(width, 10), " ")
		return strings.Split(strings.ReplaceAll(text, hyphen, "-"), "\n")
	}
	return strings.Split(ansi.Wrap(text, max(width, 10), " "), "\n")
}
