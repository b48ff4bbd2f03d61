package markdown

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/seed-1318a441/assay/internal/printable"
)

// The Markdown of a result is read on pages where a stranger's benchmark name must not
// become a link, a mention that notifies somebody, or a column of the table. Texts of a
// record therefore get into it through two functions only: Code for names and commands,
// Prose for sentences.

// The maximum lengths of a name, a sentence and a command in a comment.
const (
	maxMarkdownName    = 100
	maxMarkdownText    = 600
	maxMarkdownCommand = 2400
)

// plainCode is what a code span shows as it is, in a table too.
var plainCode = regexp.MustCompile("^[^`|\\\\ ]([^`|\\\\]*[^`|\\\\ ])?$")

// Code is a text in a code span, where GitHub looks for no mentions, references, links or
// emphasis. A text that would end the span or the cell is written in entities, which are
// never structure, and without links, which GitHub makes inside <code>, too.
func Code(text string) string { return codeSpan(text, maxMarkdownName) }

// codeSpan is Code with a bound of its own, for commands, which must stay whole.
func codeSpan(text string, most int) string {
	text = clip(printable.Clean(text), most)
	if plainCode.MatchString(text) {
		return "`" + text + "`"
	}
	return "<code>" + unlinked(entities(text)) + "</code>"
}

// Prose is a sentence of the record, word for word. What Markdown or HTML would take for
// structure is in entities, and what GitHub would turn into a mention, a reference or a
// link is broken by a space of no width.
func Prose(text string) string {
	return unlinked(entities(clip(printable.Clean(text), maxMarkdownText)))
}

// unlinked breaks what begins a link, a mention or a reference.
func unlinked(text string) string { return trigger.ReplaceAllString(text, "$0&#8203;") }

// trigger is what begins a mention, a reference or a link on GitHub.
var trigger = regexp.MustCompile(`(?i)@|&#35;|:/|www\.|\bgh-`)

// numbered begins an item of a list.
var numbered = regexp.MustCompile(`^[0-9]+[.)]`)

// entities writes characters with a meaning in Markdown or HTML as entities.
func entities(text string) string {
	var b strings.Builder
	for i, r := range text {
		special := strings.ContainsRune("&<>|\\`*_~$#!{}", r)
		link := (r == '(' || r == ':') && strings.HasSuffix(text[:i], "]")
		begins := i == 0 && (strings.ContainsRune("-+=[ ", r) || numbered.MatchString(text))
		if special || link || begins {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// clip cuts a text in its middle. It counts characters, since a name may have thousands
// that take no room.
func clip(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	r := []rune(text)
	tail := most / 3
	return string(r[:most-tail-1]) + "…" + string(r[len(r)-tail:])
}

// Address is an address that may stand in a link, "" where it may not: only http and
// https are allowed.
func Address(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return ""
	}
	escape := func(r rune) string {
		if r <= ' ' || r >= utf8.RuneSelf || strings.ContainsRune("()<>[]|\\`\"'*_~$!{}", r) {
			return url.PathEscape(string(r))
		}
		return string(r)
	}
	var b strings.Builder
	for _, r := range u.String() {
		b.WriteString(escape(r))
	}
	// PathEscape leaves some of them, which are lawful in a path.
	return strings.NewReplacer("(", "%28", ")", "%29", "*", "%2A", "_", "%5F", "!", "%21", "$", "%24", "'", "%27", "~", "%7E").Replace(b.String())
}

// Marker is the last line of a comment, by which it is found again. The name in it can end
// neither the line nor the HTML comment.
func Marker(study string) string {
	var b strings.Builder
	for _, c := range []byte(clip(study, maxMarkdownName)) {
		word := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '/'
		if word || c == '-' && !strings.HasSuffix(b.String(), "-") && b.Len() > 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return "<!-- assay:comment v1 study=" + b.String() + " -->"
}

// A Push is the result of an earlier push of a pull request.
type Push struct {
	Commit  string // its hash
	Verdict string // what the heading said
}

// MaxPushes is the number of earlier pushes that a comment remembers.
const MaxPushes = 20

// pushLine remembers a push in a comment: the newest first, its own included.
var pushLine = regexp.MustCompile(`(?m)^<!-- assay:push ([0-9a-f]{7,64}) ([a-z0-9/,.:; ±%]{1,120}) -->\r?$`)

// Pushes reads from a comment of [Write] its push and those before it.
func Pushes(comment string) []Push {
	var out []Push
	for _, m := range pushLine.FindAllStringSubmatch(comment, MaxPushes) {
		out = append(out, Push{Commit: m[1], Verdict: m[2]})
	}
	return out
}

// line is the push as Pushes reads it, "" where it has no such form.
func (p Push) line() string {
	text := "<!-- assay:push " + p.Commit + " " + p.Verdict + " -->"
	if !pushLine.MatchString(text) {
		return ""
	}
	return text
}
