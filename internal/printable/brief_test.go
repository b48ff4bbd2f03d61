package printable

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func FuzzBrief(f *testing.F) {
	f.Add("\x1b[31mred\x1b[0m")
	f.Add("\x1b]0;title")
	f.Add(":::")
	f.Fuzz(func(t *testing.T, in string) {
		got := Brief(in)
		if len(got) > LongestBrief || !utf8.ValidString(got) || strings.TrimSpace(got) != got {
			t.Errorf("%q", got)
		}
		if strings.IndexFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0 {
			t.Errorf("%q has what does not print", got)
		}
		if again := Brief(got); again != got {
			t.Errorf("%q becomes %q", got, again)
		}
	})
}
