package markdown

import "testing"

// What a hostile record says stays text.
func TestMarkdownText(t *testing.T) {
	for _, x := range []struct{ in, code, prose string }{
		{"Encode/large", "`Encode/large`", "Encode/large"},
		{"a|b", "<code>a&#124;b</code>", "a&#124;b"},
		{"a`b", "<code>a&#96;b</code>", "a&#96;b"},
		{"@octocat fixes #12", "`@octocat fixes #12`", "@&#8203;octocat fixes &#35;&#8203;12"},
		{"<img src=x onerror=y>", "`<img src=x onerror=y>`", "&#60;img src=x onerror=y&#62;"},
		{"[x](http://evil)", "`[x](http://evil)`", "&#91;x]&#40;http:/&#8203;/evil)"},
		{"a\nb\u202ec", "`a bc`", "a bc"},
		{"1. one", "`1. one`", "&#49;. one"},
		{"*a* _b_ ~c~ $d$", "`*a* _b_ ~c~ $d$`", "&#42;a&#42; &#95;b&#95; &#126;c&#126; &#36;d&#36;"},
		{"−19.0 % [−19.8, −17.3]", "`−19.0 % [−19.8, −17.3]`", "−19.0 % [−19.8, −17.3]"},
		{" ", "<code>&#32;</code>", "&#32;"},
		{"GH-12", "`GH-12`", "GH-&#8203;12"},
	} {
		if got := Code(x.in); got != x.code {
			t.Errorf("code %q: got %s, want %s", x.in, got, x.code)
		}
		if got := Prose(x.in); got != x.prose {
			t.Errorf("prose %q: got %s, want %s", x.in, got, x.prose)
		}
	}
	for in, want := range map[string]string{
		"https://github.com/o/r/actions/runs/1": "https://github.com/o/r/actions/runs/1",
		"https://e.com/a(b)|c`<d>":              "https://e.com/a%28b%29%7Cc%60%3Cd%3E",
		"javascript:alert(1)":                   "", "//e.com": "", "https://u@e.com": "", "ftp://e.com": "",
	} {
		if got := Address(in); got != want {
			t.Errorf("address %q: got %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"codec": "codec", "a -->\n<b>": "a%20-%2D%3E%0A%3Cb%3E", "go-toml": "go-toml", "-x": "%2Dx"} {
		if got := Marker(in); got != "<!-- assay:comment v1 study="+want+" -->" {
			t.Errorf("marker of %q: got %s", in, got)
		}
	}
}
