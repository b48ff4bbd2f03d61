package terminal

import "slices"

// CommandLines breaks a command line that is too long so that it can still be pasted:
// with a backslash between words, never inside quotes.
func CommandLines(text string, width int) []string {
	var lines []string
	at := ""
	for _, w := range ShellWords(text) {
		switch {
		case at == "":
			at = w
		case Width(at)+1+Width(w)+2 <= width:
			at += " " + w
		default:
			lines = append(lines, at+` \`)
			at = "  " + w
		}
	}
	return append(lines, at)
}

// ShellWords splits a command line at the spaces outside quotes and keeps the quotes.
func ShellWords(text string) []string {
	var words []string
	var quote rune
	start := 0
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		case r == ' ':
			words = append(words, text[start:i])
			start = i + 1
		}
	}
	words = append(words, text[start:])
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}
