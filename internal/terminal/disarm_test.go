package terminal

import (
	"bytes"
	"strings"
	"testing"
)

func TestDisarm(t *testing.T) {
	for in, want := range map[string]string{
		"::error title=x::y\n":                 ": :error title=x::y\n",
		"a ::error\n  ::error::\r:::warning::": "a ::error\n  : :error::\r: : :warning::",
		"\u00a0\u2028::stop-commands::x":       "\u00a0\u2028: :stop-commands::x",
		"a ##[error]b ###[group]":              "a ## [error]b ### [group]",
		`{"name":"a::b","x":"# #["}`:           `{"name":"a::b","x":"# #["}`,
		"":                                     "",
	} {
		// In one write, and byte by byte.
		var whole, parts bytes.Buffer
		if n, err := Disarm(&whole).Write([]byte(in)); n != len(in) || err != nil {
			t.Errorf("%q: wrote %d, %v", in, n, err)
		}
		d := Disarm(&parts)
		for i := range len(in) {
			_, _ = d.Write([]byte(in)[i : i+1])
		}
		if whole.String() != want || parts.String() != want {
			t.Errorf("%q: got %q and %q, want %q", in, &whole, &parts, want)
		}
	}
}

// No width of lines lets a workflow command begin one.
func TestWrapBreaksNoCommandLoose(t *testing.T) {
	for width := 20; width <= 200; width++ {
		for _, command := range []string{"::error title=a::b", "##[error]b"} {
			for n := max(0, width-12); n < width+3; n++ {
				for _, line := range Wrap(strings.Repeat("y", n)+command+" and more", width) {
					if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
						t.Fatalf("width %d: line %q", width, line)
					}
				}
			}
		}
	}
}
