package load

import (
	"regexp"
	"sync"
)

// lazy compiles a regular expression at its first use. The process that starts trials
// runs this same program, and its memory is the floor under every peak that it can report
// (package child).
func lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
