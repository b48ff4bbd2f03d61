package terminal

import (
	"io"
	"strconv"
	"strings"

	"golang.org/x/term"

	"github.com/seed-1318a441/assay/internal/sheet"
)

// A Style says how to print. The zero value is 80 columns of plain UTF-8.
type Style struct {
	// Width is the number of columns; 0 means 80, and less than 40 means 40.
	Width int
	// ASCII replaces every character outside ASCII.
	ASCII bool
	// Color paints changes, verdicts and the answer, and nothing else.
	Color bool
	// All prints every row and every metric in full.
	All bool
	// Pairs prints a table for each variant beside the base, with both times and their
	// difference, in place of all variants in one.
	Pairs bool
	// Hyphen writes the minus sign as "-", as is done in files.
	Hyphen bool
}

// The bounds of Style.Width: below minWidth no table can be laid out.
const (
	defaultWidth = 80
	ciWidth      = 120
	minWidth     = 40
)

// StyleFor finds the style for a writer. env is os.Getenv. color is "always", "never", or
// "auto" and "" for colour on a terminal unless NO_COLOR is set or TERM is dumb. The
// width is COLUMNS, else the terminal's, else 120 with CI=true, else 80. The style is
// ASCII unless the locale says UTF-8.
func StyleFor(w io.Writer, env func(string) string, color string) Style {
	cols, terminal := terminalWidth(w)
	return Style{
		Width:  pickWidth(cols, env),
		ASCII:  !utf8Locale(env),
		Color:  pickColor(terminal, env, color),
		Hyphen: !terminal,
	}
}

// terminalWidth reports whether w is a terminal, and how wide it is, 0 if unknown.
func terminalWidth(w io.Writer) (cols int, terminal bool) {
	f, ok := w.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	cols, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		cols = 0
	}
	return cols, true
}

func pickWidth(terminal int, env func(string) string) int {
	if n, err := strconv.Atoi(env("COLUMNS")); err == nil && n > 0 {
		return max(n, minWidth)
	}
	switch {
	case terminal > 0:
		return max(terminal, minWidth)
	case env("CI") == "true":
		return ciWidth
	}
	return defaultWidth
}

func pickColor(terminal bool, env func(string) string, color string) bool {
	switch color {
	case "always":
		return true
	case "never":
		return false
	}
	return terminal && env("NO_COLOR") == "" && env("TERM") != "dumb"
}

// utf8Locale follows POSIX: the first of the three that is set decides.
func utf8Locale(env func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(env(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}

// Columns is the number of columns that a line may take.
func (s Style) Columns() int {
	if s.Width <= 0 {
		return defaultWidth
	}
	return max(s.Width, minWidth)
}

// sgr are codes of the 16-colour palette, which every terminal theme adapts.
var sgr = map[sheet.Tone]string{
	sheet.Good: "32", sheet.Bad: "31", sheet.Strong: "1", sheet.StrongGood: "1;32", sheet.StrongBad: "1;31", sheet.Faint: "90",
}

// Paint is a text in the colour of a tone, where the style has colours.
func (s Style) Paint(t sheet.Tone, text string) string {
	if code := sgr[t]; s.Color && code != "" && text != "" {
		return "\x1b[" + code + "m" + text + "\x1b[0m"
	}
	return text
}
