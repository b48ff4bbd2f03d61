package document

import (
	"testing"
)

// A section's equals signs are aligned; a blank line parts sections, but no comment from
// the section that it is about. What has no rows leaves no trace.
func TestWriter(t *testing.T) {
	var w Writer
	w.Section("", Rows{{"name", `"a"`}, {"question", `"b"`}})
	w.Section("[empty]", nil)
	w.Comment("what is compared")
	w.Section("[none]", nil)
	w.Section("[[variant]]", Rows{{"go", `"go1.26.8"`}})
	w.Section("[[variant]]", Rows{{"a", "1"}})
	const want = `name     = "a"
question = "b"

# what is compared
[[variant]]
go = "go1.26.8"

[[variant]]
a = 1
`
	if got := string(w.Bytes()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var first Writer
	first.Comment("by assay")
	if got, want := string(first.Bytes()), "# by assay\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Only fields that have a value, and that can be written, are rows, in their order.
func TestRows(t *testing.T) {
	s := settings{Name: "a", On: true, Mode: "calm", X: 3, Limit: "not written", Parts: []part{{}}}
	want := []Row{{"name", `"a"`}, {"on", "true   # yes"}, {"mode", `"calm"`}, {"sub", "{ x = 3 }"}}
	got := s.schema().Rows()
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %q, want %q", got[i], want[i])
		}
	}
}

// A table on one line quotes the names that need it, and is nothing without any.
func TestInline(t *testing.T) {
	for _, c := range []struct {
		pairs map[string]string
		want  string
	}{
		{nil, ""},
		{map[string]string{"GOGC": "200", "A-1_b": "x"}, `{ A-1_b = "x", GOGC = "200" }`},
		{map[string]string{"a b": "1", "": "2", "c.d": `e"f`, "ü": "3"}, `{ "" = "2", "a b" = "1", "c.d" = 'e"f', "ü" = "3" }`},
	} {
		got := QuotePairs(c.pairs)
		if got != c.want {
			t.Errorf("%q: got %s, want %s", c.pairs, got, c.want)
			continue
		}
		if got == "" {
			continue
		}
		table := mustParse(t, "t = "+got).Find("t").Value.Table
		for _, e := range table.Entries {
			if c.pairs[e.Key] != e.Value.Text {
				t.Errorf("%s: reads %q as %q", got, e.Key, e.Value.Text)
			}
		}
		if len(table.Entries) != len(c.pairs) {
			t.Errorf("%s: reads %d names, want %d", got, len(table.Entries), len(c.pairs))
		}
	}
}

// Text with backslashes or quotes is a literal where it can be one; TOML reads each as the
// same text again.
func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"":              `""`,
		"plain":         `"plain"`,
		"it's":          `"it's"`,
		`a\b`:           `'a\b'`,
		`say "a"`:       `'say "a"'`,
		`it's "a"`:      `"it's \"a\""`,
		"a\\\n":         `"a\\\u000A"`,
		"\x00\x1f\x7f":  `"\u0000\u001F\u007F"`,
		"tab\t":         `"tab\u0009"`,
		"ü☾\u0085":      "\"ü☾\u0085\"",
		`\` + "\u202e":  `'\` + "\u202e'",
		`\` + "\x7f'\"": `"\\\u007F'\""`,
	} {
		got := Quote(text)
		if got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
		if read := mustParse(t, "a = "+got).Find("a").Value.Text; read != text {
			t.Errorf("%q: %s reads as %q", text, got, read)
		}
	}
	// TOML is UTF-8: what is not becomes a sign that says so.
	for _, text := range []string{"a\xff", "\\\xff"} {
		if read, want := mustParse(t, "a = "+Quote(text)).Find("a").Value.Text, text[:1]+"\ufffd"; read != want {
			t.Errorf("%q reads as %q, want %q", text, read, want)
		}
	}
}

// A list is on one line, and nothing if it is empty.
func TestQuoteList(t *testing.T) {
	if got := QuoteList(nil); got != "" {
		t.Errorf("got %q of an empty list", got)
	}
	if got, want := QuoteList([]string{"a", `b"`, ""}), `["a", 'b"', ""]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
