package printable

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// Clean removes what could move the cursor, change colours or reorder the line: escape
// sequences, control characters (a line break or tab becomes a space) and invisible
// format characters, bidirectional ones among them. The rest is inert in a log of GitHub
// Actions.
func Clean(text string) string {
	if IsASCII(text) {
		return Inert(text)
	}
	text = strings.ToValidUTF8(ansi.Strip(text), "?")
	return Inert(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r' || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text))
}

// IsASCII reports whether a text is printable ASCII alone.
func IsASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}
