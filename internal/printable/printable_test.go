package printable

import "testing"

func TestLine(t *testing.T) {
	for _, c := range []struct {
		name, in string
		most     int
		want     string
	}{
		{"plain", "fix the parser", 0, "fix the parser"},
		{"blanks and line breaks", "  a\t b\r\nc\u2028d ", 0, "a b c d"},
		{"colours", "\x1b[31mred\x1b[0m", 0, "red"},
		{"title of a window", "a\x1b]0;owned\x07b", 0, "ab"},
		{"link that does not end", "a\x1b]8;;http://x", 0, "a"},
		{"escape alone", "a\x1b", 0, "a"},
		{"direction", "a\u202eb\u2066c", 0, "abc"},
		{"not UTF-8", "a\xff\xfeb", 0, "ab"},
		{"cut in a character", "aé", 2, "a"},
		{"a command for a runner", "::error::owned", 0, ": :error::owned"},
		{"colons", ":::: ::", 0, ": : : : : :"},
		{"one where a line is broken", "a ::error::b ##[error]c d::e", 0, "a : :error::b # #[error]c d::e"},
		{"beyond the limit", "abcdef", 3, "abc"},
	} {
		if got := Line(c.in, c.most); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestLines(t *testing.T) {
	const in, want = "a\tb  c\n\x1b[31m::error::d\x1b[0m\r\u202e\xff\n", "a\tb  c\n: :error::d\n"
	if got := Lines(in); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
