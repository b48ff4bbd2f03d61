// Package printable makes text of unknown origin fit to print: of a program, a commit or
// a compiler. Callers choose how much of it to show. The package also writes numbers,
// with or without nouns, and durations in the one way in which assay prints them, and
// finds the names that a mistyped one may mean, for every "did you mean".
package printable

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escapes are terminal control sequences: CSI, OSC and the two-byte ones.
var escapes = regexp.MustCompile(`\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -Z\\^-~])`)

// commands are what a runner of GitHub Actions obeys in a log: "::error::..." behind any
// blank, where a line may break, and "##[...]" anywhere.
var commands = regexp.MustCompile(`(^|\s)::+|##\[`)

// Inert keeps a runner of GitHub Actions from obeying a text: it puts blanks between the
// characters that begin a command. An inert text stays as it is.
func Inert(s string) string {
	if !strings.Contains(s, "::") && !strings.Contains(s, "##[") {
		return s
	}
	return commands.ReplaceAllStringFunc(s, func(c string) string {
		if c == "##[" {
			return "# #["
		}
		before := strings.TrimRight(c, ":")
		return before + strings.TrimSuffix(strings.Repeat(": ", len(c)-len(before)), " ")
	})
}

// Line makes one inert line of s with single blanks between words. It leaves out terminal
// sequences, invalid UTF-8, and what unicode.IsPrint does not know, such as control
// characters and those that change the direction of writing. It reads only the first most
// bytes of s, so that a long text costs nothing; 0 is all of them.
func Line(s string, most int) string {
	if most > 0 && len(s) > most {
		s = s[:most]
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == utf8.RuneError || !unicode.IsPrint(r):
			return -1
		}
		return r
	}, escapes.ReplaceAllString(s, ""))
	return Inert(strings.Join(strings.Fields(s), " "))
}

// Short is Line of at most most characters, the last of which is "…" where more followed.
func Short(s string, most int) string {
	s = Line(s, 16*most)
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// LongestBrief is the number of bytes at which Brief cuts.
const LongestBrief = 200

// Brief is Line of at most 200 bytes, with "..." at the end where more followed.
func Brief(s string) string {
	s = Line(s, 16*LongestBrief)
	if len(s) <= LongestBrief {
		return s
	}
	return strings.ToValidUTF8(s[:LongestBrief-len("...")], "") + "..."
}

// LastLine is the last line of what a command printed, which says why it failed: at most
// 200 characters, without the name of the go command at its beginning.
func LastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return Short(strings.TrimPrefix(strings.TrimSpace(lines[len(lines)-1]), "go: "), 200)
}

// Lines keeps the lines of s with their blanks, and leaves out what Line leaves out.
func Lines(s string) string {
	return Inert(strings.Map(func(r rune) rune {
		if r == utf8.RuneError || r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, escapes.ReplaceAllString(s, "")))
}

// OneLine is the text of an error with semicolons between its lines.
func OneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// JSON escapes what encoding/json leaves as it is: DEL, the C1 controls (U+009B starts an
// escape sequence) and the bidirectional marks. They can stand only inside strings, where
// the escape means the same.
func JSON(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		if r >= 0x7f && r <= 0x9f || r >= 0x200e && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}
