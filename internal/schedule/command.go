package schedule

import (
	"regexp"
	"strings"
)

// With returns command with another value of a flag: "assay compare --budget 5m a b" for
// "assay compare --budget=1m a b", which is the plan's format.
func With(command, flag, value string) string {
	old := regexp.MustCompile(` --` + regexp.QuoteMeta(flag) + `(=('[^']*'|\S*))?( |$)`)
	before, after, dashed := strings.Cut(command, " -- ")
	before = old.ReplaceAllString(before, "$3")
	words := strings.SplitN(before, " ", 3)
	words = append(words[:min(2, len(words)):min(2, len(words))], append([]string{"--" + flag, value}, words[min(2, len(words)):]...)...)
	before = strings.TrimSpace(strings.Join(words, " "))
	if dashed {
		return before + " -- " + after
	}
	return before
}
