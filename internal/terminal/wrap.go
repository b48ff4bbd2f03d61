package terminal

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"github.com/seed-1318a441/assay/internal/printable"
)

// pasteable is a command within a text.
var pasteable = regexp.MustCompile(`\(assay [^()]*\)`)

// Wrap breaks a text at spaces into lines of at most width cells. It breaks words that
// are longer than a line, but no command in parentheses: that can be pasted, and may make
// a line longer.
func Wrap(text string, width int) []string {
	width = max(width, 10)
	// While lines are broken, each command is a word of one private character.
	var commands []string
	if !strings.ContainsFunc(text, isPrivate) {
		text = pasteable.ReplaceAllStringFunc(text, func(c string) string {
			word := strings.Repeat(string(firstPrivate+rune(len(commands))), min(Width(c), width))
			commands = append(commands, c)
			return word
		})
	}
	// ansi.Wrap also breaks behind hyphens, which tears flags and "+-1 %" apart.
	hyphen := "\u2011"
	if strings.Contains(text, hyphen) {
		hyphen = "-"
	}
	text = ansi.Wrap(strings.ReplaceAll(text, "-", hyphen), width, " ")
	text = strings.ReplaceAll(text, hyphen, "-")
	for i, c := range commands {
		sign := string(firstPrivate + rune(i))
		text = strings.Replace(text, strings.Repeat(sign, min(Width(c), width)), c, 1)
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines { // a broken word may begin a line with a workflow command
		lines[i] = printable.Inert(l)
	}
	return lines
}

// firstPrivate is the first of the characters that Unicode leaves to programs.
const firstPrivate = '\ue000'

func isPrivate(r rune) bool { return unicode.Is(unicode.Co, r) }

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
