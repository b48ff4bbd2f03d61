package printable

import "testing"

// A cut text has no half of a number, an interval or a word, unless one word is all of it.
func TestClipAt(t *testing.T) {
	for _, test := range []struct {
		text string
		most int
		want string
	}{
		{"short", 5, "short"},
		{"use b: 21.7 % less time", 30, "use b: 21.7 % less time"},
		{"use b: 21.7 % less time", 21, "use b: 21.7 % less …"},
		{"use b: 21.7 % less time", 13, "use b: …"},
		{"p50 −4.3 % [−9.3, −1.7] of b", 25, "p50 −4.3 % [−9.3, −1.7] …"},
		{"p50 −4.3 % [−9.3, −1.7] of b", 24, "p50 −4.3 % …"},
		{"BenchmarkOfALongName", 10, "Benchmark…"},
		{"näive übung", 7, "näive …"},
		{"", 0, ""},
	} {
		if got := ClipAt(test.text, test.most); got != test.want {
			t.Errorf("%q at %d: got %q, want %q", test.text, test.most, got, test.want)
		}
	}
}
