package load

import (
	"regexp"
	"sync"
)

// A pattern is a regular expression compiled at its first use. The process that starts
// trials runs this same program, and its memory is the floor under every peak that it can
// report (package child).
type pattern func() *regexp.Regexp

func lazy(expr string) pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// FindStringSubmatch is Regexp.FindStringSubmatch.
func (p pattern) FindStringSubmatch(s string) []string { return p().FindStringSubmatch(s) }

// MatchString is Regexp.MatchString.
func (p pattern) MatchString(s string) bool { return p().MatchString(s) }

// Match is Regexp.Match.
func (p pattern) Match(b []byte) bool { return p().Match(b) }
