package collect

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxReason is the length that OneLine cuts at, in bytes.
const maxReason = 200

// escapes are terminal control sequences: CSI, OSC and the two-byte ones.
var escapes = regexp.MustCompile(`\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -Z\\^-~])`)

// OneLine makes text of unknown origin fit to print: one line of printable
// characters without terminal sequences, cut at 200 bytes with "..." at the end.
func OneLine(s string) string {
	// Far more than is kept, so that a long text costs nothing.
	if len(s) > 16*maxReason {
		s = s[:16*maxReason]
	}
	s = escapes.ReplaceAllString(s, "")
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == utf8.RuneError || !unicode.IsPrint(r):
			return -1
		}
		return r
	}, s)
	return cut(strings.Join(strings.Fields(s), " "))
}

func cut(s string) string {
	if len(s) <= maxReason {
		return s
	}
	s = s[:maxReason-len("...")]
	for len(s) > 0 {
		if r, n := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || n != 1 {
			break
		}
		s = s[:len(s)-1]
	}
	return s + "..."
}
