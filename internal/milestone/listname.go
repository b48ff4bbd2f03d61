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
	// longestName is in runes: what the first column of a table can show.
	longestName = 60
	// shortHash is how much of a hash people are shown.
	shortHash = 10
)

// Name makes the name of a step of the subject of its commit, which is text by
// a stranger: printable, on one line, at most 60 runes, cut at a word. A name
// that is taken or reserved has the short hash behind it in parentheses, or
// where that does not help a number; so the name of a commit does not depend on
// those after it. Name does not add to taken, which may be nil.
func Name(subject, hash string, taken map[string]bool) string {
	hash = short(cleanSubject(hash))
	subject = cleanSubject(subject)
	if subject == "" {
		subject, hash = hash, ""
	}
	if subject == "" {
		subject = "commit"
	}
	hash = cut(hash, longestName/2) // a branch may stand for one
	free := func(name string) bool { return name != assay.ControlName && !taken[name] }
	name := cut(subject, longestName)
	if hash != "" && !free(name) {
		name = suffixed(subject, " ("+hash+")")
	}
	for i := 2; !free(name); i++ {
		name = suffixed(subject, fmt.Sprintf(" #%d", i))
	}
	return name
}

func suffixed(name, suffix string) string {
	return cut(name, longestName-utf8.RuneCountInString(suffix)) + suffix
}

var fullHash = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

// short is a revision as people are shown it: hashes are cut.
func short(rev string) string {
	if fullHash.MatchString(rev) {
		return rev[:shortHash]
	}
	return rev
}

// cleanSubject makes one line of printable characters.
func cleanSubject(s string) string { return printable.Line(s, 16*longestName) }

// cut shortens a text to a number of runes, at a blank where that leaves half.
func cut(s string, runes int) string {
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
