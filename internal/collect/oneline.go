package collect

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/seed-1318a441/assay/internal/collect/gctrace"
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

// LastLines returns the last n lines of a log that say something, fit to print, the
// oldest first. What the collector traces says nothing.
func LastLines(log []byte, n int) []string {
	lines := make([]string, 0, n)
	for len(log) > 0 && len(lines) < n {
		log = bytes.TrimSuffix(log, []byte("\n"))
		at := bytes.LastIndexByte(log, '\n') + 1
		_, traced, _ := gctrace.Line(log[at:])
		if line := OneLine(string(log[at:])); line != "" && !traced {
			lines = append(lines, line)
		}
		log = log[:at]
	}
	slices.Reverse(lines)
	return lines
}
