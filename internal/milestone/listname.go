package milestone

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

const (
	// longestName is the maximum length of a name in runes: what the first column of a
	// table can show.
	longestName = 60
	// shortHash is the number of digits of a hash shown to users.
	shortHash = 10
)

// Name makes a step's name from the subject of its commit, which is untrusted text:
// printable, on one line, at most 60 runes, cut at a word. If the name is taken or
// reserved it appends the short hash in parentheses, or if necessary a number, so that
// the name of a commit does not depend on later ones. Name does not add to taken, which
// may be nil.
func Name(subject, hash string, taken map[string]bool) string {
	hash = shortRev(cleanSubject(hash))
	subject = cleanSubject(subject)
	if subject == "" {
		subject, hash = hash, ""
	}
	if subject == "" {
		subject = "commit"
	}
	hash = cutWords(hash, longestName/2) // it may be the name of a branch
	free := func(name string) bool { return name != assay.ControlName && !taken[name] }
	name := cutWords(subject, longestName)
	if hash != "" && !free(name) {
		name = suffixed(subject, " ("+hash+")")
	}
	for i := 2; !free(name); i++ {
		name = suffixed(subject, fmt.Sprintf(" #%d", i))
	}
	return name
}

func suffixed(name, suffix string) string {
	return cutWords(name, longestName-utf8.RuneCountInString(suffix)) + suffix
}

var fullHash = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

// shortRev returns a revision as shown to users, with a shortened hash.
func shortRev(rev string) string {
	if fullHash.MatchString(rev) {
		return rev[:shortHash]
	}
	return rev
}

// cleanSubject makes one line of printable characters.
func cleanSubject(s string) string { return printable.Line(s, 16*longestName) }

// cutWords shortens a text to a number of runes, at a blank if that leaves half.
func cutWords(s string, runes int) string {
	r := []rune(s)
	if len(r) <= runes {
		return s
	}
	kept := string(r[:runes-1])
	if i := strings.LastIndexByte(kept, ' '); i >= len(kept)/2 && r[runes-1] != ' ' {
		kept = kept[:i]
	}
	return strings.TrimRight(kept, " ,;:-") + "…"
}
