package load

import (
	"regexp"
	"sync"
)

// A rule parses the lines of an output that match a pattern into its state.
type rule[T any] struct {
	pattern func() *regexp.Regexp
	parse   func(state T, m []string) error
}

// parseLine applies the first rule whose pattern a line matches, if any.
func parseLine[T any](rules []rule[T], state T, line string) error {
	for _, r := range rules {
		if m := r.pattern().FindStringSubmatch(line); m != nil {
			return r.parse(state, m)
		}
	}
	return nil
}

// lazy compiles a regular expression at its first use. The process that starts trials
// runs this same program, and its memory is the floor under every peak that it can report
// (package child).
func lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
