package collect

import (
	"strings"
	"testing"
)

func TestLastLines(t *testing.T) {
	for in, want := range map[string]string{"": "", "a": "a", "a\nb\n\n": "a|b", "1\n2\n3\n4\n5\n\x1b[31m6\x1b[0m\n": "3|4|5|6",
		"said\ngc 37 @18.653s 0%: 0.052+18+0.068 ms clock, 0.10+2.2/8.9/12+0.13 ms cpu, 186->188->106 MB, 190 MB goal, 0 MB stacks, 1 MB globals, 2 P\n": "said"} {
		if got := strings.Join(LastLines([]byte(in), 4), "|"); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
