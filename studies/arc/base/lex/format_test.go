package lex_test

import (
	"testing"

	"example.com/arc/lex"
)

func TestFormat(t *testing.T) {
	for _, test := range []struct {
		name, src, want string
	}{
		{"nothing", "", ""},
		{"empty lines only", "\n \n\t\n", ""},
		{"empty lines", "\n\n\na\n\n\nb\n\n\n", "a\n\nb\n"},
		{"no newline at the end", "a", "a\n"},
		{"words", "a=1+ 2   *x", "a = 1 + 2 * x\n"},
		{"comments", "#  one\na#two  \n  # three", "#  one\na  #two\n# three\n"},
		{"indent", "queue a {\nlimit=1\nwhen x {\ny=2\n}\n}\nb", "queue a {\n    limit = 1\n    when x {\n        y = 2\n    }\n}\nb\n"},
		{"indent of brackets", "a=[\n1,\n(\n2\n)]\nb", "a = [\n    1,\n    (\n        2\n)]\nb\n"},
		{"else", "when a {\nb\n} else {\nc\n}", "when a {\n    b\n} else {\n    c\n}\n"},
		{"too many closers", "}\n)\na {\nb", "}\n)\na {\n    b\n"},
		{"deep", "{{{{{{{{{{\na", "{ { { { { { { { { {\n                                        a\n"},
		{"calls", "f ( a , b ) [ 0 ] . c", "f(a, b) [0] .c\n"},
		{"names with dots", "a . b . c", "a.b.c\n"},
		{"index and call", "a [ 1 ] when ( b )", "a[1] when (b)\n"},
		{"punctuation", "a : 1 ; b", "a: 1; b\n"},
		{"prefix", "a = - b - - 1 + ! c\n- 1\nwhen ! x\n( - 1 ) - 2", "a = -b - -1 + !c\n-1\nwhen !x\n(-1) - 2\n"},
		{"prefix before an operator", "! = ! == ! ! a", "! = ! == !!a\n"},
		{"numbers beside dots", "1 . 5 . x", "1 .5 .x\n"},
		{"strings", `"a\"\\\n\t\u0001\u007f\u00e9" "é"`, `"a\"\\\n\t\u0001\u007fé" "é"` + "\n"},
		{"empty string", `""`, `""` + "\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := lex.Format(test.src)
			if err != nil {
				t.Fatal(err)
			}
			if got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestFormatError(t *testing.T) {
	got, err := lex.Format("a = $")
	if want := `1:5: unexpected character '$'`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if got != "" {
		t.Errorf("got %q, want nothing", got)
	}
}

// FuzzFormat holds that formatting keeps all tokens but newlines, and that doing it
// twice is doing it once.
func FuzzFormat(f *testing.F) {
	for _, src := range []string{"a=1", "f(x)[0].y", "! =", "1 . 5", "\"\\u0001\"#x", "{\n}\n\n\n"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		once, err := lex.Format(src)
		if err != nil {
			return
		}
		twice, err := lex.Format(once)
		if err != nil || twice != once {
			t.Fatalf("formatted twice: got %q and %v, want %q", twice, err, once)
		}
		got, want := words(t, once), words(t, src)
		if len(got) != len(want) {
			t.Fatalf("got %d tokens, want %d: %q", len(got), len(want), once)
		}
		for i := range got {
			got[i].Pos, want[i].Pos = lex.Pos{}, lex.Pos{}
			if got[i] != want[i] {
				t.Errorf("token %d: got %v, want %v", i, got[i], want[i])
			}
		}
	})
}

// words returns the tokens of a text without its newlines.
func words(t *testing.T, src string) []lex.Token {
	tokens, err := lex.Tokens(src)
	if err != nil {
		t.Fatal(err)
	}
	var words []lex.Token
	for _, token := range tokens {
		if token.Kind != lex.Newline {
			words = append(words, token)
		}
	}
	return words
}
