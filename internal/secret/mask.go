package secret

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

const (
	// least is the number of bytes from which a text is masked: shorter ones appear in
	// any output by chance.
	least = 4
	// leastLine is the same for a single line of a value that has several.
	leastLine = 8
)

// A Mask replaces the values of secrets in texts by their names: "[secret pg]". The zero
// value has no secrets. It may be used by several goroutines.
type Mask struct {
	mu    sync.RWMutex
	forms []form
}

// A form is one way in which a value may be printed.
type form struct {
	text []byte
	mark string
}

// Add adds the value of a secret. A value of fewer than 4 bytes is not masked.
func (m *Mask) Add(name, value string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	mark := assay.SecretMark(name)
	for _, text := range formsOf(value) {
		if !slices.ContainsFunc(m.forms, func(f form) bool { return f.mark == mark && string(f.text) == text }) {
			m.forms = append(m.forms, form{[]byte(text), mark})
		}
	}
}

// Empty reports whether there is nothing to mask.
func (m *Mask) Empty() bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return len(m.forms) == 0
}

// formsOf lists the forms of a value: as it is, its lines, in base64, in hexadecimal
// digits, encoded for a URL, quoted, and as printable.Line changes it.
func formsOf(value string) (texts []string) {
	add := func(text string, shortest int) {
		if len(text) >= shortest && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	for _, plain := range append([]string{value}, strings.Split(value, "\n")...) {
		shortest := least
		if plain != value {
			if plain = strings.TrimSpace(plain); len(plain) < leastLine {
				continue
			}
			shortest = leastLine
		}
		add(plain, shortest)
		if len(plain) < least {
			continue
		}
		add(printable.Line(plain, 0), shortest)
		add(hex.EncodeToString([]byte(plain)), shortest)
		add(strings.ToUpper(hex.EncodeToString([]byte(plain))), shortest)
		for _, escaped := range []string{url.QueryEscape(plain), url.PathEscape(plain), percent(plain)} {
			add(escaped, shortest)
			add(lowerDigits(escaped), shortest)
		}
		quoted := strconv.Quote(plain)
		add(quoted[1:len(quoted)-1], shortest)
		if text, err := json.Marshal(plain); err == nil {
			add(string(text[1:len(text)-1]), shortest)
		}
		for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
			add(encoding.EncodeToString([]byte(plain)), shortest)
			for _, inside := range insideBase64(encoding, plain) {
				add(inside, shortest)
			}
		}
	}
	return texts
}

// percent encodes every byte.
func percent(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		b.WriteString("%" + strings.ToUpper(hex.EncodeToString([]byte{c})))
	}
	return b.String()
}

var escape = regexp.MustCompile(`%[0-9A-F]{2}`)

// lowerDigits writes the digits of escapes in lower case.
func lowerDigits(s string) string { return escape.ReplaceAllStringFunc(s, strings.ToLower) }

// insideBase64 returns what is sure to be in the base64 of a text that contains s, as in
// the header "Authorization: Basic" of HTTP. It depends on where s begins, modulo 3 bytes.
func insideBase64(encoding *base64.Encoding, s string) (texts []string) {
	for before := range 3 {
		text := encoding.EncodeToString(append(make([]byte, before), s...))
		bits := 8 * (before + len(s))
		texts = append(texts, text[(8*before+5)/6:bits/6])
	}
	return texts
}

// A span is a part of a text with one mark.
type span struct {
	from, to int
	mark     string
}

// omission matches where a text was cut: the note in an output that was too long, the end
// of a reason, and the end of a text.
var omission = regexp.MustCompile(`\n\.\.\. [0-9]+ bytes omitted \.\.\.\n|…|$`)

// Bytes returns a text with the values masked. Where the text has been cut, the beginning
// of a value before the cut and the end of one after it are masked too. If there is
// nothing to mask it returns the text itself.
func (m *Mask) Bytes(text []byte) []byte {
	if m.Empty() {
		return text
	}
	return m.masked(text, omission.FindAllIndex(text, -1))
}

// String is Bytes for a string.
func (m *Mask) String(text string) string {
	if m.Empty() {
		return text
	}
	return string(m.Bytes([]byte(text)))
}

// Name is String for a name, which has not been cut.
func (m *Mask) Name(name string) string {
	if m.Empty() {
		return name
	}
	return string(m.masked([]byte(name), nil))
}

// masked masks a text that was cut at some places.
func (m *Mask) masked(text []byte, cuts [][]int) []byte {
	m.mu.RLock()
	forms := m.forms
	m.mu.RUnlock()
	var spans []span
	for _, f := range forms {
		for at := 0; ; {
			i := bytes.Index(text[at:], f.text)
			if i < 0 {
				break
			}
			at += i
			spans = append(spans, span{at, at + len(f.text), f.mark})
			at++ // the next may overlap it
		}
		for _, cut := range cuts {
			if n := beginning(f.text, text[:cut[0]]); n > 0 {
				spans = append(spans, span{cut[0] - n, cut[0], f.mark})
			}
			if n := ending(f.text, text[cut[1]:]); n > 0 && cut[1] > cut[0] {
				spans = append(spans, span{cut[1], cut[1] + n, f.mark})
			}
		}
	}
	if len(spans) == 0 {
		return text
	}
	return replaced(text, spans)
}

// beginning returns how much of the beginning of value is at the end of text.
func beginning(value, text []byte) int {
	for n := min(len(value)-1, len(text)); n >= least; n-- {
		if bytes.HasSuffix(text, value[:n]) {
			return n
		}
	}
	return 0
}

// ending returns how much of the end of value is at the beginning of text.
func ending(value, text []byte) int {
	for n := min(len(value)-1, len(text)); n >= least; n-- {
		if bytes.HasPrefix(text, value[len(value)-n:]) {
			return n
		}
	}
	return 0
}

// replaced replaces spans by their marks. Spans that overlap, and those of one secret that
// touch, are replaced together.
func replaced(text []byte, spans []span) []byte {
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	var out []byte
	done := 0
	for i := 0; i < len(spans); {
		s := spans[i]
		for i++; i < len(spans) && (spans[i].from < s.to || spans[i].from == s.to && spans[i].mark == s.mark); i++ {
			s.to = max(s.to, spans[i].to)
		}
		out = append(append(out, text[done:s.from]...), s.mark...)
		done = s.to
	}
	return append(out, text[done:]...)
}
