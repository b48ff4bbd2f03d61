package printable

import (
	"unicode/utf8"
)

// LongestBrief is the length that Brief cuts at, in bytes.
const LongestBrief = 200

// Brief makes text of unknown origin fit to print: one line of printable
// characters without terminal sequences, cut at 200 bytes with "..." at the end.
func Brief(s string) string { return cut(Line(s, 16*LongestBrief)) }

func cut(s string) string {
	if len(s) <= LongestBrief {
		return s
	}
	s = s[:LongestBrief-len("...")]
	for len(s) > 0 {
		if r, n := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || n != 1 {
			break
		}
		s = s[:len(s)-1]
	}
	return s + "..."
}
