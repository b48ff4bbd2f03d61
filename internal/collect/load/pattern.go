package load

import (
	"regexp"
	"sync"
)

// A pattern is a regular expression that is compiled when it is first used. The
// process that starts trials is this same program run anew, and what is in its
// memory is the floor under every peak that it can tell (package trial).
type pattern func() *regexp.Regexp

func lazy(expr string) pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// FindStringSubmatch is that of the expression.
func (p pattern) FindStringSubmatch(s string) []string { return p().FindStringSubmatch(s) }

// MatchString is that of the expression.
func (p pattern) MatchString(s string) bool { return p().MatchString(s) }

// Match is that of the expression.
func (p pattern) Match(b []byte) bool { return p().Match(b) }
