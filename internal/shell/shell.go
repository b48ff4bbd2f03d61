// Package shell quotes words for a POSIX shell, so that every suggested command can be
// pasted. It runs no shell, and knows only its quotes.
package shell

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// plain matches words that a shell leaves alone. A tilde and a hash mean something at
// the start of a word only, an equals sign only before the name of a command (zsh).
var plain = regexp.MustCompile(`^[A-Za-z0-9_@%+:,./^-][A-Za-z0-9_@%+=:,./^~#-]*$`)

// Quote returns a word as it has to be typed. It uses no backslash, which Split
// would take for itself.
func Quote(word string) string {
	switch {
	case plain.MatchString(word):
		return word
	case strings.Contains(word, "'") && !strings.ContainsAny(word, "\"$`\\!"):
		return `"` + word + `"`
	}
	return "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
}

// Join returns a command line of words.
func Join(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Quote(w)
	}
	return strings.Join(quoted, " ")
}

// Words returns arguments that are no flags, behind "--" if one of them looks like one: a
// benchmark may be called -n_300000. Flags stand before them.
func Words(words ...string) []string {
	if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") }) {
		return append([]string{"--"}, words...)
	}
	return words
}

// Split is the inverse of Join: it splits s at blanks like a shell, with single and
// double quotes but no expansion; a backslash is itself.
func Split(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	open, inWord := rune(0), false
	for _, c := range s {
		switch {
		case open != 0 && c == open:
			open = 0
		case open != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			open, inWord = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(c)
			inWord = true
		}
	}
	if open != 0 {
		return nil, fmt.Errorf("quote %c is not closed", open)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// verb is a sub-command.
var verb = regexp.MustCompile(`^[a-z]+$`)

// Own returns a line that a record gives as assay's own, as it can be pasted. It is "" if it
// is another program's: a record may come from a stranger. No word of it means anything to
// a shell.
func Own(line string) string {
	if _, ok := ParseCommand(line); !ok {
		return ""
	}
	words, _ := Split(line)
	return Join(words)
}

// Remedy leaves of what a record's warning says to try a command of assay, and advice of
// which a shell would make no more than words. Older records have advice in the place of a
// command.
func Remedy(try, advice string) (own, words string) {
	if own = Own(try); own == "" && advice == "" {
		advice = try
	}
	if strings.ContainsAny(advice, "|;&$<>`\n") {
		advice = ""
	}
	return own, advice
}
