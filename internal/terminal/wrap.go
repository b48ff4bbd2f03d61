package terminal

import (
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Wrap breaks a text at spaces into lines of at most width cells. It breaks words that
// are longer than a line.
func Wrap(text string, width int) []string {
	// ansi.Wrap also breaks behind hyphens, which tears flags and "+-1 %" apart.
	hyphen := "\u2011"
	if strings.Contains(text, hyphen) {
		hyphen = "-"
	}
	text = ansi.Wrap(strings.ReplaceAll(text, "-", hyphen), max(width, 10), " ")
	return strings.Split(strings.ReplaceAll(text, hyphen, "-"), "\n")
}

// Hanging wraps a text with its further lines indented.
func Hanging(text string, width, indent int) []string {
	first := Wrap(text, width)
	if len(first) == 1 {
		return first
	}
	rest := strings.TrimPrefix(text, first[0])
	return append(first[:1:1], Indented(Wrap(strings.TrimLeft(rest, " "), width-indent), indent)...)
}

// Indented puts spaces in front of lines.
func Indented(lines []string, indent int) []string {
	for i := range lines {
		lines[i] = strings.Repeat(" ", indent) + lines[i]
	}
	return lines
}

// Spaces at which a line does not break: before a figure, and before a percent sign.
var (
	figure  = regexp.MustCompile(` ([+−-][0-9]|\[)`)
	percent = regexp.MustCompile(` (%)`)
)

// WrapFigures wraps a text so that "mallocgc +5.2" and "[+4.9, +5.5]" stay whole.
func WrapFigures(text string, width int) []string { return wrapKeeping(figure, text, width) }

// WrapPercent wraps a text so that "5 %" stays whole.
func WrapPercent(text string, width int) []string { return wrapKeeping(percent, text, width) }

func wrapKeeping(together *regexp.Regexp, text string, width int) []string {
	const hard = "\u00a0"
	if strings.Contains(text, hard) {
		return Wrap(text, width)
	}
	lines := Wrap(together.ReplaceAllString(text, hard+"$1"), width)
	for i, l := range lines {
		lines[i] = strings.ReplaceAll(l, hard, " ")
	}
	return lines
}
