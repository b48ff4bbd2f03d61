package knobs

import "strings"

// listed returns words after lead, folded into lines of at most 90 bytes.
func listed(lead string, words []string) []string {
	var lines []string
	line := lead
	for i, w := range words {
		if i < len(words)-1 {
			w += ", "
		}
		if len(line)+len(w) > 90 {
			lines = append(lines, strings.TrimRight(line, " "))
			line = "  "
		}
		line += w
	}
	return append(lines, line)
}
