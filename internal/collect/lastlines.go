package collect

import (
	"bytes"
	"slices"

	"github.com/seed-1318a441/assay/internal/collect/gctrace"
	"github.com/seed-1318a441/assay/internal/printable"
)

// LastLines returns the last n meaningful lines of a log, safe to print, oldest first. It
// skips the collector's trace.
func LastLines(log []byte, n int) []string {
	lines := make([]string, 0, n)
	for len(log) > 0 && len(lines) < n {
		log = bytes.TrimSuffix(log, []byte("\n"))
		at := bytes.LastIndexByte(log, '\n') + 1
		_, traced, _ := gctrace.Line(log[at:])
		if line := printable.Brief(string(log[at:])); line != "" && !traced {
			lines = append(lines, line)
		}
		log = log[:at]
	}
	slices.Reverse(lines)
	return lines
}
