package collect

import (
	"unicode/utf8"

	"github.com/seed-1318a441/assay/internal/printable"
)

// maxReason is the length that OneLine cuts at, in bytes.
const maxReason = 200

// OneLine makes text of unknown origin fit to print: one line of printable
// characters without terminal sequences, cut at 200 bytes with "..." at the end.
func OneLine(s string) string { return cut(printable.Line(s, 16*maxReason)) }

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
