package build

import "github.com/seed-1318a441/assay/internal/printable"

// oneLine makes one printable line of at most limit characters of what a
// stranger wrote: a commit's subject, a compiler's message that quotes source.
// What a terminal would obey, or what reverses the writing, is taken out.
func oneLine(s string, limit int) string { return cut(printable.Line(s, 16*limit), limit) }

// cut shortens a text to limit characters.
func cut(s string, limit int) string {
	if r := []rune(s); len(r) > limit {
		return string(r[:limit-1]) + "…"
	}
	return s
}
