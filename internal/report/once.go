package report

import "regexp"

// hint is a command in parentheses or a remedy, with the blanks or the line break before.
var hint = regexp.MustCompile(`\n? *(\((?:assay |--all )[^()\n]*\)|try: assay .*)`)

// once removes commands that a text has already: one is enough to see all that was left
// out.
func once(text string) string {
	seen := map[string]bool{}
	return hint.ReplaceAllStringFunc(text, func(found string) string {
		command := hint.FindStringSubmatch(found)[1]
		if seen[command] {
			return ""
		}
		seen[command] = true
		return found
	})
}
