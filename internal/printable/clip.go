package printable

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ClipAt cuts a text at its end to at most so many characters, between words and with an
// ellipsis. It never cuts inside an interval, or behind a number, whose unit or word follows.
func ClipAt(text string, most int) string {
	fits := func(s string) bool { return utf8.RuneCountInString(s) <= most }
	if fits(text) {
		return text
	}
	for i := strings.LastIndexByte(text, ' '); i > 0; i = strings.LastIndexByte(text[:i], ' ') {
		head := text[:i]
		last, _ := utf8.DecodeLastRuneInString(head)
		if strings.Count(head, "[") == strings.Count(head, "]") && !unicode.IsDigit(last) && fits(head+" …") {
			return head + " …"
		}
	}
	for text != "" && !fits(text+"…") { // one long word
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text + "…"
}
